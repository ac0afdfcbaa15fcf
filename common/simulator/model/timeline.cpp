// Places kernels, copies and events on the engines of the device, in the order in which the host enqueued them.
#include "common/simulator/model/timeline.h"

#include <algorithm>
#include <utility>

namespace warpbook::simulator {
namespace {

/// An H200's driver (580.159, 2026-11-21) moves pageable memory on its way to the device into memory of its own and
/// lets the caller go on, also if the stream is busy: 8 bytes to 1 MiB (1 us to 45 us) were measured. Larger copies,
/// and all copies to pageable memory, hold the caller until they are done.
constexpr std::uint64_t kStagedBytes = std::uint64_t{1} << 20;

/// Copies in one direction that a later copy in the other one may still meet: more are never under way at once.
constexpr std::size_t kRememberedCopies = 256;

double bytes_per_us(double bytes, double rate) { return rate > 0 ? bytes / rate : 0; }

}  // namespace

const char* name_of(Engine engine) {
  switch (engine) {
    case Engine::compute:
      return "compute";
    case Engine::copy_in:
      return "copy_in";
    case Engine::copy_out:
      return "copy_out";
  }
  return "";
}

Timeline::Timeline(const Device& device) { add_device(device); }

void Timeline::add_device(const Device& device) {
  streams_[default_stream(static_cast<unsigned>(devices_.size()))] = {};
  devices_.emplace_back().device = &device;
}

void Timeline::create_stream(std::uint32_t stream, bool non_blocking, int priority) {
  streams_[stream] = {host_us_, non_blocking, priority};
}

void Timeline::destroy_stream(std::uint32_t stream) {
  // Its work goes on: what waits for all streams still has to wait for it.
  const auto found = streams_.find(stream);
  if (found == streams_.end() || is_default(stream)) return;
  Engines& device = engines(stream);
  device.retired = std::max(device.retired, found->second.ready);
  if (!found->second.non_blocking) device.retired_blocking = std::max(device.retired_blocking, found->second.ready);
  streams_.erase(found);
}

double Timeline::blocking_ready(unsigned device) const {
  double when = devices_[device].retired_blocking;
  for (const auto& [id, stream] : streams_)
    if (!stream.non_blocking && device_of(id) == device) when = std::max(when, stream.ready);
  return when;
}

double Timeline::ready(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  double when = found == streams_.end() ? 0 : found->second.ready;
  if (in_graph_) return when;
  const bool non_blocking = found != streams_.end() && found->second.non_blocking;
  if (is_default(stream)) {
    when = std::max(when, blocking_ready(device_of(stream)));
  } else if (!non_blocking) {
    when = std::max(when, streams_.at(default_stream(device_of(stream))).ready);
  }
  return std::max(when, host_us_ + model(stream).launch_latency_us);
}

double Timeline::ready(std::uint32_t stream, Engine engine) const {
  const double when = ready(stream);
  const auto found = streams_.find(stream);
  if (found == streams_.end() || found->second.last == engine) return when;
  return std::max(when, found->second.last_end + model(stream).engine_switch_us);
}

int Timeline::priority_of(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second.priority;
}

double Timeline::duplex_delay(const Engines& engines, Engine engine, double start, double duration) {
  double shared = 0;
  for (const Span& other : engines.copies[engine == Engine::copy_in ? 1 : 0])
    shared += std::max(0.0, std::min(start + duration, other.end) - std::max(start, other.start));
  return shared * engines.device->model.duplex_slowdown;
}

void Timeline::finish(std::uint32_t stream, double end) {
  Stream& state = streams_[stream];
  state.ready = std::max(state.ready, end);
}

Activity Timeline::place(Engine engine, std::uint32_t stream, std::string name, double earliest, double duration) {
  Activity activity{engine, stream, std::move(name), earliest, earliest + duration};
  finish(stream, activity.end_us);
  streams_[stream].last_end = activity.end_us;
  streams_[stream].last = engine;
  activities_.push_back(activity);
  return activity;
}

double Timeline::compute_start(Engines& engines, double earliest, double share, int priority) {
  // Kernels of one priority start in the order in which they reached the device, each as soon as enough block slots are
  // free. For a kernel of higher priority, the blocks of others make room as they end; what these lose is not counted.
  double start = earliest;
  for (const auto& [other, last] : engines.last_kernel_start)
    if (other <= priority) start = std::max(start, last);
  constexpr double kSlack = 1e-9;
  for (;;) {
    double used = 0, next_end = 0;
    std::size_t count = 0;
    for (const Running& kernel : engines.running) {
      if (kernel.end <= start || kernel.priority > priority) continue;
      used += kernel.share;
      ++count;
      if (next_end == 0 || kernel.end < next_end) next_end = kernel.end;
    }
    if (count == 0 || (used + share <= 1 + kSlack && count < engines.device->concurrent_kernels)) break;
    start = next_end;
  }
  // Later kernels of this priority and lower ones start no earlier: what has ended by then is of no more interest.
  if (engines.last_kernel_start.empty() || engines.last_kernel_start.begin()->first >= priority)
    std::erase_if(engines.running, [&](const Running& kernel) { return kernel.end <= start; });
  engines.last_kernel_start[priority] = start;
  return start;
}

Activity Timeline::kernel(std::uint32_t stream, const std::string& name, const KernelTime& time) {
  spend(model(stream).launch_call_us);
  const double share = std::clamp(time.device_share, 0.0, 1.0);
  const int priority = priority_of(stream);
  const ModelConstants& constants = model(stream);
  const double gap = in_graph_ ? 0 : constants.launch_gap_us;
  double earliest = ready(stream, Engine::compute) + gap, us = time.us;
  if (in_graph_) {
    earliest = std::max(earliest, graph_dispatched_);
    // Some of its launch is done before what it waits for ends.
    if (depends_in_graph_)
      us = std::max(us - constants.graph_overlap_us, constants.kernel_overhead_us - constants.graph_overlap_us);
  }
  const double start = compute_start(engines(stream), earliest, share, priority);
  if (in_graph_) graph_dispatched_ = start + constants.graph_dispatch_us;
  engines(stream).running.push_back({start + us, share, priority});
  return place(Engine::compute, stream, name, start, us);
}

Activity Timeline::device_work(std::uint32_t stream, const std::string& name, double ready_us, double duration_us,
                               double share) {
  share = std::clamp(share, 0.0, 1.0);
  const double start = compute_start(engines(stream), ready_us, share);
  engines(stream).running.push_back({start + duration_us, share});
  return place(Engine::compute, stream, name, start, duration_us);
}

Activity Timeline::copy(std::uint32_t stream, CopyKind kind, std::uint64_t bytes, bool pageable) {
  const ModelConstants& model = this->model(stream);
  spend(model.copy_call_us);
  const double size = static_cast<double>(bytes);
  if (kind == CopyKind::host_to_host) {
    if (in_graph_)
      return place(Engine::copy_in, stream, "memcpy h2h", ready(stream), bytes_per_us(size, model.host_bytes_per_us));
    // The host does it, after what the stream held before.
    if (pageable) synchronise_until(streams_[stream].ready);
    const double start = host_us_;
    host_us_ += bytes_per_us(size, model.host_bytes_per_us);
    return place(Engine::copy_in, stream, "memcpy h2h", start, host_us_ - start);
  }
  if (kind == CopyKind::device_to_device) {
    const double duration = model.copy_latency_us + bytes_per_us(size, model.device_bytes_per_us);
    const double start = compute_start(engines(stream), ready(stream), 1.0);
    engines(stream).running.push_back({start + duration, 1.0});
    return place(Engine::compute, stream, "memcpy d2d", start, duration);
  }
  const Engine engine = kind == CopyKind::host_to_device ? Engine::copy_in : Engine::copy_out;
  double& engine_free = engines(stream).free[static_cast<int>(engine)];
  const double start = std::max(ready(stream, engine), engine_free);
  double duration = pageable ? model.pageable_latency_us + bytes_per_us(size, model.pageable_bytes_per_us)
                             : model.copy_latency_us + bytes_per_us(size, model.pinned_bytes_per_us);
  if (!pageable) {
    duration += duplex_delay(engines(stream), engine, start, duration);
    std::vector<Span>& same = engines(stream).copies[engine == Engine::copy_in ? 0 : 1];
    same.push_back({start, start + duration});
    if (same.size() > kRememberedCopies) same.erase(same.begin());
  }
  engine_free = start + duration;
  Activity activity =
      place(engine, stream, kind == CopyKind::host_to_device ? "memcpy h2d" : "memcpy d2h", start, duration);
  if (in_graph_) return activity;
  if (pageable && kind == CopyKind::host_to_device && bytes <= kStagedBytes) {
    host_us_ += bytes_per_us(size, model.pageable_bytes_per_us);
  } else if (pageable) {
    synchronise_until(activity.end_us);
  }
  return activity;
}

Activity Timeline::peer_copy(std::uint32_t stream, unsigned from, unsigned to, std::uint64_t bytes, bool direct) {
  const ModelConstants& model = this->model(stream);
  spend(model.copy_call_us);
  const Link* const link = direct ? devices_[from].device->link_to(*devices_[to].device) : nullptr;
  const double size = static_cast<double>(bytes);
  const double duration = link != nullptr ? link->copy_latency_us + bytes_per_us(size, link->copy_bytes_per_us)
                                          : model.staged_latency_us + bytes_per_us(size, model.staged_bytes_per_us);
  double& link_free = link_free_[{from, to}];
  const double start = std::max(ready(stream), link_free);
  link_free = start + duration;
  const Engine engine = device_of(stream) == to ? Engine::copy_in : Engine::copy_out;
  return place(engine, stream, link != nullptr ? "memcpy p2p" : "memcpy p2p staged", start, duration);
}

Activity Timeline::memset(std::uint32_t stream, std::uint64_t bytes) {
  const ModelConstants& model = this->model(stream);
  spend(model.copy_call_us);
  const double duration = model.copy_latency_us + bytes_per_us(static_cast<double>(bytes), model.memset_bytes_per_us);
  const double start = compute_start(engines(stream), ready(stream), 1.0);
  engines(stream).running.push_back({start + duration, 1.0});
  return place(Engine::compute, stream, "memset", start, duration);
}

/// As fast as the slowest link of the device; without one by way of the host.
double Timeline::between_devices(std::uint32_t stream) const {
  double rate = 0;
  for (const auto& [other, link] : engines(stream).device->links)
    rate = rate == 0 ? link.prefetch_bytes_per_us : std::min(rate, link.prefetch_bytes_per_us);
  return rate == 0 ? model(stream).prefetch_bytes_per_us / 2 : rate;
}

Activity Timeline::prefetch(std::uint32_t stream, bool to_device, const PageTraffic& traffic) {
  const ModelConstants& model = this->model(stream);
  host_us_ += model.prefetch_call_us;
  const Engine engine = to_device ? Engine::copy_in : Engine::copy_out;
  double& engine_free = engines(stream).free[static_cast<int>(engine)];
  const double start = std::max(ready(stream), engine_free);
  const std::uint64_t moved = traffic.bytes_to_device + traffic.bytes_to_host + traffic.bytes_between_devices;
  const double duration = model.prefetch_latency_us + (moved == 0 ? 0 : model.prefetch_move_us) +
                          bytes_per_us(static_cast<double>(traffic.bytes_to_device), model.prefetch_bytes_per_us) +
                          bytes_per_us(static_cast<double>(traffic.bytes_to_host), model.prefetch_host_bytes_per_us) +
                          bytes_per_us(static_cast<double>(traffic.populated_bytes), model.prefetch_new_bytes_per_us) +
                          bytes_per_us(static_cast<double>(traffic.bytes_between_devices), between_devices(stream));
  engine_free = start + duration;
  return place(engine, stream, "prefetch", start, duration);
}

Activity Timeline::migration(const Activity& by, const PageTraffic& traffic) {
  const double rate = model(by.stream).migration_bytes_per_us;
  const double duration =
      std::min(bytes_per_us(static_cast<double>(traffic.bytes_to_device), rate), by.end_us - by.start_us);
  double& engine_free = engines(by.stream).free[static_cast<int>(Engine::copy_in)];
  engine_free = std::max(engine_free, by.start_us + duration);
  Activity activity{Engine::copy_in, by.stream, "migration", by.start_us, by.start_us + duration};
  activities_.push_back(activity);
  return activity;
}

Activity Timeline::copy_fault(std::uint32_t stream, const PageTraffic& traffic) {
  double& engine_free = engines(stream).free[static_cast<int>(Engine::copy_in)];
  const double start = std::max(ready(stream), engine_free);
  engine_free = start + fault_time_us(*engines(stream).device, traffic);
  return place(Engine::copy_in, stream, "migration", start, engine_free - start);
}

Activity Timeline::host_fault(const PageTraffic& traffic) {
  const ModelConstants& model = this->model(kDefaultStream);
  const double start = host_us_;
  host_us_ += model.cpu_fault_us * static_cast<double>(traffic.cpu_page_faults) +
              bytes_per_us(static_cast<double>(traffic.bytes_to_host), model.host_migration_bytes_per_us);
  Activity activity{Engine::copy_out, kDefaultStream, "migration", start, host_us_};
  if (traffic.bytes_to_host != 0) activities_.push_back(activity);
  return activity;
}

void Timeline::host_function(std::uint32_t stream) {
  spend(model(stream).copy_call_us);
  finish(stream, ready(stream) + (in_graph_ ? model(stream).graph_host_us : 0));
}

double Timeline::graph(std::uint32_t stream, std::size_t nodes, std::size_t roots) {
  const ModelConstants& model = this->model(stream);
  host_us_ += model.graph_call_us + static_cast<double>(nodes) * model.graph_call_node_us +
              (roots > 1 ? static_cast<double>(roots - 1) * model.graph_call_root_us : 0);
  const double start = ready(stream);
  graph_dispatched_ = start;
  finish(stream, start);
  return start;
}

void Timeline::condition(std::uint32_t stream) { finish(stream, ready(stream) + model(stream).graph_condition_us); }

double Timeline::end_of(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second.ready;
}

double Timeline::record(std::uint32_t stream) {
  spend(model(stream).event_call_us);
  const double stamp = ready(stream) + model(stream).event_us;
  finish(stream, stamp);
  return stamp;
}

void Timeline::wait(std::uint32_t stream, double event_us) { finish(stream, event_us); }

void Timeline::synchronise_until(double event_us) {
  host_us_ = std::max(host_us_, event_us + model(kDefaultStream).synchronise_us);
}

void Timeline::synchronise(std::uint32_t stream) {
  double when = streams_[stream].ready;
  if (is_default(stream)) when = std::max(when, blocking_ready(device_of(stream)));
  if (when > host_us_) synchronise_until(when);
}

void Timeline::synchronise_all(unsigned device) {
  double when = devices_[device].retired;
  for (const auto& [id, stream] : streams_)
    if (device_of(id) == device) when = std::max(when, stream.ready);
  if (when > host_us_) synchronise_until(when);
}

bool Timeline::finished(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return true;
  double when = found->second.ready;
  if (is_default(stream)) when = std::max(when, blocking_ready(device_of(stream)));
  return when <= host_us_;
}

bool Timeline::reached(double event_us) const { return event_us <= host_us_; }

void Timeline::advance_host(double us) { host_us_ += std::max(us, 0.0); }

}  // namespace warpbook::simulator
