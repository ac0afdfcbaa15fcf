// Validation cases: units other than the pipes: textures, asynchronous and bulk copies, distributed shared memory,
// tensor cores, the device heap, local memory, constant memory.
#include <mma.h>

#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ unsigned unit_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned unit_hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

__global__ void texture_linear(cudaTextureObject_t texture, float* out) {
  out[unit_thread()] = tex1Dfetch<float>(texture, unit_thread()) + 1.0f;
}
__global__ void texture_random(cudaTextureObject_t texture, float* out, unsigned mask) {
  out[unit_thread()] = tex1Dfetch<float>(texture, unit_hash(unit_thread()) & mask);
}
__global__ void texture_plane(cudaTextureObject_t texture, float* out, int width, float step, int taps) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += tex2D<float>(texture, x * step + 0.25f + k, y * step + 0.25f);
  out[y * width + x] = sum;
}
__global__ void texture_transpose(cudaTextureObject_t texture, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(texture, y + 0.5f, x + 0.5f);
}
__global__ void texture_chain(cudaTextureObject_t texture, float* out, int steps) {
  int at = unit_thread() & 1023;
  for (int k = 0; k < steps; ++k) at = (at + static_cast<int>(tex1Dfetch<float>(texture, at) * 8.0f) + 1) & 1023;
  out[unit_thread()] = at;
}

__device__ void copy_async(float4* to, const float4* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
/// Tiles of a block's share of the input, with `kStages` of them in flight.
template <int kStages>
__global__ void async_tiles(const float4* in, float4* out, int tiles) {
  __shared__ float4 tile[kStages][256];
  const float4* own = in + std::size_t{blockIdx.x} * tiles * 256 + threadIdx.x;
  for (int k = 0; k < kStages - 1; ++k) {
    copy_async(&tile[k][threadIdx.x], own + k * 256);
    asm volatile("cp.async.commit_group;");
  }
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < tiles; ++k) {
    if (k + kStages - 1 < tiles)
      copy_async(&tile[(k + kStages - 1) % kStages][threadIdx.x], own + (k + kStages - 1) * 256);
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 1) : "memory");
    __syncthreads();
    const float4 v = tile[k % kStages][threadIdx.x ^ 1];
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    __syncthreads();
  }
  out[unit_thread()] = sum;
}
__global__ void plain_tiles(const float4* in, float4* out, int tiles) {
  __shared__ float4 tile[256];
  const float4* own = in + std::size_t{blockIdx.x} * tiles * 256 + threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < tiles; ++k) {
    tile[threadIdx.x] = own[k * 256];
    __syncthreads();
    const float4 v = tile[threadIdx.x ^ 1];
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    __syncthreads();
  }
  out[unit_thread()] = sum;
}
/// One bulk copy per tile.
__global__ void bulk_tiles(const float4* in, float4* out, int tiles) {
  __shared__ alignas(128) float4 tile[2][256];
  __shared__ alignas(8) unsigned long long arrived[2];
  const auto address = [](void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
  const float4* own = in + std::size_t{blockIdx.x} * tiles * 256;
  if (threadIdx.x == 0) {
    for (int k = 0; k < 2; ++k)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(&arrived[k])) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  const auto fetch = [&](int k) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(address(&arrived[k % 2])) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(
                     address(tile[k % 2])),
                 "l"(own + k * 256), "r"(address(&arrived[k % 2]))
                 : "memory");
  };
  if (threadIdx.x == 0) fetch(0);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < tiles; ++k) {
    if (threadIdx.x == 0 && k + 1 < tiles) fetch(k + 1);
    unsigned done = 0;
    while (done == 0)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(address(&arrived[k % 2])), "r"(k / 2 & 1)
                   : "memory");
    const float4 v = tile[k % 2][threadIdx.x ^ 1];
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    __syncthreads();
  }
  out[unit_thread()] = sum;
}

