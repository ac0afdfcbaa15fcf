// Runs a grid and its descendants; queues of device work.
#include "common/simulator/runtime/grid_tree.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "common/simulator/machine/schedule.h"
#include "common/simulator/runtime/device_calls.h"
#include "common/simulator/runtime/graph.h"
#include "common/simulator/runtime/grid_timeline.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr std::uint64_t kChunk = 32;  // parameter buffers that are allocated together
constexpr std::size_t kChoices = 32;  // pieces of work from which a schedule seed chooses the next
constexpr unsigned kMostNested = 64;  // each takes some stack of this process

std::uint64_t offset_in(const Box& box, std::uint64_t slice, std::uint64_t row) {
  return (slice * box.slice_rows + row) * box.pitch;
}

template <class Visit>
void each_row(const BoxSize& size, const Visit& visit) {
  for (std::uint64_t slice = 0; slice < size.depth; ++slice)
    for (std::uint64_t row = 0; row < size.height; ++row) visit(slice, row);
}

}  // namespace

const char* name_of(DeviceWork::Queue queue) {
  switch (queue) {
    case DeviceWork::Queue::block_default:
      return "block";
    case DeviceWork::Queue::named:
      return "named";
    case DeviceWork::Queue::fire_and_forget:
      return "fire_and_forget";
    case DeviceWork::Queue::tail:
      return "tail";
  }
  return "";
}

GridTree::GridTree(Runtime& runtime, const Stream& stream)
    : runtime_(runtime), stream_(stream), random_(runtime.options.schedule_seed) {}

GridTree::~GridTree() {
  for (const std::uint64_t chunk : parameter_chunks_) runtime_.memory.free(chunk);
}

void GridTree::launch(GridRun first) {
  const OnDevice there(stream_.device());  // Independent of who runs it, and when.
  if (runtime_.checker && !runtime_.backlog.has_suspended()) runtime_.checker->forget_knowledge();
  const OpenManagedPages open(runtime_.managed);
  const double start_us =
      runtime_.timeline.kernel_start(stream_.number, demand_of(runtime_.device(), first, KernelTime{}));
  GridNode& root = add(std::move(first), nullptr, nullptr, static_cast<std::uint64_t>(start_us * 1000.0));
  run(root);
  place_on_timeline(runtime_, stream_, root);
  record_migrations();
  record();
  issue_graphs();
}

GridNode& GridTree::add(GridRun run, GridNode* parent, DeviceWork* cause, std::uint64_t start_ns) {
  GridNode& node = *nodes_.emplace_back(std::make_unique<GridNode>());
  node.run = std::move(run);
  if (parent != nullptr) {
    node.run.profiled = parent->run.profiled;
    node.run.ranges = parent->run.ranges;
    node.run.graphs = parent->run.graphs;
  }
  node.parent = parent;
  node.number = nodes_.size() - 1;
  node.depth = parent == nullptr ? 0 : parent->depth + 1;
  node.cause = cause;
  node.start_ns = start_ns;
  return node;
}

void GridTree::run(GridNode& first) {
  execute_grid(first);
  // Depth first, without recursion: chains of tail launches may be long.
  std::vector<GridNode*> open{&first};
  while (!open.empty()) {
    GridNode& node = *open.back();
    if (DeviceWork* next = faulted_ ? nullptr : choose(node)) {
      if (GridNode* child = begin(node, *next, node.end_ns)) {
        execute_grid(*child);
        open.push_back(child);
      }
    } else {
      complete(node);
      open.pop_back();
    }
  }
}

void GridTree::execute_grid(GridNode& node) {
  if (runtime_.before_grid)
    runtime_.before_grid({node.depth, node.cause != nullptr && node.cause->queue == DeviceWork::Queue::tail});
  WorkOrder::InTree around;
  if (runtime_.checker) {
    around = runtime_.order.exchange({[this, &node](std::uint32_t serial) { return is_before(node, serial); },
                                      [this, &node](std::uint32_t first) { by_serial_[first] = &node; }});
  }
  LaunchResult result;
  {
    DeviceCalls calls(*this, node);
    result = execute(runtime_, node.run, node.start_ns, &calls, node.traffic);
    calls.finish(result);
  }
  if (runtime_.checker) runtime_.order.exchange(std::move(around));
  node.time = predict_time(runtime_, node.run, result.counters, node.traffic);
  time_launches(runtime_, node);
  node.end_ns = node.start_ns + static_cast<std::uint64_t>(node.time.us * 1000.0);
  if (runtime_.profile.enabled() && node.run.profiled) {
    node.record = describe(runtime_, node.run, result.counters, node.time);
    node.record->traffic = node.traffic;
    for (const PeerTraffic& peer : node.traffic.peers) node.record->peer_bytes += peer.bytes;
  }
  if (result.fault) {
    if (!faulted_ && !runtime_.has_failed()) report_fault(runtime_, node.run, result.fault);
    faulted_ = true;
  }
}

