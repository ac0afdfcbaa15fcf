// A running warp: registers, masks, and pointers to its block and host thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/fault.h"

namespace warpbook::simulator {

struct Block;
struct GlobalPattern;
struct SharedPattern;
struct WarpTaint;
struct Worker;

constexpr std::uint32_t kFullMask = 0xffffffffu;
constexpr unsigned kWarpSize = 32;

/// The number of lanes in @p mask. Without the instruction, std::popcount is a call, and most masks are full. Always
/// inlined, like everything in this file that is used in code for several instruction sets: the linker must not pick
/// one set's copy.
[[gnu::always_inline]] inline std::uint32_t lanes_in(std::uint32_t mask) {
  if (mask == kFullMask) return kWarpSize;
  mask = mask - ((mask >> 1) & 0x55555555u);
  mask = (mask & 0x33333333u) + ((mask >> 2) & 0x33333333u);
  return (((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

/// Why a handler returned nullptr.
enum class Stop : std::uint8_t { none, exit, barrier, yield, fault };

struct Warp {
  std::byte* registers = nullptr;  ///< The current frame's register block, 64-byte aligned.
  std::uint32_t exec = 0;          ///< Lanes that execute the current operation (active, and past its guard).
  std::uint32_t active = 0;        ///< Lanes of the current path.
  std::uint32_t live = 0;          ///< Lanes that have not exited.
  Stop stop = Stop::none;
  std::byte* local = nullptr;      ///< Local memory of lane 0 of this warp.
  std::uint64_t local_stride = 0;  ///< Bytes between the local memory of one lane and the next.
  std::uint32_t local_base = 0;    ///< Offset of the current frame in each lane's local memory.
  std::byte* shared = nullptr;     ///< The block's shared memory.
  std::uint32_t shared_bytes = 0;
  const std::byte* parameters = nullptr;
  SharedPattern* patterns = nullptr;         ///< By Operation::pattern: of accesses to shared memory,
  GlobalPattern* global_patterns = nullptr;  ///< and to global memory.
  Block* block = nullptr;
  Worker* worker = nullptr;
  const Program* program = nullptr;
  std::uint32_t index = 0;     ///< Number of the warp in its block.
  std::uint32_t carry = 0;     ///< CC.CF of each lane: what add.cc passes to addc.
  bool tainted = false;        ///< Some bits of its registers may be undefined.
  WarpTaint* taint = nullptr;  ///< Which ones; nullptr: not tracked.

  /// exec as 32 words of 0 or ~0, for masked vector code. Always inlined: files for different instruction sets
  /// include this, and the linker must not pick one set's copy for all.
  [[gnu::always_inline]] const std::uint32_t* exec_words() {
    if (expanded_ != exec) expand();
    return words_;
  }

 private:
  [[gnu::always_inline]] void expand() {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) words_[lane] = 0u - ((exec >> lane) & 1u);
    expanded_ = exec;
  }
  alignas(64) std::uint32_t words_[kWarpSize] = {};
  std::uint32_t expanded_ = 0;
};

/// Stops the warp with a fault at @p operation; returns nullptr for the handler to return. @p lane caused it.
const Operation* raise(Warp& warp, const Operation* operation, FaultKind kind, unsigned lane, std::uint64_t address,
                       std::uint32_t bytes, bool write, FaultText message);

}  // namespace warpbook::simulator