__device__ unsigned in_cluster(const void* p, unsigned rank) {
  unsigned at;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(at)
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(p))), "r"(rank));
  return at;
}
__device__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
/// Each block reads the shared memory of the next block in the cluster.
template <int kBlocks>
__global__ void __cluster_dims__(kBlocks) cluster_ring(float* out, int steps) {
  __shared__ alignas(128) float data[256];
  data[threadIdx.x] = threadIdx.x;
  cluster_barrier();
  const unsigned next = in_cluster(&data[threadIdx.x], (blockIdx.x + 1) % kBlocks);
  float sum = 0;
  for (int k = 0; k < steps; ++k) {
    float v;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(v) : "r"(next ^ (k & 31) * 4));
    sum += v;
  }
  cluster_barrier();
  out[unit_thread()] = sum;
}
__global__ void cluster_none(float* out, int steps) {
  __shared__ float data[256];
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < steps; ++k) sum += *(volatile float*)&data[threadIdx.x ^ (k & 31)];
  __syncthreads();
  out[unit_thread()] = sum;
}
__global__ void __cluster_dims__(4) cluster_chase(int* out, int steps) {
  __shared__ int data[256];
  data[threadIdx.x] = threadIdx.x * 7 + 3 & 255;
  cluster_barrier();
  const unsigned next = in_cluster(data, (blockIdx.x + 1) % 4);
  int at = threadIdx.x;
  for (int k = 0; k < steps; ++k) asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(at) : "r"(next + at * 4));
  cluster_barrier();
  out[unit_thread()] = at;
}
__global__ void __cluster_dims__(4) cluster_histogram(const int* in, unsigned* out, int each) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  cluster_barrier();
  for (int k = 0; k < each; ++k) {
    const unsigned key = unit_hash(in[(blockIdx.x * each + k) * 256 + threadIdx.x]) & 1023u;
    asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(in_cluster(&bins[key & 255], key >> 8)) : "memory");
  }
  cluster_barrier();
  out[unit_thread()] = bins[threadIdx.x];
}
__global__ void __cluster_dims__(4) cluster_barriers(float* out, int steps) {
  float v = threadIdx.x;
  for (int k = 0; k < steps; ++k) {
    v = v * 0.5f + 1.0f;
    cluster_barrier();
  }
  out[unit_thread()] = v;
}

template <typename T, int kProducts>
__global__ void tensor_chain(const T* in, float* out, int steps) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, T, row_major> a;
  fragment<matrix_b, 16, 16, 16, T, col_major> b;
  fragment<accumulator, 16, 16, 16, float> sums[kProducts];
  load_matrix_sync(a, in, 16);
  load_matrix_sync(b, in + 256, 16);
  for (int c = 0; c < kProducts; ++c) fill_fragment(sums[c], 0.0f);
  for (int k = 0; k < steps; ++k)
    for (int c = 0; c < kProducts; ++c) mma_sync(sums[c], a, b, sums[c]);
  for (int c = 1; c < kProducts; ++c)
    for (int e = 0; e < sums[0].num_elements; ++e) sums[0].x[e] += sums[c].x[e];
  store_matrix_sync(out + std::size_t{unit_thread() / 32} * 256, sums[0], 16, mem_row_major);
}
/// A matrix product with one warp per 16 x 16 tile, operands from global memory.
__global__ void tensor_product(const __half* a, const __half* b, float* c, int n) {
  using namespace nvcuda::wmma;
  const int column = (blockIdx.x * 4 + threadIdx.x / 32 % 4) * 16, row = (blockIdx.y * 2 + threadIdx.x / 128) * 16;
  fragment<matrix_a, 16, 16, 16, __half, row_major> x;
  fragment<matrix_b, 16, 16, 16, __half, row_major> y;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    load_matrix_sync(x, a + row * n + k, n);
    load_matrix_sync(y, b + k * n + column, n);
    mma_sync(sum, x, y, sum);
  }
  store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}

