// One buffer of 512 KiB: while it is copied the host waits, and while it is filled the device does.
#include "grader/labs/memory/pinned_memory/rungs/parts.cuh"

void upload(const float* host, float* device, int count, float* ring) {
  upload_by_ring<1, 1 << 17>(host, device, count, ring);
}
