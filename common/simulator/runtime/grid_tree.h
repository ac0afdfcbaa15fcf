// A grid that the host launched with all its descendants (CUDA dynamic parallelism).
//
// The documented order: the blocks of a grid run to their end; then its work runs in the order of issue (blocks in the
// order of their index), each piece followed by all of its own children; then its tail launches, in the order of issue.
// This is legal for every choice of streams and events: whatever a piece of work depends on was issued before it. With
// a schedule seed, work without unfinished dependencies may run at the moment of its launch, and work of different
// streams in another order. Afterwards the whole tree is put on the clock: grid_timeline.h.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/runtime/device_work.h"
#include "common/simulator/runtime/grid_run.h"

namespace warpbook::simulator::runtime {

struct GridNode {
  GridRun run;
  GridNode* parent = nullptr;
  std::size_t number = 0;  ///< In the order in which the grids of the tree started.
  std::uint32_t depth = 0;
  DeviceWork* cause = nullptr;               ///< The work of the parent that launched this grid.
  std::deque<DeviceWork> work;               ///< In the order in which it was issued; addresses stay.
  std::vector<GraphCallOfGrid> graph_calls;  ///< In the order of the calls.
  std::uint64_t start_ns = 0, end_ns = 0;
  KernelTime time;
  MemoryTraffic traffic;
  std::optional<KernelRecord> record;
  double start_us = 0, end_us = 0, complete_us = 0;  ///< On the timeline, once it is placed.
};

class GridTree {
 public:
  /// @param stream the host's stream into which the first grid is launched
  GridTree(Runtime& runtime, const Stream& stream);
  ~GridTree();
  GridTree(const GridTree&) = delete;
  GridTree& operator=(const GridTree&) = delete;

  /// Runs @p first and all its descendants; puts them on the timeline and into the profile.
  void launch(GridRun first);

  Runtime& runtime() { return runtime_; }
  /// Launches that are not complete. The device runtime refuses launches above the limit.
  std::uint64_t pending() const { return pending_; }
  /// @p work is the newest of @p node: it may run now if the schedule says so.
  void issued(GridNode& node, DeviceWork& work);
  /// Memory for the parameters of one launch until it is issued. @param bytes up to kParameterBytes
  /// @returns 0 if there is none
  std::uint64_t take_parameters(std::uint64_t bytes);
  void give_back_parameters(std::uint64_t address) { free_parameters_.push_back(address); }
  /// Host pointer to a box at a device address; nullptr unless all of it is memory of the device.
  std::byte* bytes_of(const Box& box, const BoxSize& size) const;

  static constexpr std::uint64_t kParameterBytes = 32768;  ///< As by the host: 32752 worked on an H200 (2026-11-27).

 private:
  GridNode& add(GridRun run, GridNode* parent, DeviceWork* cause, std::uint64_t start_ns);
  /// Runs the grid and all its descendants.
  void run(GridNode& first);
  /// Runs the grid alone.
  void execute_grid(GridNode& node);
  /// Executes a piece of work, no earlier than @p earliest_ns. @returns the grid to run if it is a kernel, else nullptr
  GridNode* begin(GridNode& node, DeviceWork& work, std::uint64_t earliest_ns);
  /// All work of the grid is complete: so is the launch that caused it.
  void complete(GridNode& node);
  /// Whether the grid of the tree with the checker's serial number is complete, or has run its own blocks, before @p
  /// node starts.
  bool is_before(const GridNode& node, std::uint32_t serial) const;
  bool may_run(const GridNode& node, const DeviceWork& work) const;
  DeviceWork* choose(GridNode& node);
  void record_migrations();
  /// Reports graph launches of the grid to the graph that it is a node of.
  void issue_graphs();
  void record();

  Runtime& runtime_;
  const Stream& stream_;
  std::vector<std::unique_ptr<GridNode>> nodes_;
  std::map<std::uint32_t, const GridNode*> by_serial_;  ///< By the first serial number that a checker gave it.
  std::uint64_t pending_ = 0;
  std::uint64_t random_;  ///< State of the schedule; 0: the documented order.
  bool faulted_ = false;
  unsigned nested_ = 0;  ///< Grids that run before the grid that launched them has ended.
  std::vector<std::uint64_t> parameter_chunks_, free_parameters_;
};

}  // namespace warpbook::simulator::runtime
