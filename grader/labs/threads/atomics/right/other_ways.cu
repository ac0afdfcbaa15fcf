// Other ways to do the same: sums of blocks kept apart and added in one order by the last block, groups that a lane
// books one after the other, predictions by formula.
#include <algorithm>

#include "atomics.h"

namespace {

constexpr unsigned kLanes = 0xffffffff;

int share_of(Adds adds) { return adds == Adds::each_block ? 256 : adds == Adds::each_warp ? 32 : 1; }

__device__ float butterfly(float value) {
  for (int distance = 1; distance < 32; distance *= 2) value += __shfl_xor_sync(kLanes, value, distance);
  return value;
}

__global__ void clear(float* sums, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) sums[i] = 0;
}

__global__ void by_warps(const float* in, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = butterfly(i < n ? in[i] : 0);
  if (threadIdx.x % 32 == 31 && i - 31 < n) atomicAdd(sum, own);
}

// Every block has its own warps' sums in shared memory by a tree.
__global__ void by_blocks(const float* in, float* sum, int n) {
  __shared__ float tree[512];
  const int t = threadIdx.x, step = gridDim.x * 512;
  float own = 0;
  for (int i = blockIdx.x * 512 + t; i < n; i += 4 * step)
#pragma unroll
    for (int k = 0; k < 4; ++k) own += i + k * step < n ? in[i + k * step] : 0;
  tree[t] = own;
  for (int distance = 256; distance >= 32; distance /= 2) {
    __syncthreads();
    if (t < distance) tree[t] += tree[t + distance];
  }
  if (t >= 32) return;
  own = butterfly(tree[t]);
  if (t == 0) atomicAdd(sum, own);
}

// A block has 32 columns and 64 rows, eight at a time, which meet in shared memory.
__global__ void by_columns(const float* in, float* sums, int rows, int columns) {
  __shared__ float of_rows[8][32];
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 64 + threadIdx.y;
  float own = 0;
  for (int k = 0; k < 64; k += 8)
    if (column < columns && row + k < rows) own += in[(row + k) * columns + column];
  of_rows[threadIdx.y][threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.y > 0 || column >= columns) return;
  for (int k = 1; k < 8; ++k) own += of_rows[k][threadIdx.x];
  atomicAdd(&sums[column], own);
}

// scratch[0] is a ticket; the sums of blocks lie after it. The block that comes last adds them, in their order.
__global__ void in_order(const float* in, float* sum, unsigned long long* scratch, int n) {
  __shared__ double tree[256];
  __shared__ bool last;
  auto* sums = reinterpret_cast<double*>(scratch + 1);
  const int t = threadIdx.x;
  double own = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) own += in[i];
  for (int pass = 0; pass < 2; ++pass) {
    tree[t] = own;
    for (int distance = 128; distance > 0; distance /= 2) {
      __syncthreads();
      if (t < distance) tree[t] += tree[t + distance];
    }
    if (pass == 1) break;
    if (t == 0) {
      sums[blockIdx.x] = tree[0];
      __threadfence();
      last = atomicAdd(scratch, 1ull) == gridDim.x - 1;
      __threadfence();
    }
    __syncthreads();
    if (!last) return;
    own = t < gridDim.x ? *(static_cast<volatile double*>(sums) + t) : 0.0;
  }
  if (t == 0) *sum = static_cast<float>(tree[0]);
}

__global__ void book_in_turn(const int* flights, const int* wanted, int* booked, int* first, int n, int seats) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* const at = booked + flights[i];
  const int own = wanted[i];
  int now = 0, before = -1;
  do {
    if (now + own > seats) {
      first[i] = -1;
      return;
    }
    before = now;
    now = atomicCAS(at, before, before + own);
  } while (now != before);
  first[i] = before;
}

}  // namespace

int predict_atomics(Adds adds, int n) { return n / share_of(adds) + (n % share_of(adds) != 0); }

int predict_turns(int addresses, int stride) {
  int turns = 0;
  for (int sector = 0; sector * 8 <= 31 * stride; ++sector) {
    int most = 0;
    for (int address = 0; address < addresses; ++address)
      if (address * stride / 8 == sector) most = std::max(most, (31 - address) / addresses + 1);
    turns += most;
  }
  return turns;
}

int predict_sum(Adds adds, int n) {
  if (adds == Adds::each_element) return 1 << 24;
  return n % 2 == 0 ? (1 << 24) + n : (1 << 24) + n + (n % 4 == 1 ? -1 : 1);
}

void sum_by_warps(const float* in, float* sum, int n) {
  clear<<<1, 32>>>(sum, 1);
  if (n > 0) by_warps<<<(n + 255) / 256, 256>>>(in, sum, n);
}

void sum_by_blocks(const float* in, float* sum, int n) {
  cudaMemset(sum, 0, sizeof(float));
  if (n > 0) by_blocks<<<std::min(264, (n + 511) / 512), 512>>>(in, sum, n);
}

void column_sums(const float* in, float* sums, int rows, int columns) {
  clear<<<1, 1024>>>(sums, columns);
  if (rows > 0) by_columns<<<dim3((columns + 31) / 32, (rows + 63) / 64), dim3(32, 8)>>>(in, sums, rows, columns);
}

void sum_repeatable(const float* in, float* sum, unsigned long long* scratch, int n) {
  cudaMemsetAsync(scratch, 0, sizeof(*scratch));
  in_order<<<std::clamp((n + 255) / 256, 1, 256), 256>>>(in, sum, scratch, n);
}

void book(const int* flights, const int* wanted, int* booked, int* first, int n, int count, int seats) {
  cudaMemset(booked, 0, count * sizeof(int));
  for (int from = 0; from < n; from += 1 << 15) {
    const int some = std::min(n - from, 1 << 15);
    book_in_turn<<<(some + 127) / 128, 128>>>(flights + from, wanted + from, booked, first + from, some, seats);
  }
}
