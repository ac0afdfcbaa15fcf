// The clocks of one block's threads, and what each of them knows of others.
//
// Where threads meet at barriers of the whole block only, one clock serves all of them. Otherwise (`fine`) each thread
// has its own, what it knows of its block and of the lanes of its warp, and a map of what else it knows.
//
// The rules are those of the PTX memory model ("Memory Consistency Model"): barriers order their participants;
// a fence before a strong write and a fence behind a strong read of it order what lies around them, within the scope
// that all four have; shuffles and votes order nothing. A barrier behind the read serves as its fence: the form that
// the programming guide itself uses ("Memory Fence Functions").
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
    std::uint32_t known_block = 0;  ///< All threads of the block are known up to here.
    Knowledge::Map known = 0;       ///< Of other blocks, and what is more than known_block.
    /// What strong reads have brought, from within the block and from beyond it: known behind the next fence of that
    /// scope or a wider one.
    Knowledge::Map pending_block = 0, pending = 0;
    Knowledge::Map fenced_block = 0, fenced = 0;  ///< What was known at the last fence, of block and wider scope.
    std::uint16_t lanes[kLanes] = {};             ///< The lanes of the warp are known up to here.
  };

  std::uint32_t serial = 0;
  std::uint32_t clock = 1;  ///< Of all threads, unless fine.
  bool fine = false;
  bool in_cluster = false;      ///< Other blocks may access its shared memory.
  std::vector<Thread> threads;  ///< Where fine.

  void start(std::uint32_t new_serial, std::uint32_t count, bool is_fine, Knowledge::Map known);

  std::uint32_t clock_of(std::uint32_t thread) const { return fine ? threads[thread].clock : clock; }
  std::uint32_t known_block_of(std::uint32_t thread) const { return fine ? threads[thread].known_block : clock - 1; }

  /// All threads of the block meet.
  void meet_all(Knowledge& knowledge);
  /// Some threads meet: @p lanes of each warp.
  struct Lanes {
    std::uint32_t warp = 0, mask = 0;
  };
  /// @param arrived what those have published who have arrived and do not wait
  void meet(Knowledge& knowledge, const std::vector<Lanes>& lanes, Knowledge::Map arrived);
  void meet_in_warp(Knowledge& knowledge, std::uint32_t warp, std::uint32_t mask);
  /// Lanes exchange values: each knows what the others have learned, as its value may tell of it (cooperative groups
  /// rely on that). What they did themselves is not put in order.
  void tell(Knowledge& knowledge, std::uint32_t warp, std::uint32_t mask);
  /// A fence. @param wide of more than the block
  void fence(Knowledge& knowledge, std::uint32_t thread, bool wide);
  /// All that the thread knows, itself included. Its clock moves on: what it does next is not part of that.
  Knowledge::Map publish(Knowledge& knowledge, std::uint32_t thread);
  void learn(Knowledge& knowledge, std::uint32_t thread, Knowledge::Map map);
};

}  // namespace warpbook::simulator
