// A grid that can only poll memory until something outside it writes there.
//
// The grid calls Launch::wait, which returns when polling again makes sense. A poll that finds nothing new leaves no
// trace: its counts are undone, so that counters do not depend on how often the grid polled.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/simulator/machine/block_state.h"

namespace warpbook::simulator {

class Pause {
 public:
  using Blocks = std::vector<std::unique_ptr<BlockState>>;

  /// All blocks wait, and nothing has happened since the last call of changed().
  /// @returns the answer of whoever runs the grid; the grid may continue if it is WaitAnswer::look
  WaitAnswer wait(Worker& worker, const Blocks& resident);
  /// The grid's blocks have run, and some have used up their turns for so long that they may be waiting in a way that
  /// cannot be detected: by atomic operations, or by reading a clock.
  WaitAnswer give_way(Worker& worker);
  /// Something has happened in the grid.
  void changed() { kept_ = false; }

 private:
  WaitAnswer ask(Worker& worker, bool waiting);
  void keep(const Worker& worker, const Blocks& resident);
  void take_back(Worker& worker, const Blocks& resident) const;

  bool kept_ = false;
  Counters counters_;
  std::vector<Worker::BlockCount> block_counts_;
  std::vector<std::uint64_t> guard_counts_;
  std::uint64_t steps_ = 0;
  std::vector<BlockState::Tally> tallies_;
};

}  // namespace warpbook::simulator
