// The given kernel has lost its stream: it runs in the default one, which waits for no non-blocking stream.
// rejected-by: correctness.one stream waits for another, and the host does not
// because: The kernel ran in stream 0 of the program
#include "streams.h"

#define transform right_transform
#include "solutions/execution/streams/streams.cu"
#undef transform

void transform(float* data, int count, cudaStream_t) { right_transform(data, count, nullptr); }