void GridTree::complete(GridNode& node) {
  if (node.cause == nullptr) return;
  DeviceWork& work = *node.cause;
  work.done_ns = node.end_ns;
  for (const DeviceWork& below : node.work) work.done_ns = std::max(work.done_ns, below.done_ns);
  if (work.queue != DeviceWork::Queue::tail) --pending_;
}

bool GridTree::is_before(const GridNode& node, std::uint32_t serial) const {
  const auto after = by_serial_.upper_bound(serial);
  if (after == by_serial_.begin()) return false;
  const GridNode* other = std::prev(after)->second;
  if (other == &node) return false;
  // Walks up both chains of parents to where they meet: two pieces of work of one grid, or a grid and a piece of its
  // work.
  const GridNode* mine = &node;
  const DeviceWork* my_work = nullptr;
  const DeviceWork* its_work = nullptr;
  const auto up = [](const GridNode*& from, const DeviceWork*& work) {
    work = from->cause;
    from = from->parent;
  };
  while (mine->depth > other->depth) up(mine, my_work);
  while (other->depth > mine->depth) up(other, its_work);
  while (mine != other) {
    up(mine, my_work);
    up(other, its_work);
  }
  if (my_work == nullptr) return false;  // Launched by the grid that runs now.
  const bool in_tail = my_work->queue == DeviceWork::Queue::tail;
  if (its_work == nullptr) return in_tail;
  if (in_tail) return its_work->queue != DeviceWork::Queue::tail || its_work->index < my_work->index;
  std::set<std::size_t> before(my_work->after.begin(), my_work->after.end());
  for (auto i = before.rbegin(); i != before.rend(); ++i) {
    if (*i == its_work->index) return true;
    const std::vector<std::size_t>& further = mine->work[*i].after;
    before.insert(further.begin(), further.end());
  }
  return false;
}

bool GridTree::may_run(const GridNode& node, const DeviceWork& work) const {
  return !work.done &&
         std::all_of(work.after.begin(), work.after.end(), [&](std::size_t before) { return node.work[before].done; });
}

DeviceWork* GridTree::choose(GridNode& node) {
  std::vector<DeviceWork*> choices;
  DeviceWork* tail = nullptr;
  for (DeviceWork& work : node.work) {
    if (work.done) continue;
    if (work.queue == DeviceWork::Queue::tail) {
      if (tail == nullptr) tail = &work;
      continue;
    }
    if (!may_run(node, work)) continue;
    if (random_ == 0) return &work;
    choices.push_back(&work);
    if (choices.size() == kChoices) break;
  }
  return choices.empty() ? tail : choices[next_random(random_) % choices.size()];
}

void GridTree::issued(GridNode& node, DeviceWork& work) {
  if (work.kind != DeviceWork::Kind::event) ++pending_;
  if (random_ == 0 || faulted_ || work.queue == DeviceWork::Queue::tail || !may_run(node, work)) return;
  if (next_random(random_) % 2 != 0 || nested_ == kMostNested) return;
  if (GridNode* child = begin(node, work, node.start_ns)) {
    ++nested_;
    run(*child);
    --nested_;
  }
}

