// Lab find_the_bug: eight programs with a bug each, for you to edit. Numbers at the ends of lines are for line_of().
#include "find_the_bug.h"

__global__ void differences_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;    // 1
  if (i > n) return;                               // 2
  const int next = i + 1 < n ? in[i + 1] : in[i];  // 3
  out[i] = next - in[i];                           // 4
}
void differences(const int* in, int* out, int n) {
  warpbook::not_started();                                   // TODO(student): program 1.
  differences_kernel<<<(n + 255) / 256, 256>>>(in, out, n);  // 5
}

__global__ void rotate_kernel(const int* from, int* to, int n, int by) {
  const int i = blockIdx.x * 256 + threadIdx.x;  // 1
  if (i < n) to[i] = from[(i + by) % n];         // 2
}
void rotate(int* data, int n, int by) {
  warpbook::not_started();  // TODO(student): program 2.
  int* copy = nullptr;
  cudaMalloc(&copy, n * sizeof(int));                          // 3
  if (by % n == 0) return;                                     // 4
  rotate_kernel<<<(n + 255) / 256, 256>>>(data, copy, n, by);  // 5
  rotate_kernel<<<(n + 255) / 256, 256>>>(copy, data, n, 0);   // 6
  cudaFree(copy);                                              // 7
}

__global__ void histogram_kernel(const int* in, int* counts, int n) {
  __shared__ int bins[64];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
  if (t < 32) bins[t] = 0;                                        // 2
  __syncthreads();                                                // 3
  if (i < n) atomicAdd(&bins[in[i]], 1);                          // 4
  __syncthreads();                                                // 5
  if (t < 64) atomicAdd(&counts[t], bins[t]);                     // 6
}
void histogram(const int* in, int* counts, int n) {
  warpbook::not_started();                                    // TODO(student): program 3.
  histogram_kernel<<<(n + 255) / 256, 256>>>(in, counts, n);  // 7
}

__global__ void group_sums_kernel(const int* in, int* sums, int n) {
  __shared__ int part[256];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
  part[t] = i < n ? in[i] : 0;                                    // 2
  __syncthreads();                                                // 3
  for (int d = 128; d > 0; d /= 2) {                              // 4
    if (t < d) part[t] += part[t + d];                            // 5
    if (d > 32) __syncthreads();                                  // 6
  }
  if (t == 0) sums[blockIdx.x] = part[0];  // 7
}
void group_sums(const int* in, int* sums, int n) {
  warpbook::not_started();                                   // TODO(student): program 4.
  group_sums_kernel<<<(n + 255) / 256, 256>>>(in, sums, n);  // 8
}

__global__ void shift_kernel(const int* from, int* to, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;  // 1
  if (i + 1 < n) to[i] = from[i + 1];            // 2
}
void shift(int* data, int* scratch, int n) {
  warpbook::not_started();                                // TODO(student): program 5.
  shift_kernel<<<(n + 255) / 256, 256>>>(data, data, n);  // 3
}

__global__ void total_kernel(const int* in, int* partial, int* arrived, int* out, int n) {
  int sum = 0, ticket = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 1024) sum += in[i];  // 1
  sum = __reduce_add_sync(0xffffffff, sum);                                    // 2
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;                             // 3
  if (threadIdx.x == 0) ticket = atomicAdd(arrived, 1);                        // 4
  __threadfence();                                                             // 5
  __syncwarp();                                                                // 6
  if (__shfl_sync(0xffffffff, ticket, 0) < 31) return;                         // 7
  sum = __reduce_add_sync(0xffffffff, partial[threadIdx.x]);                   // 8
  if (threadIdx.x == 0) *out = sum;                                            // 9
}
void total(const int* in, int* partial, int* arrived, int* out, int n) {
  warpbook::not_started();                                 // TODO(student): program 6.
  total_kernel<<<32, 32>>>(in, partial, arrived, out, n);  // 10
}

__global__ void reverse_groups_kernel(const int* in, int* out, int n) {
  __shared__ int group[256];
  for (int k = 0, t = threadIdx.x; k < 2; ++k) {                                // 1
    const int first = 512 * blockIdx.x + 256 * k, count = min(256, n - first);  // 2
    if (t < count) {                                                            // 3
      group[t] = in[first + t];                                                 // 4
      __syncthreads();                                                          // 5
      out[first + t] = group[count - 1 - t];                                    // 6
    }
    __syncthreads();  // 7
  }
}
void reverse_groups(const int* in, int* out, int n) {
  warpbook::not_started();                                      // TODO(student): program 7.
  reverse_groups_kernel<<<(n + 511) / 512, 256>>>(in, out, n);  // 8
}

__global__ void swap_pairs_kernel(const int* in, int* out, int n) {
  __shared__ int values[256];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
  if (i < n) values[t] = in[i];                                   // 2
  __syncwarp(0x0000ffff);                                         // 3
  if (i < n) out[i] = values[(i ^ 1) < n ? t ^ 1 : t];            // 4
}
void swap_pairs(const int* in, int* out, int n) {
  warpbook::not_started();                                  // TODO(student): program 8.
  swap_pairs_kernel<<<(n + 255) / 256, 256>>>(in, out, n);  // 5
}

int right_today(int program) {
  warpbook::not_started();  // TODO(student): predict, before you look for the bugs. (1 line)
}

int line_of(int program, Kind kind) {
  warpbook::not_started();  // TODO(student): a table of eight kinds, and one of eight lines. (4 lines)
}
