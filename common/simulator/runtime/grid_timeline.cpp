// Places the grids of a tree on the timeline, in the order in which they become ready.
#include "common/simulator/runtime/grid_timeline.h"

#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace warpbook::simulator::runtime {
namespace {

class Placement {
 public:
  Placement(Runtime& runtime, const Stream& stream) : runtime_(runtime), stream_(stream) {}

  void place(GridNode& root) {
    const Activity activity = runtime_.timeline.kernel(stream_.number, root.run.kernel->name, root.time,
                                                       demand_of(runtime_.device(), root.run, root.time));
    if (runtime_.trace.enabled())
      runtime_.trace.kernel(runtime_.timeline.activities().size() - 1, root.run.grid, root.run.block,
                            root.run.resources.registers, root.run.shared_bytes(), root.time.limiter);
    started(root, activity);
    while (!ready_.empty()) {
      const Ready next = ready_.top();
      ready_.pop();
      start(*next.node, next.index, next.us);
    }
    if (!root.work.empty()) runtime_.timeline.wait(stream_.number, root.complete_us);
  }

 private:
  struct Ready {
    double us = 0;
    std::uint64_t serial = 0;
    GridNode* node = nullptr;
    std::size_t index = 0;
    bool operator<(const Ready& other) const {  // The earliest on top.
      return std::tie(other.us, other.serial) < std::tie(us, serial);
    }
  };
  /// A grid whose work is not complete yet.
  struct Open {
    std::size_t remaining = 0;  ///< Work other than tail launches.
    std::size_t next_tail = 0, tails = 0;
    double latest = 0;
    std::vector<std::size_t> unmet;                ///< For each piece of work: how many others it waits for,
    std::vector<double> earliest;                  ///< when they are complete,
    std::vector<std::vector<std::size_t>> before;  ///< and which ones wait for it.
  };

  const ModelConstants& model() const { return runtime_.device().model; }
  GridDemand whole() const { return GridDemand::of_share(runtime_.device(), 1); }
  static bool is_tail(const DeviceWork& work) { return work.queue == DeviceWork::Queue::tail; }

  void push(GridNode& node, std::size_t index, double us) { ready_.push({us, serial_++, &node, index}); }

  /// When the device accepts a launch that a grid could issue at @p us: it serves all grids in turn.
  double taken_in(double us) {
    us = std::max(us, next_launch_us_);
    next_launch_us_ = us + model().device_launch_interval_us;
    return us;
  }

  void started(GridNode& node, const Activity& activity) {
    node.start_us = activity.start_us;
    node.end_us = activity.end_us;
    node.complete_us = activity.end_us;
    if (node.work.empty()) {
      complete(node);
      return;
    }
    Open& open = open_[&node];
    open.latest = node.end_us;
    const std::size_t count = node.work.size();
    open.unmet.assign(count, 0);
    open.earliest.assign(count, 0);
    open.before.assign(count, {});
    for (std::size_t i = 0; i < count; ++i) {
      const DeviceWork& work = node.work[i];
      open.earliest[i] = node.start_us + work.taken_us;
      if (!work.done) continue;  // Dropped because of a fault.
      if (is_tail(work)) continue;
      ++open.remaining;
      open.unmet[i] = work.after.size();
      for (const std::size_t before : work.after) open.before[before].push_back(i);
    }
    const bool only_tails = open.remaining == 0;
    for (std::size_t i = 0; i < count; ++i) {
      const DeviceWork& work = node.work[i];
      if (work.done && !is_tail(work) && open.unmet[i] == 0) push(node, i, open.earliest[i]);
    }
    if (only_tails && go_on(node)) complete(node);
  }

