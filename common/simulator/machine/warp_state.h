// Control flow of a warp's lanes: paths, joins and frames.
//
// A path is a set of lanes at one place in the program; a warp runs one path at a time. Where a branch splits the lanes
// of a path, a join records the lanes to wait for at the reconvergence point. A path that gets there is absorbed, and
// when the last expected lane has arrived (or exited), one path with all of them continues. Joins form a tree by
// `parent`. Paths that are not at a join are ready, or wait for a barrier or for lanes named in a *.sync instruction. A
// path that runs for long yields to the others, so that lanes make progress independently of each other. Calls use the
// same joins: the lanes that called reconverge after the call.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "common/simulator/machine/async_copies.h"
#include "common/simulator/machine/in_flight.h"
#include "common/simulator/machine/warp.h"

namespace warpbook::simulator {

struct BlockState;

/// Frees what std::aligned_alloc returned.
struct FreeAligned {
  void operator()(std::byte* memory) const { std::free(memory); }
};

/// Where each lane's part of a frame ends, in bytes of its local memory, once the function has used alloca.
using StackEnds = std::array<std::uint32_t, kWarpSize>;

/// The registers and the stack frame of one function call of some lanes.
struct Frame {
  const Function* function = nullptr;
  Frame* caller = nullptr;
  std::byte* registers = nullptr;
  std::unique_ptr<std::byte, FreeAligned> storage;  ///< Memory of `registers`; empty for a kernel's own frame.
  std::uint32_t local_base = 0;
  std::int32_t join = -1;  ///< Where the calling lanes reconverge; -1 in a kernel's own frame.
  const CallSite* site = nullptr;
  std::unique_ptr<StackEnds> ends;  ///< Empty in a function that has not used alloca.

  /// End of the variables that the function declares, where memory from alloca begins.
  std::uint32_t declared_end() const { return local_base + function->local_bytes; }
  /// Where a callee of @p lanes finds free memory, a multiple of 16 bytes.
  std::uint32_t end(std::uint32_t lanes) const;
};

struct Join {
  const Operation* at = nullptr;  ///< The entry of the reconvergence block, or the operation after a call.
  std::uint32_t expected = 0, arrived = 0;
  std::int32_t parent = -1;
  Frame* frame = nullptr;   ///< The frame in which the lanes continue.
  Frame* callee = nullptr;  ///< For calls: destroyed together with the join.
};

struct Path {
  const Operation* next = nullptr;
  std::uint32_t mask = 0;
  std::int32_t join = -1;
  Frame* frame = nullptr;
};

/// Numbers above those of a block's barriers: a path waits for an mbarrier, or for its cluster's barrier.
constexpr std::int32_t kWaitsForMbarrier = 16, kWaitsForCluster = 17;

/// A waiting path, and what it waits for.
struct Waiting {
  Path path;                  ///< next: the operation that waits; for block and cluster barriers the one after it
  std::int32_t barrier = -1;  ///< Number of the block barrier, one of the above, or -1 for lanes of the warp.
  std::uint32_t lanes = 0;    ///< Lanes that must arrive, for *.sync.
  std::uint32_t callers = 0;  ///< Those of the path that execute it; a guard keeps the others from it.
  const std::uint32_t* masks = nullptr;  ///< What each of them names; nullptr: all name `lanes`.
};

struct WarpState : Warp {
  BlockState* state = nullptr;
  std::int32_t join = -1;           ///< Of the current path; set it by set_join().
  const Operation* meet = nullptr;  ///< Where the current path reaches its join; nullptr if that is not in this frame.
  Frame* frame = nullptr;           ///< Of the current path.
  bool running = false;             ///< There is a current path (between turns it is kept in `ready`).
  std::vector<Path> ready;          ///< The next one to run is last.
  std::vector<Waiting> waiting;
  std::vector<Join> joins;
  std::vector<std::int32_t> free_joins;
  std::vector<std::unique_ptr<Frame>> frames;  ///< Pool of all call frames.
  std::vector<Frame*> free_frames;
  Frame root;
  std::uint64_t steps = 0;     ///< Operations executed in this block,
  std::uint64_t polls = 0;     ///< and those of them that only repeated a wait for other blocks: no work.
  std::uint64_t turn = 0;      ///< Steps after which a path yields to other paths of its warp and to other warps.
  std::uint64_t turn_end = 0;  ///< Step at which the current path yields.
  unsigned parts = 1;          ///< Number of paths with which it started.
  std::uint64_t no_other_path_since = 0;  ///< Step since which no other path could run.
  std::uint64_t patience = 0;             ///< Steps after which lanes at a join no longer wait for a spinning path.
  std::uint32_t arrived_at_cluster = 0;   ///< Lanes that have arrived at the cluster barrier since it last opened.
  std::uint32_t impatient = 0;            ///< Lanes whose wait for an mbarrier has reached the time limit.
  bool rests = false;                     ///< Does not run until the block wakes it (BlockState::run, hurried).
  bool synchronised = false;              ///< Set while a *.sync executes for lanes that arrived on several paths.
  // Large, and few kernels use them.
  AsyncCopies copies;
  BulkGroups bulk_groups;

