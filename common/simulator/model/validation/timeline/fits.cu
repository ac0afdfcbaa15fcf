// nvcc -std=c++17 -O2 -arch=sm_90
// Kernels side by side by what fits: blocks, threads, registers, shared memory. When the first and last blocks of two
// kernels start, and where.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ok.cuh"

__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
struct Stamp {
  unsigned long long start, end;
  unsigned sm, pad;
};
template <int kRegisters>
__global__ void __launch_bounds__(kRegisters > 64 ? 256 : 1024)
    spin(long long cycles, Stamp* stamps, float* data, int n) {
  float v[kRegisters];
#pragma unroll
  for (int i = 0; i < kRegisters; ++i) v[i] = n ? data[i * n] : 0;
  const unsigned long long t = now();
  const long long c = clock64();
  while (clock64() - c < cycles) {
  }
#pragma unroll
  for (int i = 0; i < kRegisters; ++i)
    if (n) data[i * n] = v[(i * 7 + 3) % kRegisters];
  if (threadIdx.x == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    stamps[blockIdx.x] = {t, now(), sm, 0};
  }
}
using Kernel = void (*)(long long, Stamp*, float*, int);
struct Work {
  Kernel kernel;
  const char* name;
  int blocks, threads, shared;
  double us;
};
Stamp* stamps[4];
cudaStream_t streams[4];
std::vector<Stamp> host(1 << 16);
void run(const char* what, std::vector<Work> works) {
  for (int r = 0; r < 2; ++r) {
    for (size_t i = 0; i < works.size(); ++i) {
      const Work& w = works[i];
      OK(cudaFuncSetAttribute(w.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
      w.kernel<<<w.blocks, w.threads, w.shared, streams[i]>>>((long long)(w.us * 1980), stamps[i], nullptr, 0);
      OK(cudaGetLastError());
    }
    OK(cudaDeviceSynchronize());
  }
  printf("%s\n", what);
  unsigned long long first = 0;
  for (size_t i = 0; i < works.size(); ++i) {
    const Work& w = works[i];
    OK(cudaMemcpy(host.data(), stamps[i], sizeof(Stamp) * w.blocks, cudaMemcpyDeviceToHost));
    unsigned long long lo = ~0ull, hi = 0, last = 0;
    std::vector<int> at(132, 0);
    int early = 0;
    for (int b = 0; b < w.blocks; ++b) {
      lo = std::min(lo, host[b].start);
      last = std::max(last, host[b].start);
      hi = std::max(hi, host[b].end);
      ++at[host[b].sm % 132];
    }
    if (!i) first = lo;
    for (int b = 0; b < w.blocks; ++b) early += host[b].start < lo + 50000;
    int sms = 0, most = 0;
    for (int x : at) {
      sms += x > 0;
      most = std::max(most, x);
    }
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, w.kernel));
    int fit;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, w.kernel, w.threads, w.shared));
    printf(
        "  %d blocks of %d threads, %d registers, %d bytes, %.0f us, %d fit: first %.1f last start %.1f end %.1f, %d "
        "within 50 us of the first, on %d SMs, at most %d on one, block 0 on SM %u, block 1 on SM %u\n",
        w.blocks, w.threads, a.numRegs, w.shared, w.us, fit, ((double)lo - first) / 1000, ((double)last - first) / 1000,
        ((double)hi - first) / 1000, early, sms, most, host[0].sm, w.blocks > 1 ? host[1].sm : 0);
  }
}
int main() {
  for (auto& s : stamps) OK(cudaMalloc(&s, sizeof(Stamp) << 16));
  for (auto& s : streams) OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  const Kernel few = spin<1>, many = spin<100>, most = spin<200>;
  const double T = 400;
  run("threads: 1 + 1 block of 1024 per SM", {{few, "", 132, 1024, 0, T}, {few, "", 132, 1024, 0, T}});
  run("threads: 2 + 1", {{few, "", 264, 1024, 0, T}, {few, "", 132, 1024, 0, T}});
  run("threads: half the SMs twice, then all", {{few, "", 132 + 66, 1024, 0, T}, {few, "", 132, 1024, 0, T}});
  run("shared: 120000 + 100000", {{few, "", 132, 128, 120000, T}, {few, "", 132, 128, 100000, T}});
  run("shared: 120000 + 120000", {{few, "", 132, 128, 120000, T}, {few, "", 132, 128, 120000, T}});
  run("shared: 66 of 200000 + 132 of 100000", {{few, "", 66, 128, 200000, T}, {few, "", 132, 128, 100000, T}});
  run("shared: 66 of 200000 + 264 of 100000", {{few, "", 66, 128, 200000, T}, {few, "", 264, 128, 100000, T}});
  run("shared: 66 of 200000 + 132 of none", {{few, "", 66, 128, 200000, T}, {few, "", 132, 128, 0, T}});
  run("shared: 132 of 200000 + 132 of 1024 threads", {{few, "", 132, 128, 200000, T}, {few, "", 132, 1024, 0, T}});
  run("shared: 132 of 227 KiB + 132 of none", {{few, "", 132, 128, 232448, T}, {few, "", 132, 128, 0, T}});
  run("shared: 132 of 227 KiB + 132 of 1024 bytes", {{few, "", 132, 128, 232448, T}, {few, "", 132, 128, 1024, T}});
  run("registers: 200 x 256 + 200 x 256", {{most, "", 132, 256, 0, T}, {most, "", 132, 256, 0, T}});
  run("registers: 100 x 256 x 2 + few x 1024", {{many, "", 264, 256, 0, T}, {few, "", 132, 1024, 0, T}});
  run("slots: 32 x 132 of 32 threads + 132", {{few, "", 32 * 132, 32, 0, T}, {few, "", 132, 32, 0, T}});
  run("slots: 31 x 132 of 32 threads + 132", {{few, "", 31 * 132, 32, 0, T}, {few, "", 132, 32, 0, T}});
  run("waves: 2.5 waves of 1024 threads, then 1 wave", {{few, "", 660, 1024, 0, T}, {few, "", 264, 1024, 0, T}});
  run("waves: 2.5 waves of 1024 threads, then half a wave", {{few, "", 660, 1024, 0, T}, {few, "", 132, 1024, 0, T}});
  run("waves: 10 waves of 100 us, one block of 1024, one of 32",
      {{few, "", 2640, 1024, 0, 100}, {few, "", 1, 1024, 0, 100}, {few, "", 1, 32, 0, 100}});
  run("order: full, then one that does not fit, then a small one that would",
      {{few, "", 132 + 66, 1024, 0, T}, {few, "", 132, 128, 232448, T}, {few, "", 1, 32, 0, T}});
  run("order: 200000 bytes, then 100000 that do not fit, then 1000 that would",
      {{few, "", 132, 128, 200000, T}, {few, "", 132, 128, 100000, T}, {few, "", 132, 128, 1000, T}});
  run("long and short: 132 x 1024 of 800 us, 264 x 1024 of 100 us x 4",
      {{few, "", 132, 1024, 0, 800}, {few, "", 528, 1024, 0, 100}});
  run("place: 1 block, 1 block, 1 block", {{few, "", 1, 32, 0, T}, {few, "", 1, 32, 0, T}, {few, "", 1, 32, 0, T}});
  run("place: 66 blocks of 32 + 66", {{few, "", 66, 32, 0, T}, {few, "", 66, 32, 0, T}});
  return 0;
}
