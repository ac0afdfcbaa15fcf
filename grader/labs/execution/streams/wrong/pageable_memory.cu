// Ordinary memory of the host: the driver copies it through a buffer of its own, and nothing overlaps.
// rejected-by: correctness.memory of the host is pinned, and given back
// because: The memory is not pinned
#include "streams.h"

#define allocate_host right_allocate_host
#define free_host right_free_host
#include "solutions/execution/streams/streams.cu"
#undef allocate_host
#undef free_host

float* allocate_host(int count) { return new float[count]; }
void free_host(float* memory) { delete[] memory; }
