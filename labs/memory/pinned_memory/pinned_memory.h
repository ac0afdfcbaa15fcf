// The contract of lab pinned_memory: what the functions in pinned_memory.cu must do.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/lab.h"

/// @defgroup pinned_memory Lab pinned_memory
/// Kinds of host memory, and what they do to the time of a copy.
/// @{

/// Kinds of memory of the host.
enum class Memory {
  pageable,        ///< By std::malloc: the operating system may move it.
  pinned,          ///< By cudaMallocHost: it stays where it is.
  registered,      ///< By std::malloc, then pinned by cudaHostRegister.
  write_combined,  ///< By cudaHostAlloc with cudaHostAllocWriteCombined: the host may write it fast, and reads slowly.
  mapped,          ///< By cudaHostAlloc with cudaHostAllocMapped: kernels may use it.
};

constexpr int kSizes = 9;                                        ///< Sizes of sweep(): 1 KiB, 4 KiB, ..., 64 MiB.
constexpr std::size_t kSmallest = 1024;                          ///< Bytes; each size is four times the one before.
constexpr std::size_t kLargest = kSmallest << (2 * kSizes - 2);  ///< 64 MiB.

/// Part 1: a copy of `b` bytes takes `latency_ns` + 1000 `b` / `bytes_per_us` nanoseconds. How many bytes must it have
/// to reach half of the rate of an endless copy?
/// @param latency_ns   0 to 20,000
/// @param bytes_per_us bytes in a microsecond, 1000 to 100,000
/// @returns bytes, rounded down
int predict_half_bytes(int latency_ns, int bytes_per_us);

/// Part 1: an array goes to the device in equal chunks, through pinned buffers. The host fills a buffer in `host_us`,
/// the device copies it in `copy_us`; both work at the same time, but on different buffers. A buffer is filled again
/// when its copy has ended. Nothing else takes time.
/// @param chunks  1 to 1000
/// @param host_us,copy_us microseconds for one chunk, 0 to 1000
/// @param buffers 1 to 8
/// @returns microseconds from the start of the first filling to the end of the last copy
int predict_ring_us(int chunks, int host_us, int copy_us, int buffers);

/// Part 2: allocates host memory of that kind, as said beside each. What is in it does not matter. You may assume that
/// std::malloc() succeeds.
/// @param bytes 1 to 64 MiB
void* allocate(Memory kind, std::size_t bytes);
/// Part 2: frees what allocate() returned, and undoes all that it did.
void release(Memory kind, void* memory);

/// Part 3: the rate of copies to the device. Allocates one buffer of kLargest bytes by allocate(), writes anything to
/// all of it, and for each of the kSizes sizes copies its first bytes to `device`, once, in the default stream, between
/// two events that are recorded for it. Destroys and frees all that it made.
/// @param device   device, room for kLargest bytes
/// @param gb_per_s host, kSizes numbers: bytes / nanoseconds between the two events, from the smallest to the largest
void sweep(Memory kind, void* device, float* gb_per_s);

/// Part 4: brings pieces of an array to the device, one behind the other without gaps, by one copy of just their bytes
/// from pinned memory. Returns when they are there.
/// @param host   host, pageable; only read
/// @param starts host: piece `i` begins at host[starts[i]]
/// @param counts host: elements of piece `i`, 0 or more
/// @param pieces 0 to 5000; without an element nothing is copied
/// @param device device, room for the elements of all pieces, up to 2^20
void upload_pieces(const float* host, const int* starts, const int* counts, int pieces, float* device);

constexpr int kRing = 1 << 20;  ///< Elements of the pinned memory of upload(): 4 MiB.

/// Part 5: brings `count` elements of pageable memory to the device, each once, by copies from a few pinned buffers, so
/// that the host fills one while another is copied. Returns when they are there. Pinning costs milliseconds: the memory
/// for the buffers was pinned once, for all uploads.
/// @param host   host, pageable; only read
/// @param device device, room for `count` elements
/// @param count  elements, 0 to 2^22
/// @param ring   host, pinned, kRing elements: divide it, or a part of it, into buffers as you like. What is
///               in it does not matter
void upload(const float* host, float* device, int count, float* ring);

/// Part 6: out[i] = table[index[i]], by a kernel that reads the elements from the host's memory itself: nothing is
/// copied. The function need not wait for it.
/// @param table host, mapped (what allocate() returns for Memory::mapped); only read
/// @param index device, `count` indices into the table; only read
/// @param out   device, `count` elements
/// @param count 0 to 2^16
void pick(const float* table, const int* index, float* out, int count);

/// @}
