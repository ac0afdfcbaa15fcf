// Which multiprocessors hold blocks of which grids, and when a further grid finds room beside them.
//
// A grid is placed once, when it is issued, and stays where it is: what comes later finds what is left. Blocks go to
// the multiprocessors that are used least. A block needs slots, warps, registers and shared memory of its
// multiprocessor at the same time, so grids run side by side exactly as far as all four allow. A multiprocessor that is
// idle gives as much of its L1 to shared memory as the first grid wants; until it is idle again others get no more than
// that (H200, 2026-11-23: 120000 and 100000 bytes do not go together). Grids of one priority are distributed in the
// order in which they reach the device: none starts before all blocks of those ahead of it have. Blocks of higher
// priority take the next places that come free; what the others lose is not counted.
//
// Grids that run side by side share more than room: where two together want more of a pipe or of memory than there is,
// the later one gets what the earlier one leaves.
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

/// Parts of a multiprocessor that a block takes, from 0 to 1: slots, warps, registers, shared memory.
using BlockNeeds = std::array<double, 4>;

/// How much a grid that runs alone uses of what all multiprocessors share, and of what each has for itself; from 0
/// to 1.
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
  unsigned resident = 1;  ///< Blocks of it that a multiprocessor holds at most.
  BlockNeeds needs{};
  GridUse use;
  double shared_carveout = 1;  ///< Part of all shared memory that a multiprocessor provides while it runs such blocks.
  bool known = true;           ///< How long its blocks are is: all as long, in as many rounds as do not fit at once.
  Partition partition;

  /// @param shared_bytes static and dynamic, of a block
  static GridDemand of(const Device& device, std::uint64_t blocks, unsigned threads_per_block, unsigned registers,
                       std::uint64_t shared_bytes, const KernelTime& time);
  /// Work that fills @p share of the device and nothing else is known of.
  static GridDemand of_share(const Device& device, double share);
  /// A copy within the device or a memset: it runs on all multiprocessors, and keeps their memory busy.
  static GridDemand of_memory(const Device& device);
};

class Residency {
 public:
  explicit Residency(const Device& device) : device_(&device) {}

  struct Place {
    double start = 0, end = 0;
  };
  /// Finds a place for a grid that reaches the device at @p arrival and takes @p duration alone.
  Place place(const GridDemand& demand, double arrival, double duration, int priority);
  /// When the first block of such a grid would start.
  double start_of(const GridDemand& demand, double arrival, int priority) const;
  /// Nothing arrives before @p us any more.
  void forget(double us);

 private:
  /// Blocks that are resident together.
  struct Group {
    double start = 0, end = 0;
    double block_us = 0;                ///< One after the other in each place.
    std::vector<std::uint16_t> blocks;  ///< By multiprocessor.
  };
  struct Tenant {
    double arrival = 0, start = 0, end = 0;
    double dispatched = 0;  ///< Its last block has started.
    int priority = 0;
    GridDemand demand;
    std::vector<Group> groups;
  };
  /// What is taken of a multiprocessor.
  struct Taken {
    BlockNeeds needs{};
    double shared_carveout = 0;  ///< 0: it is idle, and may provide what it likes.
  };
  using Used = std::vector<Taken>;  ///< By multiprocessor.
  /// How many further blocks it takes.
  static unsigned room(const GridDemand& demand, const Taken& taken);

  double dispatch_of(const GridDemand& demand, double arrival, int priority) const;
  /// When the places of @p group come free for a grid that arrived at @p arrival.
  static double vacated(const Tenant& tenant, const Group& group, double arrival, int priority);
  /// What is taken at @p us. @returns whether anything is, then or later; @p next gets the time at which that changes
  bool used(double us, double arrival, int priority, Used& used, double& next) const;
  /// Puts as many as fit, at most @p most, where least is used. @returns how many
  double distribute(const GridDemand& demand, double most, Used& used, std::vector<std::uint16_t>& blocks) const;
  /// The same on a device that is idle.
  double spread(const GridDemand& demand, double most, std::vector<std::uint16_t>& blocks) const;
  /// How long work that would take from @p start to @p end takes beside the others.
  double slowed(const Tenant& tenant) const;
  double rate_beside(const Tenant& tenant, double us) const;
  /// Where blocks of such a grid may be: all but the end.
  std::pair<std::size_t, std::size_t> range_of(const GridDemand& demand) const;

  const Device* device_;
  std::vector<Tenant> tenants_;
  double floor_ = 0;  ///< Nothing starts earlier: what was there before is forgotten.
};

/// Times at which an engine that does one thing at a time is busy. Work starts when the engine is free, and goes on
/// behind what was placed there before.
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
