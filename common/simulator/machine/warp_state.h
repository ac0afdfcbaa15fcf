// How the lanes of a warp move: paths, joins and frames.
//
// A path is a set of lanes at one place in the program; a warp runs one path at a time. Where a branch splits the lanes
// of a path, a join remembers the lanes to wait for at the reconvergence point; a path that gets there is absorbed, and
// when the last expected lane has come (or exited), one path with all of them goes on. Joins form a tree by `parent`.
// Paths that are not at a join are ready, or wait for a barrier or for lanes named in a *.sync instruction. A path that
// runs for long gives way to the others, so that lanes make progress independently of each other. Calls use the same
// joins: the lanes that called meet again behind the call.
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

/// Where each lane's part of a frame ends, in bytes of its local memory, once the function took memory by alloca.
using StackEnds = std::array<std::uint32_t, kWarpSize>;

/// The registers and the piece of the stack of one function call of some lanes.
struct Frame {
  const Function* function = nullptr;
  Frame* caller = nullptr;
  std::byte* registers = nullptr;
  std::unique_ptr<std::byte, FreeAligned> storage;  ///< Of `registers`; empty for a kernel's own frame.
  std::uint32_t local_base = 0;
  std::int32_t join = -1;  ///< Where those who called meet again; -1 in a kernel's own frame.
  const CallSite* site = nullptr;
  std::unique_ptr<StackEnds> ends;  ///< Empty in a function that took nothing by alloca.

  /// Where the variables that the function declares end, and what alloca takes begins.
  std::uint32_t declared_end() const { return local_base + function->local_bytes; }
  /// Where a callee of @p lanes finds free memory, a multiple of 16 bytes.
  std::uint32_t end(std::uint32_t lanes) const;
};

struct Join {
  const Operation* at = nullptr;  ///< The entry of the reconvergence block, or what follows a call.
  std::uint32_t expected = 0, arrived = 0;
  std::int32_t parent = -1;
  Frame* frame = nullptr;   ///< In which the lanes go on.
  Frame* callee = nullptr;  ///< For calls: ends with the join.
};

struct Path {
  const Operation* next = nullptr;
  std::uint32_t mask = 0;
  std::int32_t join = -1;
  Frame* frame = nullptr;
};

/// Numbers behind those of a block's barriers: a path waits for an mbarrier, or for its cluster's barrier.
constexpr std::int32_t kWaitsForMbarrier = 16, kWaitsForCluster = 17;

/// A path that waits, and for what.
struct Waiting {
  Path path;                  ///< next: the operation that waits; of barriers of blocks and clusters the one behind it
  std::int32_t barrier = -1;  ///< Number of the block barrier, one of the above, or -1 for lanes of the warp.
  std::uint32_t lanes = 0;    ///< Lanes that must come, for *.sync.
};

struct WarpState : Warp {
  BlockState* state = nullptr;
  std::int32_t join = -1;           ///< Of the current path; change it by set_join().
  const Operation* meet = nullptr;  ///< Where the current path reaches its join; nullptr if not in this frame.
  Frame* frame = nullptr;           ///< Of the current path.
  bool running = false;             ///< There is a current path (between turns it is kept in `ready`).
  std::vector<Path> ready;          ///< Next to run is last.
  std::vector<Waiting> waiting;
  std::vector<Join> joins;
  std::vector<std::int32_t> free_joins;
  std::vector<std::unique_ptr<Frame>> frames;  ///< Pool of frames of calls, all of them.
  std::vector<Frame*> free_frames;
  Frame root;
  std::uint64_t steps = 0;     ///< Operations executed in this block.
  std::uint64_t turn = 0;      ///< Steps after which a path gives way to others of its warp and to other warps.
  std::uint64_t turn_end = 0;  ///< Steps at which the current path gives way.
  unsigned parts = 1;          ///< Paths with which it started.
  std::uint64_t no_other_path_since = 0;  ///< Steps at which no other path could run than those.
  std::uint64_t patience = 0;             ///< Steps after which lanes at a join need not wait for a spinning path.
  std::uint32_t arrived_at_cluster = 0;   ///< Lanes that have arrived at the cluster's barrier since it last opened.
  std::uint32_t impatient = 0;            ///< Lanes whose wait for an mbarrier has taken as long as one may take.
  bool rests = false;                     ///< Runs no further until the block wakes it (BlockState::run, hurried).
  bool synchronised = false;              ///< Set while a *.sync runs for lanes that came on several paths.
  // Large, and few kernels use them.
  AsyncCopies copies;
  BulkGroups bulk_groups;

