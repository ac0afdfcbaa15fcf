// The values that a racing access is about to store or read, and values as text.
#pragma once

#include <cstdint>
#include <string>

#include "common/simulator/kernel/operation.h"
#include "common/simulator/machine/warp.h"

namespace warpbook::simulator {

/// The lanes of an access before it executes; used only if it races.
struct AccessValues {
  static constexpr unsigned kMostBytes = 64;

  const Warp& warp;
  const Operation* op;
  std::uint32_t bytes;  ///< Per lane.
  std::uint32_t lanes;
  const std::uint64_t* address;      ///< One for each of 32 lanes.
  const std::byte* const* memory;    ///< Host pointers to the bytes at these addresses.
  bool stores_its_registers = true;  ///< Each lane stores its own registers.

  /// Whether a lane stores the value that is already there, or the value that another thread of its block stores by the
  /// same instruction (~0: not a thread of this block).
  static bool is_same(const void* context, unsigned lane, std::uint32_t thread);
  /// The bytes that @p lane stores. @returns false if they do not come from its registers
  bool stored(unsigned lane, std::byte* out) const;
};

/// The bytes at @p from, whatever the access rights of its pages. @returns false if they cannot be read
bool read_any_page(const std::byte* from, std::uint32_t bytes, std::byte* out);

/// "7 (0x00000007)", "-1 or 4294967295 (0xffffffff)", "1.5 (0x3fc00000)", "{1, 2}" for elements of a type.
/// @param bytes the total size; if it is not a multiple of the type's size: "the bytes 01 02"
std::string value_text(const std::byte* value, std::uint32_t bytes, ptx::Type type);

}  // namespace warpbook::simulator
