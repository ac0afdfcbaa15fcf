// nvcc -std=c++17 -O2 -arch=sm_90
// malloc and free in kernels: cycles of each call, and kernel time, by threads, blocks and size.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ok.cuh"

struct Cost {
  long long malloc_cycles, free_cycles;
  int failed, pad;
};
__global__ void both(int rounds, int lanes, size_t bytes, Cost* out) {
  long long m = 0, f = 0;
  int failed = 0;
  if ((int)(threadIdx.x & 31) < lanes)
    for (int i = 0; i < rounds; ++i) {
      const long long t0 = clock64();
      void* p = malloc(bytes);
      const long long t1 = clock64();
      failed += p == nullptr;
      if (p) *(volatile char*)p = 1;
      const long long t2 = clock64();
      free(p);
      const long long t3 = clock64();
      m += t1 - t0;
      f += t3 - t2;
    }
  out[blockIdx.x * blockDim.x + threadIdx.x] = {m, f, failed, 0};
}
__global__ void take(int n, int lanes, size_t bytes, void** kept, Cost* out) {
  long long m = 0;
  int failed = 0;
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int)(threadIdx.x & 31) < lanes)
    for (int i = 0; i < n; ++i) {
      const long long t0 = clock64();
      void* p = malloc(bytes);
      m += clock64() - t0;
      failed += !p;
      kept[at * n + i] = p;
    }
  out[at] = {m, 0, failed, 0};
}
__global__ void give(int n, int lanes, void** kept, Cost* out) {
  long long f = 0;
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int)(threadIdx.x & 31) < lanes)
    for (int i = 0; i < n; ++i) {
      const long long t0 = clock64();
      free(kept[at * n + i]);
      f += clock64() - t0;
    }
  out[at] = {0, f, 0, 0};
}
__global__ void nothing(int rounds, int lanes, size_t bytes, Cost* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = {0, 0, 0, 0};
}
int main() {
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 512 << 20));
  Cost* out;
  OK(cudaMalloc(&out, sizeof(Cost) << 18));
  void** kept;
  OK(cudaMalloc(&kept, 8 << 21));
  std::vector<Cost> h(1 << 18);
  cudaEvent_t a, b;
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  auto report = [&](const char* what, int blocks, int threads, int lanes, size_t bytes, int rounds, float us) {
    OK(cudaMemcpy(h.data(), out, sizeof(Cost) * blocks * threads, cudaMemcpyDeviceToHost));
    double m = 0, f = 0, mm = 0, fm = 0;
    int failed = 0, n = 0;
    for (int i = 0; i < blocks * threads; ++i)
      if ((i & 31) < lanes) {
        ++n;
        m += h[i].malloc_cycles;
        f += h[i].free_cycles;
        mm = std::max(mm, (double)h[i].malloc_cycles);
        fm = std::max(fm, (double)h[i].free_cycles);
        failed += h[i].failed;
      }
    printf(
        "%s %d x %d, %d lanes, %zu bytes, %d each: malloc %.0f cycles (at most %.0f), free %.0f (%.0f), failed %d, "
        "kernel %.1f us\n",
        what, blocks, threads, lanes, bytes, rounds, m / n / rounds, mm / rounds, f / n / rounds, fm / rounds, failed,
        us);
  };
  auto timed = [&](auto f) {
    std::vector<float> t;
    for (int r = 0; r < 3; ++r) {
      OK(cudaEventRecord(a));
      f();
      OK(cudaEventRecord(b));
      OK(cudaDeviceSynchronize());
      float ms;
      OK(cudaEventElapsedTime(&ms, a, b));
      t.push_back(ms * 1000);
    }
    std::sort(t.begin(), t.end());
    return t[1];
  };
  struct Shape {
    int blocks, threads, lanes;
  };
  for (size_t bytes : {16, 64, 256, 1024, 4096, 65536})
    for (Shape s : {Shape{1, 32, 1},
                    {1, 32, 2},
                    {1, 32, 8},
                    {1, 32, 32},
                    {1, 256, 1},
                    {1, 256, 32},
                    {132, 32, 1},
                    {132, 32, 32},
                    {132, 256, 32},
                    {528, 256, 32}}) {
      if (double(s.blocks) * s.threads / 32 * s.lanes * bytes > 200e6) continue;
      const int rounds = s.blocks * s.threads > 40000 ? 1 : 4;
      report("both", s.blocks, s.threads, s.lanes, bytes, rounds,
             timed([&] { both<<<s.blocks, s.threads>>>(rounds, s.lanes, bytes, out); }));
    }
  for (size_t bytes : {32, 1024})
    for (Shape s : {Shape{1, 32, 1}, {1, 32, 32}, {132, 32, 1}, {132, 128, 32}})
      for (int n : {1, 8, 64}) {
        if (double(s.blocks) * s.threads * n * (bytes + 160) > 400e6 || s.blocks * s.threads * n > (1 << 21)) continue;
        float tm = 0, tf = 0;
        for (int r = 0; r < 2; ++r) {
          OK(cudaEventRecord(a));
          take<<<s.blocks, s.threads>>>(n, s.lanes, bytes, kept, out);
          OK(cudaEventRecord(b));
          OK(cudaDeviceSynchronize());
          OK(cudaEventElapsedTime(&tm, a, b));
          if (r) report("take", s.blocks, s.threads, s.lanes, bytes, n, tm * 1000);
          OK(cudaEventRecord(a));
          give<<<s.blocks, s.threads>>>(n, s.lanes, kept, out);
          OK(cudaEventRecord(b));
          OK(cudaDeviceSynchronize());
          OK(cudaEventElapsedTime(&tf, a, b));
          if (r) report("give", s.blocks, s.threads, s.lanes, bytes, n, tf * 1000);
        }
      }
  printf("kernel without: %.1f us\n", timed([&] { nothing<<<132, 256>>>(1, 32, 16, out); }));
  // A list: each thread builds n nodes and frees them.
  return 0;
}
