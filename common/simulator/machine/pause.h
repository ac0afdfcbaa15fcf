// A grid that can do nothing but look at memory until somebody outside of it writes there.
//
// The grid asks Launch::wait, which returns when it is worth another look. A look that finds nothing new leaves no
// trace: what was counted in it is taken back, so that counters do not depend on how often somebody looked.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/simulator/machine/block_state.h"

namespace warpbook::simulator {

class Pause {
 public:
  using Blocks = std::vector<std::unique_ptr<BlockState>>;

  /// All blocks wait. Since the last call of changed(), nothing has happened.
  /// @returns the answer of whoever runs the grid; then the grid may go on if that is WaitAnswer::look
  WaitAnswer wait(Worker& worker, const Blocks& resident);
  /// The grid's blocks have run, and some have used up their turns for so long that they may be waiting in a way that
  /// nobody notices: by atomic operations, or with an eye on a clock.
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
