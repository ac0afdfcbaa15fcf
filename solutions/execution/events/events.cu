// Exercise events: time and order by events. events.h says what each function must do.
#include "common/cuda/event_timer.cuh"
#include "events.h"

__global__ void add_kernel(const int* in, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] + 1;
}

double kernel_us(int* data, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): the timer records two events. (5 lines)
  warpbook::EventTimer timer;
  WB_CHECK(cudaMemsetAsync(data, 0, count * sizeof(int)));
  timer.start();
  add_kernel<<<(count + 255) / 256, 256>>>(data, data, count);
  return timer.stop();
  // END SOLUTION
}

void chain(int* first, int* second, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): two streams and an event that one of them waits for. (12 lines)
  cudaStream_t a, b;
  cudaEvent_t ready;
  WB_CHECK(cudaStreamCreate(&a));
  WB_CHECK(cudaStreamCreate(&b));
  WB_CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  add_kernel<<<(count + 255) / 256, 256, 0, a>>>(first, first, count);
  WB_CHECK(cudaEventRecord(ready, a));
  WB_CHECK(cudaStreamWaitEvent(b, ready));
  add_kernel<<<(count + 255) / 256, 256, 0, b>>>(first, second, count);
  WB_CHECK(cudaStreamSynchronize(b));
  WB_CHECK(cudaEventDestroy(ready));
  WB_CHECK(cudaStreamDestroy(a));
  WB_CHECK(cudaStreamDestroy(b));
  // END SOLUTION
}

int total_us(int kind, int streams, int us) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): which kinds keep kernels apart? (2 lines)
  if (kind == 5) return 0;
  return kind == 2 || kind == 4 ? streams * us : us;
  // END SOLUTION
}
