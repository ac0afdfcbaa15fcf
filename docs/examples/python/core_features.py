"""cuda.core beyond one kernel: templates, linking, pools, clusters, graphs, textures and tensor maps."""

import pickle

import numpy as np
from cuda.core import (
    Device,
    DeviceMemoryResource,
    EventOptions,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Linker,
    LinkerOptions,
    ManagedMemoryResource,
    ManagedMemoryResourceOptions,
    ObjectCode,
    PinnedMemoryResource,
    Program,
    ProgramOptions,
    StreamOptions,
    launch,
)
from cuda.core.graph import GraphBuilder, GraphDefinition
from cuda.core.texture import OpaqueArrayOptions, ResourceDescriptor, TextureObjectOptions
from cuda.core.utils import StridedMemoryView

SCALE = """
template <class T> __global__ void scale(T* x, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
extern "C" __global__ void plus(int* x, int by) { x[threadIdx.x] += by; }
"""
TWICE = "__device__ int twice(int x) { return 2 * x; }"
RUN = 'extern __device__ int twice(int); extern "C" __global__ void run(int* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }'
DRAW = """
extern "C" __global__ void sample(cudaTextureObject_t t, float* out, int w) {
  out[blockIdx.x * w + threadIdx.x] = tex2D<float>(t, threadIdx.x + 1.0f, blockIdx.x + 0.5f);
}
extern "C" __global__ void draw(cudaSurfaceObject_t s) {
  surf2Dwrite(float(threadIdx.x + 100 * blockIdx.x), s, threadIdx.x * 4, blockIdx.x);
}
"""
TILE = """
struct alignas(64) Map { char opaque[128]; };
extern "C" __global__ void tile(const __grid_constant__ Map map, float* out) {
  __shared__ alignas(128) float t[64];
  __shared__ alignas(8) unsigned long long bar;
  unsigned b = __cvta_generic_to_shared(&bar), s = __cvta_generic_to_shared(t);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(b));
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(b));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(s), "l"(&map), "r"(4), "r"(2), "r"(b) : "memory");
  }
  asm volatile("{ .reg .pred p; w: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra w; }" :: "r"(b) : "memory");
  out[threadIdx.x] = t[threadIdx.x];
}
"""
CLUSTER = """
extern "C" __global__ void next_rank(int* x) {
  __shared__ int mine;
  unsigned rank, count, there, value;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  if (threadIdx.x == 0) mine = rank + 1;
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  unsigned here = __cvta_generic_to_shared(&mine);
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"((rank + 1) % count));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there));
  if (threadIdx.x == 0) x[blockIdx.x] = value;
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
ARCH = f"sm_{device.arch}"
ONE_BLOCK = LaunchConfig(grid=1, block=32)
pinned = LegacyPinnedMemoryResource()


def compiled(source, *names, to="cubin", **options):
    return Program(source, code_type="c++", options=ProgramOptions(arch=ARCH, **options)).compile(to, name_expressions=names)


def host(dtype, count, value=0):
    """Memory that both sides use, and its array."""
    buffer = pinned.allocate(np.dtype(dtype).itemsize * count, stream=stream)
    array = np.from_dlpack(buffer).view(dtype)
    array[:] = value
    return buffer, array


def instances_of_templates():
    module = compiled(SCALE, "scale<float>", "scale<double>")
    for dtype, name in ((np.float32, "scale<float>"), (np.float64, "scale<double>")):
        kernel = module.get_kernel(name)
        buffer, x = host(dtype, 100, np.arange(100))
        launch(stream, LaunchConfig(grid=1, block=128), kernel, buffer, dtype(3), np.int32(100))
        stream.sync()
        assert (x == 3 * np.arange(100)).all()
        assert kernel.attributes.num_regs > 0 and [i.size for i in kernel.arguments_info] == [8, x.itemsize, 4]
        assert kernel.occupancy.max_active_blocks_per_multiprocessor(256, 0) == 8
    assert pickle.loads(pickle.dumps(module)).get_kernel("scale<float>").attributes.num_regs > 0


def linked_modules():
    for kinds in (("ptx", "ptx"), ("ltoir", "ltoir"), ("ptx", "ltoir")):
        parts = [compiled(text, to=kind, relocatable_device_code=True, link_time_optimization=True if kind == "ltoir" else None)
                 for text, kind in zip((RUN, TWICE), kinds, strict=True)]
        options = LinkerOptions(arch=ARCH, link_time_optimization=True if "ltoir" in kinds else None)
        buffer, x = host(np.int32, 32, np.arange(32))
        launch(stream, ONE_BLOCK, Linker(*parts, options=options).link("cubin").get_kernel("run"), buffer)
        stream.sync()
        assert (x == 2 * np.arange(32)).all()


def memory_of_every_kind():
    plus = ObjectCode.from_ptx(compiled(SCALE, to="ptx").code).get_kernel("plus")
    pool = DeviceMemoryResource(device)
    with pool.allocate(4096, stream=stream) as memory:
        memory.fill(b"\x07", stream=stream)
        buffer, x = host(np.uint8, 4096)
        memory.copy_to(buffer, stream=stream)
        stream.sync()
        assert (x == 7).all() and pool.attributes.used_mem_current == 4096
        staged = PinnedMemoryResource().allocate(4096, stream=stream)
        memory.copy_to(staged, stream=stream)
        stream.sync()
        assert (np.from_dlpack(staged).view(np.uint8) == 7).all()
    managed = ManagedMemoryResource(ManagedMemoryResourceOptions()).allocate(128, stream=stream)
    stream.sync()
    x = np.from_dlpack(managed).view(np.int32)
    x[:] = 5
    launch(stream, ONE_BLOCK, plus, managed, np.int32(2))
    stream.sync()
    assert (x == 7).all()


def ordered_streams():
    one, other = (device.create_stream(options=StreamOptions(nonblocking=True, priority=p)) for p in (0, -1))
    first = one.record(options=EventOptions(timing_enabled=True))
    other.wait(first)
    buffer, x = host(np.int32, 32)
    launch(other, ONE_BLOCK, compiled(SCALE).get_kernel("plus"), buffer, np.int32(2))
    second = other.record(options=EventOptions(timing_enabled=True))
    one.wait(other)
    second.sync()
    assert second.is_done and second - first > 0 and x[3] == 2


def clusters():
    kernel = compiled(CLUSTER).get_kernel("next_rank")
    buffer, x = host(np.int32, 8)
    launch(stream, LaunchConfig(grid=2, cluster=4, block=32), kernel, buffer)
    stream.sync()
    assert list(x) == [2, 3, 4, 1] * 2


def graphs():
    kernel = compiled(SCALE).get_kernel("plus")
    (buffer, x), (other, y) = host(np.int32, 32), host(np.int32, 32)
    told = []
    builder = device.create_graph_builder().begin_building()
    launch(builder, ONE_BLOCK, kernel, buffer, np.int32(1))
    left, right = builder.split(2)
    launch(left, ONE_BLOCK, kernel, buffer, np.int32(10))
    launch(right, ONE_BLOCK, kernel, other, np.int32(100))
    joined = GraphBuilder.join(left, right)
    joined.callback(lambda: told.append(1))
    graph = joined.end_building().complete()
    for _ in range(3):
        graph.launch(stream)
    stream.sync()
    assert (x == 33).all() and (y == 300).all() and len(told) == 3

    definition = GraphDefinition()
    node = definition.allocate(128)
    filled = node.memset(node.dptr, 1, 128)
    added = filled.launch(ONE_BLOCK, kernel, node.dptr, np.int32(5))
    added.memcpy(buffer, node.dptr, 128).deallocate(node.dptr)
    definition.instantiate().launch(stream)
    stream.sync()
    assert (x == 0x01010101 + 5).all()


def textures():
    module = compiled(DRAW)
    array = device.create_opaque_array(OpaqueArrayOptions(shape=(16, 8), format="float32", num_channels=1, is_surface_load_store=True))
    resource = ResourceDescriptor.from_opaque_array(array)
    surface = device.create_surface_object(resource=resource)
    launch(stream, LaunchConfig(grid=8, block=16), module.get_kernel("draw"), np.uint64(int(surface.handle)))
    texture = device.create_texture_object(resource=resource, options=TextureObjectOptions(filter_mode="linear"))
    buffer, out = host(np.float32, 128)
    launch(stream, LaunchConfig(grid=8, block=16), module.get_kernel("sample"), np.uint64(int(texture.handle)), buffer, np.int32(16))
    stream.sync()
    assert (out.reshape(8, 16) == np.minimum(np.arange(16) + 0.5, 15)[None, :] + 100 * np.arange(8)[:, None]).all()


def tensor_maps():
    data = device.allocate(32 * 32 * 4, stream=stream)
    buffer, x = host(np.float32, 1024, np.arange(1024))
    data.copy_from(buffer, stream=stream)

    class Matrix:
        @property
        def __cuda_array_interface__(self):
            return {"shape": (32, 32), "typestr": "<f4", "data": (int(data.handle), False), "version": 3, "strides": None}

    tiles = StridedMemoryView.from_any_interface(Matrix(), stream_ptr=-1).as_tensor_map(box_dim=(8, 8))
    result, out = host(np.float32, 64)
    launch(stream, LaunchConfig(grid=1, block=64), compiled(TILE).get_kernel("tile"), tiles, result)
    stream.sync()
    assert (out.reshape(8, 8) == x.reshape(32, 32)[2:10, 4:12]).all()


instances_of_templates()
linked_modules()
memory_of_every_kind()
ordered_streams()
clusters()
graphs()
textures()
tensor_maps()
print("all of it works")
