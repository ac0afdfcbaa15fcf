// Notices that a block goes round in circles: its warps come back to a state that they were in before, and nothing that
// could change their way has changed since.
//
// A block that waits for another one (grid.sync(), a flag in global memory) reads the same word over and over. Until
// another block writes that word, running it further is a waste; if no block writes anything any more, the grid waits
// for ever. The state is everything that the next step depends on: paths, joins, barriers and registers of all warps.
// Memory and clocks are not in it, so a sweep in which a block stored something or read a clock starts the watch anew.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/machine/worker.h"

namespace warpbook::simulator {

struct BlockState;
struct WarpState;

class SpinWatch {
 public:
  /// For blocks of @p program. Call once per launch.
  void prepare(const Program& program);
  /// @p worker goes on with the block: memory may have changed since its last sweep.
  void start(const Worker& worker);
  /// A sweep over the warps begins.
  void sweep(const Worker& worker);
  /// It has ended; the warps at places @p ran of @p block ran in it.
  /// @returns true if the block's state repeats. Then the rounds that it has made since the sweep before it began to
  /// are counted as one: they were waiting, not work
  bool repeats(BlockState& block, const std::vector<std::uint32_t>& ran);
  /// Something has changed since start().
  bool changed() const { return changes_ != at_start_; }

 private:
  /// What is counted while a block runs.
  struct Counts {
    std::vector<Worker::BlockCount> blocks;
    std::vector<std::uint64_t> guards;
    std::vector<MemoryCounters> memory;
    std::vector<BranchCounters> branches;
    std::uint64_t barriers = 0;
  };
  std::uint64_t changes(const Worker& worker) const;
  void set_anchor(const Worker& worker);
  static void keep(Counts& counts, const Worker& worker);
  void count_one_round(Worker& worker) const;

  std::vector<std::uint32_t> changing_;  ///< Basic blocks with an operation that stores, prints or reads a clock.
  bool watching_ = false, first_ = true;
  std::uint64_t changes_ = 0, at_start_ = 0;
  std::uint64_t sweeps_ = 0, next_anchor_ = 0;
  std::uint64_t paths_ = 0, anchor_paths_ = 0;        ///< Hashes of paths, joins and barriers.
  std::vector<std::uint64_t> registers_, at_anchor_;  ///< Hashes of the registers of each warp.
  Counts begin_;                                      ///< When the present sweep began.
  Counts before_;                                     ///< When the last sweep that changed something began.
  Counts counts_;                                     ///< At the anchor.
};

}  // namespace warpbook::simulator
