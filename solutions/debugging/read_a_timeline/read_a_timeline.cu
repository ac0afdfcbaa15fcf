// Exercise read_a_timeline: what waits for what, and what need not wait. See read_a_timeline.h.
#include "common/cuda/check.cuh"
#include "read_a_timeline.h"

__global__ void step(const unsigned* a, const unsigned* b, unsigned* out, int rounds) {
  unsigned x = a[threadIdx.x] + 3 * b[threadIdx.x];
  for (int i = 0; i < rounds; ++i) x = x * x + i;
  out[threadIdx.x] = x;
}

int reason(char step) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one for each step. (2 lines)
  return step == 'B' ? 1 : step == 'E' ? 0 : 3;
  // END SOLUTION
}

void process(const unsigned* in, unsigned* work, unsigned* out, int unit) {
  unsigned *const a = work, *const b = work + 256, *const c = work + 512, *const d = work + 768;
  cudaStream_t streams[3];
  cudaEvent_t ended;
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
  step<<<1, 256, 0, streams[1]>>>(in, in, a, 2 * unit);
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line, then what makes steps wait.
  // SKELETON: WB_CHECK(cudaStreamSynchronize(streams[1]));
  // END SOLUTION
  step<<<1, 256, 0, streams[2]>>>(in, in, b, 3 * unit);
  WB_CHECK(cudaEventRecord(ended, streams[2]));
  // BEGIN SOLUTION
  // SKELETON: step<<<1, 256>>>(in, in, d, 5 * unit);  // TODO(student): streams[0] is free.
  step<<<1, 256, 0, streams[0]>>>(in, in, d, 5 * unit);
  // END SOLUTION
  WB_CHECK(cudaStreamWaitEvent(streams[1], ended));
  step<<<1, 256, 0, streams[1]>>>(a, b, c, unit);
  // BEGIN SOLUTION
  // SKELETON: WB_CHECK(cudaDeviceSynchronize());  // TODO(student): can an event do this, too? (2 lines)
  WB_CHECK(cudaEventRecord(ended, streams[0]));
  WB_CHECK(cudaStreamWaitEvent(streams[1], ended));
  // END SOLUTION
  step<<<1, 256, 0, streams[1]>>>(c, d, out, unit);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaEventDestroy(ended));
  for (const cudaStream_t stream : streams) WB_CHECK(cudaStreamDestroy(stream));
}
