// Lab debugger: four programs that are wrong, for you to debug. Letters at the ends of lines name statements.
#include "common/cuda/check.cuh"
#include "debugger.h"

// BEGIN SOLUTION
// SKELETON: __global__ void smooth_kernel(const int* in, int* out, int count) {
// SKELETON:   __shared__ int tile[66];  // tile[t + 1] is the element of thread t; neighbours are at both ends.
// SKELETON:   const int t = threadIdx.x, i = blockIdx.x * 64 + t;
// SKELETON:   tile[t + 1] = i < count ? in[i] : 0;                                  // A
// SKELETON:   if (t % 32 == 0) tile[t / 32] = i > 0 && i <= count ? in[i - 1] : 0;  // B
// SKELETON:   if (t == 63) tile[65] = i + 1 < count ? in[i + 1] : 0;                // C
// SKELETON:   __syncthreads();
// SKELETON:   int sum = 0;
// SKELETON:   for (int k = 0; k < 3; ++k) {
// SKELETON:     sum += tile[t + k];  // D
// SKELETON:   }
// SKELETON:   if (i < count) out[i] = sum;  // E
// SKELETON: }
// SKELETON: void smooth(const int* in, int* out, int count) {
// SKELETON:   warpbook::not_started();  // TODO(student): program 1.
// SKELETON:   smooth_kernel<<<(count + 63) / 64, 64>>>(in, out, count);
// SKELETON:   WB_CHECK(cudaGetLastError());
// SKELETON: }
__global__ void smooth_kernel(const int* in, int* out, int count) {
  __shared__ int tile[66];  // tile[t + 1] is the element of thread t; neighbours are at both ends.
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t + 1] = i < count ? in[i] : 0;                    // A
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0;            // B
  if (t == 63) tile[65] = i + 1 < count ? in[i + 1] : 0;  // C
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += tile[t + k];  // D
  }
  if (i < count) out[i] = sum;  // E
}
void smooth(const int* in, int* out, int count) {
  smooth_kernel<<<(count + 63) / 64, 64>>>(in, out, count);
  WB_CHECK(cudaGetLastError());
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __device__ int rebate(int total, int kind) {
// SKELETON:   int percent = kind == 2 ? 10 : 0;  // F
// SKELETON:   if (total >= 1000) percent += 5;   // G
// SKELETON:   return total * percent / 100;      // H
// SKELETON: }
// SKELETON: __device__ int price(const Order& order) {
// SKELETON:   const int total = order.amount * order.cents;       // I
// SKELETON:   const int less = rebate(order.amount, order.kind);  // J
// SKELETON:   return total - less;                                // K
// SKELETON: }
// SKELETON: __global__ void prices_kernel(const Order* orders, int* out, int count) {
// SKELETON:   const int i = blockIdx.x * 64 + threadIdx.x;
// SKELETON:   if (i < count) out[i] = price(orders[i]);  // L
// SKELETON: }
// SKELETON: void prices(const int* orders, int* out, int count) {
// SKELETON:   warpbook::not_started();  // TODO(student): program 2.
// SKELETON:   prices_kernel<<<(count + 63) / 64, 64>>>(reinterpret_cast<const Order*>(orders), out, count);
// SKELETON:   WB_CHECK(cudaGetLastError());
// SKELETON: }
__device__ int rebate(int total, int kind) {
  int percent = kind == 2 ? 10 : 0;  // F
  if (total >= 1000) percent += 5;   // G
  return total * percent / 100;      // H
}
__device__ int price(const Order& order) {
  const int total = order.amount * order.cents;  // I
  const int less = rebate(total, order.kind);    // J
  return total - less;                           // K
}
__global__ void prices_kernel(const Order* orders, int* out, int count) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < count) out[i] = price(orders[i]);  // L
}
void prices(const int* orders, int* out, int count) {
  prices_kernel<<<(count + 63) / 64, 64>>>(reinterpret_cast<const Order*>(orders), out, count);
  WB_CHECK(cudaGetLastError());
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void steps_kernel(const int* in, const int* from, int* out, int count) {
// SKELETON:   const int i = blockIdx.x * 64 + threadIdx.x;
// SKELETON:   if (i >= count) return;
// SKELETON:   const int at = from[i], left = at - 1;  // M
// SKELETON:   out[i] = in[at] - in[left];             // N
// SKELETON: }
// SKELETON: void steps(const int* in, const int* from, int* out, int count) {
// SKELETON:   warpbook::not_started();  // TODO(student): program 3.
// SKELETON:   steps_kernel<<<(count + 63) / 64, 64>>>(in, from, out, count);
// SKELETON:   WB_CHECK(cudaGetLastError());
// SKELETON: }
__global__ void steps_kernel(const int* in, const int* from, int* out, int count) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= count) return;
  const int at = from[i], left = at - 1;         // M
  out[i] = at == 0 ? in[0] : in[at] - in[left];  // N
}
void steps(const int* in, const int* from, int* out, int count) {
  steps_kernel<<<(count + 63) / 64, 64>>>(in, from, out, count);
  WB_CHECK(cudaGetLastError());
}
// END SOLUTION

