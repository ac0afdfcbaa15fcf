// Times of graph launches compared with loops of stream launches: empty kernels, in a chain and in branches.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>
#define OK(c)                                       \
  do {                                              \
    cudaError_t e_ = (c);                           \
    if (e_) {                                       \
      printf("%s: %s\n", #c, cudaGetErrorName(e_)); \
      return 1;                                     \
    }                                               \
  } while (0)
__global__ void empty() {}
__global__ void spin(long long ns) {
  long long t0, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  while (t - t0 < ns);
}
static void hostfn(void*) {}
using Clock = std::chrono::steady_clock;
double us(Clock::time_point a, Clock::time_point b) { return std::chrono::duration<double, std::micro>(b - a).count(); }
double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
int main() {
  cudaStream_t s;
  OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  cudaEvent_t a, b;
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  for (int i = 0; i < 200; ++i) empty<<<1, 1, 0, s>>>();
  OK(cudaStreamSynchronize(s));
  printf("shape n host_call_us device_us wall_us instantiate_us first_launch_us\n");
  const int R = 201;
  for (int n : {1, 2, 4, 8, 16, 32, 64}) {
    {  // loop of stream launches
      std::vector<double> h, d, w;
      for (int r = 0; r < R; ++r) {
        spin<<<1, 1, 0, s>>>(300000);  // All launches are queued before the first runs: device time without host cost.
        OK(cudaEventRecord(a, s));
        auto t0 = Clock::now();
        for (int i = 0; i < n; ++i) empty<<<1, 1, 0, s>>>();
        auto t1 = Clock::now();
        OK(cudaEventRecord(b, s));
        OK(cudaStreamSynchronize(s));
        float ms;
        OK(cudaEventElapsedTime(&ms, a, b));
        h.push_back(us(t0, t1));
        d.push_back(ms * 1000);
        auto t2 = Clock::now();
        for (int i = 0; i < n; ++i) empty<<<1, 1, 0, s>>>();
        OK(cudaStreamSynchronize(s));
        w.push_back(us(t2, Clock::now()));
      }
      printf("loop %d %.2f %.2f %.2f 0 0\n", n, median(h), median(d), median(w));
    }
    for (int shape = 0; shape < 4;
         ++shape) {  // 0 chain, 1 independent, 2 fork-join (1 root, n middle, 1 end), 3 chain of 4 branches
      cudaGraph_t g;
      OK(cudaGraphCreate(&g, 0));
      cudaKernelNodeParams p{};
      p.func = (void*)empty;
      p.gridDim = p.blockDim = dim3(1);
      std::vector<cudaGraphNode_t> nodes(n + 2);
      if (shape == 0)
        for (int i = 0; i < n; ++i)
          OK(cudaGraphAddKernelNode(&nodes[i], g, i ? &nodes[i - 1] : nullptr, i ? 1 : 0, &p));
      if (shape == 1)
        for (int i = 0; i < n; ++i) OK(cudaGraphAddKernelNode(&nodes[i], g, nullptr, 0, &p));
      if (shape == 2) {
        OK(cudaGraphAddKernelNode(&nodes[n], g, nullptr, 0, &p));
        for (int i = 0; i < n; ++i) OK(cudaGraphAddKernelNode(&nodes[i], g, &nodes[n], 1, &p));
        OK(cudaGraphAddKernelNode(&nodes[n + 1], g, nodes.data(), n, &p));
      }
      if (shape == 3)
        for (int i = 0; i < n; ++i)
          OK(cudaGraphAddKernelNode(&nodes[i], g, i >= 4 ? &nodes[i - 4] : nullptr, i >= 4 ? 1 : 0, &p));
      cudaGraphExec_t e;
      auto t0 = Clock::now();
      OK(cudaGraphInstantiate(&e, g, 0));
      auto t1 = Clock::now();
      OK(cudaGraphLaunch(e, s));
      auto t2 = Clock::now();
      OK(cudaStreamSynchronize(s));
      std::vector<double> h, d, w;
      for (int r = 0; r < R; ++r) {
        spin<<<1, 1, 0, s>>>(300000);
        OK(cudaEventRecord(a, s));
        auto x0 = Clock::now();
        OK(cudaGraphLaunch(e, s));
        auto x1 = Clock::now();
        OK(cudaEventRecord(b, s));
        OK(cudaStreamSynchronize(s));
        float ms;
        OK(cudaEventElapsedTime(&ms, a, b));
        h.push_back(us(x0, x1));
        d.push_back(ms * 1000);
        auto x2 = Clock::now();
        OK(cudaGraphLaunch(e, s));
        OK(cudaStreamSynchronize(s));
        w.push_back(us(x2, Clock::now()));
      }
      const char* names[] = {"chain", "independent", "fork_join", "four_chains"};
      printf("%s %d %.2f %.2f %.2f %.2f %.2f\n", names[shape], n, median(h), median(d), median(w), us(t0, t1),
             us(t1, t2));
      OK(cudaGraphExecDestroy(e));
      OK(cudaGraphDestroy(g));
    }
  }
  // Do branches overlap? Two spins of 20 us in a chain and side by side, and back-to-back launches of one graph.
  for (int shape = 0; shape < 2; ++shape) {
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    long long ns = 20000;
    void* args[] = {&ns};
    cudaKernelNodeParams p{};
    p.func = (void*)spin;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = args;
    cudaGraphNode_t x, y;
    OK(cudaGraphAddKernelNode(&x, g, nullptr, 0, &p));
    OK(cudaGraphAddKernelNode(&y, g, shape ? nullptr : &x, shape ? 0 : 1, &p));
    cudaGraphExec_t e;
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaEventRecord(a, s));
    for (int i = 0; i < 10; ++i) OK(cudaGraphLaunch(e, s));
    OK(cudaEventRecord(b, s));
    OK(cudaStreamSynchronize(s));
    float ms;
    OK(cudaEventElapsedTime(&ms, a, b));
    printf("spins %s: %.2f us for each of 10 launches\n", shape ? "side by side" : "in a chain", ms * 100);
  }
  // Other kinds of nodes in chains of 16: memset of 4 bytes, copy on the device of 4 bytes, host functions, empty
  // nodes.
  {
    char* m;
    OK(cudaMalloc(&m, 64));
    char* hp;
    OK(cudaMallocHost(&hp, 64));
    for (int kind = 0; kind < 5; ++kind) {
      cudaGraph_t g;
      OK(cudaGraphCreate(&g, 0));
      cudaGraphNode_t last = nullptr;
      for (int i = 0; i < 16; ++i) {
        cudaGraphNode_t n;
        int c = last ? 1 : 0;
        if (kind == 0) {
          cudaMemsetParams p{};
          p.dst = m;
          p.elementSize = 1;
          p.width = 4;
          p.height = 1;
          OK(cudaGraphAddMemsetNode(&n, g, &last, c, &p));
        }
        if (kind == 1) OK(cudaGraphAddMemcpyNode1D(&n, g, &last, c, m + 16, m, 4, cudaMemcpyDeviceToDevice));
        if (kind == 2) OK(cudaGraphAddMemcpyNode1D(&n, g, &last, c, m, hp, 4, cudaMemcpyHostToDevice));
        if (kind == 3) {
          cudaHostNodeParams p{hostfn, nullptr};
          OK(cudaGraphAddHostNode(&n, g, &last, c, &p));
        }
        if (kind == 4) OK(cudaGraphAddEmptyNode(&n, g, &last, c));
        last = n;
      }
      cudaGraphExec_t e;
      OK(cudaGraphInstantiate(&e, g, 0));
      OK(cudaGraphLaunch(e, s));
      OK(cudaStreamSynchronize(s));
      std::vector<double> h, d;
      for (int r = 0; r < R; ++r) {
        spin<<<1, 1, 0, s>>>(300000);
        OK(cudaEventRecord(a, s));
        auto x0 = Clock::now();
        OK(cudaGraphLaunch(e, s));
        auto x1 = Clock::now();
        OK(cudaEventRecord(b, s));
        OK(cudaStreamSynchronize(s));
        float ms;
        OK(cudaEventElapsedTime(&ms, a, b));
        h.push_back(us(x0, x1));
        d.push_back(ms * 1000);
      }
      const char* names[] = {"memset", "copy_d2d", "copy_h2d", "host", "empty"};
      printf("16 nodes %s: host %.2f device %.2f\n", names[kind], median(h), median(d));
    }
  }
  return 0;
}
