// The clocks of one block's threads, and what each thread knows about others.
//
// If threads synchronise only by barriers of the whole block, one clock serves all of them. Otherwise (`fine`) each
// thread has its own clock, what it knows about its block and the lanes of its warp, and a map of what else it knows.
//
// The rules are those of the PTX memory model ("Memory Consistency Model"): barriers order their participants; a fence
// before a strong write, and a fence after a strong read of that write, order the accesses around them, within the
// scope that all four share; shuffles and votes order nothing. A barrier after the read counts as its fence: the
// programming guide itself uses this form ("Memory Fence Functions").
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/observe/epoch.h"
#include "common/simulator/observe/knowledge.h"

namespace warpbook::simulator {

struct BlockClocks {
  static constexpr unsigned kLanes = 32;

  struct Thread {
    std::uint32_t clock = 1;
    std::uint32_t known_block = 0;  ///< Clock up to which all threads of the block are known.
    Knowledge::Map known = 0;       ///< Other blocks, and what is known beyond known_block.
    /// What strong reads have acquired, from within the block and from beyond it. It becomes known at the next fence of
    /// at least that scope.
    Knowledge::Map pending_block = 0, pending = 0;
    /// What was known at the last fence of block scope, of wider scope, and of system scope.
    Knowledge::Map fenced_block = 0, fenced = 0, fenced_system = 0;
    std::uint16_t lanes[kLanes] = {};  ///< Clock up to which the lanes of the warp are known.
  };

  std::uint32_t serial = 0;
  std::uint32_t clock = 1;  ///< Of all threads, unless fine.
  bool fine = false;
  bool in_cluster = false;      ///< Other blocks may access its shared memory.
  std::vector<Thread> threads;  ///< Used if fine.

  void start(std::uint32_t new_serial, std::uint32_t count, bool is_fine, Knowledge::Map known);

  std::uint32_t clock_of(std::uint32_t thread) const { return fine ? threads[thread].clock : clock; }
  std::uint32_t known_block_of(std::uint32_t thread) const { return fine ? threads[thread].known_block : clock - 1; }

  /// All threads of the block synchronise.
  void meet_all(Knowledge& knowledge);
  /// Some threads synchronise: @p lanes of each warp.
  struct Lanes {
    std::uint32_t warp = 0, mask = 0;
  };
  /// @param arrived what threads have published that have arrived but do not wait
  void meet(Knowledge& knowledge, const std::vector<Lanes>& lanes, Knowledge::Map arrived);
  void meet_in_warp(Knowledge& knowledge, std::uint32_t warp, std::uint32_t mask);
  /// Lanes exchange values: each learns what the others know, because its value may depend on it (cooperative groups
  /// rely on that). Their own accesses are not ordered by this.
  void tell(Knowledge& knowledge, std::uint32_t warp, std::uint32_t mask);
  /// A fence. @param wide beyond block scope @param system at system scope
  void fence(Knowledge& knowledge, std::uint32_t thread, bool wide, bool system = false);
  /// Everything that the thread knows, including itself. Then its clock advances: what it does next is not part of
  /// that.
  Knowledge::Map publish(Knowledge& knowledge, std::uint32_t thread);
  void learn(Knowledge& knowledge, std::uint32_t thread, Knowledge::Map map);
};

}  // namespace warpbook::simulator
