// How long device-side graph launches take.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>
using u64 = unsigned long long;
__device__ u64 now() {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
struct Out {
  u64 first, last, calls, begin[128], end[128], call_begin, call_end;
  int n, most, result;
};
__global__ void self(Out* o) {
  if (o->n == 0) o->first = now();
  if (++o->n < o->most) {
    long long a = clock64();
    o->result = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    o->calls += clock64() - a;
  } else
    o->last = now();
}
__global__ void child(Out* o, int i) {
  o->begin[i] = now();
  o->end[i] = now();
}
__global__ void nothing() {}
__global__ void parent(Out* o, cudaGraphExec_t* all, int n, cudaStream_t mode) {
  o->first = now();
  o->call_begin = clock64();
  for (int i = 0; i < n; ++i) o->result |= cudaGraphLaunch(all[i], mode);
  o->call_end = clock64();
  o->last = now();
}
template <class... A>
cudaGraphNode_t add(cudaGraph_t g, std::vector<cudaGraphNode_t> before, void (*k)(A...), std::type_identity_t<A>... a) {
  void* args[] = {&a..., nullptr};
  cudaKernelNodeParams p{};
  p.func = (void*)k;
  p.gridDim = 1;
  p.blockDim = 1;
  p.kernelParams = args;
  cudaGraphNode_t n = nullptr;
  cudaGraphAddKernelNode(&n, g, before.data(), before.size(), &p);
  return n;
}
int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  Out* o;
  cudaMalloc(&o, sizeof(Out));
  cudaEvent_t e0, e1;
  cudaEventCreate(&e0);
  cudaEventCreate(&e1);
  for (int extra : {0, 1, 3, 7})
    for (int most : {1, 101, 1001})
      for (int round = 0; round < 2; ++round) {
        cudaGraph_t g;
        cudaGraphCreate(&g, 0);
        auto n = add(g, {}, self, o);
        for (int i = 0; i < extra; ++i) n = add(g, {n}, nothing);
        cudaGraphExec_t x;
        cudaGraphInstantiate(&x, g, 4);
        cudaGraphUpload(x, s);
        Out h{};
        h.most = most;
        cudaMemcpy(o, &h, sizeof h, cudaMemcpyHostToDevice);
        cudaStreamSynchronize(s);
        cudaEventRecord(e0, s);
        cudaGraphLaunch(x, s);
        cudaEventRecord(e1, s);
        cudaStreamSynchronize(s);
        float ms;
        cudaEventElapsedTime(&ms, e0, e1);
        cudaMemcpy(&h, o, sizeof h, cudaMemcpyDeviceToHost);
        if (round)
          printf("self tail, chain of %d, %d times: %.2f us by events, %.3f us each inside, call %.0f cycles\n",
                 1 + extra, most, ms * 1000, most > 1 ? (h.last - h.first) / 1000.0 / (most - 1) : 0.0,
                 most > 1 ? double(h.calls) / (most - 1) : 0.0);
      }
  for (int kind = 0; kind < 2; ++kind)
    for (int n : {1, 2, 8, 32, 100}) {
      std::vector<cudaGraphExec_t> all;
      for (int i = 0; i < n; ++i) {
        cudaGraph_t g;
        cudaGraphCreate(&g, 0);
        add(g, {}, child, o, i);
        cudaGraphExec_t x;
        cudaGraphInstantiate(&x, g, 4);
        cudaGraphUpload(x, s);
        all.push_back(x);
      }
      cudaGraphExec_t* d;
      cudaMalloc(&d, sizeof(void*) * n);
      cudaMemcpy(d, all.data(), sizeof(void*) * n, cudaMemcpyHostToDevice);
      cudaGraph_t g;
      cudaGraphCreate(&g, 0);
      add(g, {}, parent, o, d, n, kind ? cudaStreamGraphTailLaunch : cudaStreamGraphFireAndForget);
      cudaGraphExec_t x;
      cudaGraphInstantiate(&x, g, 0);
      for (int round = 0; round < 3; ++round) {
        Out h{};
        cudaMemcpy(o, &h, sizeof h, cudaMemcpyHostToDevice);
        cudaStreamSynchronize(s);
        cudaEventRecord(e0, s);
        cudaGraphLaunch(x, s);
        cudaEventRecord(e1, s);
        cudaStreamSynchronize(s);
        float ms;
        cudaEventElapsedTime(&ms, e0, e1);
        cudaMemcpy(&h, o, sizeof h, cudaMemcpyDeviceToHost);
        if (round < 2) continue;
        u64 a = ~0ull, b = 0;
        for (int i = 0; i < n; ++i) a = std::min(a, h.begin[i]), b = std::max(b, h.end[i]);
        printf(
            "%s, %d graphs: result %d, %.2f us by events; calls %.0f cycles each; parent %.2f us; first child %.2f us "
            "after the parent's start, %.2f after its end; last child's end %.2f us after the parent's start, %.3f us "
            "per child\n",
            kind ? "tail" : "fire and forget", n, h.result, ms * 1000, double(h.call_end - h.call_begin) / n,
            (h.last - h.first) / 1000.0, (double(a) - double(h.first)) / 1000, (double(a) - double(h.last)) / 1000,
            (double(b) - double(h.first)) / 1000, n > 1 ? (double(b) - double(a)) / 1000 / (n - 1) : 0.0);
      }
    }
  for (int extra : {0, 3}) {
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    auto n = add(g, {}, nothing);
    for (int i = 0; i < extra; ++i) n = add(g, {n}, nothing);
    for (int flags : {0, 4}) {
      cudaGraphExec_t x;
      cudaGraphInstantiate(&x, g, flags);
      float ms;
      for (int r = 0; r < 3; ++r) {
        cudaEventRecord(e0, s);
        for (int i = 0; i < 100; ++i) cudaGraphLaunch(x, s);
        cudaEventRecord(e1, s);
        cudaStreamSynchronize(s);
        cudaEventElapsedTime(&ms, e0, e1);
      }
      printf("host launches of a chain of %d, flags %d: %.2f us each\n", 1 + extra, flags, ms * 10);
    }
  }
}
