// Other ways to the same traffic: 16 bytes for each lane where arrays allow it, a transpose by shuffles alone.
#include "coalescing.h"

namespace {

constexpr int kBlock = 128;

int blocks_for(int threads) { return (threads + kBlock - 1) / kBlock; }
__device__ int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// One element for each thread.
template <class At>
__global__ void gather(const float* __restrict__ in, float* __restrict__ out, int count, At at) {
  if (const int i = global_thread(); i < count) out[i] = in[at(i)];
}

struct Strided {
  int stride;
  __device__ int operator()(int i) const { return i * stride; }
};
struct Shifted {
  int offset;
  __device__ int operator()(int i) const { return i + offset; }
};

/// A thread for each float of the result: a warp reads one field of 32 records from a tile in shared memory.
__global__ void split(const float4* records, float* fields, int count) {
  __shared__ float4 tile[kBlock];
  const int first = blockIdx.x * kBlock, here = min(kBlock, count - first);
  if (threadIdx.x < here) tile[threadIdx.x] = records[first + threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= here) return;
  const float* own = reinterpret_cast<const float*>(&tile[threadIdx.x]);
  for (int f = 0; f < 4; ++f) fields[f * count + first + threadIdx.x] = own[f];
}

/// As many threads as fit go through the array; the first of them take the rest.
__global__ void copy(const float* in, float* out, int count) {
  for (int i = global_thread(); i < count / 4; i += gridDim.x * blockDim.x)
    reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  for (int i = count / 4 * 4 + global_thread(); i < count; i += gridDim.x * blockDim.x) out[i] = in[i];
}

/// A warp has a square of 32 x 32: lane c holds column c in 32 registers. Halves, quarters, ... of the square change
/// places by shuffles; then lane r holds row r.
__global__ void turn(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  const int lane = threadIdx.x, first_col = blockIdx.x * 32, first_row = (blockIdx.y * blockDim.y + threadIdx.y) * 32;
  if (first_row >= rows) return;
  float value[32];
#pragma unroll
  for (int r = 0; r < 32; ++r)
    value[r] = first_row + r < rows && first_col + lane < cols ? in[(first_row + r) * cols + first_col + lane] : 0;
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const bool upper = (lane & half) != 0;
#pragma unroll
    for (int r = 0; r < 32; ++r) {
      if ((r & half) != 0) continue;
      const float away = __shfl_xor_sync(0xffffffffu, upper ? value[r] : value[r + half], half);
      (upper ? value[r] : value[r + half]) = away;
    }
  }
#pragma unroll
  for (int c = 0; c < 32; ++c)
    if (first_col + c < cols && first_row + lane < rows) out[(first_col + c) * rows + first_row + lane] = value[c];
}

}  // namespace

int predict_sectors_strided(int stride) { return stride > 8 ? 32 : 4 * stride; }
int predict_sectors_offset(int offset) { return 4 + ((offset & 7) != 0); }
int predict_bytes_per_useful_byte(int fields) { return fields > 8 ? 8 : fields; }

void copy_strided(const float* in, float* out, int count, int stride) {
  if (count > 0) gather<<<blocks_for(count), kBlock>>>(in, out, count, Strided{stride});
}

void copy_offset(const float* in, float* out, int count, int offset) {
  if (count > 0) gather<<<blocks_for(count), kBlock>>>(in, out, count, Shifted{offset});
}

void split_records(const float* records, float* fields, int count) {
  if (count > 0) split<<<blocks_for(count), kBlock>>>(reinterpret_cast<const float4*>(records), fields, count);
}

void copy_vectorised(const float* in, float* out, int count) {
  if (count > 0) copy<<<min(blocks_for((count + 3) / 4), 2112), kBlock>>>(in, out, count);
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows > 0 && cols > 0) turn<<<dim3((cols + 31) / 32, (rows + 127) / 128), dim3(32, 4)>>>(in, out, rows, cols);
}
