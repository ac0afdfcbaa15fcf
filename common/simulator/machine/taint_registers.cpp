// Shadows of registers: which bits of a slot's lanes are undefined.
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/simulator/machine/taint.h"

namespace warpbook::simulator::taint {
namespace {

std::size_t bytes_of(std::uint8_t size) { return size == 8 ? 256 : 128; }

/// Whether no lane has an undefined bit, whatever the shadow says: a slot's origin is 0 until one has. Predicates'
/// shadows are short and always hold.
bool is_clear(const Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size) {
  return size != TaintRule::kPredicate && origin(warp, rule, slot) == 0;
}

/// The lanes of a slot, or of its shadow.
void copy_lanes(const std::byte* at, std::uint8_t size, std::uint64_t* out) {
  if (size == TaintRule::kPredicate) {
    const std::uint32_t mask = *reinterpret_cast<const std::uint32_t*>(at);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) out[lane] = (mask >> lane) & 1;
  } else if (size == 8) {
    std::memcpy(out, at, kWarpSize * sizeof *out);
  } else {
    const auto mask = static_cast<std::uint32_t>(mask_of(size));
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      out[lane] = reinterpret_cast<const std::uint32_t*>(at)[lane] & mask;
  }
}

}  // namespace

bool any(const Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size) {
  if (slot == kNoOperand) return false;
  const std::byte* const shadow = warp.registers + rule.shadow + slot;
  if (size == TaintRule::kPredicate) return *reinterpret_cast<const std::uint32_t*>(shadow) != 0;
  if (is_clear(warp, rule, slot, size)) return false;
  const auto* words = reinterpret_cast<const std::uint64_t*>(shadow);
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < bytes_of(size) / sizeof all; ++k) all |= words[k];
  return all != 0;
}

void read(const Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size, std::uint64_t* out) {
  if (slot == kNoOperand || size == 0 || is_clear(warp, rule, slot, size)) {
    std::fill_n(out, kWarpSize, 0);
    return;
  }
  copy_lanes(warp.registers + rule.shadow + slot, size, out);
}

void read_values(const Warp& warp, std::uint32_t slot, std::uint8_t size, std::uint64_t* out) {
  if (slot == kNoOperand || size == 0) {
    std::fill_n(out, kWarpSize, 0);
    return;
  }
  copy_lanes(warp.registers + slot, size, out);
}

void write(Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size, const std::uint64_t* undefined,
           std::uint32_t from) {
  if (slot == kNoOperand || size == 0) return;
  std::byte* const shadow = warp.registers + rule.shadow + slot;
  // What is there may belong to another register that has used the slot.
  if (is_clear(warp, rule, slot, size)) std::memset(shadow, 0, bytes_of(size));
  std::uint64_t some = 0;
  std::uint32_t* const predicate = reinterpret_cast<std::uint32_t*>(shadow);
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    some |= undefined[lane];
    if (size == TaintRule::kPredicate)
      *predicate = (*predicate & ~(1u << lane)) | (undefined[lane] != 0 ? 1u << lane : 0u);
    else if (size == 8)
      reinterpret_cast<std::uint64_t*>(shadow)[lane] = undefined[lane];
    else
      reinterpret_cast<std::uint32_t*>(shadow)[lane] = static_cast<std::uint32_t>(undefined[lane] & mask_of(size));
  }
  if (some != 0) origin(warp, rule, slot) = from != 0 ? from : TaintOrigin::kRegister;
}

void define(Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size) {
  if (slot == kNoOperand || size == 0) return;
  if (size == TaintRule::kPredicate) {
    predicate_shadow(warp, rule, slot) &= ~warp.exec;
    return;
  }
  if (warp.exec == kFullMask || !any(warp, rule, slot, size)) {
    origin(warp, rule, slot) = 0;
    return;
  }
  std::byte* const shadow = warp.registers + rule.shadow + slot;
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (size == 8)
      reinterpret_cast<std::uint64_t*>(shadow)[lane] = 0;
    else
      reinterpret_cast<std::uint32_t*>(shadow)[lane] = 0;
  }
}

void define_outputs(Warp& warp, const Operation* op, const TaintRule& rule) {
  if (rule.list && op->d != kNoOperand && rule.outputs[0] != 0) {
    for (unsigned k = 0; k < op->count; ++k) define(warp, rule, warp.program->lists[op->d + k], rule.outputs[0]);
  } else {
    define(warp, rule, op->d, rule.outputs[0]);
  }
  define(warp, rule, op->e, rule.outputs[1]);
}

void clear_shadow(const Frame& frame) {
  const std::uint32_t bytes = frame.function->register_bytes;
  std::memset(frame.registers + shadow_offset(bytes), 0, tainted_frame_bytes(bytes) - shadow_offset(bytes));
}

void undefine_unwritten(const Frame& frame) {
  const Function& function = *frame.function;
  auto* const origins = reinterpret_cast<std::uint32_t*>(frame.registers + origins_offset(function.register_bytes));
  for (const Function::Slot& slot : function.cleared) {
    std::memset(frame.registers + shadow_offset(function.register_bytes) + slot.offset, 0xff, slot.bytes);
    origins[slot.offset / 64] = TaintOrigin::kRegister;
  }
}

}  // namespace warpbook::simulator::taint
