// Programs in the style of public samples: pipelines, barriers, bulk copies, tensor maps, clusters, programmatic
// dependent launches.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
// init() makes barriers in shared memory, as the guide has it.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;

template <class T>
struct Device {
  explicit Device(std::size_t count) : count(count) { SUCCEEDS(cudaMallocManaged(&data, count * sizeof(T))); }
  explicit Device(const std::vector<T>& values) : Device(values.size()) {
    for (std::size_t i = 0; i < count; ++i) data[i] = values[i];
  }
  ~Device() { cudaFree(data); }
  T* data = nullptr;
  std::size_t count;
};

std::vector<int> numbers(int count, int modulus) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = (i * 7 + i / 3) % modulus;
  return values;
}

constexpr int kTile = 8, kSize = 32;

/// c = a * b with tiles that cp.async loads two stages ahead (cuda::pipeline).
__global__ void multiply_by_pipeline(const int* a, const int* b, int* c) {
  constexpr int kStages = 2;
  __shared__ int tiles[kStages][2][kTile][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const auto fetch = [&](int tile) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tiles[tile % kStages][0][y][x], &a[row * kSize + tile * kTile + x], sizeof(int), pipeline);
    cuda::memcpy_async(&tiles[tile % kStages][1][y][x], &b[(tile * kTile + y) * kSize + column], sizeof(int), pipeline);
    pipeline.producer_commit();
  };
  constexpr int kTiles = kSize / kTile;
  fetch(0);
  int sum = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    if (tile + 1 < kTiles) fetch(tile + 1);
    pipeline.consumer_wait();
    for (int k = 0; k < kTile; ++k) sum += tiles[tile % kStages][0][y][k] * tiles[tile % kStages][1][k][x];
    pipeline.consumer_release();
  }
  c[row * kSize + column] = sum;
}

/// The same with a barrier that waits for the copies of all threads (cuda::barrier and cuda::memcpy_async).
__global__ void multiply_by_barrier(const int* a, const int* b, int* c) {
  __shared__ int tiles[2][kTile][kTile];
  __shared__ Barrier barrier;
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  if (x == 0 && y == 0) init(&barrier, kTile * kTile);
  __syncthreads();
  int sum = 0;
  for (int tile = 0; tile < kSize / kTile; ++tile) {
    cuda::memcpy_async(&tiles[0][y][x], &a[row * kSize + tile * kTile + x], cuda::aligned_size_t<4>(4), barrier);
    cuda::memcpy_async(&tiles[1][y][x], &b[(tile * kTile + y) * kSize + column], cuda::aligned_size_t<4>(4), barrier);
    barrier.arrive_and_wait();
    for (int k = 0; k < kTile; ++k) sum += tiles[0][y][k] * tiles[1][k][x];
    barrier.arrive_and_wait();
  }
  c[row * kSize + column] = sum;
}

bool multiplies(void (*kernel)(const int*, const int*, int*)) {
  const std::vector<int> values = numbers(kSize * kSize, 11);
  Device<int> a(values), b(values), c(kSize * kSize);
  kernel<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(a.data, b.data, c.data);
  SUCCEEDS(cudaDeviceSynchronize());
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j) {
      int sum = 0;
      for (int k = 0; k < kSize; ++k) sum += values[i * kSize + k] * values[k * kSize + j];
      if (c.data[i * kSize + j] != sum) return false;
    }
  return true;
}