__global__ void heap_pairs(int* out, int bytes) {
  int* p = static_cast<int*>(malloc(bytes));
  if (p != nullptr) p[0] = unit_thread();
  out[unit_thread()] = p != nullptr ? p[0] : -1;
  free(p);
}
__global__ void heap_list(int* out, int nodes) {
  struct Node {
    Node* next;
    int value;
  };
  Node* head = nullptr;
  for (int k = 0; k < nodes; ++k) {
    auto* node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) break;
    *node = {head, k};
    head = node;
  }
  int sum = 0;
  while (head != nullptr) {
    Node* next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  out[unit_thread()] = sum;
}
__global__ void heap_block(int* out, int bytes) {
  __shared__ int* p;
  if (threadIdx.x == 0) p = static_cast<int*>(malloc(bytes));
  __syncthreads();
  if (p != nullptr) p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[unit_thread()] = p != nullptr ? p[blockDim.x - 1 - threadIdx.x] : -1;
  __syncthreads();
  if (threadIdx.x == 0) free(p);
}

/// An array whose index is unknown to the compiler: local memory.
__global__ void local_array(const int* in, int* out, int steps) {
  int data[32];
  for (int k = 0; k < 32; ++k) data[k] = k;
  unsigned at = in[unit_thread()];
  for (int k = 0; k < steps; ++k) {
    data[at & 31] += k;
    at = at * 5 + data[(at >> 3) & 31];
  }
  out[unit_thread()] = static_cast<int>(at) + data[7];
}
__constant__ float constant_table[4096];
__global__ void constant_uniform(float* out, int steps) {
  float sum = 0;
  for (int k = 0; k < steps; ++k) sum += constant_table[(k * 17 + blockIdx.x) & 4095];
  out[unit_thread()] = sum;
}
__global__ void constant_scattered(float* out, int steps) {
  float sum = 0;
  for (int k = 0; k < steps; ++k) sum += constant_table[(k * 17 + threadIdx.x * 5) & 4095];
  out[unit_thread()] = sum;
}

cudaTextureObject_t texture_of_buffer(const float* data, std::size_t words) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(data);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = words * sizeof(float);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}
cudaTextureObject_t texture_of_array(int width, bool linear) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaMallocArray(&array, &format, width, width));
  std::vector<float> texels(static_cast<std::size_t>(width) * width, 0.5f);
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, width, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

}  // namespace

