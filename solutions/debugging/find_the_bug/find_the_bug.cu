// Lab find_the_bug: eight programs with a bug each, for you to edit. Numbers at the ends of lines are for line_of().
#include "find_the_bug.h"

// BEGIN SOLUTION
// SKELETON: __global__ void differences_kernel(const int* in, int* out, int n) {
// SKELETON:   const int i = blockIdx.x * 256 + threadIdx.x;    // 1
// SKELETON:   if (i > n) return;                               // 2
// SKELETON:   const int next = i + 1 < n ? in[i + 1] : in[i];  // 3
// SKELETON:   out[i] = next - in[i];                           // 4
// SKELETON: }
// SKELETON: void differences(const int* in, int* out, int n) {
// SKELETON:   warpbook::not_started();                                   // TODO(student): program 1.
// SKELETON:   differences_kernel<<<(n + 255) / 256, 256>>>(in, out, n);  // 5
// SKELETON: }
__global__ void differences_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;    // 1
  if (i >= n) return;                              // 2
  const int next = i + 1 < n ? in[i + 1] : in[i];  // 3
  out[i] = next - in[i];                           // 4
}
void differences(const int* in, int* out, int n) {
  differences_kernel<<<(n + 255) / 256, 256>>>(in, out, n);  // 5
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void rotate_kernel(const int* from, int* to, int n, int by) {
// SKELETON:   const int i = blockIdx.x * 256 + threadIdx.x;  // 1
// SKELETON:   if (i < n) to[i] = from[(i + by) % n];         // 2
// SKELETON: }
// SKELETON: void rotate(int* data, int n, int by) {
// SKELETON:   warpbook::not_started();  // TODO(student): program 2.
// SKELETON:   int* copy = nullptr;
// SKELETON:   cudaMalloc(&copy, n * sizeof(int));                          // 3
// SKELETON:   if (by % n == 0) return;                                     // 4
// SKELETON:   rotate_kernel<<<(n + 255) / 256, 256>>>(data, copy, n, by);  // 5
// SKELETON:   rotate_kernel<<<(n + 255) / 256, 256>>>(copy, data, n, 0);   // 6
// SKELETON:   cudaFree(copy);                                              // 7
// SKELETON: }
__global__ void rotate_kernel(const int* from, int* to, int n, int by) {
  const int i = blockIdx.x * 256 + threadIdx.x;  // 1
  if (i < n) to[i] = from[(i + by) % n];         // 2
}
void rotate(int* data, int n, int by) {
  int* copy = nullptr;
  if (by % n == 0) return;                                     // 4
  cudaMalloc(&copy, n * sizeof(int));                          // 3
  rotate_kernel<<<(n + 255) / 256, 256>>>(data, copy, n, by);  // 5
  rotate_kernel<<<(n + 255) / 256, 256>>>(copy, data, n, 0);   // 6
  cudaFree(copy);                                              // 7
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void histogram_kernel(const int* in, int* counts, int n) {
// SKELETON:   __shared__ int bins[64];
// SKELETON:   const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
// SKELETON:   if (t < 32) bins[t] = 0;                                        // 2
// SKELETON:   __syncthreads();                                                // 3
// SKELETON:   if (i < n) atomicAdd(&bins[in[i]], 1);                          // 4
// SKELETON:   __syncthreads();                                                // 5
// SKELETON:   if (t < 64) atomicAdd(&counts[t], bins[t]);                     // 6
// SKELETON: }
// SKELETON: void histogram(const int* in, int* counts, int n) {
// SKELETON:   warpbook::not_started();                                    // TODO(student): program 3.
// SKELETON:   histogram_kernel<<<(n + 255) / 256, 256>>>(in, counts, n);  // 7
// SKELETON: }
__global__ void histogram_kernel(const int* in, int* counts, int n) {
  __shared__ int bins[64];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
  if (t < 64) bins[t] = 0;                                        // 2
  __syncthreads();                                                // 3
  if (i < n) atomicAdd(&bins[in[i]], 1);                          // 4
  __syncthreads();                                                // 5
  if (t < 64) atomicAdd(&counts[t], bins[t]);                     // 6
}
void histogram(const int* in, int* counts, int n) {
  histogram_kernel<<<(n + 255) / 256, 256>>>(in, counts, n);  // 7
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void group_sums_kernel(const int* in, int* sums, int n) {
// SKELETON:   __shared__ int part[256];
// SKELETON:   const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
// SKELETON:   part[t] = i < n ? in[i] : 0;                                    // 2
// SKELETON:   __syncthreads();                                                // 3
// SKELETON:   for (int d = 128; d > 0; d /= 2) {                              // 4
// SKELETON:     if (t < d) part[t] += part[t + d];                            // 5
// SKELETON:     if (d > 32) __syncthreads();                                  // 6
// SKELETON:   }
// SKELETON:   if (t == 0) sums[blockIdx.x] = part[0];  // 7
// SKELETON: }
// SKELETON: void group_sums(const int* in, int* sums, int n) {
// SKELETON:   warpbook::not_started();                                   // TODO(student): program 4.
// SKELETON:   group_sums_kernel<<<(n + 255) / 256, 256>>>(in, sums, n);  // 8
// SKELETON: }
__global__ void group_sums_kernel(const int* in, int* sums, int n) {
  __shared__ int part[256];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
  part[t] = i < n ? in[i] : 0;                                    // 2
  __syncthreads();                                                // 3
  for (int d = 128; d > 0; d /= 2) {                              // 4
    if (t < d) part[t] += part[t + d];                            // 5
    __syncthreads();                                              // 6
  }
  if (t == 0) sums[blockIdx.x] = part[0];  // 7
}
void group_sums(const int* in, int* sums, int n) {
  group_sums_kernel<<<(n + 255) / 256, 256>>>(in, sums, n);  // 8
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void shift_kernel(const int* from, int* to, int n) {
// SKELETON:   const int i = blockIdx.x * 256 + threadIdx.x;  // 1
// SKELETON:   if (i + 1 < n) to[i] = from[i + 1];            // 2
// SKELETON: }
// SKELETON: void shift(int* data, int* scratch, int n) {
// SKELETON:   warpbook::not_started();                                // TODO(student): program 5.
// SKELETON:   shift_kernel<<<(n + 255) / 256, 256>>>(data, data, n);  // 3
// SKELETON: }
__global__ void shift_kernel(const int* from, int* to, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;  // 1
  if (i + 1 < n) to[i] = from[i + 1];            // 2
}
void shift(int* data, int* scratch, int n) {
  cudaMemcpyAsync(scratch, data, n * sizeof(int), cudaMemcpyDeviceToDevice);
  shift_kernel<<<(n + 255) / 256, 256>>>(scratch, data, n);  // 3
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void total_kernel(const int* in, int* partial, int* arrived, int* out, int n) {
// SKELETON:   int sum = 0, ticket = 0;
// SKELETON:   for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 1024) sum += in[i];  // 1
// SKELETON:   sum = __reduce_add_sync(0xffffffff, sum);                                    // 2
// SKELETON:   if (threadIdx.x == 0) partial[blockIdx.x] = sum;                             // 3
// SKELETON:   if (threadIdx.x == 0) ticket = atomicAdd(arrived, 1);                        // 4
// SKELETON:   __threadfence();                                                             // 5
// SKELETON:   __syncwarp();                                                                // 6
// SKELETON:   if (__shfl_sync(0xffffffff, ticket, 0) < 31) return;                         // 7
// SKELETON:   sum = __reduce_add_sync(0xffffffff, partial[threadIdx.x]);                   // 8
// SKELETON:   if (threadIdx.x == 0) *out = sum;                                            // 9
// SKELETON: }
// SKELETON: void total(const int* in, int* partial, int* arrived, int* out, int n) {
// SKELETON:   warpbook::not_started();                                 // TODO(student): program 6.
// SKELETON:   total_kernel<<<32, 32>>>(in, partial, arrived, out, n);  // 10
// SKELETON: }
__global__ void total_kernel(const int* in, int* partial, int* arrived, int* out, int n) {
  int sum = 0, ticket = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 1024) sum += in[i];  // 1
  sum = __reduce_add_sync(0xffffffff, sum);                                    // 2
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;                             // 3
  __threadfence();
  if (threadIdx.x == 0) ticket = atomicAdd(arrived, 1);       // 4
  __threadfence();                                            // 5
  __syncwarp();                                               // 6
  if (__shfl_sync(0xffffffff, ticket, 0) < 31) return;        // 7
  sum = __reduce_add_sync(0xffffffff, partial[threadIdx.x]);  // 8
  if (threadIdx.x == 0) *out = sum;                           // 9
}
void total(const int* in, int* partial, int* arrived, int* out, int n) {
  total_kernel<<<32, 32>>>(in, partial, arrived, out, n);  // 10
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void reverse_groups_kernel(const int* in, int* out, int n) {
// SKELETON:   __shared__ int group[256];
// SKELETON:   for (int k = 0, t = threadIdx.x; k < 2; ++k) {                                // 1
// SKELETON:     const int first = 512 * blockIdx.x + 256 * k, count = min(256, n - first);  // 2
// SKELETON:     if (t < count) {                                                            // 3
// SKELETON:       group[t] = in[first + t];                                                 // 4
// SKELETON:       __syncthreads();                                                          // 5
// SKELETON:       out[first + t] = group[count - 1 - t];                                    // 6
// SKELETON:     }
// SKELETON:     __syncthreads();  // 7
// SKELETON:   }
// SKELETON: }
// SKELETON: void reverse_groups(const int* in, int* out, int n) {
// SKELETON:   warpbook::not_started();                                      // TODO(student): program 7.
// SKELETON:   reverse_groups_kernel<<<(n + 511) / 512, 256>>>(in, out, n);  // 8
// SKELETON: }
__global__ void reverse_groups_kernel(const int* in, int* out, int n) {
  __shared__ int group[256];
  for (int k = 0, t = threadIdx.x; k < 2; ++k) {                                // 1
    const int first = 512 * blockIdx.x + 256 * k, count = min(256, n - first);  // 2
    if (t < count) group[t] = in[first + t];                                    // 4
    __syncthreads();                                                            // 5
    if (t < count) out[first + t] = group[count - 1 - t];                       // 6
    __syncthreads();                                                            // 7
  }
}
void reverse_groups(const int* in, int* out, int n) {
  reverse_groups_kernel<<<(n + 511) / 512, 256>>>(in, out, n);  // 8
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void swap_pairs_kernel(const int* in, int* out, int n) {
// SKELETON:   __shared__ int values[256];
// SKELETON:   const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
// SKELETON:   if (i < n) values[t] = in[i];                                   // 2
// SKELETON:   __syncwarp(0x0000ffff);                                         // 3
// SKELETON:   if (i < n) out[i] = values[(i ^ 1) < n ? t ^ 1 : t];            // 4
// SKELETON: }
// SKELETON: void swap_pairs(const int* in, int* out, int n) {
// SKELETON:   warpbook::not_started();                                  // TODO(student): program 8.
// SKELETON:   swap_pairs_kernel<<<(n + 255) / 256, 256>>>(in, out, n);  // 5
// SKELETON: }
__global__ void swap_pairs_kernel(const int* in, int* out, int n) {
  __shared__ int values[256];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;  // 1
  if (i < n) values[t] = in[i];                                   // 2
  __syncwarp();                                                   // 3
  if (i < n) out[i] = values[(i ^ 1) < n ? t ^ 1 : t];            // 4
}
void swap_pairs(const int* in, int* out, int n) {
  swap_pairs_kernel<<<(n + 255) / 256, 256>>>(in, out, n);  // 5
}
// END SOLUTION

int right_today(int program) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): predict, before you look for the bugs. (1 line)
  return program != 1 && program != 3 && program != 7;
  // END SOLUTION
}

int line_of(int program, Kind kind) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): a table of eight kinds, and one of eight lines. (4 lines)
  constexpr Kind kinds[] = {overrun,     leak,          uninitialised_read, shared_race,
                            global_race, missing_fence, divergent_barrier,  wrong_mask};
  constexpr int lines[] = {2, 4, 2, 6, 3, 3, 5, 3};
  return kinds[program - 1] == kind ? lines[program - 1] : 0;
  // END SOLUTION
}
