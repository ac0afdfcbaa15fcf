// Takes the larger number for the higher priority.
// rejected-by: correctness.the urgent stream has the highest priority
// because: The lower the number, the higher the priority
#include "streams.h"

#define create_urgent_stream right_create_urgent_stream
#include "solutions/execution/streams/streams.cu"
#undef create_urgent_stream

cudaStream_t create_urgent_stream() {
  int least = 0, greatest = 0;
  WB_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream = nullptr;
  WB_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, std::max(least, greatest)));
  return stream;
}
