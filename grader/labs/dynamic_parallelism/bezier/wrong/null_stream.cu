// The children go to the NULL stream, so those of one block run one after another.
// rejected-by: counters.no child waits for another one
// because: the NULL stream of its block
#include "bezier.h"

#undef cudaStreamFireAndForget
#define cudaStreamFireAndForget nullptr
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
