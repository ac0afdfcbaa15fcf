// A block while it runs: its warps, its shared memory and its sixteen barriers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/simulator/machine/cluster.h"
#include "common/simulator/machine/in_flight.h"
#include "common/simulator/machine/linear_registers.h"
#include "common/simulator/machine/mbarrier.h"
#include "common/simulator/machine/schedule.h"
#include "common/simulator/machine/shared_pattern.h"
#include "common/simulator/machine/spin_watch.h"
#include "common/simulator/machine/warp_state.h"
#include "common/simulator/machine/worker.h"

namespace warpbook::simulator {

class DeviceRuntime;
struct CheckedBlock;

/// What uninitialised shared and local memory holds: as a float a NaN, as an integer -1, so that its use shows.
constexpr int kPoison = 0xff;

/// One of a block's named barriers (PTX: bar, barrier). Threads are counted one by one, so a warp may come in parts.
struct Barrier {
  std::uint32_t arrived = 0;   ///< Threads, waiting or not (bar.arrive).
  std::uint32_t expected = 0;  ///< Threads named in the instruction; 0: all threads of the block that have not exited.
  std::uint32_t counted = 0;   ///< bar.red: threads whose predicate is true.
  std::uint32_t voters = 0;    ///< bar.red: threads with a predicate.
};

struct BlockState : Block {
  static constexpr unsigned kBarriers = 16;

  BlockState();
  ~BlockState();
  BlockState(const BlockState&) = delete;
  BlockState& operator=(const BlockState&) = delete;

  /// Prepares for blocks of @p launch: warps, registers, memory. Call once per launch and host thread.
  void prepare(const Launch& launch, Worker& worker);
  /// Becomes block number @p linear of the grid, at its beginning.
  void start(std::uint64_t linear);
  /// Runs the warps in turn until all have exited, one faults, @p step_budget is spent, the block goes round in circles
  /// until another one writes something, or no warp can ever go on.
  /// @param hurried warps take turns after each access, and some rest until nothing else can go on (resting): others
  /// come in between
  enum class Outcome : std::uint8_t { finished, fault, budget, spinning, resting, stuck };
  Outcome run(std::uint64_t step_budget, bool hurried = false);
  /// True if the last run() did anything that other blocks could see, or read a clock.
  bool changed_something() const { return idle_timeouts_ < kMostIdleTimeouts && watch_.changed(); }
  /// What a look at memory that found nothing new has changed, but for counters of the worker.
  struct Tally {
    std::uint64_t executed = 0, random = 0;
    std::vector<std::uint64_t> steps;  ///< Of each warp.
  };
  Tally tally() const;
  void restore(const Tally& tally);
  /// Ends the rest of one warp.
  void wake_one();
  /// Lets lanes go on that wait at joins for paths that spin. @returns false if there are none
  bool break_joins();
  /// Where nothing else can go on: lets lanes go on that wait at joins for lanes at bar.warp.sync, as an H200 does.
  /// They end, or come to such a barrier as well. @returns false if there are none
  bool pass_warp_barriers();

  /// Threads exited: barriers that waited for them may be complete.
  void exited(std::uint32_t threads);
  /// The current path of @p warp comes to barrier @p number. Returns where the warp goes on.
  const Operation* arrive(WarpState& warp, unsigned number, std::uint32_t expected, std::uint32_t votes, bool waits,
                          const Operation* operation);
  std::uint64_t clock() const { return worker->steps - first_step; }

  // mbarriers in this block's shared memory, by offset.
  /// What was written there; nullptr after a fault: nobody has initialised it.
  std::optional<Mbarrier> mbarrier_at(std::uint32_t offset) const;
  /// It has changed: completes its phase if that waits for nothing, and lets those look who wait.
  void store_mbarrier(std::uint32_t offset, Mbarrier barrier);
  /// A thread looks at it: what is on its way there is done if its phase lacks nothing else.
  void settle(std::uint32_t offset);
  /// Something is on its way to shared memory of this block.
  void begin(Landing landing);
  /// Something has happened that waiting threads may have waited for.
  void progressed() {
    idle_timeouts_ = 0;
    gave_way_ = false;
  }
  /// Whether something that a schedule leaves open is to be done at once.
  bool at_once() { return random_ != 0 && (next_random(random_) & 1) != 0; }
  const std::vector<BlockState*>& cluster_blocks() const { return cluster->blocks; }

  std::uint32_t own_shared = 0;       ///< Bytes of shared memory that the launch asked for, static and dynamic.
  std::uint32_t reserved_shared = 0;  ///< Where the system's part begins, in kernels that use it.
  std::uint32_t live_threads = 0;
  std::uint64_t first_step = 0;
  std::shared_ptr<Cluster> cluster;  ///< This block's, of one block at least.
  InFlight in_flight;                ///< On its way to this block's shared memory.
  std::vector<std::unique_ptr<WarpState>> warps;
  std::array<Barrier, kBarriers> barriers;
  Worker* worker = nullptr;
  const Launch* launch = nullptr;
  std::unique_ptr<CheckedBlock> checked;    ///< For Worker::checker, if there is one.
  DeviceRuntime* device_runtime = nullptr;  ///< Answers the kernel's calls of the device runtime; may be nullptr.

 private:
  std::vector<std::uint32_t> order_;  ///< In which the warps take turns.
  std::uint64_t random_ = 0;          ///< State of the schedule's random numbers; 0: the documented order.
  Schedule schedule_{0};
  std::uint64_t executed_ = 0;  ///< Operations of this block, as they are counted.
  std::uint64_t turn_ = 0;      ///< Of a warp, unless it is to hurry.
  bool cooperative_ = false;    ///< The grid's blocks wait for each other (grid_workspace.h).
  std::vector<Preset> block_presets_;
  LinearRegisters linear_;
  std::uint32_t arrived_ = 0;  ///< Bit k: threads have arrived at barrier k since it last opened.
  /// Whether a warp whose turn has ended is to rest.
  bool rests_after_turn(const WarpState& warp);
  Outcome run_turn(std::uint64_t step_budget, bool hurried);
  std::vector<std::uint32_t> ran_;  ///< Warps that had a turn in this sweep.
  SpinWatch watch_;
  /// Times in a row that all threads waited for mbarriers as long as they may: some more, and they wait for each other.
  static constexpr unsigned kMostIdleTimeouts = 1u << 10;
  unsigned idle_timeouts_ = 0;
  bool gave_way_ = false;  ///< To the other blocks of the cluster, since something happened here.
  void land(const Landing& landing);
  /// All threads wait: those that wait for mbarriers stop waiting.
  void time_out();
  bool waits_for(std::int32_t barrier) const;
  bool spun_ = false;  ///< The last run() ended because the block went round in circles.
  void release(unsigned number);
  /// One warp alone can run, and the others or other blocks may be waiting for it, or it for them.
  bool one_is_ready() const;
  bool complete(const Barrier& barrier) const;
  std::vector<std::unique_ptr<std::byte, FreeAligned>> storage_;
  std::vector<SharedPattern> patterns_;
  std::unique_ptr<std::byte, FreeAligned> shared_storage_;
};

}  // namespace warpbook::simulator