  /// Starts with all of @p lanes at the kernel's first operation.
  void start(std::uint32_t lanes, const Operation* first);

  /// Directly after start(): @p lanes of them become a path of their own, as if a branch had split them for good.
  void part(std::uint32_t lanes);

  /// Splits the current path: @p taken go to @p target, the rest of `active` to @p next; they reconverge at @p
  /// reconvergence (or nullptr). Returns where the warp continues.
  const Operation* diverge(std::uint32_t taken, const Operation* target, const Operation* next,
                           const Operation* reconvergence);
  /// Lanes @p mask leave the current path and continue at @p next as a path of their own.
  void split_off(std::uint32_t mask, const Operation* next, std::int32_t to_join);
  /// The current path has reached its join. Returns where the warp continues, nullptr if nothing can run.
  const Operation* arrive();
  /// The lanes in exec have exited: no join waits for them any more.
  const Operation* leave(std::uint32_t mask, const Operation* next);
  /// The lanes in exec return from the current frame.
  const Operation* return_from(std::uint32_t mask, const Operation* next);
  /// The current path waits, and another one runs. Returns where the warp continues.
  const Operation* wait(Waiting reason);
  /// Ends the current path's turn, in favour of other paths and warps.
  const Operation* give_way(const Operation* next);
  /// Makes the next ready path current. Returns its operation; nullptr (with `stop`) if there is none.
  [[gnu::always_inline]] const Operation* resume() {
    if (ready.empty()) {
      stop = live == 0 ? Stop::exit : Stop::barrier;
      return nullptr;
    }
    // Read field by field, as it was written: copying the whole struct would have to wait for the fields to reach the
    // cache.
    const Path& path = ready.back();
    const Operation* const next = path.next;
    set_current(path);
    ready.pop_back();
    turn_end = steps + turn;
    return next;
  }
  /// The current path waits for what @p barrier names, and then continues at @p next. Returns where the warp continues.
  const Operation* wait_for(std::int32_t barrier, const Operation* next);
  /// Paths that wait for what @p barrier names become ready. @returns their lanes
  std::uint32_t release(std::int32_t barrier);
  /// Paths that wait for lanes of this warp and need not wait any longer become ready.
  void release_synchronised();
  /// Enters @p function: the active lanes continue there and reconverge at @p back.
  const Operation* enter(const Function& function, const CallSite* site, const Operation* back);
  /// Releases lanes that wait at a join for a path that spins: the last resort for forward progress.
  bool break_join();

  std::int32_t new_join(const Join& value);
  [[gnu::always_inline]] void set_join(std::int32_t index) {
    join = index;
    const bool here = index >= 0 && joins[static_cast<std::size_t>(index)].frame == frame;
    meet = here ? joins[static_cast<std::size_t>(index)].at : nullptr;
  }

 private:
  /// Of the paths that wait for lanes, those whose lanes have all found each other, as bits.
  std::uint32_t synchronised_paths() const;
  void run_together(std::vector<Waiting>& released);
  Frame* push_frame(const Function& function, const CallSite* site, Frame* caller);
  [[gnu::always_inline]] void set_current(const Path& path) {
    active = exec = path.mask;
    if (frame != path.frame) {
      frame = path.frame;
      registers = frame->registers;
      local_base = frame->local_base;
    }
    set_join(path.join);
    running = true;
  }
  bool at_join(std::int32_t index, const Operation* place) const;
  void end_join(std::int32_t index);
  /// Removes @p mask from the lanes expected at join @p from and its parents up to @p until; completed joins release a
  /// path.
  void forget(std::int32_t from, std::uint32_t mask, std::int32_t until);
  void complete(std::int32_t index);
};

/// Fills the preset registers of a frame of @p function in @p registers.
void fill_presets(WarpState& warp, const Function& function, std::byte* registers, std::uint32_t local_base);
/// Those of a kernel's presets that differ from block to block (%ctaid, %smid).
std::vector<Preset> block_presets(const Function& kernel);
/// Fills them in for the next block; they are the same for all of its warps.
void fill_block_presets(const std::vector<Preset>& presets, const std::vector<std::unique_ptr<WarpState>>& warps);

}  // namespace warpbook::simulator
