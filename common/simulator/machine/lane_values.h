// Values of single lanes, for handlers that work lane by lane.
#pragma once

#include <bit>
#include <cstdint>

#include "common/simulator/machine/global_pattern.h"
#include "common/simulator/machine/warp.h"

namespace warpbook::simulator {

inline std::uint32_t& word_of(const Warp& warp, std::uint32_t slot, unsigned lane) {
  return reinterpret_cast<std::uint32_t*>(warp.registers + slot)[lane];
}
inline std::uint64_t& wide_of(const Warp& warp, std::uint32_t slot, unsigned lane) {
  return reinterpret_cast<std::uint64_t*>(warp.registers + slot)[lane];
}
inline std::uint32_t& mask_of(const Warp& warp, std::uint32_t slot) {
  return *reinterpret_cast<std::uint32_t*>(warp.registers + slot);
}

/// The pattern of an access to global memory at a linear address; nullptr for others.
inline const GlobalPattern* global_pattern_of(const Warp& warp, const Operation* op) {
  return op->pattern != kNoOperand && op->space == ptx::Space::global ? &warp.global_patterns[op->pattern] : nullptr;
}
/// What is added to the address register of a load or store: its displacement, and the block's part of a linear
/// address.
inline std::uint64_t added_to_address(const Warp& warp, const Operation* op) {
  const GlobalPattern* const pattern = global_pattern_of(warp, op);
  return static_cast<std::uint64_t>(op->immediate) + (pattern == nullptr ? 0 : pattern->origin->here);
}

/// The base address of an operation, without its displacement.
inline std::uint64_t bare_address(const Warp& warp, const Operation* op, unsigned lane) {
  return op->flags.has_narrow_address() ? word_of(warp, op->a, lane) : wide_of(warp, op->a, lane);
}

/// The address of an operation, including its displacement.
inline std::uint64_t lane_address(const Warp& warp, const Operation* op, unsigned lane) {
  if (op->flags.has_narrow_address())
    return static_cast<std::uint32_t>(word_of(warp, op->a, lane) + static_cast<std::uint32_t>(op->immediate));
  return wide_of(warp, op->a, lane) + static_cast<std::uint64_t>(op->immediate);
}

/// Calls f(lane) for each executing lane, in order, until it returns false. @returns false if it did
template <class F>
bool for_lanes(std::uint32_t lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1)
    if (!f(static_cast<unsigned>(std::countr_zero(lanes)))) return false;
  return true;
}

}  // namespace warpbook::simulator