void add_units(Cases& cases) {
  const unsigned n = 1 << 18;
  const cudaTextureObject_t buffer = texture_of_buffer(cases.a, 1 << 22);
  const cudaTextureObject_t nearest = texture_of_array(1024, false), linear = texture_of_array(1024, true);
  cases.add("textures", "buffer", n, texture_linear, n / 256, 256, 0, buffer, cases.b);
  cases.add("textures", "buffer_random", n, texture_random, n / 256, 256, 0, buffer, cases.b, (1u << 20) - 1);
  const dim3 grid(32, 64), block(16, 8);
  cases.add("textures", "nearest", 1, texture_plane, grid, block, 0, nearest, cases.b, 512, 1.0f, 1);
  cases.add("textures", "nearest_16", 16, texture_plane, grid, block, 0, nearest, cases.b, 512, 1.0f, 16);
  cases.add("textures", "bilinear", 1, texture_plane, grid, block, 0, linear, cases.b, 512, 1.0f, 1);
  cases.add("textures", "bilinear_16", 16, texture_plane, grid, block, 0, linear, cases.b, 512, 1.0f, 16);
  cases.add("textures", "bilinear_twice", 2, texture_plane, grid, block, 0, linear, cases.b, 512, 2.0f, 4);
  cases.add("textures", "transpose", 512, texture_transpose, grid, block, 0, nearest, cases.b, 512);
  cases.add("micro_latency", "texture", 64, texture_chain, 132, 32, 0, buffer, cases.b, 64);
  auto* a4 = reinterpret_cast<float4*>(cases.a);
  auto* b4 = reinterpret_cast<float4*>(cases.b);
  cases.add("async_copies", "plain", 1, plain_tiles, 264, 256, 0, a4, b4, 16);
  cases.add("async_copies", "stages_1", 1, async_tiles<1>, 264, 256, 0, a4, b4, 16);
  cases.add("async_copies", "stages_2", 2, async_tiles<2>, 264, 256, 0, a4, b4, 16);
  cases.add("async_copies", "stages_4", 4, async_tiles<4>, 264, 256, 0, a4, b4, 16);
  cases.add("async_copies", "stages_4_full", 4, async_tiles<4>, 132 * 8, 256, 0, a4, b4, 8);
  cases.add("async_copies", "plain_full", 1, plain_tiles, 132 * 8, 256, 0, a4, b4, 8);
  cases.add("async_copies", "bulk", 2, bulk_tiles, 264, 256, 0, a4, b4, 16);
  cases.add("async_copies", "bulk_full", 2, bulk_tiles, 132 * 8, 256, 0, a4, b4, 8);
  cases.add("clusters", "ring_2", 2, cluster_ring<2>, 264, 256, 0, cases.b, 128);
  cases.add("clusters", "ring_4", 4, cluster_ring<4>, 264, 256, 0, cases.b, 128);
  cases.add("clusters", "ring_8", 8, cluster_ring<8>, 264, 256, 0, cases.b, 128);
  cases.add("clusters", "none", 1, cluster_none, 264, 256, 0, cases.b, 128);
  cases.add("clusters", "histogram", 4, cluster_histogram, 264, 256, 0, cases.indices,
            reinterpret_cast<unsigned*>(cases.b), 16);
  cases.add("micro_latency", "cluster", 128, cluster_chase, 132, 256, 0, reinterpret_cast<int*>(cases.b), 128);
  cases.add("micro_barriers", "cluster_4", 64, cluster_barriers, 132, 256, 0, cases.b, 64);
  const auto* h = reinterpret_cast<const __half*>(cases.a);
  cases.add("tensor", "chain_1", 1, tensor_chain<__half, 1>, 132, 128, 0, h, cases.b, 128);
  cases.add("tensor", "chains_4", 4, tensor_chain<__half, 4>, 132 * 2, 256, 0, h, cases.b, 64);
  cases.add("tensor", "product_256", 256, tensor_product, dim3(4, 8), 256, 0, h, h, cases.b, 256);
  cases.add("tensor", "product_512", 512, tensor_product, dim3(8, 16), 256, 0, h, h, cases.b, 512);
  auto* s = reinterpret_cast<int*>(cases.b);
  cases.add("heap", "pairs_16_small", 16, heap_pairs, 4, 64, 0, s, 16);
  cases.add("heap", "pairs_16", 16, heap_pairs, 132, 64, 0, s, 16);
  cases.add("heap", "pairs_16_many", 16, heap_pairs, 528, 128, 0, s, 16);
  cases.add("heap", "pairs_256", 256, heap_pairs, 132, 64, 0, s, 256);
  cases.add("heap", "pairs_4096", 4096, heap_pairs, 132, 8, 0, s, 4096);
  cases.add("heap", "list_8", 8, heap_list, 132, 32, 0, s, 8);
  cases.add("heap", "block_1024", 1024, heap_block, 264, 256, 0, s, 1024);
  cases.add("heap", "one_thread", 1, heap_list, 1, 1, 0, s, 64);
  cases.add("local", "array_16", 16, local_array, 528, 256, 0, cases.indices, s, 16);
  cases.add("local", "array_64", 64, local_array, 528, 256, 0, cases.indices, s, 64);
  cases.add("constants", "uniform", 64, constant_uniform, 528, 256, 0, cases.b, 64);
  cases.add("constants", "scattered", 16, constant_scattered, 528, 256, 0, cases.b, 16);
}
