// Validation cases: stencils with a halo, gathers and strides over small and large footprints, rows and columns of
// large matrices, caches that are warm or cold.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ unsigned grid_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned grid_hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

template <int kRadius>
__global__ void halo_line(const float* in, float* out) {
  __shared__ float tile[256 + 2 * kRadius];
  const int i = grid_thread() + kRadius;
  tile[threadIdx.x + kRadius] = in[i];
  if (threadIdx.x < kRadius) {
    tile[threadIdx.x] = in[i - kRadius];
    tile[threadIdx.x + 256 + kRadius] = in[i + 256];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = -kRadius; k <= kRadius; ++k) sum += tile[threadIdx.x + kRadius + k];
  out[i] = sum;
}
template <int kRadius>
__global__ void halo_line_global(const float* in, float* out) {
  const int i = grid_thread() + kRadius;
  float sum = 0;
#pragma unroll
  for (int k = -kRadius; k <= kRadius; ++k) sum += in[i + k];
  out[i] = sum;
}
template <int kX, int kY>
__global__ void halo_plane(const float* in, float* out, int width) {
  __shared__ float tile[kY + 2][kX + 2];
  const int x = blockIdx.x * kX + threadIdx.x + 1, y = blockIdx.y * kY + threadIdx.y + 1, i = y * width + x;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  tile[ty][tx] = in[i];
  if (threadIdx.x == 0) tile[ty][0] = in[i - 1];
  if (threadIdx.x == kX - 1) tile[ty][kX + 1] = in[i + 1];
  if (threadIdx.y == 0) tile[0][tx] = in[i - width];
  if (threadIdx.y == kY - 1) tile[kY + 1][tx] = in[i + width];
  __syncthreads();
  out[i] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}
__global__ void halo_plane_global(const float* in, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1,
            i = y * width + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
__constant__ float halo_weights[25];
__global__ void halo_convolution(const float* in, float* out, int width) {
  __shared__ float tile[20][36];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16, own = threadIdx.y * 32 + threadIdx.x;
  for (int k = own; k < 20 * 36; k += 512) tile[k / 36][k % 36] = in[(y0 + k / 36) * width + x0 + k % 36];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int r = 0; r < 5; ++r)
#pragma unroll
    for (int c = 0; c < 5; ++c) sum += halo_weights[r * 5 + c] * tile[threadIdx.y + r][threadIdx.x + c];
  out[(y0 + threadIdx.y) * width + x0 + threadIdx.x] = sum;
}
__global__ void halo_volume(const float* in, float* out, int side) {
  const int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
  const int plane = side * side;
  float below = in[y * side + x], here = in[plane + y * side + x];
  for (int z = 1; z < 31; ++z) {
    const int i = z * plane + y * side + x;
    const float above = in[i + plane];
    out[i] = below + above + in[i - 1] + in[i + 1] + in[i - side] + in[i + side] - 6 * here;
    below = here;
    here = above;
  }
}
__global__ void halo_life(const unsigned char* in, unsigned char* out, int width) {
  const int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1, i = y * width + x;
  const int sum = in[i - width - 1] + in[i - width] + in[i - width + 1] + in[i - 1] + in[i + 1] + in[i + width - 1] +
                  in[i + width] + in[i + width + 1];
  out[i] = sum == 3 || (sum == 2 && in[i] != 0);
}

/// Random words out of a power of two; several independent ones per thread.
template <int kLoads>
__global__ void gather(const float* in, float* out, unsigned mask) {
  const unsigned i = grid_thread();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kLoads; ++k) sum += in[grid_hash(i * kLoads + k) & mask];
  out[i] = sum;
}
__global__ void gather_indexed(const float* in, const int* index, float* out) {
  out[grid_thread()] = in[index[grid_thread()]];
}
__global__ void gather_wide(const float4* in, float4* out, unsigned mask) {
  out[grid_thread()] = in[grid_hash(grid_thread()) & mask];
}
__global__ void scatter(const float* in, float* out, unsigned mask) {
  out[grid_hash(grid_thread()) & mask] = in[grid_thread()];
}
__global__ void strided(const float* in, float* out, unsigned stride) {
  const std::size_t i = grid_thread();
  out[i] = in[i * stride] + 1.0f;
}
__global__ void strided_store(const float* in, float* out, unsigned stride) {
  const std::size_t i = grid_thread();
  out[i * stride] = in[i] + 1.0f;
}
/// Each load depends on the previous one; lanes and warps follow separate chains.
__global__ void chase_random(const unsigned* in, unsigned* out, unsigned mask, int steps) {
  unsigned at = grid_hash(grid_thread());
  for (int k = 0; k < steps; ++k) at = grid_hash(at + __ldcg(in + (at & mask)) + k);
  out[grid_thread()] = at;
}

