// Lab pinned_memory: kinds of host memory, and how to copy from them.
// This is the only file you edit. What each function must do is in pinned_memory.h, what to do first in README.md.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "common/cuda/check.cuh"
#include "pinned_memory.h"

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_half_bytes(int latency_ns, int bytes_per_us) {
  // TODO(student): half of the rate: the bytes take as long as the latency. (1 line) Delete the next line.
  warpbook::not_started();
}

int predict_ring_us(int chunks, int host_us, int copy_us, int buffers) {
  // TODO(student): with one buffer nothing overlaps. With two, the slower side has no gaps. (2 lines) Delete the next
  // line.
  warpbook::not_started();
}

// ---- Part 2: kinds of memory ----------------------------------------------------------------------------------------

void* allocate(Memory kind, std::size_t bytes) {
  // TODO(student): one way for each kind. Put each call of CUDA into WB_CHECK(...). (9 lines) Delete the next line.
  warpbook::not_started();
}

void release(Memory kind, void* memory) {
  // TODO(student): the opposite of allocate(), in the opposite order. (6 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 3: the sweep ----------------------------------------------------------------------------------------------

void sweep(Memory kind, void* device, float* gb_per_s) {
  // TODO(student): one buffer, two events; a loop over the sizes records, copies (cudaMemcpyAsync), records, waits for
  // the second event, and asks for the milliseconds. (18 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 4: many small pieces --------------------------------------------------------------------------------------

void upload_pieces(const float* host, const int* starts, const int* counts, int pieces, float* device) {
  // TODO(student): add up the counts, gather the pieces in a pinned buffer, copy that once. (11 lines) Delete the next
  // line.
  warpbook::not_started();
}

// ---- Part 5: a ring of pinned buffers -------------------------------------------------------------------------------

constexpr int kBuffers = 1;      // TODO(student): buffers that the chunks go through, in turn.
constexpr int kChunk = 1 << 12;  // TODO(student): elements of a buffer.

void upload(const float* host, float* device, int count, float* ring) {
  // TODO(student): a stream, and an event for each buffer of the ring. For each chunk: wait until the last copy from
  // its buffer has ended (cudaEventSynchronize; an event that was never recorded does not wait), fill it, put the copy
  // into the stream, record the buffer's event. In the end wait for the stream. (18 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 6: zero copy ----------------------------------------------------------------------------------------------

// TODO(student): a kernel in which one thread picks one element. (4 lines)

void pick(const float* table, const int* index, float* out, int count) {
  // TODO(student): ask for the table's address on the device (cudaHostGetDevicePointer(&pointer, memory, 0); the memory
  // is not const there), and launch the kernel with that. (4 lines) Delete the next line.
  warpbook::not_started();
}
