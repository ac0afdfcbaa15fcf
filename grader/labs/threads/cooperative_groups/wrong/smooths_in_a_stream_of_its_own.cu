// Works in a stream of its own, which nothing that comes behind it in the default stream waits for.
// rejected-by: correctness.a row is smoothed as often as asked
// because: The contract names the default stream
#include "cooperative_groups.h"

#define smooth right_smooth
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) WB_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  const int blocks = std::max(1, std::min((count + kThreads - 1) / kThreads, 1056));
  WB_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(smooth_kernel), blocks, kThreads, arguments, 0, stream));
}
