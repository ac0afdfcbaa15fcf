// A stencil on two devices: each has half of a rod, and in every step they exchange the border cells with streams,
// events and copies between devices. The result is that of one device.
#include <vector>

#include "common/simulator/runtime/tests/check.h"

__global__ void step(float* to, const float* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i <= n) to[i] = 0.5f * from[i] + 0.25f * (from[i - 1] + from[i + 1]);
}

constexpr int kCells = 4096, kSteps = 20;

static std::vector<float> on_host(std::vector<float> now) {
  std::vector<float> next = now;
  for (int s = 0; s < kSteps; ++s) {
    for (int i = 1; i <= kCells; ++i) next[i] = 0.5f * now[i] + 0.25f * (now[i - 1] + now[i + 1]);
    std::swap(now, next);
  }
  return now;
}

int main() {
  int count = 0;
  SUCCEEDS(cudaGetDeviceCount(&count));
  CHECK(count == 2);
  std::vector<float> rod(kCells + 2);
  for (int i = 0; i < kCells + 2; ++i) rod[i] = static_cast<float>((i * 37) % 101);
  constexpr int kHalf = kCells / 2;
  float *now[2], *next[2];
  cudaStream_t stream[2];
  cudaEvent_t stepped[2], copied[2];
  for (int d = 0; d < 2; ++d) {
    SUCCEEDS(cudaSetDevice(d));
    SUCCEEDS(cudaDeviceEnablePeerAccess(1 - d, 0));
    SUCCEEDS(cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking));
    SUCCEEDS(cudaEventCreateWithFlags(&stepped[d], cudaEventDisableTiming));
    SUCCEEDS(cudaEventCreateWithFlags(&copied[d], cudaEventDisableTiming));
    SUCCEEDS(cudaMalloc(&now[d], (kHalf + 2) * sizeof(float)));
    SUCCEEDS(cudaMalloc(&next[d], (kHalf + 2) * sizeof(float)));
    for (float* p : {now[d], next[d]})
      SUCCEEDS(cudaMemcpy(p, rod.data() + d * kHalf, (kHalf + 2) * sizeof(float), cudaMemcpyHostToDevice));
  }
  for (int s = 0; s < kSteps; ++s) {
    for (int d = 0; d < 2; ++d) {
      SUCCEEDS(cudaSetDevice(d));
      step<<<(kHalf + 255) / 256 + 1, 256, 0, stream[d]>>>(next[d], now[d], kHalf);
      SUCCEEDS(cudaEventRecord(stepped[d], stream[d]));
    }
    for (int d = 0; d < 2; ++d) {  // Each copies its border to the other.
      SUCCEEDS(cudaSetDevice(d));
      SUCCEEDS(cudaStreamWaitEvent(stream[d], stepped[1 - d], 0));
      float* const to = d == 0 ? next[1] : next[0] + kHalf + 1;
      const float* const from = d == 0 ? next[0] + kHalf : next[1] + 1;
      SUCCEEDS(cudaMemcpyPeerAsync(to, 1 - d, from, d, sizeof(float), stream[d]));
      SUCCEEDS(cudaEventRecord(copied[d], stream[d]));
    }
    for (int d = 0; d < 2; ++d) {
      SUCCEEDS(cudaStreamWaitEvent(stream[d], copied[1 - d], 0));
      std::swap(now[d], next[d]);
    }
  }
  const std::vector<float> wanted = on_host(rod);
  std::vector<float> got(kHalf + 2);
  for (int d = 0; d < 2; ++d) {
    SUCCEEDS(cudaSetDevice(d));
    SUCCEEDS(cudaStreamSynchronize(stream[d]));
    SUCCEEDS(cudaMemcpy(got.data(), now[d], got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 1; i <= kHalf; ++i) wrong += got[i] != wanted[d * kHalf + i];
    CHECK(wrong == 0);
  }
  // The same as a graph that spans both devices.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaMemsetAsync(now[0], 0, 64, stream[0]));
  SUCCEEDS(cudaStreamSynchronize(stream[0]));
  SUCCEEDS(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal));
  step<<<1, 32, 0, stream[0]>>>(next[0], now[0], 8);
  SUCCEEDS(cudaEventRecord(stepped[0], stream[0]));
  SUCCEEDS(cudaStreamWaitEvent(stream[1], stepped[0], 0));
  SUCCEEDS(cudaMemcpyPeerAsync(now[1], 1, next[0], 0, 40, stream[1]));
  step<<<1, 32, 0, stream[1]>>>(next[1], now[1], 8);
  SUCCEEDS(cudaEventRecord(stepped[1], stream[1]));
  SUCCEEDS(cudaStreamWaitEvent(stream[0], stepped[1], 0));
  SUCCEEDS(cudaStreamEndCapture(stream[0], &graph));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  SUCCEEDS(cudaGraphLaunch(exec, stream[0]));
  SUCCEEDS(cudaStreamSynchronize(stream[0]));
  float zero = -1;
  SUCCEEDS(cudaMemcpy(&zero, next[1] + 4, sizeof zero, cudaMemcpyDefault));
  CHECK(zero == 0);
  return report();
}
