// Which SMs hold blocks of which grids, and when another grid finds room beside them.
//
// A grid is placed once, when it is issued, and stays there: later grids get what is left. Blocks go to the SMs that
// are used least. A block needs slots, warps, registers and shared memory of its SM at the same time, so grids run side
// by side as far as all four allow. An idle SM configures as much of its L1 as shared memory as the first grid wants;
// until it is idle again other grids get no more than that (H200, 2026-11-23: 120000 and 100000 bytes do not fit
// together). Grids of one priority are distributed in the order in which they reach the device: none starts before all
// blocks of the earlier ones have. Blocks of higher priority take the next free slots; what the others lose is not
// modelled.
//
// Grids that run side by side share more than room: if two together want more of a pipe or of memory bandwidth than
// there is, the later one gets what the earlier one leaves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/simulator/model/device.h"
#include "common/simulator/model/occupancy.h"
#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// Share of an SM that a block takes, from 0 to 1: slots, warps, registers, shared memory.
using BlockNeeds = std::array<double, 4>;

/// How much a grid that runs alone uses of the resources that all SMs share, and of those that each SM has; from 0 to
/// 1.
struct GridUse {
  std::array<double, 3> device{};          ///< Atomics, DRAM, L2.
  std::array<double, 9> multiprocessor{};  ///< Issue, the pipes, load-store unit, L1.
};

/// Multiprocessors that a grid may run on: of a green context.
struct Partition {
  unsigned first = 0, count = 0;  ///< 0: all of the device.
};

/// What a grid asks of the device.
struct GridDemand {
  double blocks = 1;
  unsigned resident = 1;  ///< Most blocks of it that an SM holds.
  BlockNeeds needs{};
  GridUse use;
  double shared_carveout = 1;  ///< Part of all shared memory that a multiprocessor provides while it runs such blocks.
  bool known = true;           ///< How long its blocks are is: all as long, in as many rounds as do not fit at once.
  Partition partition;

  /// @param shared_bytes static and dynamic, per block
  static GridDemand of(const Device& device, std::uint64_t blocks, unsigned threads_per_block, unsigned registers,
                       std::uint64_t shared_bytes, const KernelTime& time);
  /// Work that fills @p share of the device, without further information.
  static GridDemand of_share(const Device& device, double share);
  /// A copy within the device or a memset: it runs on all SMs, and keeps memory busy.
  static GridDemand of_memory(const Device& device);
};

class Residency {
 public:
  explicit Residency(const Device& device) : device_(&device) {}

  struct Place {
    double start = 0, end = 0;
  };
  /// Places a grid that reaches the device at @p arrival and takes @p duration alone.
  Place place(const GridDemand& demand, double arrival, double duration, int priority);
  /// When the first block of such a grid would start.
  double start_of(const GridDemand& demand, double arrival, int priority) const;
  /// Nothing will arrive before @p us any more.
  void forget(double us);

 private:
  /// Blocks on one SM.
  struct Held {
    std::uint16_t multiprocessor = 0, blocks = 0;
  };
  /// Blocks that are resident together.
  struct Group {
    double start = 0, end = 0;
    double block_us = 0;     ///< The blocks of each slot run one after the other.
    std::vector<Held> held;  ///< On the SMs that have any, each once: a small grid is on few.
  };
  struct Tenant {
    double arrival = 0, start = 0, end = 0;
    double dispatched = 0;  ///< Its last block has started.
    int priority = 0;
    GridDemand demand;
    std::vector<Group> groups;
  };
  /// What is used of an SM.
  struct Taken {
    BlockNeeds needs{};
    double shared_carveout = 0;  ///< 0: it is idle, and may choose any configuration.
  };
  using Used = std::vector<Taken>;  ///< By SM.
  /// How many more blocks fit.
  static unsigned room(const GridDemand& demand, const Taken& taken);

  double dispatch_of(const GridDemand& demand, double arrival, int priority) const;
  /// When the slots of @p group become free for a grid that arrived at @p arrival.
  static double vacated(const Tenant& tenant, const Group& group, double arrival, int priority);
  /// What is used at @p us. @returns whether anything is, then or later; @p next receives the next time at which that
  /// changes
  bool used(double us, double arrival, int priority, Used& used, double& next) const;
  static void take(const GridDemand& demand, const Group& group, Used& used);
  /// Places as many blocks as fit, at most @p most, where least is used. @returns how many
  double distribute(const GridDemand& demand, double most, const Used& used, std::vector<Held>& held) const;
  /// The same on an idle device.
  double spread(const GridDemand& demand, double most, std::vector<Held>& held) const;
  /// When all is done if @p slots free at @p now and those of the @p running groups, as they end, share @p work
  /// (blocks times their duration).
  static double done_together(double now, double slots, double work, std::vector<const Group*>& running);
  /// How long work that would take from @p start to @p end takes beside the other grids.
  double slowed(const Tenant& tenant) const;
  /// @param others those that may run at @p us or later @param own the SMs on which @p tenant has blocks at any time
  double rate_beside(const Tenant& tenant, double us, const std::vector<const Tenant*>& others,
                     const std::vector<bool>& own) const;
  /// Where blocks of such a grid may be: all but the end.
  std::pair<std::size_t, std::size_t> range_of(const GridDemand& demand) const;

  const Device* device_;
  std::vector<Tenant> tenants_;
  double floor_ = 0;  ///< Nothing starts earlier: what was there before has been dropped.
};

/// The times at which an engine that does one thing at a time is busy. Work starts when the engine is free, and
/// continues after what was placed there before.
class BusySpans {
 public:
  struct Span {
    double start = 0, end = 0;
  };
  Span place(double ready, double duration);
  void forget(double us);
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::vector<Span> spans_;  ///< In order of time.
};

}  // namespace warpbook::simulator