  /// Starts with all of @p lanes at the kernel's first operation.
  void start(std::uint32_t lanes, const Operation* first);

  /// Directly after start(): @p lanes of them go a way of their own, as if a branch had split them for good.
  void part(std::uint32_t lanes);

  /// Splits the current path: @p taken go to @p target, the rest of `active` to @p next; they meet at
  /// @p reconvergence (or nullptr). Returns where the warp goes on.
  const Operation* diverge(std::uint32_t taken, const Operation* target, const Operation* next,
                           const Operation* reconvergence);
  /// Lanes @p mask of the current path, which gets smaller, go on at @p next as a path of their own.
  void split_off(std::uint32_t mask, const Operation* next, std::int32_t to_join);
  /// The current path is where its join is. Returns where the warp goes on, nullptr if nothing can run.
  const Operation* arrive();
  /// The lanes in exec have ended (an exit): they are expected nowhere any more.
  const Operation* leave(std::uint32_t mask, const Operation* next);
  /// The lanes in exec return from the current frame.
  const Operation* return_from(std::uint32_t mask, const Operation* next);
  /// The current path waits; another one runs. Returns where the warp goes on.
  const Operation* wait(Waiting reason);
  /// Ends the current path's turn, in favour of other paths and warps.
  const Operation* give_way(const Operation* next);
  /// Makes the next ready path current. Returns its operation, nullptr (with `stop`) if there is none.
  [[gnu::always_inline]] const Operation* resume() {
    if (ready.empty()) {
      stop = live == 0 ? Stop::exit : Stop::barrier;
      return nullptr;
    }
    // Taken field by field, as it was written: a copy of the whole would have to wait for the fields to reach the
    // cache.
    const Path& path = ready.back();
    const Operation* const next = path.next;
    set_current(path);
    ready.pop_back();
    turn_end = steps + turn;
    return next;
  }
  /// The current path waits for something that @p barrier names, and goes on at @p next. Returns where the warp goes
  /// on.
  const Operation* wait_for(std::int32_t barrier, const Operation* next);
  /// Paths that wait for what @p barrier names become ready. @returns their lanes
  std::uint32_t release(std::int32_t barrier);
  /// Paths that wait for lanes of this warp and need wait no longer become ready.
  void release_synchronised();
  /// Enters @p function: the lanes in active go on there and meet again at @p back.
  const Operation* enter(const Function& function, const CallSite* site, const Operation* back);
  /// Lets lanes go on that wait at a join for a path that spins: the last resort for progress.
  bool break_join();

  std::int32_t new_join(const Join& value);
  [[gnu::always_inline]] void set_join(std::int32_t index) {
    join = index;
    const bool here = index >= 0 && joins[static_cast<std::size_t>(index)].frame == frame;
    meet = here ? joins[static_cast<std::size_t>(index)].at : nullptr;
  }

 private:
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
  /// Takes @p mask off the lanes expected at join @p from and above, up to @p until; completed joins release a path.
  void forget(std::int32_t from, std::uint32_t mask, std::int32_t until);
  void complete(std::int32_t index);
};

/// Fills the preset registers of a frame of @p function in @p registers.
void fill_presets(WarpState& warp, const Function& function, std::byte* registers, std::uint32_t local_base);
/// Of a kernel's presets, those that differ from block to block (%ctaid, %smid).
std::vector<Preset> block_presets(const Function& kernel);
/// Fills those for the next block, the same for all of its warps.
void fill_block_presets(const std::vector<Preset>& presets, const std::vector<std::unique_ptr<WarpState>>& warps);

}  // namespace warpbook::simulator
