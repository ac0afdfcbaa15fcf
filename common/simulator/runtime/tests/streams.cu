// Streams and events: order, the virtual clock, polling, host functions. Also built with per-thread default streams.
#include <thread>

#include "check.h"

__global__ void work(float* data, int rounds) {
  float x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = x * 1.000001f + 0.5f;
  data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

struct Note {
  int order = 0;
  cudaError_t answer = cudaSuccess;
};
int calls = 0;

void CUDART_CB note(void* data) {
  auto* kept = static_cast<Note*>(data);
  kept->order = ++calls;
  void* memory = nullptr;
  kept->answer = cudaMalloc(&memory, 4);
}

void CUDART_CB callback(cudaStream_t, cudaError_t status, void* data) {
  static_cast<Note*>(data)->order = ++calls;
  static_cast<Note*>(data)->answer = status;
}

float between(cudaEvent_t first, cudaEvent_t second) {
  float milliseconds = -1;
  SUCCEEDS(cudaEventElapsedTime(&milliseconds, first, second));
  return milliseconds;
}

/// Here a stream that was destroyed is known as such; an H200's driver reads its memory and crashes.
int destroyed() {
  cudaStream_t stream = nullptr;
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaStreamDestroy(stream));
  ANSWERS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
  return report();
}

int main(int argc, char**) {
  if (argc > 1) return destroyed();
  float* data = nullptr;
  SUCCEEDS(cudaMalloc(&data, 1 << 20));
  work<<<8, 128>>>(data, 1);  // The first launch of a kernel loads it.
  cudaEvent_t e[4];
  for (auto& event : e) SUCCEEDS(cudaEventCreate(&event));

  // The clock: more work takes longer, no work takes almost no time, and time never goes backwards.
  SUCCEEDS(cudaEventRecord(e[0]));
  work<<<8, 128>>>(data, 100);
  SUCCEEDS(cudaEventRecord(e[1]));
  work<<<8, 128>>>(data, 20000);
  SUCCEEDS(cudaEventRecord(e[2]));
  SUCCEEDS(cudaEventRecord(e[3]));
  SUCCEEDS(cudaEventSynchronize(e[3]));
  const float small = between(e[0], e[1]), large = between(e[1], e[2]), none = between(e[2], e[3]);
  CHECK(small > 0 && large > 2 * small);
  CHECK(none >= 0 && none < 0.02f);
  CHECK(between(e[1], e[0]) == -small);

  // Polling ends, and first returns "not ready".
  cudaStream_t stream = nullptr, other = nullptr;
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  work<<<8, 128, 0, stream>>>(data, 2000);
  int polls = 0;
  while (cudaStreamQuery(stream) == cudaErrorNotReady) ++polls;
  CHECK(polls > 0 && polls < 1000);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  SUCCEEDS(cudaGetLastError());
  work<<<8, 128, 0, stream>>>(data, 2000);
  SUCCEEDS(cudaEventRecord(e[0], stream));
  ANSWERS(cudaErrorNotReady, cudaEventQuery(e[0]));
  float unused = 0;
  ANSWERS(cudaErrorNotReady, cudaEventElapsedTime(&unused, e[0], e[0]));
  SUCCEEDS(cudaEventSynchronize(e[0]));
  SUCCEEDS(cudaEventQuery(e[0]));

  // A stream that waits for an event continues after it.
  SUCCEEDS(cudaEventRecord(e[0], stream));
  work<<<8, 128, 0, stream>>>(data, 2000);
  SUCCEEDS(cudaEventRecord(e[1], stream));
  SUCCEEDS(cudaStreamWaitEvent(other, e[1], 0));
  work<<<8, 128, 0, other>>>(data, 10);
  SUCCEEDS(cudaEventRecord(e[2], other));
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(between(e[1], e[2]) > 0);

  // Two streams overlap: together they take less time than one after the other.
  SUCCEEDS(cudaEventRecord(e[0], stream));
  work<<<8, 128, 0, stream>>>(data, 4000);
  work<<<8, 128, 0, other>>>(data + 4096, 4000);
  SUCCEEDS(cudaEventRecord(e[1], stream));
  SUCCEEDS(cudaEventRecord(e[2], other));
  SUCCEEDS(cudaDeviceSynchronize());
  const float one = between(e[0], e[1]);
  CHECK(between(e[0], e[2]) < 1.5f * one);

  Note notes[3];
  SUCCEEDS(cudaLaunchHostFunc(stream, note, &notes[0]));
  SUCCEEDS(cudaStreamAddCallback(stream, callback, &notes[1], 0));
  SUCCEEDS(cudaLaunchHostFunc(nullptr, note, &notes[2]));
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(notes[0].order == 1 && notes[1].order == 2 && notes[2].order == 3);
  CHECK(notes[0].answer == cudaErrorNotPermitted && notes[1].answer == cudaSuccess);

  // Other threads have their own last error, and their own default stream if that is requested.
  ANSWERS(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 4));
  cudaError_t elsewhere = cudaErrorUnknown;
  std::thread([&] {
    elsewhere = cudaGetLastError();
    work<<<1, 32>>>(data, 1);
    if (cudaStreamSynchronize(nullptr) != cudaSuccess) elsewhere = cudaErrorUnknown;
    work<<<1, 32, 0, cudaStreamPerThread>>>(data, 1);
    if (cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess) elsewhere = cudaErrorUnknown;
  }).join();
  CHECK(elsewhere == cudaSuccess);
  ANSWERS(cudaErrorInvalidValue, cudaGetLastError());

  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  SUCCEEDS(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusNone);
  SUCCEEDS(cudaStreamDestroy(stream));
  for (auto& event : e) SUCCEEDS(cudaEventDestroy(event));
  return report();
}