/// One warp bulk-copies chunks into a ring of buffers; the others add them up and release the buffers.
constexpr int kChunk = 256, kSlots = 2, kChunks = 7, kConsumers = 64;
__global__ void ring_buffer(const int* in, int* out) {
  __shared__ alignas(16) int ring[kSlots][kChunk];
  __shared__ Barrier full[kSlots], empty[kSlots];
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < kSlots; ++slot) init(&full[slot], 1), init(&empty[slot], kConsumers);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  if (threadIdx.x >= kConsumers) {
    if (threadIdx.x != kConsumers) return;
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      const int slot = chunk % kSlots, round = chunk / kSlots;
      if (round > 0) empty[slot].wait_parity((round - 1) % 2);
      cuda::memcpy_async(ring[slot], in + chunk * kChunk, cuda::aligned_size_t<16>(sizeof ring[slot]), full[slot]);
      (void)full[slot].arrive();
    }
    return;
  }
  int sum = 0;
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int slot = chunk % kSlots;
    full[slot].wait_parity(chunk / kSlots % 2);
    for (int i = threadIdx.x; i < kChunk; i += kConsumers) sum += ring[slot][i] * (chunk + 1);
    (void)empty[slot].arrive();
  }
  out[threadIdx.x] = sum;
}

bool rings() {
  const std::vector<int> values = numbers(kChunk * kChunks, 101);
  Device<int> in(values), out(kConsumers);
  ring_buffer<<<1, kConsumers + 32>>>(in.data, out.data);
  SUCCEEDS(cudaDeviceSynchronize());
  for (int thread = 0; thread < kConsumers; ++thread) {
    int sum = 0;
    for (int chunk = 0; chunk < kChunks; ++chunk)
      for (int i = thread; i < kChunk; i += kConsumers) sum += values[chunk * kChunk + i] * (chunk + 1);
    if (out.data[thread] != sum) return false;
  }
  return true;
}

/// Transposes a matrix in boxes of 32 by 32 that are stored in shared memory with a 128-byte swizzle: reading a column
/// causes few bank conflicts.
constexpr int kBox = 32, kRows = 64, kColumns = 96;
__device__ int swizzled(int row, int column) { return row * kBox + ((column / 4 ^ row % 8) * 4 + column % 4); }
__global__ void transpose_boxes(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  __shared__ alignas(1024) int in[kBox * kBox];
  __shared__ alignas(1024) int out[kBox * kBox];
  __shared__ alignas(8) std::uint64_t barrier;
  const int x = blockIdx.x * kBox, y = blockIdx.y * kBox;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    const int corner[] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, in, &from, corner, &barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof in);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
  }
  for (int i = threadIdx.x; i < kBox * kBox; i += blockDim.x) {
    const int row = i / kBox, column = i % kBox;
    out[swizzled(row, column)] = in[swizzled(column, row)];
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const int corner[] = {y, x};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, corner, out);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
  }
}

CUtensorMap map_of(int* data, std::uint64_t columns, std::uint64_t rows) {
  using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                              const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                              CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  static const auto encode =
      reinterpret_cast<Encode>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuTensorMapEncodeTiled"));
  const cuuint64_t sizes[] = {columns, rows}, strides[] = {columns * sizeof(int)};
  const cuuint32_t box[] = {kBox, kBox}, steps[] = {1, 1};
  CUtensorMap map{};
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::printf("cuTensorMapEncodeTiled: %d\n", static_cast<int>(result));
  return map;
}

bool transposes() {
  // The last boxes are only partly inside.
  constexpr int kInner = kColumns - 12, kOuter = kRows - 4;
  const std::vector<int> values = numbers(kInner * kOuter, 1000);
  Device<int> in(values), out(kInner * kOuter);
  transpose_boxes<<<dim3(kColumns / kBox, kRows / kBox), 128>>>(map_of(in.data, kInner, kOuter),
                                                                map_of(out.data, kOuter, kInner));
  SUCCEEDS(cudaDeviceSynchronize());
  for (int row = 0; row < kOuter; ++row)
    for (int column = 0; column < kInner; ++column)
      if (out.data[column * kOuter + row] != values[row * kInner + column]) return false;
  return true;
}

/// Bins are distributed over the blocks of a cluster, which count in each other's shared memory.
constexpr int kBins = 64, kElements = 4096;
__global__ void cluster_histogram(const int* in, int* bins) {
  __shared__ int own[kBins];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = cluster.num_blocks(), per_block = kBins / blocks;
  for (unsigned i = threadIdx.x; i < per_block; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < kElements; i += cg::this_grid().num_threads()) {
    int* const remote = cluster.map_shared_rank(own, in[i] / per_block);
    atomicAdd(remote + in[i] % per_block, 1);
  }
  cluster.sync();
  for (unsigned i = threadIdx.x; i < per_block; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * per_block + i], own[i]);
}

