// Streams, events and a host that wait for each other and so give correct results in every order; and, at the end, two
// kernels that nothing orders.
#include <cuda_runtime.h>

#include <cstdio>

#include "check.h"

__global__ void double_and_add(float* value, float more) { *value = *value * 2 + more; }

int main() {
  float *value = nullptr, *back = nullptr;
  SUCCEEDS(cudaMalloc(&value, sizeof(float)));
  SUCCEEDS(cudaMallocHost(&back, sizeof(float)));
  cudaStream_t a = nullptr, b = nullptr, blocking = nullptr;
  SUCCEEDS(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  SUCCEEDS(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  SUCCEEDS(cudaStreamCreate(&blocking));
  cudaEvent_t event = nullptr;
  SUCCEEDS(cudaEventCreate(&event));
  const auto bring = [&](cudaStream_t stream) { return cudaMemcpyAsync(back, value, 4, cudaMemcpyDefault, stream); };

  // One stream; pageable memory may change as soon as the call has returned.
  float start = 5;
  SUCCEEDS(cudaMemcpyAsync(value, &start, 4, cudaMemcpyHostToDevice, a));
  start = 9;
  double_and_add<<<1, 1, 0, a>>>(value, 1);
  double_and_add<<<1, 1, 0, a>>>(value, 2);
  SUCCEEDS(bring(a));
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(*back == 24);

  // An event between two streams, and one that the host waits for.
  SUCCEEDS(cudaMemsetAsync(value, 0, 4, a));
  double_and_add<<<1, 1, 0, a>>>(value, 3);
  SUCCEEDS(cudaEventRecord(event, a));
  SUCCEEDS(cudaStreamWaitEvent(b, event, 0));
  double_and_add<<<1, 1, 0, b>>>(value, 1);
  SUCCEEDS(bring(b));
  SUCCEEDS(cudaEventRecord(event, b));
  SUCCEEDS(cudaEventSynchronize(event));
  CHECK(*back == 7);

  // The legacy default stream waits for blocking streams, and they for it.
  SUCCEEDS(cudaMemset(value, 0, 4));
  double_and_add<<<1, 1, 0, blocking>>>(value, 3);
  double_and_add<<<1, 1>>>(value, 1);
  double_and_add<<<1, 1, 0, blocking>>>(value, 1);
  SUCCEEDS(cudaMemcpy(back, value, 4, cudaMemcpyDefault));
  CHECK(*back == 15);

  // More than fits into the queues.
  SUCCEEDS(cudaMemset(value, 0, 4));
  for (int i = 0; i < 3000; ++i)
    double_and_add<<<1, 1, 0, i % 2 == 0 ? blocking : nullptr>>>(value, i % 2 == 0 ? 1 : -1);
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaGetLastError());

  // A destroyed stream still completes its work, and freeing memory waits for all work.
  SUCCEEDS(cudaMemsetAsync(value, 0, 4, b));
  double_and_add<<<1, 1, 0, b>>>(value, 6);
  SUCCEEDS(bring(b));
  SUCCEEDS(cudaStreamDestroy(b));
  SUCCEEDS(cudaFree(value));
  CHECK(*back == 6);

  float* raced = nullptr;
  SUCCEEDS(cudaMalloc(&raced, sizeof(float)));
  SUCCEEDS(cudaMemsetAsync(raced, 0, 4, a));
  double_and_add<<<1, 1, 0, a>>>(raced, 3);
  double_and_add<<<1, 1, 0, blocking>>>(raced, 1);
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaMemcpy(back, raced, 4, cudaMemcpyDefault));
  std::printf("raced: %g\n", *back);
  return report();
}
