// A ring of four buffers of 16 KiB: many copies, each of which costs its latency.
#include "grader/labs/memory/pinned_memory/rungs/parts.cuh"

void upload(const float* host, float* device, int count, float* ring) {
  upload_by_ring<4, 1 << 12>(host, device, count, ring);
}
