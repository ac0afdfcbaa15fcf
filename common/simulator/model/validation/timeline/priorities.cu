// nvcc -std=c++17 -O2 -arch=sm_90
// Stream priorities: when a kernel of each priority starts beside or behind others, and what those lose.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "ok.cuh"

__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
struct Stamp {
  unsigned long long start, end;
};
__global__ void __launch_bounds__(1024) spin(long long cycles, Stamp* stamps) {
  const unsigned long long t = now();
  const long long c = clock64();
  while (clock64() - c < cycles) {
  }
  if (threadIdx.x == 0) stamps[blockIdx.x] = {t, now()};
}
Stamp* stamps[8];
std::vector<Stamp> host(1 << 16);
struct Work {
  int priority, blocks, threads;
  double us, delay;
};
void run(const char* what, std::vector<Work> works) {
  std::vector<cudaStream_t> s(works.size());
  for (size_t i = 0; i < works.size(); ++i)
    OK(cudaStreamCreateWithPriority(&s[i], cudaStreamNonBlocking, works[i].priority));
  for (int r = 0; r < 2; ++r) {
    for (size_t i = 0; i < works.size(); ++i) {
      if (works[i].delay > 0) {
        auto t = clock();
        while (double(clock() - t) < works[i].delay) {
        }
      }
      spin<<<works[i].blocks, works[i].threads, 0, s[i]>>>((long long)(works[i].us * 1980), stamps[i]);
    }
    OK(cudaDeviceSynchronize());
  }
  printf("%s\n", what);
  unsigned long long first = 0;
  for (size_t i = 0; i < works.size(); ++i) {
    OK(cudaMemcpy(host.data(), stamps[i], sizeof(Stamp) * works[i].blocks, cudaMemcpyDeviceToHost));
    unsigned long long lo = ~0ull, hi = 0, last = 0;
    for (int b = 0; b < works[i].blocks; ++b) {
      lo = std::min(lo, host[b].start);
      last = std::max(last, host[b].start);
      hi = std::max(hi, host[b].end);
    }
    if (!i) first = lo;
    std::vector<double> st;
    for (int b = 0; b < works[i].blocks; ++b) st.push_back(((double)host[b].start - first) / 1000);
    std::sort(st.begin(), st.end());
    printf("  priority %d, %d blocks of %d threads, %.0f us: first %.1f, half %.1f, last start %.1f, end %.1f\n",
           works[i].priority, works[i].blocks, works[i].threads, works[i].us, ((double)lo - first) / 1000,
           st[st.size() / 2], ((double)last - first) / 1000, ((double)hi - first) / 1000);
  }
  for (auto& x : s) OK(cudaStreamDestroy(x));
}
int main() {
  for (auto& s : stamps) OK(cudaMalloc(&s, sizeof(Stamp) << 16));
  int lo, hi;
  OK(cudaDeviceGetStreamPriorityRange(&lo, &hi));
  printf("range %d %d\n", lo, hi);
  const int full = 264;
  run("ten waves of 100 us, then one wave of the same priority",
      {{0, 10 * full, 1024, 100, 0}, {0, full, 1024, 100, 50}});
  run("ten waves of 100 us, then one wave of the highest priority",
      {{0, 10 * full, 1024, 100, 0}, {-5, full, 1024, 100, 50}});
  run("ten waves of 100 us, then one block of the highest priority",
      {{0, 10 * full, 1024, 100, 0}, {-5, 1, 1024, 100, 50}});
  run("one wave of 1000 us, then one wave of the highest priority of 100 us",
      {{0, full, 1024, 1000, 0}, {-5, full, 1024, 100, 50}});
  run("ten waves of priority 0, then 1 wave each of -1, -2, -5",
      {{0, 10 * full, 1024, 100, 0}, {-1, full, 1024, 100, 50}, {-2, full, 1024, 100, 0}, {-5, full, 1024, 100, 0}});
  run("ten waves of priority -5, then one of 0", {{-5, 10 * full, 1024, 100, 0}, {0, full, 1024, 100, 50}});
  run("three kernels of ten waves, then the highest", {{0, 10 * full, 1024, 50, 0},
                                                       {0, 10 * full, 1024, 50, 0},
                                                       {0, 10 * full, 1024, 50, 0},
                                                       {-5, full, 1024, 50, 50}});
  run("small blocks of 10 us, 40 waves, then a wave of the highest",
      {{0, 40 * 32 * 132, 32, 10, 0}, {-5, 32 * 132, 32, 10, 50}});
  run("small blocks of 10 us, 40 waves, then blocks of 1024 of the highest",
      {{0, 40 * 1056, 256, 10, 0}, {-5, full, 1024, 10, 50}});
  run("small blocks of 10 us, 40 waves, then blocks of 1024 of the same",
      {{0, 40 * 1056, 256, 10, 0}, {0, full, 1024, 10, 50}});
  return 0;
}