// BEGIN SOLUTION
// SKELETON: __global__ void sums_kernel(const int* in, int* out, int count) {
// SKELETON:   __shared__ int part[128];
// SKELETON:   const int t = threadIdx.x, i = blockIdx.x * 128 + t;
// SKELETON:   part[t] = i < count ? in[i] : 0;
// SKELETON:   for (int d = 64; d > 0; d /= 2) {
// SKELETON:     if (t < d) {
// SKELETON:       __syncthreads();         // O
// SKELETON:       part[t] += part[t + d];  // P
// SKELETON:     }
// SKELETON:   }
// SKELETON:   __syncthreads();  // Q
// SKELETON:   if (t == 0) out[blockIdx.x] = part[0];
// SKELETON: }
// SKELETON: void sums(const int* in, int* out, int count) {
// SKELETON:   warpbook::not_started();  // TODO(student): program 4.
// SKELETON:   sums_kernel<<<(count + 127) / 128, 128>>>(in, out, count);
// SKELETON:   WB_CHECK(cudaGetLastError());
// SKELETON: }
__global__ void sums_kernel(const int* in, int* out, int count) {
  __shared__ int part[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  part[t] = i < count ? in[i] : 0;
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();                    // O
    if (t < d) part[t] += part[t + d];  // P
  }
  __syncthreads();  // Q
  if (t == 0) out[blockIdx.x] = part[0];
}
void sums(const int* in, int* out, int count) {
  sums_kernel<<<(count + 127) / 128, 128>>>(in, out, count);
  WB_CHECK(cudaGetLastError());
}
// END SOLUTION

int found(int question) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): a number for each question. (4 lines)
  constexpr int kAnswers[] = {181, 32,   2,  45, 109, 5,  // program 1
                              21,  1050, 3,  0,  10,      // program 2
                              90,  26,   37,              // program 3
                              16,  135};                  // program 4
  return kAnswers[question];
  // END SOLUTION
}

#ifdef WITH_MAIN
// The program to debug: 1 to 4, as the command line says.
int main(int count, char** words) {
  int *in, *other, *out;
  cudaMalloc(&in, 200 * sizeof(int));
  cudaMallocManaged(&other, 600 * sizeof(int));
  cudaMallocManaged(&out, 200 * sizeof(int));
  for (int i = 0; i < 200; ++i) out[i] = i * 37 % 101;
  cudaMemcpy(in, out, 200 * sizeof(int), cudaMemcpyDefault);
  const int program = count > 1 ? words[1][0] - '0' : 1;
  for (int i = 0; i < 200; ++i) {
    const int order[] = {i % 50 + 1, 7 * i % 90 + 10, i % 3};
    for (int k = 0; k < 3; ++k) other[3 * i + k] = order[k];
  }
  for (int i = 0; program == 3 && i < 200; ++i) other[i] = (37 * i + 3) % 101;
  if (program == 1) smooth(in, out, 200);
  if (program == 2) prices(other, out, 200);
  if (program == 3) steps(in, other, out, 200);
  if (program == 4) sums(in, out, 200);
  WB_CHECK(cudaDeviceSynchronize());
}
#endif
