// A persistent kernel: the host posts tasks in mapped memory and reads the results while it runs.
#include <cuda/atomic>
#include <new>

#include "sample.h"

using Counter = cuda::atomic<int, cuda::thread_scope_system>;
struct Queue {
  Counter posted, done;
  int tasks[16], answers[16];
};
__global__ void serve(Queue* q) {
  for (int next = 0;; ++next) {
    if (threadIdx.x == 0)
      while (q->posted.load(cuda::memory_order_acquire) <= next) __nanosleep(100);
    __syncthreads();
    const int task = q->tasks[next % 16];
    if (task < 0) return;
    int sum = 0;
    for (int i = threadIdx.x; i < task; i += blockDim.x) sum += i;
    for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x == 0) {
      q->answers[next % 16] = sum;
      q->done.store(next + 1, cuda::memory_order_release);
    }
    __syncthreads();
  }
}
int main() {
  Queue *q, *d;
  CUDA(cudaHostAlloc(&q, sizeof(Queue), cudaHostAllocMapped));
  new (q) Queue{};
  CUDA(cudaHostGetDevicePointer(&d, q, 0));
  serve<<<1, 32>>>(d);
  CUDA(cudaGetLastError());
  int bad = 0;
  for (int i = 0; i < 20; ++i) {
    q->tasks[i % 16] = i * 100;
    q->posted.store(i + 1, cuda::memory_order_release);
    while (q->done.load(cuda::memory_order_acquire) <= i) {
    }
    bad += q->answers[i % 16] != i * 100 * (i * 100 - 1) / 2;
  }
  q->tasks[20 % 16] = -1;
  q->posted.store(21);
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaFreeHost(q));
  sample::compare("wrong answers", bad, 0);
  return sample::passed();
}