__global__ void sum_rows(const float* in, float* out, int width) {
  float sum = 0;
  const float* row = in + std::size_t{grid_thread()} * width;
  for (int k = 0; k < width; ++k) sum += row[k];
  out[grid_thread()] = sum;
}
__global__ void sum_rows_wide(const float* in, float* out, int width) {
  float sum = 0;
  const auto* row = reinterpret_cast<const float4*>(in + std::size_t{grid_thread()} * width);
  for (int k = 0; k < width / 4; ++k) {
    const float4 v = row[k];
    sum += v.x + v.y + v.z + v.w;
  }
  out[grid_thread()] = sum;
}
__global__ void sum_rows_warp(const float* in, float* out, int width) {
  const int row = grid_thread() / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int k = lane; k < width; k += 32) sum += in[std::size_t(row) * width + k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) out[row] = sum;
}
__global__ void sum_rows_block(const float* in, float* out, int width) {
  __shared__ float sums[8];
  float sum = 0;
  for (int k = threadIdx.x; k < width; k += 256) sum += in[std::size_t(blockIdx.x) * width + k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 8; ++k) sum += sums[k];
    out[blockIdx.x] = sum;
  }
}
__global__ void sum_columns(const float* in, float* out, int width, int height) {
  float sum = 0;
  for (int k = 0; k < height; ++k) sum += in[std::size_t(k) * width + grid_thread()];
  out[grid_thread()] = sum;
}
__global__ void scale_rows(const float* in, float* out, int width) {
  const std::size_t row = grid_thread();
  for (int k = 0; k < width; ++k) out[row * width + k] = in[row * width + k] * 2.0f;
}
__global__ void softmax_rows(const float* in, float* out, int width) {
  const std::size_t begin = std::size_t(grid_thread() / 32) * width;
  const int lane = threadIdx.x % 32;
  float top = -1e30f, sum = 0;
  for (int k = lane; k < width; k += 32) top = fmaxf(top, in[begin + k]);
  for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
  for (int k = lane; k < width; k += 32) sum += __expf(in[begin + k] - top);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int k = lane; k < width; k += 32) out[begin + k] = __expf(in[begin + k] - top) / sum;
}

