// The host waits for the other stream.
// rejected-by: correctness.one stream waits for another, and the host does not
// because: the host has waited for it
#include "streams.h"

#define wait_for right_wait_for
#include "solutions/execution/streams/streams.cu"
#undef wait_for

void wait_for(cudaStream_t, cudaStream_t other) { WB_CHECK(cudaStreamSynchronize(other)); }
