// A running block: its warps, its shared memory and its sixteen barriers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
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

/// What uninitialised shared and local memory holds: NaN as a float, -1 as an integer, so that using it shows.
constexpr int kPoison = 0xff;

/// One of a block's named barriers (PTX: bar, barrier). Threads are counted one by one, so a warp may arrive in parts.
struct Barrier {
  std::uint32_t arrived = 0;   ///< Threads that have arrived, waiting or not (bar.arrive).
  std::uint32_t expected = 0;  ///< The thread count in the instruction; 0: all threads of the block that have not
                               ///< exited.
  std::uint32_t counted = 0;   ///< bar.red: number of threads whose predicate is true.
  std::uint32_t voters = 0;    ///< bar.red: number of threads with a predicate.
};

struct BlockState : Block {
  static constexpr unsigned kBarriers = 16;

  BlockState();
  ~BlockState();
  BlockState(const BlockState&) = delete;
  BlockState& operator=(const BlockState&) = delete;

  /// Prepares for blocks of @p launch: warps, registers, memory. Call once per launch and host thread.
  void prepare(const Launch& launch, Worker& worker);
  /// Starts as block number @p linear of the grid.
  void start(std::uint64_t linear);
  /// Whether the blocks of the launch are known to write disjoint memory that none reads (disjoint_blocks.h).
  bool writes_are_disjoint() const;
  /// Runs the warps in turn until all have exited, one faults, @p step_budget is spent, the block spins until another
  /// one writes something, or no warp can ever continue.
  /// @param hurried warps take turns after each access, and some rest until nothing else can continue (resting): other
  /// blocks run in between
  enum class Outcome : std::uint8_t { finished, fault, budget, spinning, resting, stuck };
  Outcome run(std::uint64_t step_budget, bool hurried = false);
  /// True if the last run() did anything that other blocks could see, or read a clock.
  bool changed_something() const { return idle_timeouts_ < kMostIdleTimeouts && watch_.changed(); }
  /// What a test of memory that found nothing new has changed, other than counters of the worker.
  struct Tally {
    std::uint64_t random = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;  ///< Of each warp, and its polls.
  };
  Tally tally() const;
  void restore(const Tally& tally);
  /// Ends the rest of one warp.
  void wake_one();
  /// Releases lanes that wait at joins for paths that spin. @returns false if there are none
  bool break_joins();
  /// If nothing else can continue: releases lanes that wait at joins for lanes at bar.warp.sync, as an H200 does. They
  /// exit, or reach such a barrier, too. @returns false if there are none
  bool pass_warp_barriers();

  /// Threads have exited: barriers that waited for them may be complete.
  void exited(std::uint32_t threads);
  /// The current path of @p warp arrives at barrier @p number. @returns the operation where the warp continues
  const Operation* arrive(WarpState& warp, unsigned number, std::uint32_t expected, std::uint32_t votes, bool waits,
                          const Operation* operation);
  std::uint64_t clock() const { return worker->steps - first_step; }

  // mbarriers in this block's shared memory, by offset.
  /// The mbarrier there; nullopt after a fault: it is not initialised.
  std::optional<Mbarrier> mbarrier_at(std::uint32_t offset) const;
  /// Stores a changed mbarrier: completes its phase if it waits for nothing more, and wakes threads that wait for it.
  void store_mbarrier(std::uint32_t offset, Mbarrier barrier);
  /// A thread tests it: pending copies complete if its phase waits for nothing else.
  void settle(std::uint32_t offset);
  /// A copy or arrival for this block's shared memory has started.
  void begin(Landing landing);
  /// Something has happened that waiting threads may have waited for.
  void progressed() {
    idle_timeouts_ = 0;
    gave_way_ = false;
  }
  /// Whether a completion whose time the schedule leaves open happens at once.
  bool at_once() { return random_ != 0 && (next_random(random_) & 1) != 0; }
  const std::vector<BlockState*>& cluster_blocks() const { return cluster->blocks; }

  std::uint32_t own_shared = 0;       ///< Bytes of shared memory that the launch asked for, static and dynamic.
  std::uint32_t reserved_shared = 0;  ///< Offset of the part reserved by the system, in kernels that use it.
  std::uint32_t live_threads = 0;
  std::uint64_t first_step = 0;
  std::shared_ptr<Cluster> cluster;  ///< This block's cluster, which has at least one block.
  InFlight in_flight;                ///< Pending copies and arrivals for this block's shared memory.
  CopyBatches copy_batches;
  std::vector<std::unique_ptr<WarpState>> warps;
  std::array<Barrier, kBarriers> barriers;
  Worker* worker = nullptr;
  const Launch* launch = nullptr;
  std::unique_ptr<CheckedBlock> checked;    ///< State for Worker::checker, if there is one.
  DeviceRuntime* device_runtime = nullptr;  ///< Implements the kernel's calls of the device runtime; may be nullptr.

 private:
  std::vector<std::uint32_t> order_;  ///< The order in which the warps take turns.
  std::uint64_t random_ = 0;          ///< State of the schedule's random numbers; 0: the documented order.
  Schedule schedule_{0};
  std::uint64_t turn_ = 0;    ///< Turn of a warp in steps, unless the block is hurried.
  bool cooperative_ = false;  ///< The grid's blocks wait for each other (grid_workspace.h).
  std::vector<Preset> block_presets_;
  LinearRegisters linear_;
  std::uint32_t arrived_ = 0;  ///< Bit k: threads have arrived at barrier k since it was last complete.
  /// Whether a warp whose turn has ended rests.
  bool rests_after_turn(const WarpState& warp);
  Outcome run_turn(std::uint64_t step_budget, bool hurried);
  std::vector<std::uint32_t> ran_;  ///< Warps that had a turn in this sweep.
  SpinWatch watch_;
  /// How often in a row all threads may time out in mbarrier waits before they are taken to wait for each other.
  static constexpr unsigned kMostIdleTimeouts = 1u << 10;
  unsigned idle_timeouts_ = 0;
  bool gave_way_ = false;  ///< Has yielded to the other blocks of the cluster since something happened here.
  void land(const Landing& landing);
  /// All threads wait: the waits for mbarriers time out.
  void time_out();
  bool waits_for(std::int32_t barrier) const;
  bool spun_ = false;  ///< The last run() ended because the block was spinning.
  void release(unsigned number);
  /// Only one warp can run, and other warps or blocks may be waiting for it, or it for them.
  bool one_is_ready() const;
  bool complete(const Barrier& barrier) const;
  std::vector<std::unique_ptr<std::byte, FreeAligned>> storage_;
  std::vector<SharedPattern> patterns_;
  std::unique_ptr<std::byte, FreeAligned> shared_storage_;
};

}  // namespace warpbook::simulator
