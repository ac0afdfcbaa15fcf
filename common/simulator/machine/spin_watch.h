// Detects that a block is spinning: its warps return to a state that they were in before, and nothing that could change
// their path has changed since.
//
// A block that waits for another one (grid.sync(), a flag in global memory) reads the same word over and over. Until
// another block writes that word, running it further is a waste; if no block writes anything any more, the grid waits
// forever. The state is everything that the next step depends on: paths, joins, barriers and registers of all warps.
// Memory and clocks are not part of it, so a sweep in which a block stored something or read a clock restarts the
// watch.
//
// While a state repeats, only basic blocks on cycles that change nothing can be executed. A kernel without such a cycle
// is not watched at all, and for the others only what is counted in these blocks is saved from sweep to sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/machine/worker.h"

namespace warpbook::simulator {

struct BlockState;
struct WarpState;

class SpinWatch {
 public:
  /// For blocks that run @p kernel of @p program on @p worker. Call once per launch, when the worker is prepared for
  /// it.
  void prepare(const Program& program, const Function& kernel, Worker& worker);
  /// @p block starts or continues for @p left steps: memory may have changed since its last sweep.
  void start(const BlockState& block, std::uint64_t left);
  /// A further sweep over the warps of @p block begins, which continues for @p left steps. A sweep takes a step at
  /// least: where fewer are left than a watch needs to begin, nothing is kept for it.
  void sweep(const BlockState& block, std::uint64_t left) {
    if (!can_circle() || watching_ || takes_turns()) return;
    is_begin_kept_ = left > 1;
    if (is_begin_kept_) keep(block, begin_);
  }
  /// The sweep has ended; the warps at positions @p ran of @p block ran in it.
  /// @returns true if the block's state repeats. The rounds since the sweep before the repetition began are then
  /// counted as one: they were waiting, not work
  bool repeats(const BlockState& block, const std::vector<std::uint32_t>& ran) {
    return can_circle() && compare(block, ran);
  }
  /// Whether something has changed since start().
  bool changed() const { return changes_ != at_start_; }

 private:
  /// Values of the counters in `counted_`, then the steps of each warp.
  using Counts = std::vector<std::uint64_t>;
  /// There is a cycle that changes nothing. Most kernels have none, and are not watched.
  bool can_circle() const { return circling_ != 0; }
  /// Warps take turns of a few operations. Counts are those of that schedule anyway, so they are kept once half of the
  /// quiet sweeps are over, not before each sweep.
  bool takes_turns() const { return quiet_sweeps_ > 1; }
  bool compare(const BlockState& block, const std::vector<std::uint32_t>& ran);
  std::uint64_t changes() const;
  bool is_at_anchor(const BlockState& block);
  void set_anchor(const BlockState& block);
  void keep(const BlockState& block, Counts& counts) const;
  void count_one_round(const BlockState& block) const;

  std::vector<const std::uint64_t*> changing_;  ///< Execution counts of the basic blocks that store, print or read a
                                                ///< clock.
  /// All counters in basic blocks on cycles that change nothing; first the execution counts of these blocks.
  std::vector<std::uint64_t*> counted_;
  std::size_t circling_ = 0;            ///< Number of these blocks,
  std::vector<std::uint64_t> lengths_;  ///< and operations of each.
  bool watching_ = false, first_ = true;
  bool is_begin_kept_ = false, is_before_kept_ = false;  ///< begin_ and before_ are.
  std::uint64_t quiet_sweeps_ = 1;                       ///< Sweeps without a change after which the watch begins.
  std::uint64_t changes_ = 0, at_start_ = 0;
  std::uint64_t sweeps_ = 0, next_anchor_ = 0;        ///< Before the watch begins, sweeps_ are those without a change.
  std::uint64_t paths_ = 0, anchor_paths_ = 0;        ///< Hashes of paths, joins and barriers.
  std::vector<std::uint64_t> registers_, at_anchor_;  ///< Hashes of the registers of each warp.
  std::vector<bool> stale_;                           ///< Warps that have run since their registers were hashed.
  Counts begin_;                                      ///< When the current sweep began.
  Counts before_;  ///< When the last sweep that changed something began; if warps take turns, a sweep after it.
  Counts counts_;  ///< At the anchor.
};

}  // namespace warpbook::simulator