__global__ void stream_copy(const float4* in, float4* out, int n) {
  for (int i = grid_thread(); i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void stream_read(const float4* in, float* out, int n) {
  float sum = 0;
  for (int i = grid_thread(); i < n; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    sum += v.x + v.y + v.z + v.w;
  }
  out[grid_thread()] = sum;
}
__global__ void stream_write(float4* out, int n) {
  for (int i = grid_thread(); i < n; i += gridDim.x * blockDim.x) out[i] = make_float4(1, 2, 3, 4);
}
__global__ void stream_saxpy(const float* x, float* y, float a) {
  const unsigned i = grid_thread();
  y[i] = a * x[i] + y[i];
}

}  // namespace

void add_grids(Cases& cases) {
  const unsigned n = 1 << 19;
  cases.add("halo", "line_1", 1, halo_line<1>, n / 256, 256, 0, cases.a, cases.b);
  cases.add("halo", "line_4", 4, halo_line<4>, n / 256, 256, 0, cases.a, cases.b);
  cases.add("halo", "line_16", 16, halo_line<16>, n / 256, 256, 0, cases.a, cases.b);
  cases.add("halo", "line_1_global", 1, halo_line_global<1>, n / 256, 256, 0, cases.a, cases.b);
  cases.add("halo", "line_4_global", 4, halo_line_global<4>, n / 256, 256, 0, cases.a, cases.b);
  cases.add("halo", "line_16_global", 16, halo_line_global<16>, n / 256, 256, 0, cases.a, cases.b);
  const int width = 1026;
  cases.add("halo", "plane_32x32", 32, halo_plane<32, 32>, dim3(32, 32), dim3(32, 32), 0, cases.a, cases.b, width);
  cases.add("halo", "plane_16x16", 16, halo_plane<16, 16>, dim3(64, 64), dim3(16, 16), 0, cases.a, cases.b, width);
  cases.add("halo", "plane_32x8", 8, halo_plane<32, 8>, dim3(32, 128), dim3(32, 8), 0, cases.a, cases.b, width);
  cases.add("halo", "plane_32x8_global", 8, halo_plane_global, dim3(32, 128), dim3(32, 8), 0, cases.a, cases.b, width);
  cases.add("halo", "plane_16x16_global", 16, halo_plane_global, dim3(64, 64), dim3(16, 16), 0, cases.a, cases.b,
            width);
  cases.add("halo", "convolution_5x5", 5, halo_convolution, dim3(32, 64), dim3(32, 16), 0, cases.a, cases.b, width + 2);
  cases.add("halo", "volume", 128, halo_volume, dim3(8, 32), dim3(32, 8), 0, cases.a, cases.b, 258);
  cases.add("halo", "life", 1024, halo_life, dim3(32, 128), dim3(32, 8), 0, reinterpret_cast<unsigned char*>(cases.a),
            reinterpret_cast<unsigned char*>(cases.b), width);
  for (const unsigned mib : {1u, 4u, 16u, 64u, 256u, 1024u}) {
    const unsigned mask = mib * 262144u - 1;
    cases.add("gathers", "one_" + std::to_string(mib), mib, gather<1>, n / 256, 256, 0, cases.a, cases.b, mask);
    cases.add("gathers", "four_" + std::to_string(mib), mib, gather<4>, n / 4 / 256, 256, 0, cases.a, cases.b, mask);
    cases.add("micro_chases", "one_lane_" + std::to_string(mib), mib, chase_random, 1, 1, 0,
              reinterpret_cast<unsigned*>(cases.a), reinterpret_cast<unsigned*>(cases.b), mask, 128);
    cases.add("micro_chases", "one_warp_" + std::to_string(mib), mib, chase_random, 1, 32, 0,
              reinterpret_cast<unsigned*>(cases.a), reinterpret_cast<unsigned*>(cases.b), mask, 64);
    cases.add("micro_chases", "warps_" + std::to_string(mib), mib, chase_random, 132, 256, 0,
              reinterpret_cast<unsigned*>(cases.a), reinterpret_cast<unsigned*>(cases.b), mask, 16);
    if (mib <= 256)
      cases
          .add("micro_chases", "warm_lane_" + std::to_string(mib), mib, chase_random, 1, 1, 0,
               reinterpret_cast<unsigned*>(cases.a), reinterpret_cast<unsigned*>(cases.b), mask, 128)
          .warm = true;
    if (mib <= 64) {
      cases.add("gathers", "warm_" + std::to_string(mib), mib, gather<4>, n / 4 / 256, 256, 0, cases.a, cases.b, mask)
          .warm = true;
      cases.add("gathers", "scatter_" + std::to_string(mib), mib, scatter, n / 256, 256, 0, cases.a, cases.b, mask);
    }
  }
  cases.add("gathers", "wide_64", 64, gather_wide, n / 4 / 256, 256, 0, reinterpret_cast<float4*>(cases.a),
            reinterpret_cast<float4*>(cases.b), 4194303u);
  cases.add("gathers", "indexed", 16, gather_indexed, n / 256, 256, 0, cases.a, cases.indices, cases.b);
  for (const unsigned stride : {2u, 3u, 4u, 8u, 12u, 16u, 32u, 64u, 256u}) {
    const unsigned threads = stride > 32 ? n / 4 : n;
    cases.add("strides", "load_" + std::to_string(stride), stride, strided, threads / 256, 256, 0, cases.a, cases.b,
              stride);
    if (stride <= 32)
      cases.add("strides", "store_" + std::to_string(stride), stride, strided_store, threads / 256, 256, 0, cases.a,
                cases.b, stride);
  }
  for (const int length : {256, 1024, 4096}) {
    const std::string name = "_" + std::to_string(length);
    const int rows = (1 << 22) / length;
    cases.add("rows", "thread" + name, length, sum_rows, ceil_div(rows, 128), 128, 0, cases.a, cases.b, length);
    cases.add("rows", "thread_wide" + name, length, sum_rows_wide, ceil_div(rows, 128), 128, 0, cases.a, cases.b,
              length);
    cases.add("rows", "warp" + name, length, sum_rows_warp, rows / 8, 256, 0, cases.a, cases.b, length);
    cases.add("rows", "block" + name, length, sum_rows_block, rows, 256, 0, cases.a, cases.b, length);
    cases.add("rows", "columns" + name, length, sum_columns, length / 128, 128, 0, cases.a, cases.b, length, rows / 4);
    cases.add("rows", "softmax" + name, length, softmax_rows, rows / 8 / 4, 256, 0, cases.a, cases.b, length);
  }
  cases.add("rows", "scale_thread", 1024, scale_rows, 4096 / 128, 128, 0, cases.a, cases.b, 256);
  cases.add("rows", "thread_16384", 16384, sum_rows, 128, 128, 0, cases.a, cases.b, 256);
  for (const int mib : {2, 8, 16, 32, 64}) {
    const int words = mib * 65536;
    const std::string name = "_" + std::to_string(mib);
    auto* a = reinterpret_cast<float4*>(cases.a);
    auto* b = reinterpret_cast<float4*>(cases.b);
    cases.add("streams", "copy" + name, mib, stream_copy, 1056, 256, 0, a, b, words / 2);
    cases.add("streams", "copy_warm" + name, mib, stream_copy, 1056, 256, 0, a, b, words / 2).warm = true;
    cases.add("streams", "read" + name, mib, stream_read, 1056, 256, 0, a, cases.b, words);
    cases.add("streams", "read_warm" + name, mib, stream_read, 1056, 256, 0, a, cases.b, words).warm = true;
    cases.add("streams", "write" + name, mib, stream_write, 1056, 256, 0, b, words);
  }
  cases.add("streams", "saxpy", 1 << 20, stream_saxpy, 4096, 256, 0, cases.a, cases.b, 1.5f);
  cases.add("streams", "saxpy_warm", 1 << 20, stream_saxpy, 4096, 256, 0, cases.a, cases.b, 1.5f).warm = true;
}
