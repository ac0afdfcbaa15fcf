// nvcc -std=c++17 -O2 -arch=sm_90
// Copies of both directions beside each other and beside kernels, by events; orders of issue.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "ok.cuh"

__global__ void spin(long long cycles) {
  const long long c = clock64();
  while (clock64() - c < cycles) {
  }
}
__global__ void stream(float4* a, const float4* b, long n) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) a[i] = b[i];
}
constexpr size_t kMiB = 1 << 20;
char *d[8], *h[8];
cudaStream_t s[16];
cudaEvent_t zero, a[64], b[64];
struct Item {
  const char* name;
  int stream;
  std::function<void(cudaStream_t)> put;
};
void run(const char* what, std::vector<Item> items, int n = 8) {
  std::vector<std::vector<float>> from(items.size()), to(items.size());
  for (int r = 0; r < 5; ++r) {
    OK(cudaDeviceSynchronize());
    spin<<<1, 1, 0, s[15]>>>(1980 * 300);
    OK(cudaEventRecord(zero, s[15]));
    for (int i = 0; i < n; ++i) OK(cudaStreamWaitEvent(s[i], zero));
    for (size_t i = 0; i < items.size(); ++i) {
      OK(cudaEventRecord(a[i], s[items[i].stream]));
      items[i].put(s[items[i].stream]);
      OK(cudaEventRecord(b[i], s[items[i].stream]));
    }
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < items.size(); ++i) {
      float x, y;
      OK(cudaEventElapsedTime(&x, zero, a[i]));
      OK(cudaEventElapsedTime(&y, zero, b[i]));
      from[i].push_back(x * 1000);
      to[i].push_back(y * 1000);
    }
  }
  printf("%s:", what);
  for (size_t i = 0; i < items.size(); ++i) {
    std::sort(from[i].begin(), from[i].end());
    std::sort(to[i].begin(), to[i].end());
    printf(" %d:%s %.0f-%.0f", items[i].stream, items[i].name, from[i][2], to[i][2]);
  }
  printf("\n");
}
int main() {
  for (auto& x : d) OK(cudaMalloc(&x, 64 * kMiB));
  for (auto& x : h) OK(cudaMallocHost(&x, 64 * kMiB));
  for (auto& x : s) OK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
  OK(cudaEventCreate(&zero));
  for (auto& x : a) OK(cudaEventCreate(&x));
  for (auto& x : b) OK(cudaEventCreate(&x));
  auto in = [](int st, size_t bytes, int at) {
    return Item{"in", st, [=](cudaStream_t q) { OK(cudaMemcpyAsync(d[at], h[at], bytes, cudaMemcpyHostToDevice, q)); }};
  };
  auto out = [](int st, size_t bytes, int at) {
    return Item{"out", st,
                [=](cudaStream_t q) { OK(cudaMemcpyAsync(h[at], d[at], bytes, cudaMemcpyDeviceToHost, q)); }};
  };
  auto dd = [](int st, size_t bytes, int at) {
    return Item{"d2d", st,
                [=](cudaStream_t q) { OK(cudaMemcpyAsync(d[at], d[at + 1], bytes, cudaMemcpyDeviceToDevice, q)); }};
  };
  auto set = [](int st, size_t bytes, int at) {
    return Item{"set", st, [=](cudaStream_t q) { OK(cudaMemsetAsync(d[at], 1, bytes, q)); }};
  };
  auto k = [](int st, double us, int blocks = 1, int threads = 32) {
    return Item{"spin", st, [=](cudaStream_t q) { spin<<<blocks, threads, 0, q>>>((long long)(us * 1980)); }};
  };
  auto mem = [](int st, int times) {
    return Item{"mem", st, [=](cudaStream_t q) {
                  for (int i = 0; i < times; ++i)
                    stream<<<528, 512, 0, q>>>((float4*)d[6], (const float4*)d[7], 64 * kMiB / 16);
                }};
  };
  run("in 32", {in(0, 32 * kMiB, 0)});
  run("out 32", {out(0, 32 * kMiB, 0)});
  run("in and out 32", {in(0, 32 * kMiB, 0), out(1, 32 * kMiB, 1)});
  run("in, in 32", {in(0, 32 * kMiB, 0), in(1, 32 * kMiB, 1)});
  run("out, out 32", {out(0, 32 * kMiB, 0), out(1, 32 * kMiB, 1)});
  run("in x3 16", {in(0, 16 * kMiB, 0), in(1, 16 * kMiB, 1), in(2, 16 * kMiB, 2)});
  run("in x2, out x2 16", {in(0, 16 * kMiB, 0), in(1, 16 * kMiB, 1), out(2, 16 * kMiB, 2), out(3, 16 * kMiB, 3)});
  run("in 32, in 4 KiB", {in(0, 32 * kMiB, 0), in(1, 4096, 1)});
  run("in 32 then out 32 in one stream, in 32 in another",
      {in(0, 32 * kMiB, 0), out(0, 32 * kMiB, 1), in(1, 32 * kMiB, 2)});
  run("mem alone x8", {mem(0, 8)});
  run("mem x8 with in 16", {mem(0, 8), in(1, 16 * kMiB, 0)});
  run("mem x8 with in 16, out 16", {mem(0, 8), in(1, 16 * kMiB, 0), out(2, 16 * kMiB, 1)});
  run("mem x8 with mem x8", {mem(0, 8), mem(1, 8)});
  run("spin 500 behind it in", {k(0, 500), in(0, 16 * kMiB, 0), in(1, 16 * kMiB, 1)});
  run("spin 500 behind it out, other out", {k(0, 500), out(0, 16 * kMiB, 0), out(1, 16 * kMiB, 1)});
  run("spins 500 x4 behind each in, fifth in", {k(0, 500), in(0, kMiB, 0), k(1, 500), in(1, kMiB, 1), k(2, 500),
                                                in(2, kMiB, 2), k(3, 500), in(3, kMiB, 3), in(4, kMiB, 4)});
  run("d2d 64 alone", {dd(0, 64 * kMiB, 0)});
  run("d2d 64 x2", {dd(0, 64 * kMiB, 0), dd(1, 64 * kMiB, 2)});
  run("d2d 64 beside a spin of 500 on one block", {k(0, 500), dd(1, 64 * kMiB, 0)});
  run("d2d 64 beside a spin that fills the device", {k(0, 500, 264, 1024), dd(1, 64 * kMiB, 0)});
  run("d2d 4 KiB beside a spin that fills the device", {k(0, 500, 264, 1024), dd(1, 4096, 0)});
  run("d2d 64 beside in 32", {dd(0, 64 * kMiB, 0), in(1, 32 * kMiB, 2)});
  run("set 64 alone", {set(0, 64 * kMiB, 0)});
  run("set 64 beside a spin that fills the device", {k(0, 500, 264, 1024), set(1, 64 * kMiB, 0)});
  run("set 4 B beside a spin that fills the device", {k(0, 500, 264, 1024), set(1, 4, 0)});
  run("set 64 x2", {set(0, 64 * kMiB, 0), set(1, 64 * kMiB, 1)});
  for (int n : {2, 4}) {
    std::vector<Item> depth, breadth;
    for (int i = 0; i < n; ++i) {
      depth.push_back(in(i, 8 * kMiB, i));
      depth.push_back(k(i, 150));
      depth.push_back(out(i, 8 * kMiB, i));
    }
    for (int i = 0; i < n; ++i) breadth.push_back(in(i, 8 * kMiB, i));
    for (int i = 0; i < n; ++i) breadth.push_back(k(i, 150));
    for (int i = 0; i < n; ++i) breadth.push_back(out(i, 8 * kMiB, i));
    run("in kernel out, depth first", depth);
    run("in kernel out, breadth first", breadth);
    std::vector<Item> full;
    for (int i = 0; i < n; ++i) {
      full.push_back(in(i, 8 * kMiB, i));
      full.push_back(k(i, 150, 264, 1024));
      full.push_back(out(i, 8 * kMiB, i));
    }
    run("in full kernel out, depth first", full);
  }
  // Events: what they cost in a stream, alone and around work, and cross-stream waits.
  run("event pairs", {Item{"none", 0, [](cudaStream_t) {}}, Item{"none", 0, [](cudaStream_t) {}},
                      Item{"empty", 0, [](cudaStream_t q) { spin<<<1, 1, 0, q>>>(0); }}});
  cudaEvent_t e;
  OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  auto hop = [&](int n) {
    return Item{"hops", 0, [=](cudaStream_t q) {
                  for (int i = 0; i < n; ++i) {
                    OK(cudaEventRecord(e, q));
                    OK(cudaStreamWaitEvent(s[1], e));
                    spin<<<1, 1, 0, s[1]>>>(0);
                    OK(cudaEventRecord(e, s[1]));
                    OK(cudaStreamWaitEvent(q, e));
                    spin<<<1, 1, 0, q>>>(0);
                  }
                }};
  };
  auto plain = [&](int n) {
    return Item{"plain", 0, [=](cudaStream_t q) {
                  for (int i = 0; i < 2 * n; ++i) spin<<<1, 1, 0, q>>>(0);
                }};
  };
  run("10 hops between two streams with an empty kernel each, and 20 kernels in one", {hop(10), plain(10)});
  return 0;
}
