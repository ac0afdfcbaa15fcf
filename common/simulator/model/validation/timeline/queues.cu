// nvcc -std=c++17 -O2 -arch=sm_90
// Hardware queues: when each of k kernels in each of n streams starts and ends, by CUDA_DEVICE_MAX_CONNECTIONS and
// order of issue.
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "ok.cuh"

__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
__global__ void spin(long long cycles, unsigned long long* stamps) {
  const unsigned long long t = now();
  const long long c = clock64();
  while (clock64() - c < cycles) {
  }
  stamps[0] = t;
  stamps[1] = now();
}

constexpr double kUnit = 200;  // us

void show(const char* what, const std::vector<unsigned long long>& t, int n, int k) {
  unsigned long long first = ~0ull, last = 0;
  for (int i = 0; i < n * k; ++i) {
    first = std::min(first, t[2 * i]);
    last = std::max(last, t[2 * i + 1]);
  }
  printf("%s total %.2f starts", what, (last - first) / 1000.0 / kUnit);
  for (int i = 0; i < n; ++i) {
    printf(" ");
    for (int j = 0; j < k; ++j) printf("%s%.1f", j ? "/" : "", (t[2 * (i * k + j)] - first) / 1000.0 / kUnit);
  }
  printf("\n");
}

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const char* c : {"default", "1", "2", "4", "16", "32"}) {
      fflush(stdout);
      if (fork() == 0) {
        if (strcmp(c, "default")) setenv("CUDA_DEVICE_MAX_CONNECTIONS", c, 1);
        execl("/proc/self/exe", argv[0], c, nullptr);
      }
      int status;
      wait(&status);
    }
    return 0;
  }
  printf("connections %s\n", argv[1]);
  unsigned long long* stamps;
  OK(cudaMalloc(&stamps, 16 * 1024));
  std::vector<unsigned long long> host(2048);
  const long long cycles = (long long)(kUnit * 1980);
  std::vector<cudaStream_t> all(64);
  for (auto& s : all) OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  for (auto& s : all) {
    spin<<<1, 1, 0, s>>>(100, stamps);
  }
  OK(cudaDeviceSynchronize());
  auto run = [&](const char* order, int n, int k) {
    const bool depth = order[0] == 'd';
    for (int a = 0; a < n * k; ++a) {
      const int i = depth ? a / k : a % n, j = depth ? a % k : a / n;
      spin<<<1, 1, 0, all[i]>>>(cycles, stamps + 2 * (i * k + j));
    }
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(host.data(), stamps, 16 * n * k, cudaMemcpyDeviceToHost));
    char what[64];
    snprintf(what, 64, "%s streams %d kernels %d", order, n, k);
    show(what, host, n, k);
  };
  for (int n : {1, 2, 4, 8, 9, 12, 16, 32, 64})
    for (const char* o : {"depth", "breadth"})
      for (int k : {1, 2, 3})
        if (n * k <= 128) run(o, n, k);
  if (strcmp(argv[1], "default")) return 0;
  // Streams made and destroyed: which queue does a new one get? 8 live, 4 destroyed, 4 new ones.
  for (auto& s : all) OK(cudaStreamDestroy(s));
  for (int flags : {0, 1}) {
    std::vector<cudaStream_t> s(8);
    for (auto& x : s) OK(cudaStreamCreateWithFlags(&x, flags));
    all.assign(s.begin(), s.end());
    run(flags ? "depth: 8 non-blocking anew" : "depth: 8 blocking anew", 8, 2);
    for (int i = 0; i < 4; ++i) {
      OK(cudaStreamDestroy(all[i]));
    }
    for (int i = 0; i < 4; ++i) OK(cudaStreamCreateWithFlags(&all[i], flags));
    run("depth: 4 of 8 replaced", 8, 2);
    for (auto& x : all) OK(cudaStreamDestroy(x));
  }
  // The legacy default stream and per-thread default stream beside 7 and 8 others.
  all.assign(9, nullptr);
  for (int i = 0; i < 8; ++i) OK(cudaStreamCreateWithFlags(&all[i], cudaStreamNonBlocking));
  all[8] = cudaStreamPerThread;
  run("depth: 8 and per-thread last", 9, 2);
  all[8] = cudaStreamLegacy;
  run("depth: 8 and legacy last", 9, 2);
  // Priorities: do streams of another priority share the queues? 16 streams, two priorities, alternating.
  for (auto& x : all)
    if (x != cudaStreamLegacy && x != cudaStreamPerThread) OK(cudaStreamDestroy(x));
  all.assign(16, nullptr);
  for (int i = 0; i < 16; ++i) OK(cudaStreamCreateWithPriority(&all[i], cudaStreamNonBlocking, i % 2 ? -3 : 0));
  run("depth: priorities 0 and -3 alternating", 16, 2);
  for (auto& x : all) OK(cudaStreamDestroy(x));
  for (int i = 0; i < 16; ++i) OK(cudaStreamCreateWithPriority(&all[i], cudaStreamNonBlocking, -5));
  run("depth: priority -5", 16, 2);
  for (auto& x : all) OK(cudaStreamDestroy(x));
  for (int i = 0; i < 16; ++i) OK(cudaStreamCreateWithPriority(&all[i], cudaStreamNonBlocking, -(i % 6)));
  run("depth: priorities 0 to -5", 16, 2);
  for (auto& x : all) OK(cudaStreamDestroy(x));
  // What else blocks a queue: a wait for an event of another stream, in stream i of 8 others behind it.
  for (int i = 0; i < 16; ++i) OK(cudaStreamCreateWithFlags(&all[i], cudaStreamNonBlocking));
  cudaEvent_t e;
  OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  for (int r = 0; r < 2; ++r) {
    spin<<<1, 1, 0, all[0]>>>(3 * cycles, stamps);
    OK(cudaEventRecord(e, all[0]));
    OK(cudaStreamWaitEvent(all[1], e));
    for (int i = 1; i < 16; ++i) spin<<<1, 1, 0, all[i]>>>(cycles, stamps + 2 * i);
    OK(cudaDeviceSynchronize());
  }
  OK(cudaMemcpy(host.data(), stamps, 16 * 16, cudaMemcpyDeviceToHost));
  show("stream 1 waits for 3 units of stream 0, then one kernel in each:", host, 16, 1);
  // A host function in stream 1 that sleeps 3 units.
  for (int r = 0; r < 2; ++r) {
    spin<<<1, 1, 0, all[0]>>>(cycles, stamps);
    OK(cudaLaunchHostFunc(
        all[1], [](void*) { usleep(600); }, nullptr));
    for (int i = 1; i < 16; ++i) spin<<<1, 1, 0, all[i]>>>(cycles, stamps + 2 * i);
    OK(cudaDeviceSynchronize());
  }
  OK(cudaMemcpy(host.data(), stamps, 16 * 16, cudaMemcpyDeviceToHost));
  show("stream 1 runs a host function of 3 units, then one kernel in each:", host, 16, 1);
  // A copy of 3 units in stream 1 before its kernel.
  char *d, *h;
  OK(cudaMalloc(&d, 64 << 20));
  OK(cudaMallocHost(&h, 64 << 20));
  for (int to = 0; to < 2; ++to) {
    for (int r = 0; r < 2; ++r) {
      spin<<<1, 1, 0, all[0]>>>(cycles, stamps);
      if (to)
        OK(cudaMemcpyAsync(d, h, 32 << 20, cudaMemcpyHostToDevice, all[1]));
      else
        OK(cudaMemcpyAsync(h, d, 32 << 20, cudaMemcpyDeviceToHost, all[1]));
      for (int i = 1; i < 16; ++i) spin<<<1, 1, 0, all[i]>>>(cycles, stamps + 2 * i);
      OK(cudaDeviceSynchronize());
    }
    OK(cudaMemcpy(host.data(), stamps, 16 * 16, cudaMemcpyDeviceToHost));
    show(to ? "stream 1 copies 32 MiB in, then one kernel in each:"
            : "stream 1 copies 32 MiB out, then one kernel in each:",
         host, 16, 1);
  }
  // pair.cu, by events of the host's making.
  cudaEvent_t a, b;
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  for (int n : {4, 8, 32}) {
    std::vector<cudaStream_t> s(n);
    for (auto& x : s) OK(cudaStreamCreate(&x));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(a, 0));
    for (auto& x : s)
      for (int k = 0; k < 2; ++k) spin<<<1, 1, 0, x>>>(cycles, stamps);
    OK(cudaEventRecord(b, 0));
    OK(cudaDeviceSynchronize());
    float ms;
    OK(cudaEventElapsedTime(&ms, a, b));
    printf("events around two kernels in each of %d blocking streams: %.2f units\n", n, ms * 1000 / kUnit);
    for (auto& x : s) OK(cudaStreamDestroy(x));
  }
  return 0;
}
