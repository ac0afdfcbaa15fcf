// nvcc -std=c++17 -O2 -arch=sm_90
// Independent kernels, as nodes of a graph and in streams: how much they slow each other down, by what they are bound
// by.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "ok.cuh"

__global__ void spin(float*, long cycles) {
  const long long c = clock64();
  while (clock64() - c < cycles) {
  }
}
__global__ void copy(float* a, long n) {
  const float4* x = (const float4*)a;
  float4* y = (float4*)(a + n);
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n / 4; i += (long)gridDim.x * blockDim.x) y[i] = x[i];
}
__global__ void fma(float* a, long n) {
  float x = threadIdx.x, y = 1.0001f, z = 3, w = 5;
  for (long i = 0; i < n; ++i) {
    x = x * y + 0.5f;
    z = z * y + 0.25f;
    w = w * y + 0.125f;
    y = y * 0.999f + 0.001f;
  }
  if (x + z + w + y == 12345) a[0] = x;
}
__global__ void chase(float* a, long n) {
  const int* p = (const int*)a;
  int at = (blockIdx.x * blockDim.x + threadIdx.x) & 4095;
  for (long i = 0; i < n; ++i) at = p[at];
  if (at == -1) a[0] = 1;
}
__global__ void l2(float* a, long n) {
  float s = 0;
  for (long r = 0; r < n; ++r)
    for (int i = 0; i < 8; ++i) s += __ldcg(a + ((blockIdx.x * 8 + i) * (long)blockDim.x + threadIdx.x));
  if (s == 12345) a[0] = s;
}
__global__ void atomics(float* a, long n) {
  for (long i = 0; i < n; ++i) atomicAdd((int*)a + (threadIdx.x & 31), (int)i);
}
__global__ void shared(float* a, long n) {
  __shared__ float t[1024];
  t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float s = 0;
  int at = threadIdx.x;
  for (long i = 0; i < n; ++i) {
    s += t[(at * 8) & 1023];
    at += 8;
  }
  if (s == 12345) a[0] = s;
}
using Kernel = void (*)(float*, long);
struct Case {
  const char* name;
  Kernel kernel;
  int blocks, threads;
  long n;
};
int main() {
  char* memory;
  OK(cudaMalloc(&memory, size_t{1} << 30));
  OK(cudaMemset(memory, 0, size_t{1} << 30));
  cudaStream_t main, s[16];
  OK(cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking));
  for (auto& x : s) OK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
  cudaEvent_t a, b, fork, join;
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  auto time = [&](std::function<void()> f) {
    std::vector<float> t;
    for (int r = 0; r < 9; ++r) {
      spin<<<1, 1, 0, main>>>(nullptr, 1980 * 150);
      OK(cudaEventRecord(a, main));
      f();
      OK(cudaEventRecord(b, main));
      OK(cudaStreamSynchronize(main));
      float ms;
      OK(cudaEventElapsedTime(&ms, a, b));
      t.push_back(ms * 1000);
    }
    std::sort(t.begin(), t.end());
    return t[4];
  };
  const size_t part = size_t{32} << 20;
  const std::vector<Case> cases = {{"spin 20us x1", spin, 1, 32, 1980 * 20},
                                   {"spin 20us x132", spin, 132, 256, 1980 * 20},
                                   {"spin 20us x132x1024", spin, 132, 1024, 1980 * 20},
                                   {"spin 20us full", spin, 264, 1024, 1980 * 20},
                                   {"spin 5us x1", spin, 1, 32, 1980 * 5},
                                   {"spin 2us x1", spin, 1, 32, 1980 * 2},
                                   {"copy 4MiB 33x256", copy, 33, 256, 1 << 20},
                                   {"copy 4MiB 132x256", copy, 132, 256, 1 << 20},
                                   {"copy 16MiB 132x256", copy, 132, 256, 4 << 20},
                                   {"copy 16MiB 528x256", copy, 528, 256, 4 << 20},
                                   {"copy 16MiB 33x1024", copy, 33, 1024, 4 << 20},
                                   {"fma 33x256", fma, 33, 256, 2000},
                                   {"fma 132x256", fma, 132, 256, 2000},
                                   {"fma 132x1024", fma, 132, 1024, 1000},
                                   {"fma 264x1024", fma, 264, 1024, 1000},
                                   {"fma 66x512", fma, 66, 512, 2000},
                                   {"chase 1x32", chase, 1, 32, 100},
                                   {"chase 132x256", chase, 132, 256, 100},
                                   {"l2 132x256", l2, 132, 256, 20},
                                   {"l2 264x1024", l2, 264, 1024, 10},
                                   {"atomics 33x256", atomics, 33, 256, 50},
                                   {"atomics 132x256", atomics, 132, 256, 20},
                                   {"shared 132x256", shared, 132, 256, 500},
                                   {"shared 132x1024", shared, 132, 1024, 300}};
  printf("case n chain graph_independent streams graph_fork_join\n");
  for (const Case& c : cases)
    for (int n : {1, 2, 4, 8}) {
      float t[4];
      for (int shape = 0; shape < 3; ++shape) {
        cudaGraph_t g;
        OK(cudaGraphCreate(&g, 0));
        std::vector<cudaGraphNode_t> nodes(n + 2);
        std::vector<float*> at(n);
        long len = c.n;
        cudaKernelNodeParams p{};
        p.func = (void*)c.kernel;
        p.gridDim = dim3(c.blocks);
        p.blockDim = dim3(c.threads);
        cudaKernelNodeParams q{};
        float* null = nullptr;
        long zero = 0;
        void* none[] = {&null, &zero};
        q.func = (void*)spin;
        q.gridDim = q.blockDim = dim3(1);
        q.kernelParams = none;
        if (shape == 2) OK(cudaGraphAddKernelNode(&nodes[n], g, nullptr, 0, &q));
        for (int i = 0; i < n; ++i) {
          at[i] = (float*)(memory + i * 2 * part);
          void* args[] = {&at[i], &len};
          p.kernelParams = args;
          if (shape == 0) OK(cudaGraphAddKernelNode(&nodes[i], g, i ? &nodes[i - 1] : nullptr, i ? 1 : 0, &p));
          if (shape == 1) OK(cudaGraphAddKernelNode(&nodes[i], g, nullptr, 0, &p));
          if (shape == 2) OK(cudaGraphAddKernelNode(&nodes[i], g, &nodes[n], 1, &p));
        }
        if (shape == 2) OK(cudaGraphAddKernelNode(&nodes[n + 1], g, nodes.data(), n, &q));
        cudaGraphExec_t e;
        OK(cudaGraphInstantiate(&e, g, 0));
        t[shape == 0 ? 0 : shape == 1 ? 1 : 3] = time([&] { OK(cudaGraphLaunch(e, main)); });
        OK(cudaGraphExecDestroy(e));
        OK(cudaGraphDestroy(g));
      }
      t[2] = time([&] {
        OK(cudaEventRecord(fork, main));
        for (int i = 0; i < n; ++i) {
          OK(cudaStreamWaitEvent(s[i], fork));
          c.kernel<<<c.blocks, c.threads, 0, s[i]>>>((float*)(memory + i * 2 * part), c.n);
          OK(cudaEventRecord(join, s[i]));
          OK(cudaStreamWaitEvent(main, join));
        }
      });
      printf("%s %d %.2f %.2f %.2f %.2f\n", c.name, n, t[0], t[1], t[2], t[3]);
    }
  // Mixed pairs in two streams: what one loses to the other.
  auto pair = [&](const Case& x, const Case& y) {
    const float one = time([&] { x.kernel<<<x.blocks, x.threads, 0, main>>>((float*)memory, x.n); });
    const float two = time([&] { y.kernel<<<y.blocks, y.threads, 0, main>>>((float*)(memory + 2 * part), y.n); });
    const float both = time([&] {
      OK(cudaEventRecord(fork, main));
      OK(cudaStreamWaitEvent(s[0], fork));
      x.kernel<<<x.blocks, x.threads, 0, main>>>((float*)memory, x.n);
      y.kernel<<<y.blocks, y.threads, 0, s[0]>>>((float*)(memory + 2 * part), y.n);
      OK(cudaEventRecord(join, s[0]));
      OK(cudaStreamWaitEvent(main, join));
    });
    printf("%s (%.2f) with %s (%.2f): %.2f\n", x.name, one, y.name, two, both);
  };
  auto find = [&](const char* name) -> const Case& {
    for (const Case& c : cases)
      if (std::string(c.name) == name) return c;
    exit(2);
  };
  pair(find("copy 16MiB 132x256"), find("fma 132x256"));
  pair(find("fma 132x1024"), find("copy 16MiB 33x1024"));
  pair(find("fma 132x256"), find("shared 132x256"));
  pair(find("l2 132x256"), find("copy 4MiB 132x256"));
  pair(find("atomics 132x256"), find("fma 132x256"));
  return 0;
}