  void start(GridNode& node, std::size_t index, double us) {
    DeviceWork& work = node.work[index];
    Timeline& timeline = runtime_.timeline;
    const double bytes = static_cast<double>(work.size.bytes());
    switch (work.kind) {
      case DeviceWork::Kind::event:
        work_complete(node, index, us);
        break;
      case DeviceWork::Kind::copy: {
        const double duration = model().copy_latency_us + bytes / model().device_bytes_per_us;
        work_complete(node, index,
                      timeline.device_work(stream_.number, "memcpy d2d", taken_in(us), duration, whole()).end_us);
        break;
      }
      case DeviceWork::Kind::fill: {
        const double duration = model().copy_latency_us + bytes / model().memset_bytes_per_us;
        work_complete(node, index,
                      timeline.device_work(stream_.number, "memset", taken_in(us), duration, whole()).end_us);
        break;
      }
      case DeviceWork::Kind::kernel: {
        GridNode& child = *work.grid;
        // Work that waited for other work was accepted earlier: it only has to be released.
        const bool waited = !work.after.empty() || is_tail(work);
        const double from = waited ? us + model().device_gap_us : taken_in(us);
        started(child, timeline.device_work(stream_.number, child.run.kernel->name, from, child.time.us,
                                            demand_of(runtime_.device(), child.run, child.time)));
        break;
      }
    }
  }

  /// A piece of work is complete. This may complete its grid, then a piece of its parent's work, and so on. Not
  /// recursive, because chains of tail launches have no limit.
  void work_complete(GridNode& node, std::size_t index, double us) {
    GridNode* at = &node;
    while (finishes(*at, index, us) && at->cause != nullptr) {
      index = at->cause->index;
      us = at->complete_us;
      at = at->parent;
    }
  }

  /// @returns whether this completes the grid
  bool finishes(GridNode& node, std::size_t index, double us) {
    Open& open = open_.at(&node);
    open.latest = std::max(open.latest, us);
    for (const std::size_t waiting : open.before[index]) {
      open.earliest[waiting] = std::max(open.earliest[waiting], us);
      if (--open.unmet[waiting] == 0) push(node, waiting, open.earliest[waiting]);
    }
    if (!is_tail(node.work[index])) --open.remaining;
    return open.remaining == 0 && go_on(node);
  }

  /// All work except tail launches is complete: starts the next tail launch, or ends the grid.
  /// @returns whether the grid has ended
  bool go_on(GridNode& node) {
    Open& open = open_.at(&node);
    while (open.next_tail < node.work.size()) {
      const std::size_t index = open.next_tail++;
      if (!is_tail(node.work[index]) || !node.work[index].done) continue;
      const double join = open.tails++ == 0 ? model().device_tail_us : 0;
      push(node, index, open.latest + join);
      return false;
    }
    node.complete_us = open.latest + (open.tails == 0 ? model().device_completion_us : model().device_tail_us);
    open_.erase(&node);
    return true;
  }

  void complete(GridNode& node) {
    if (node.cause != nullptr) work_complete(*node.parent, node.cause->index, node.complete_us);
  }

  Runtime& runtime_;
  const Stream& stream_;
  std::priority_queue<Ready> ready_;
  std::uint64_t serial_ = 0;
  double next_launch_us_ = 0;
  std::map<const GridNode*, Open> open_;
};

}  // namespace

void time_launches(const Runtime& runtime, GridNode& node) {
  const ModelConstants& model = runtime.device().model;
  const double instructions_us = node.time.us;
  std::vector<DeviceWork*> order;
  for (DeviceWork& work : node.work) {
    work.taken_us = work.issued * instructions_us + work.calls_us;
    if (work.kind != DeviceWork::Kind::event) order.push_back(&work);
  }
  for (GraphCallOfGrid& call : node.graph_calls) {
    call.taken_us = call.issued * instructions_us + call.calls_us;
    node.time.us = std::max(node.time.us, call.taken_us);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const DeviceWork* a, const DeviceWork* b) { return a->taken_us < b->taken_us; });
  std::vector<double> multiprocessor(runtime.device().multiprocessors, 0.0);
  double device = 0;
  for (DeviceWork* work : order) {
    double& own = multiprocessor[work->block % multiprocessor.size()];
    work->taken_us = std::max({work->taken_us, own, device});
    own = work->taken_us + model.device_launch_multiprocessor_us;
    device = work->taken_us + model.device_launch_interval_us;
    node.time.us = std::max(node.time.us, work->taken_us);
  }
}

void place_on_timeline(Runtime& runtime, const Stream& stream, GridNode& root) {
  Placement(runtime, stream).place(root);
}

}  // namespace warpbook::simulator::runtime
