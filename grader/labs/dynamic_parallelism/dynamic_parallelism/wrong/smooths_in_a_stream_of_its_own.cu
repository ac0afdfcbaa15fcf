// Works in a stream of its own, which nothing that comes behind it in the default stream waits for.
// rejected-by: correctness.the child finds all squares, in every schedule
// because: The contract names the default stream
#include "dynamic_parallelism.h"

#define smooth right_smooth
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef smooth

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) WB_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads, 0, stream>>>(in, squares, out, count);
}
