// Copies and fills: what pointers refer to, what is allowed, the bytes themselves, and their place on the timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// What a pointer of the program refers to.
struct Place {
  std::byte* bytes = nullptr;              ///< In this process.
  const Allocation* allocation = nullptr;  ///< nullptr: ordinary host memory.
  /// Whether it is on the device's side of the bus.
  bool on_device() const;
  /// Whether it is the memory of a certain device.
  bool is_on_one_device() const;
};

/// Resolves [pointer, pointer + bytes). Nothing if it is null, unallocated device memory, or if it exceeds its
/// allocation.
/// @param planned includes memory that a graph will have allocated by then
std::optional<Place> locate(const Runtime& runtime, const void* pointer, std::uint64_t bytes, bool planned = false);

/// A box of bytes: rows of `width` bytes, `pitch` apart; slices of `slice_rows` rows.
struct Box {
  const void* base = nullptr;
  std::uint64_t pitch = 0;
  std::uint64_t slice_rows = 0;
};
struct BoxSize {
  std::uint64_t width = 0, height = 1, depth = 1;
  std::uint64_t bytes() const { return width * height * depth; }
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// Bytes from the first to the last byte of a box. kNowhere, which is more than any memory has, if that overflows, or
/// if rows or slices overlap.
std::uint64_t span_of(const Box& box, const BoxSize& size);
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

/// Copies as cudaMemcpy does. @param blocking the host waits for the copy if CUDA's synchronous calls do
cudaError_t copy(Runtime& runtime, const Stream& stream, const Box& to, const Box& from, const BoxSize& size,
                 cudaMemcpyKind kind, bool blocking);

/// A single row of @p bytes.
cudaError_t copy(Runtime& runtime, const Stream& stream, void* to, const void* from, std::uint64_t bytes,
                 cudaMemcpyKind kind, bool blocking);

/// Fills as cudaMemset does. @param element 1, 2 or 4 bytes of @p value are repeated; `size` is always in bytes
cudaError_t fill(Runtime& runtime, const Stream& stream, const Box& to, const BoxSize& size, std::uint32_t value,
                 unsigned element = 1);

// For graph nodes: the check when a node is created, and the immediate execution when it runs.
cudaError_t check_copy_node(Runtime& runtime, const Box& to, const Box& from, const BoxSize& size, cudaMemcpyKind kind);
cudaError_t check_fill_node(Runtime& runtime, const Box& to, const BoxSize& size);
cudaError_t copy_now(Runtime& runtime, const Stream& stream, const Box& to, const Box& from, const BoxSize& size,
                     cudaMemcpyKind kind);
cudaError_t fill_now(Runtime& runtime, const Stream& stream, const Box& to, const BoxSize& size, std::uint32_t value,
                     unsigned element);

}  // namespace warpbook::simulator::runtime
