// Returns microseconds.
// rejected-by: correctness.events time a kernel beside other work
// because: Is the result in milliseconds?
#include "streams.h"

#define kernel_ms right_kernel_ms
#include "solutions/execution/streams/streams.cu"
#undef kernel_ms

float kernel_ms(float* device, int count, cudaStream_t stream) { return 1000 * right_kernel_ms(device, count, stream); }