GridNode* GridTree::begin(GridNode& node, DeviceWork& work, std::uint64_t earliest_ns) {
  for (const std::size_t before : work.after) earliest_ns = std::max(earliest_ns, node.work[before].done_ns);
  if (work.queue == DeviceWork::Queue::tail) {
    for (const DeviceWork& other : node.work) earliest_ns = std::max(earliest_ns, other.done_ns);
    --pending_;  // No longer counted: chains of tail launches have no limit (H200, 2026-11-21: 20,000 of them).
  }
  work.done = true;
  work.done_ns = earliest_ns;
  switch (work.kind) {
    case DeviceWork::Kind::event:
      return nullptr;
    case DeviceWork::Kind::copy: {
      std::byte* const to = bytes_of(work.to, work.size);
      const std::byte* const from = bytes_of(work.from, work.size);
      if (to == nullptr || from == nullptr) break;
      each_row(work.size, [&](std::uint64_t slice, std::uint64_t row) {
        const std::uint64_t there = offset_in(work.to, slice, row), here = offset_in(work.from, slice, row);
        std::memmove(to + there, from + here, work.size.width);
        if (runtime_.checker)
          runtime_.checker->copied(handle_of(work.to.base) + there, handle_of(work.from.base) + here, work.size.width);
      });
      break;
    }
    case DeviceWork::Kind::fill:
      if (std::byte* const to = bytes_of(work.to, work.size)) {
        each_row(work.size, [&](std::uint64_t slice, std::uint64_t row) {
          const std::uint64_t there = offset_in(work.to, slice, row);
          std::memset(to + there, work.value, work.size.width);
          if (runtime_.checker) runtime_.checker->copied(handle_of(work.to.base) + there, 0, work.size.width);
        });
      }
      break;
    case DeviceWork::Kind::kernel: {
      GridNode& child = add(std::move(work.run), &node, &work, earliest_ns);
      work.grid = &child;
      return &child;
    }
  }
  if (work.queue != DeviceWork::Queue::tail) --pending_;
  return nullptr;
}

std::uint64_t GridTree::take_parameters(std::uint64_t bytes) {
  if (free_parameters_.empty()) {
    const Allocation* chunk = runtime_.memory.allocate(kChunk * kParameterBytes, MemoryKind::module, kParameterBytes,
                                                       "parameters of launches by kernels", active_device());
    if (chunk == nullptr) return 0;
    parameter_chunks_.push_back(chunk->address);
    for (std::uint64_t i = kChunk; i > 0; --i) free_parameters_.push_back(chunk->address + (i - 1) * kParameterBytes);
  }
  const std::uint64_t address = free_parameters_.back();
  if (runtime_.checker) runtime_.checker->allocated(address, bytes);
  free_parameters_.pop_back();
  return address;
}

std::byte* GridTree::bytes_of(const Box& box, const BoxSize& size) const {
  const std::uint64_t address = handle_of(box.base), bytes = span_of(box, size);
  const Allocation* allocation = runtime_.memory.find(address);
  if (allocation == nullptr || !allocation->contains(address, bytes)) return nullptr;
  return allocation->host + (address - allocation->address);
}

/// Pages that page faults moved use the bus while the grids run.
void GridTree::record_migrations() {
  for (const auto& node : nodes_) {
    if (node->traffic.bytes_to_device == 0) continue;
    const Activity by{Engine::compute, stream_.number, {}, node->start_us, node->end_us};
    const Activity moved = runtime_.timeline.migration(by, node->traffic);
    runtime_.profile.add(MigrationRecord{"host_to_device", "gpu_page_faults", node->traffic.bytes_to_device,
                                         moved.stream, moved.start_us, moved.end_us - moved.start_us});
  }
}

void GridTree::issue_graphs() {
  for (const auto& node : nodes_)
    for (const GraphCallOfGrid& call : node->graph_calls)
      node->run.graphs->issue(call.exec, call.stream, node->start_us + call.taken_us);
}

void GridTree::record() {
  if (!runtime_.profile.enabled() || !nodes_.front()->run.profiled) return;
  const std::size_t first = runtime_.profile.kernels();
  for (const auto& node : nodes_) {
    KernelRecord& record = *node->record;
    record.stream = stream_.number;
    record.start_us = node->start_us;
    if (!node->work.empty()) record.complete_us = node->complete_us;
    if (node->parent != nullptr) {
      record.parent = first + node->parent->number;
      record.depth = node->depth;
      record.queue = name_of(node->cause->queue);
      record.launched_file = node->cause->file;
      record.launched_line = node->cause->line;
      record.waits_for = node->cause->after.size();
    }
    runtime_.profile.add(std::move(record));
    // The model has no duration for copies and memsets by kernels, but they do move data.
    for (const DeviceWork& work : node->work) {
      const bool copies = work.kind == DeviceWork::Kind::copy;
      if (!work.done || (!copies && work.kind != DeviceWork::Kind::fill)) continue;
      const double at_us = node->start_us + static_cast<double>(work.done_ns - node->start_ns) / 1000;
      runtime_.profile.add(
          CopyRecord{copies ? "device_to_device" : "memset", work.size.bytes(), stream_.number, at_us, 0});
    }
  }
}

}  // namespace warpbook::simulator::runtime
