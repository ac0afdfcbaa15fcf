"""PyCUDA beyond one kernel: modules of templates, streams, arrays, kernels that PyCUDA writes, pools, launches by kernels."""

import string

import numpy as np
import pycuda.autoinit  # noqa: F401  It makes a context.
import pycuda.driver as driver
from pycuda import cumath, gpuarray
from pycuda.compiler import DynamicModule, DynamicSourceModule, SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel
from pycuda.tools import DeviceMemoryPool

SMOOTH = string.Template("""
__constant__ float weights[$tile];
__device__ int blocks;
template <class T> __device__ T weighted(T x, int i) { return x * weights[i]; }
extern "C" __global__ void smooth(float* out, const float* in, int n) {
  __shared__ float part[$tile];
  int i = blockIdx.x * $tile + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = weighted(part[threadIdx.x], threadIdx.x);
  if (threadIdx.x == 0) atomicAdd(&blocks, 1);
}
extern "C" __global__ void plus(int* x) { x[threadIdx.x] += 1; }
""")
TILE, COUNT = 64, 1000


def module_of_a_template():
    module = SourceModule(SMOOTH.substitute(tile=TILE), no_extern_c=True, options=["--use_fast_math"])
    weights = np.linspace(1, 2, TILE, dtype=np.float32)
    place, size = module.get_global("weights")
    assert size == weights.nbytes
    driver.memcpy_htod(place, weights)
    smooth = module.get_function("smooth")
    smooth.prepare("PPi")
    stream, start, end = driver.Stream(), driver.Event(), driver.Event()
    given = driver.pagelocked_empty(COUNT, np.float32)
    given[:] = np.arange(COUNT)
    taken = driver.pagelocked_empty_like(given)
    source, result = driver.mem_alloc(given.nbytes), driver.mem_alloc(given.nbytes)
    start.record(stream)
    driver.memcpy_htod_async(source, given, stream)
    smooth.prepared_async_call((-(-COUNT // TILE), 1), (TILE, 1, 1), stream, result, source, COUNT)
    driver.memcpy_dtoh_async(taken, result, stream)
    end.record(stream)
    end.synchronize()
    assert start.time_till(end) > 0 and stream.is_done()
    assert np.allclose(taken, given * np.resize(weights, COUNT))
    blocks = np.zeros(1, np.int32)
    driver.memcpy_dtoh(blocks, module.get_global("blocks")[0])
    assert blocks[0] == 16 and smooth.shared_size_bytes == 256 and smooth.num_regs > 0

    plus = module.get_function("plus")
    managed = driver.managed_zeros(32, np.int32, mem_flags=driver.mem_attach_flags.GLOBAL)
    plus(managed, block=(32, 1, 1))
    mapped = driver.pagelocked_zeros(32, np.int32, mem_flags=driver.host_alloc_flags.DEVICEMAP)
    plus(np.intp(mapped.base.get_device_pointer()), block=(32, 1, 1))
    driver.Context.synchronize()
    assert (managed == 1).all() and (mapped == 1).all()


def arrays():
    x = np.random.default_rng(1).standard_normal(5000).astype(np.float32)
    a, b = gpuarray.to_gpu(x), gpuarray.arange(5000, dtype=np.float32)
    assert np.allclose((2 * a + b * a).get(), 2 * x + b.get() * x, rtol=1e-5, atol=1e-3)
    assert np.allclose(cumath.exp(a).get(), np.exp(x), rtol=1e-5)
    assert np.allclose(gpuarray.sum(a).get(), x.sum(), atol=1e-2) and gpuarray.max(a).get() == x.max()
    assert np.allclose(gpuarray.dot(a, a).get(), np.dot(x, x), rtol=1e-4)
    assert (a[10:20].get() == x[10:20]).all() and (gpuarray.if_positive(a > 0, a, -a).get() == abs(x)).all()

    pool = DeviceMemoryPool()
    pieces = [pool.allocate(10000) for _ in range(4)]
    assert (pool.active_blocks, pool.held_blocks) == (4, 0)
    del pieces
    assert (pool.active_blocks, pool.held_blocks) == (0, 4)
    assert (gpuarray.to_gpu(x, allocator=pool.allocate).get() == x).all()

    ElementwiseKernel("float s, float *x, float *y", "y[i] += s * x[i]", "axpy")(2.5, a, b)
    assert np.allclose(b.get(), np.arange(5000) + 2.5 * x, rtol=1e-5, atol=1e-3)
    square = ReductionKernel(np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*x[i]", arguments="float *x")
    assert np.allclose(square(a).get(), np.dot(x, x), rtol=1e-4)
    whole = np.random.default_rng(2).integers(0, 9, 10000).astype(np.int32)
    sums, sums_before = gpuarray.to_gpu(whole), gpuarray.to_gpu(whole)
    InclusiveScanKernel(np.int32, "a+b")(sums)
    ExclusiveScanKernel(np.int32, "a+b", neutral=0)(sums_before)
    assert (sums.get() == np.cumsum(whole)).all() and (sums_before.get() == np.cumsum(whole) - whole).all()


def launches_by_kernels():
    """The device runtime is linked, which PyCUDA finds by CUDA_ROOT."""
    module = DynamicSourceModule("""
    __global__ void child(int* x) { x[threadIdx.x] *= 2; }
    __global__ void parent(int* x) { if (threadIdx.x == 0) child<<<1, 64>>>(x); }
    """)
    x = np.arange(64, dtype=np.int32)
    module.get_function("parent")(driver.InOut(x), block=(64, 1, 1))
    module = DynamicModule()
    for source in ("extern __global__ void inner(int*); __global__ void outer(int* x) { inner<<<1, 64>>>(x); }",
                   "__global__ void inner(int* x) { x[threadIdx.x] += 1; }"):
        module.add_source(source, nvcc_options=["-rdc=true"])
    module.add_stdlib("cudadevrt")
    module.link()
    module.get_function("outer")(driver.InOut(x), block=(1, 1, 1))
    assert (x == 2 * np.arange(64) + 1).all()


def wrong_programs():
    for source, reason in (("__global__ void f( {", "expected"), ("texture<float, 1> t;", "texture")):
        try:
            SourceModule(source)
        except driver.CompileError as error:
            assert reason in str(error)
        else:
            raise AssertionError(f"compiled: {source}")


module_of_a_template()
arrays()
launches_by_kernels()
wrong_programs()
print("all of it works")
