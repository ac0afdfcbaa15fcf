// Tensor cores and asynchronous copies: a wmma product of tiles loaded by cp.async, and clusters' shared memory.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "sample.h"

namespace cg = cooperative_groups;
using namespace nvcuda;

namespace {

constexpr int kSize = 64, kTile = 16;

/// One warp for each tile of 16 x 16; integers, so that sums are exact.
__global__ void multiply(const __half* a, const __half* b, float* c) {
  __shared__ alignas(16) __half left[2][kTile * kTile], right[2][kTile * kTile];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, lane = threadIdx.x;
  const auto fetch = [&](int k) {
    const int y = lane / 2, x = lane % 2 * 8, stage = k / kTile % 2;
    __pipeline_memcpy_async(&left[stage][y * kTile + x], &a[(row + y) * kSize + k + x], 16);
    __pipeline_memcpy_async(&right[stage][y * kTile + x], &b[(k + y) * kSize + column + x], 16);
    __pipeline_commit();
  };
  fetch(0);
  for (int k = 0; k < kSize; k += kTile) {
    if (k + kTile < kSize) fetch(k + kTile);
    __pipeline_wait_prior(k + kTile < kSize ? 1 : 0);
    __syncwarp();
    wmma::load_matrix_sync(fa, left[k / kTile % 2], kTile);
    wmma::load_matrix_sync(fb, right[k / kTile % 2], kTile);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncwarp();
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 0.5f;
  wmma::store_matrix_sync(c + row * kSize + column, fc, kSize, wmma::mem_row_major);
}

/// Products of bytes, whose sums are exact in any case.
__global__ void multiply_bytes(const signed char* a, const signed char* b, int* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::fill_fragment(fc, 0);
  for (int k = 0; k < kSize; k += kTile) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * kTile * kSize + k, kSize);
    wmma::load_matrix_sync(fb, b + blockIdx.x * kTile * kSize + k, kSize);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + blockIdx.y * kTile * kSize + blockIdx.x * kTile, fc, kSize, wmma::mem_row_major);
}

/// A histogram whose bins are distributed over the blocks of a cluster.
__global__ void histogram(const int* in, unsigned* out, int count, int bins) {
  extern __shared__ unsigned own[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int each = bins / static_cast<int>(cluster.num_blocks());
  for (int i = threadIdx.x; i < each; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    unsigned* const there = cluster.map_shared_rank(own, in[i] / each);
    atomicAdd(&there[in[i] % each], 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < each; i += blockDim.x) atomicAdd(&out[cluster.block_rank() * each + i], own[i]);
}

}  // namespace

int main() {
  sample::Numbers numbers(23);
  std::vector<__half> a(kSize * kSize), b(kSize * kSize);
  std::vector<signed char> p(kSize * kSize), q(kSize * kSize);
  std::vector<float> wanted(kSize * kSize, 0.5f);
  std::vector<int> whole(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = __float2half(static_cast<float>(numbers.below(9) - 4)),
    b[i] = __float2half(static_cast<float>(numbers.below(9) - 4));
    p[i] = static_cast<signed char>(numbers.below(256)), q[i] = static_cast<signed char>(numbers.below(256));
  }
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      for (int k = 0; k < kSize; ++k) {
        wanted[i * kSize + j] += 0.5f * __half2float(a[i * kSize + k]) * __half2float(b[k * kSize + j]);
        whole[i * kSize + j] += p[i * kSize + k] * q[j * kSize + k];
      }
    }
  }
  sample::Device<__half> da(a), db(b);
  sample::Device<float> dc(kSize * kSize);
  multiply<<<dim3(4, 4), 32>>>(da, db, dc);
  FINISH();
  sample::compare("halves", dc.get(), wanted);
  sample::Device<signed char> dp(p), dq(q);
  sample::Device<int> dr(kSize * kSize);
  multiply_bytes<<<dim3(4, 4), 32>>>(dp, dq, dr);
  FINISH();
  sample::compare("bytes", dr.get(), whole);

  constexpr int kBins = 512, kCount = 20000;
  std::vector<int> values(kCount);
  std::vector<unsigned> counts(kBins);
  for (int& value : values) ++counts[value = numbers.below(kBins)];
  sample::Device<int> in(values);
  sample::Device<unsigned> out(kBins);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4, attribute.val.clusterDim.y = 1, attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(128);
  config.dynamicSmemBytes = kBins / 4 * sizeof(unsigned);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, histogram, static_cast<const int*>(in), static_cast<unsigned*>(out), kCount, kBins));
  FINISH();
  sample::compare("clusters", out.get(), counts);
  return sample::passed();
}