bool counts_in_clusters() {
  const std::vector<int> values = numbers(kElements, kBins);
  std::vector<int> expected(kBins);
  for (const int value : values) ++expected[value];
  Device<int> in(values), bins(std::vector<int>(kBins, 0));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(128);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  SUCCEEDS(cudaLaunchKernelEx(&config, cluster_histogram, static_cast<const int*>(in.data), bins.data));
  SUCCEEDS(cudaDeviceSynchronize());
  for (int i = 0; i < kBins; ++i)
    if (bins.data[i] != expected[i]) return false;
  // The grid size is not a multiple of the cluster size.
  config.gridDim = dim3(6);
  const bool refused = cudaLaunchKernelEx(&config, cluster_histogram, static_cast<const int*>(in.data), bins.data) ==
                       cudaErrorInvalidClusterSize;
  cudaGetLastError();
  return refused;
}

/// Each block of a cluster sends its sum to the first one.
__global__ void __cluster_dims__(2, 2, 1) cluster_sum(const int* in, int* out) {
  __shared__ int sums[4], sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  atomicAdd(&sum, in[block * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&sums[cluster.block_rank()], 0) = sum;
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0)
    out[blockIdx.y / 2 * (gridDim.x / 2) + blockIdx.x / 2] = sums[0] + sums[1] + sums[2] + sums[3];
}

bool sums_in_clusters() {
  constexpr int kThreads = 64;
  const std::vector<int> values = numbers(16 * kThreads, 50);
  Device<int> in(values), out(4);
  cluster_sum<<<dim3(4, 4), kThreads>>>(in.data, out.data);
  SUCCEEDS(cudaDeviceSynchronize());
  for (int cluster = 0; cluster < 4; ++cluster) {
    int sum = 0;
    for (int block = 0; block < 4; ++block) {
      const int x = cluster % 2 * 2 + block % 2, y = cluster / 2 * 2 + block / 2;
      for (int i = 0; i < kThreads; ++i) sum += values[(y * 4 + x) * kThreads + i];
    }
    if (out.data[cluster] != sum) return false;
  }
  return true;
}

__global__ void first_grid(int* data) {
  cudaTriggerProgrammaticLaunchCompletion();
  data[threadIdx.x] = 3 * threadIdx.x;
}
__global__ void second_grid(const int* data, int* out) {
  const int own = 100 * threadIdx.x;
  cudaGridDependencySynchronize();
  out[threadIdx.x] = own + data[threadIdx.x];
}

bool depends() {
  Device<int> data(64), out(64);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  first_grid<<<1, 64>>>(data.data);
  SUCCEEDS(cudaLaunchKernelEx(&config, second_grid, static_cast<const int*>(data.data), out.data));
  SUCCEEDS(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i)
    if (out.data[i] != 103 * i) return false;
  return true;
}

/// Reads the data of a bulk copy before waiting for the mbarrier; then waits for @p announced bytes.
__global__ void read_before_the_wait(const int* in, int* out, int announced) {
  __shared__ alignas(16) int tile[32];
  __shared__ alignas(8) std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &barrier);  // copies
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, announced);
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];                  // reads
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {  // waits
  }
}

/// Deliberate errors: tests check the messages about them.
int be_wrong(int announced) {
  Device<int> in(numbers(32, 10)), out(32);
  read_before_the_wait<<<1, 32>>>(in.data, out.data, announced);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

}  // namespace

int main(int count, char**) {
  if (count > 1) return be_wrong(count > 2 ? 256 : 128);
  CHECK(multiplies(multiply_by_pipeline));
  CHECK(multiplies(multiply_by_barrier));
  CHECK(rings());
  CHECK(transposes());
  CHECK(counts_in_clusters());
  CHECK(sums_in_clusters());
  CHECK(depends());
  return report();
}
