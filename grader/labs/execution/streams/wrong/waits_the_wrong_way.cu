// The other stream waits for the one that should wait.
// rejected-by: correctness.one stream waits for another, and the host does not
// because: Which stream records the event, and which one waits?
#include "streams.h"

#define wait_for right_wait_for
#include "solutions/execution/streams/streams.cu"
#undef wait_for

void wait_for(cudaStream_t waiting, cudaStream_t other) { right_wait_for(other, waiting); }
