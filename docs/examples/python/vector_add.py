"""The example of docs/python.md for cuda.core: a kernel in CUDA C++, compiled when the program runs."""

import numpy as np
from cuda.core import Device, EventOptions, LaunchConfig, LegacyPinnedMemoryResource, Program, ProgramOptions, launch

SOURCE = """
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
"""
COUNT, THREADS = 1000, 256

device = Device()
device.set_current()
stream = device.create_stream()
program = Program(SOURCE, code_type="c++", options=ProgramOptions(arch=f"sm_{device.arch}"))
kernel = program.compile("cubin").get_kernel("add")

pinned = LegacyPinnedMemoryResource()
host = [pinned.allocate(COUNT * 4, stream=stream) for _ in range(3)]
values = [np.from_dlpack(buffer).view(np.float32) for buffer in host]
values[0][:] = np.arange(COUNT)
values[1][:] = 2 * values[0]
a, b, c = (device.allocate(COUNT * 4, stream=stream) for _ in range(3))
a.copy_from(host[0], stream=stream)
b.copy_from(host[1], stream=stream)
before, after = (device.create_event(options=EventOptions(timing_enabled=True)) for _ in range(2))
stream.record(before)
launch(stream, LaunchConfig(grid=-(-COUNT // THREADS), block=THREADS), kernel, a, b, c, np.int32(COUNT))
stream.record(after)
c.copy_to(host[2], stream=stream)
stream.sync()
assert (values[2] == 3 * values[0]).all()
print(f"sums are right; {after - before:.4f} ms on the virtual clock")
