// Exercise read_a_timeline: what waits for what, and what need not wait. See read_a_timeline.h.
#include "common/cuda/check.cuh"
#include "read_a_timeline.h"

__global__ void step(const unsigned* a, const unsigned* b, unsigned* out, int rounds) {
  unsigned x = a[threadIdx.x] + 3 * b[threadIdx.x];
  for (int i = 0; i < rounds; ++i) x = x * x + i;
  out[threadIdx.x] = x;
}

int reason(char step) {
  warpbook::not_started();  // TODO(student): one for each step. (2 lines)
}

void process(const unsigned* in, unsigned* work, unsigned* out, int unit) {
  unsigned *const a = work, *const b = work + 256, *const c = work + 512, *const d = work + 768;
  cudaStream_t streams[3];
  cudaEvent_t ended;
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
  step<<<1, 256, 0, streams[1]>>>(in, in, a, 2 * unit);
  warpbook::not_started();  // TODO(student): delete this line, then what makes steps wait.
  WB_CHECK(cudaStreamSynchronize(streams[1]));
  step<<<1, 256, 0, streams[2]>>>(in, in, b, 3 * unit);
  WB_CHECK(cudaEventRecord(ended, streams[2]));
  step<<<1, 256>>>(in, in, d, 5 * unit);  // TODO(student): streams[0] is free.
  WB_CHECK(cudaStreamWaitEvent(streams[1], ended));
  step<<<1, 256, 0, streams[1]>>>(a, b, c, unit);
  WB_CHECK(cudaDeviceSynchronize());  // TODO(student): can an event do this, too? (2 lines)
  step<<<1, 256, 0, streams[1]>>>(c, d, out, unit);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaEventDestroy(ended));
  for (const cudaStream_t stream : streams) WB_CHECK(cudaStreamDestroy(stream));
}
