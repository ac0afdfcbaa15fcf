// Lab pinned_memory: kinds of host memory, and how to copy from them.
// This is the only file you edit. What each function must do is in pinned_memory.h, what to do first in README.md.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "common/cuda/check.cuh"
#include "pinned_memory.h"

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_half_bytes(int latency_ns, int bytes_per_us) {
  // BEGIN SOLUTION
  // TODO(student): half of the rate: the bytes take as long as the latency. (1 line) Delete the next line.
  // SKELETON: warpbook::not_started();
  return latency_ns * bytes_per_us / 1000;
  // END SOLUTION
}

int predict_ring_us(int chunks, int host_us, int copy_us, int buffers) {
  // BEGIN SOLUTION
  // TODO(student): with one buffer nothing overlaps. With two, the slower side has no gaps. (2 lines) Delete the next
  // line.
  // SKELETON: warpbook::not_started();
  if (buffers == 1) return chunks * (host_us + copy_us);
  return host_us + copy_us + (chunks - 1) * std::max(host_us, copy_us);
  // END SOLUTION
}

// ---- Part 2: kinds of memory ----------------------------------------------------------------------------------------

void* allocate(Memory kind, std::size_t bytes) {
  // BEGIN SOLUTION
  // TODO(student): one way for each kind. Put each call of CUDA into WB_CHECK(...). (9 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  void* memory = nullptr;
  if (kind == Memory::pageable || kind == Memory::registered) memory = std::malloc(bytes);
  if (kind == Memory::pinned) WB_CHECK(cudaMallocHost(&memory, bytes));
  if (kind == Memory::registered) WB_CHECK(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
  if (kind == Memory::write_combined) WB_CHECK(cudaHostAlloc(&memory, bytes, cudaHostAllocWriteCombined));
  if (kind == Memory::mapped) WB_CHECK(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped));
  return memory;
  // END SOLUTION
}

void release(Memory kind, void* memory) {
  // BEGIN SOLUTION
  // TODO(student): the opposite of allocate(), in the opposite order. (6 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  if (kind == Memory::registered) WB_CHECK(cudaHostUnregister(memory));
  if (kind == Memory::pageable || kind == Memory::registered)
    std::free(memory);
  else
    WB_CHECK(cudaFreeHost(memory));
  // END SOLUTION
}

// ---- Part 3: the sweep ----------------------------------------------------------------------------------------------

void sweep(Memory kind, void* device, float* gb_per_s) {
  // BEGIN SOLUTION
  // TODO(student): one buffer, two events; a loop over the sizes records, copies (cudaMemcpyAsync), records, waits for
  // the second event, and asks for the milliseconds. (18 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  void* const memory = allocate(kind, kLargest);
  std::memset(memory, 1, kLargest);
  cudaEvent_t begin, end;
  WB_CHECK(cudaEventCreate(&begin));
  WB_CHECK(cudaEventCreate(&end));
  std::size_t bytes = kSmallest;
  for (int i = 0; i < kSizes; ++i, bytes *= 4) {
    WB_CHECK(cudaEventRecord(begin));
    WB_CHECK(cudaMemcpyAsync(device, memory, bytes, cudaMemcpyHostToDevice));
    WB_CHECK(cudaEventRecord(end));
    WB_CHECK(cudaEventSynchronize(end));
    float ms = 0;
    WB_CHECK(cudaEventElapsedTime(&ms, begin, end));
    gb_per_s[i] = static_cast<float>(bytes) / (1e6f * ms);
  }
  WB_CHECK(cudaEventDestroy(begin));
  WB_CHECK(cudaEventDestroy(end));
  release(kind, memory);
  // END SOLUTION
}

// ---- Part 4: many small pieces --------------------------------------------------------------------------------------

void upload_pieces(const float* host, const int* starts, const int* counts, int pieces, float* device) {
  // BEGIN SOLUTION
  // TODO(student): add up the counts, gather the pieces in a pinned buffer, copy that once. (11 lines) Delete the next
  // line.
  // SKELETON: warpbook::not_started();
  std::size_t total = 0, filled = 0;
  for (int i = 0; i < pieces; ++i) total += counts[i];
  if (total == 0) return;
  float* const buffer = static_cast<float*>(allocate(Memory::pinned, total * sizeof(float)));
  for (int i = 0; i < pieces; ++i) {
    std::copy_n(host + starts[i], counts[i], buffer + filled);
    filled += counts[i];
  }
  WB_CHECK(cudaMemcpy(device, buffer, total * sizeof(float), cudaMemcpyHostToDevice));
  release(Memory::pinned, buffer);
  // END SOLUTION
}

// ---- Part 5: a ring of pinned buffers -------------------------------------------------------------------------------

// BEGIN SOLUTION
// SKELETON: constexpr int kBuffers = 1;      // TODO(student): buffers that the chunks go through, in turn.
// SKELETON: constexpr int kChunk = 1 << 12;  // TODO(student): elements of a buffer.
constexpr int kBuffers = 4;
constexpr int kChunk = 1 << 17;
// END SOLUTION

void upload(const float* host, float* device, int count, float* ring) {
  // BEGIN SOLUTION
  // TODO(student): a stream, and an event for each buffer of the ring. For each chunk: wait until the last copy from
  // its buffer has ended (cudaEventSynchronize; an event that was never recorded does not wait), fill it, put the copy
  // into the stream, record the buffer's event. In the end wait for the stream. (18 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  cudaStream_t stream;
  cudaEvent_t copied[kBuffers];
  WB_CHECK(cudaStreamCreate(&stream));
  for (cudaEvent_t& event : copied) WB_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int first = 0, turn = 0; first < count; first += kChunk, turn = (turn + 1) % kBuffers) {
    const int size = std::min(kChunk, count - first);
    float* const buffer = ring + turn * kChunk;
    WB_CHECK(cudaEventSynchronize(copied[turn]));
    std::copy_n(host + first, size, buffer);
    WB_CHECK(cudaMemcpyAsync(device + first, buffer, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    WB_CHECK(cudaEventRecord(copied[turn], stream));
  }
  WB_CHECK(cudaStreamSynchronize(stream));
  for (const cudaEvent_t event : copied) WB_CHECK(cudaEventDestroy(event));
  WB_CHECK(cudaStreamDestroy(stream));
  // END SOLUTION
}

// ---- Part 6: zero copy ----------------------------------------------------------------------------------------------

// BEGIN SOLUTION
// TODO(student): a kernel in which one thread picks one element. (4 lines)
__global__ void pick_kernel(const float* table, const int* index, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = table[index[i]];
}
// END SOLUTION

void pick(const float* table, const int* index, float* out, int count) {
  // BEGIN SOLUTION
  // TODO(student): ask for the table's address on the device (cudaHostGetDevicePointer(&pointer, memory, 0); the memory
  // is not const there), and launch the kernel with that. (4 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  void* on_device = nullptr;
  WB_CHECK(cudaHostGetDevicePointer(&on_device, const_cast<float*>(table), 0));
  if (count > 0) pick_kernel<<<(count + 255) / 256, 256>>>(static_cast<const float*>(on_device), index, out, count);
  WB_CHECK(cudaGetLastError());
  // END SOLUTION
}
