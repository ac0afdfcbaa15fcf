// nvcc -std=c++17 -O2 -arch=sm_90 -rdc=true -lcudadevrt
// Launches by kernels: time of the whole by events and cycles of the call, by launching threads, blocks, streams and
// length of the children.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "ok.cuh"

__global__ void child(long long cycles) {
  const long long c = clock64();
  while (clock64() - c < cycles) {
  }
}
enum How { null_stream, fire_and_forget, tail, named, own_per_thread };
__global__ void parent(int how, int each, long long cycles, long long* calls) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  cudaStream_t s = how == fire_and_forget ? cudaStreamFireAndForget : how == tail ? cudaStreamTailLaunch : 0;
  if (how == named) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  const long long c = clock64();
  for (int i = 0; i < each; ++i) child<<<1, 32, 0, s>>>(cycles);
  calls[at] = clock64() - c;
  if (how == named) cudaStreamDestroy(s);
}
__global__ void chain(int depth, int how) {
  if (depth > 0) {
    if (how == tail)
      chain<<<1, 1, 0, cudaStreamTailLaunch>>>(depth - 1, how);
    else
      chain<<<1, 1>>>(depth - 1, how);
  }
}
__global__ void fan(int depth, int width) {
  if (depth > 0 && threadIdx.x < width) fan<<<1, width, 0, cudaStreamFireAndForget>>>(depth - 1, width);
}
int main() {
  OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32768));
  long long* calls;
  OK(cudaMalloc(&calls, 8 << 16));
  std::vector<long long> h(1 << 16);
  cudaEvent_t a, b;
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  auto timed = [&](auto f) {
    std::vector<float> t;
    for (int r = 0; r < 5; ++r) {
      OK(cudaEventRecord(a));
      f();
      OK(cudaEventRecord(b));
      OK(cudaDeviceSynchronize());
      float ms;
      OK(cudaEventElapsedTime(&ms, a, b));
      t.push_back(ms * 1000);
    }
    std::sort(t.begin(), t.end());
    return t[2];
  };
  const char* names[] = {"NULL stream", "fire and forget", "tail", "named"};
  for (int how = 0; how < 4; ++how)
    for (int us : {0, 5, 50})
      for (auto shape : {std::pair<int, int>{1, 1}, {1, 2}, {1, 8}, {1, 32}, {1, 128}, {8, 1}, {132, 1}, {132, 32}})
        for (int each : {0, 1, 2, 8}) {
          if (shape.first * shape.second * each > 1100 && us > 0) continue;
          const float t = timed([&] { parent<<<shape.first, shape.second>>>(how, each, us * 1980ll, calls); });
          const int n = shape.first * shape.second;
          OK(cudaMemcpy(h.data(), calls, 8 * n, cudaMemcpyDeviceToHost));
          double sum = 0, most = 0;
          for (int i = 0; i < n; ++i) {
            sum += h[i];
            most = std::max(most, (double)h[i]);
          }
          printf("%s, %d x %d threads, %d children of %d us each: %.1f us, calls %.0f cycles, at most %.0f\n",
                 names[how], shape.first, shape.second, each, us, t, sum / n, most);
        }
  for (int depth : {0, 1, 2, 4, 16})
    printf("chain of %d: NULL stream %.1f us, tail %.1f us\n", depth,
           timed([&] { chain<<<1, 1>>>(depth, null_stream); }), timed([&] { chain<<<1, 1>>>(depth, tail); }));
  for (int depth : {1, 2, 3})
    for (int width : {2, 4, 8})
      printf("tree of depth %d, %d each: %.1f us\n", depth, width, timed([&] { fan<<<1, width>>>(depth, width); }));
  return 0;
}
