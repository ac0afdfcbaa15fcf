// A copy to be sent to the device, with the bytes of the program's own memory.
#pragma once

#include <cstdint>

#include "common/simulator/remote/calls.h"

namespace warpbook::simulator::remote {

/// One side of a copy: rows `pitch` bytes apart, slices of `slice_rows` rows.
struct CopySide {
  const void* base = nullptr;
  std::uint64_t pitch = 0;
  std::uint64_t slice_rows = 1;
  std::uint64_t array = 0;            ///< An array's handle; 0: memory.
  std::uint64_t x = 0, y = 0, z = 0;  ///< In the array.
};

struct CopyMessage {
  CopyKind kind{};
  CopySide to, from;
  std::uint64_t width = 0, height = 1, depth = 1;
  std::int32_t direction = 0;  ///< cudaMemcpyKind
  const void* stream = nullptr;
  std::int32_t to_device = 0, from_device = 0;  ///< peer
  std::uint64_t offset = 0;                     ///< In the symbol; the symbol is the side's base.
  bool blocking = true;                         ///< For a copy with arrays.
};

/// @returns an error of the API that the kind belongs to
std::uint64_t copy(const CopyMessage& message);

}  // namespace warpbook::simulator::remote
