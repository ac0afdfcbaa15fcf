// Several streams: copies and kernels in pipelines, events between streams, callbacks, zero-copy, memory pools,
// timing.
#include <atomic>

#include "sample.h"

namespace {

__global__ void scale(int* values, int count, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i] * factor + 1;
}

__global__ void add(const int* a, const int* b, int* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

struct Note {
  std::atomic<int>* step;
  int seen;
};

void CUDART_CB host_function(void* data) {
  Note* const note = static_cast<Note*>(data);
  note->seen = ++*note->step;
}

void CUDART_CB callback(cudaStream_t, cudaError_t status, void* data) {
  host_function(data);
  if (status != cudaSuccess) static_cast<Note*>(data)->seen = -1;
}

}  // namespace

int main() {
  constexpr int kStreams = 4, kEach = 5000, kCount = kStreams * kEach;
  int *host = nullptr, *device = nullptr;
  CUDA(cudaMallocHost(&host, kCount * sizeof(int)));
  CUDA(cudaMalloc(&device, kCount * sizeof(int)));
  std::vector<int> wanted(kCount);
  for (int i = 0; i < kCount; ++i) wanted[i] = (host[i] = i % 1000) * 3 + 1;
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int s = 0; s < kStreams; ++s) {
    const int from = s * kEach;
    CUDA(cudaMemcpyAsync(device + from, host + from, kEach * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
    scale<<<(kEach + 255) / 256, 256, 0, streams[s]>>>(device + from, kEach, 3);
    CUDA(cudaMemcpyAsync(host + from, device + from, kEach * sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
  }
  CUDA(cudaDeviceSynchronize());
  sample::compare("pipelines", std::vector<int>(host, host + kCount), wanted);

  // A stream waits for another one's event; host functions run in the stream's order.
  std::atomic<int> step{0};
  Note first{&step, 0}, second{&step, 0}, third{&step, 0};
  cudaEvent_t start, middle, stop;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreateWithFlags(&middle, cudaEventDisableTiming));
  CUDA(cudaEventCreate(&stop));
  CUDA(cudaEventRecord(start, streams[0]));
  CUDA(cudaLaunchHostFunc(streams[0], host_function, &first));
  scale<<<(kCount + 255) / 256, 256, 0, streams[0]>>>(device, kCount, 2);
  CUDA(cudaStreamAddCallback(streams[0], callback, &second, 0));
  CUDA(cudaEventRecord(middle, streams[0]));
  CUDA(cudaStreamWaitEvent(streams[1], middle));
  scale<<<(kCount + 255) / 256, 256, 0, streams[1]>>>(device, kCount, 5);
  CUDA(cudaLaunchHostFunc(streams[1], host_function, &third));
  CUDA(cudaEventRecord(stop, streams[1]));
  CUDA(cudaEventSynchronize(stop));
  for (int& value : wanted) value = (value * 2 + 1) * 5 + 1;
  CUDA(cudaMemcpy(host, device, kCount * sizeof(int), cudaMemcpyDeviceToHost));
  sample::compare("one after the other", std::vector<int>(host, host + kCount), wanted);
  std::printf("host functions: %d %d %d\n", first.seen, second.seen, third.seen);
  sample::holds("in order", first.seen == 1 && second.seen == 2 && third.seen == 3);
  float ms = -1;
  CUDA(cudaEventElapsedTime(&ms, start, stop));
  sample::holds("time passed", ms > 0 && ms < 1000);
  std::printf("an event without time: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, start, middle)));
  (void)cudaGetLastError();

  // Host memory that kernels access in place.
  int *mapped = nullptr, *there = nullptr;
  CUDA(cudaHostAlloc(&mapped, 1000 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 1000; ++i) mapped[i] = -i;
  CUDA(cudaHostGetDevicePointer(&there, mapped, 0));
  scale<<<4, 256>>>(there, 1000, 4);
  FINISH();
  for (int i = 0; i < 1000; ++i) wanted[i] = -i * 4 + 1;
  sample::compare("mapped memory", std::vector<int>(mapped, mapped + 1000),
                  std::vector<int>(wanted.begin(), wanted.begin() + 1000));

  // Stream-ordered memory.
  int *a = nullptr, *b = nullptr, *c = nullptr;
  CUDA(cudaMallocAsync(&a, 4000, streams[2]));
  CUDA(cudaMallocAsync(&b, 4000, streams[2]));
  CUDA(cudaMemsetAsync(a, 1, 4000, streams[2]));
  CUDA(cudaMemcpyAsync(b, mapped, 4000, cudaMemcpyHostToDevice, streams[2]));
  CUDA(cudaMallocAsync(&c, 4000, streams[2]));
  add<<<4, 256, 0, streams[2]>>>(a, b, c, 1000);
  CUDA(cudaFreeAsync(a, streams[2]));
  CUDA(cudaFreeAsync(b, streams[2]));
  CUDA(cudaMemcpyAsync(host, c, 4000, cudaMemcpyDeviceToHost, streams[2]));
  CUDA(cudaFreeAsync(c, streams[2]));
  CUDA(cudaStreamSynchronize(streams[2]));
  for (int i = 0; i < 1000; ++i) wanted[i] += 0x01010101;
  sample::compare("pools", std::vector<int>(host, host + 1000),
                  std::vector<int>(wanted.begin(), wanted.begin() + 1000));
  for (const cudaStream_t stream : streams) CUDA(cudaStreamDestroy(stream));
  for (const cudaEvent_t event : {start, middle, stop}) CUDA(cudaEventDestroy(event));
  CUDA(cudaFreeHost(host));
  CUDA(cudaFreeHost(mapped));
  CUDA(cudaFree(device));
  return sample::passed();
}
