// nvcc -std=c++17 -O2 -arch=sm_90
// clock64, globaltimer, nanosleep and events against each other.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ok.cuh"

__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
__global__ void spin64(long long n, unsigned long long* o) {
  const unsigned long long t = now();
  const long long c = clock64();
  long long d;
  do d = clock64() - c;
  while (d < n);
  o[0] = d;
  o[1] = now() - t;
  o[2] = t;
}
__global__ void spin32(long long n, unsigned long long* o) {
  const unsigned long long t = now();
  const unsigned c = clock();
  unsigned d;
  do d = (unsigned)clock() - c;
  while (d < n);
  o[0] = d;
  o[1] = now() - t;
  o[2] = t;
}
__global__ void spin_global(long long n, unsigned long long* o) {
  const unsigned long long t = now();
  const long long c = clock64();
  unsigned long long d;
  do d = now() - t;
  while (d < n);
  o[0] = clock64() - c;
  o[1] = d;
  o[2] = t;
}
__global__ void pair(long long n, unsigned long long* o) {
  clock_t t = clock();
  long long d = 0;
  while (d < n) {
    unsigned e = (unsigned)clock();
    d = (unsigned)(e - (unsigned)t);
  }
  o[0] = d;
  o[1] = 0;
  o[2] = 0;
}
__global__ void sleep(long long n, unsigned long long* o) {
  const unsigned long long t = now();
  const long long c = clock64();
  __nanosleep((unsigned)n);
  o[0] = clock64() - c;
  o[1] = now() - t;
  o[2] = t;
}
__global__ void sleep_loop(long long n, unsigned long long* o) {
  const unsigned long long t = now();
  const long long c = clock64();
  while (clock64() - c < n) __nanosleep(100);
  o[0] = clock64() - c;
  o[1] = now() - t;
  o[2] = t;
}
__global__ void steps(unsigned long long* o) {
  unsigned long long t = now();
  for (int i = 0; i < 16; ++i) {
    unsigned long long u;
    do u = now();
    while (u == t);
    o[i] = u - t;
    t = u;
  }
}
__global__ void reads(unsigned long long* o) {
  long long c[17];
#pragma unroll
  for (int i = 0; i < 17; ++i) c[i] = clock64();
  for (int i = 0; i < 16; ++i) o[i] = c[i + 1] - c[i];
  unsigned long long t[9];
  long long k = clock64();
#pragma unroll
  for (int i = 0; i < 9; ++i) t[i] = now();
  o[16] = clock64() - k;
  unsigned long long s = 0;
  for (auto x : t) s ^= x;
  o[17] = s;
}
__global__ void sms(unsigned long long* o) {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  o[sm] = clock64();
}
__global__ void stamps(unsigned long long* o) {
  o[0] = now();
  o[1] = clock64();
}
using Kernel = void (*)(long long, unsigned long long*);
int main() {
  unsigned long long* o;
  OK(cudaMalloc(&o, 8192));
  unsigned long long h[256];
  cudaEvent_t a, b;
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  struct {
    const char* name;
    Kernel k;
  } kernels[] = {{"clock64", spin64}, {"clock", spin32},    {"globaltimer", spin_global},
                 {"pair.cu", pair},   {"nanosleep", sleep}, {"nanosleep in a clock64 loop", sleep_loop}};
  for (auto& k : kernels)
    for (long long n : {0ll, 1000ll, 10000ll, 100000ll, 1980000ll}) {
      std::vector<float> t;
      std::vector<unsigned long long> c, g;
      for (int r = 0; r < 7; ++r) {
        spin64<<<1, 1>>>(200000, o);
        OK(cudaEventRecord(a));
        k.k<<<1, 1>>>(n, o);
        OK(cudaEventRecord(b));
        OK(cudaDeviceSynchronize());
        float ms;
        OK(cudaEventElapsedTime(&ms, a, b));
        OK(cudaMemcpy(h, o, 24, cudaMemcpyDeviceToHost));
        t.push_back(ms * 1000);
        c.push_back(h[0]);
        g.push_back(h[1]);
      }
      std::sort(t.begin(), t.end());
      std::sort(c.begin(), c.end());
      std::sort(g.begin(), g.end());
      printf("%s %lld: %llu cycles, %llu ns, events %.2f us\n", k.name, n, c[3], g[3], t[3]);
    }
  steps<<<1, 1>>>(o);
  OK(cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost));
  printf("steps of globaltimer:");
  for (int i = 0; i < 16; ++i) printf(" %llu", h[i]);
  printf("\n");
  reads<<<1, 1>>>(o);
  OK(cudaMemcpy(h, o, 144, cudaMemcpyDeviceToHost));
  printf("clock64 after clock64:");
  for (int i = 0; i < 16; ++i) printf(" %llu", h[i]);
  printf("; 9 globaltimer in %llu cycles\n", h[16]);
  sms<<<132, 1024>>>(o);
  OK(cudaMemcpy(h, o, 132 * 8, cudaMemcpyDeviceToHost));
  unsigned long long lo = ~0ull, hi = 0;
  for (int i = 0; i < 132; ++i) {
    lo = std::min(lo, h[i]);
    hi = std::max(hi, h[i]);
  }
  printf("clock64 over the SMs at about one time: %llu to %llu, %llu apart\n", lo, hi, hi - lo);
  // Gap between kernels of one stream by globaltimer and clock64: 8 kernels that note when they run.
  for (int r = 0; r < 2; ++r) {
    spin64<<<1, 1>>>(200000, o + 64);
    for (int i = 0; i < 8; ++i) stamps<<<1, 1>>>(o + 2 * i);
    OK(cudaDeviceSynchronize());
  }
  OK(cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost));
  printf("starts of 8 kernels in a row, ns and cycles:");
  for (int i = 1; i < 8; ++i)
    printf(" %lld/%lld", (long long)(h[2 * i] - h[2 * i - 2]), (long long)(h[2 * i + 1] - h[2 * i - 1]));
  printf("\n");
  // globaltimer against the host's clocks.
  for (int r = 0; r < 3; ++r) {
    stamps<<<1, 1>>>(o);
    auto w = std::chrono::system_clock::now();
    auto m = std::chrono::steady_clock::now();
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, o, 16, cudaMemcpyDeviceToHost));
    printf("globaltimer less the system's clock %lld ns, less the steady clock %lld ns; clock64 %llu\n",
           (long long)(h[0] - std::chrono::duration_cast<std::chrono::nanoseconds>(w.time_since_epoch()).count()),
           (long long)(h[0] - std::chrono::duration_cast<std::chrono::nanoseconds>(m.time_since_epoch()).count()),
           h[1]);
  }
  return 0;
}
