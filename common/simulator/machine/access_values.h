// What an access that races is about to store or read, and values in words.
#pragma once

#include <cstdint>
#include <string>

#include "common/simulator/kernel/operation.h"
#include "common/simulator/machine/warp.h"

namespace warpbook::simulator {

/// The lanes of an access before it is made: asked only when it races.
struct AccessValues {
  static constexpr unsigned kMostBytes = 64;

  const Warp& warp;
  const Operation* op;
  std::uint32_t bytes;  ///< Of each lane.
  std::uint32_t lanes;
  const std::uint64_t* address;      ///< Of 32 lanes.
  const std::byte* const* memory;    ///< Where the bytes at these addresses are.
  bool stores_its_registers = true;  ///< Each lane stores what is in its own registers.

  /// Whether a lane stores what is there, or what another thread of its block stores by the same instruction (~0: no
  /// thread of this block).
  static bool is_same(const void* context, unsigned lane, std::uint32_t thread);
  /// The bytes that @p lane stores. @returns false if they are not in its registers
  bool stored(unsigned lane, std::byte* out) const;
};

/// The bytes at @p from, whatever the rights of its pages are. @returns false if they cannot be had
bool read_any_page(const std::byte* from, std::uint32_t bytes, std::byte* out);

/// "7 (0x00000007)", "-1 or 4294967295 (0xffffffff)", "1.5 (0x3fc00000)", "{1, 2}" of elements of a type.
/// @param bytes all of them; if they are no whole elements of the type: "the bytes 01 02"
std::string value_text(const std::byte* value, std::uint32_t bytes, ptx::Type type);

}  // namespace warpbook::simulator
