// Places kernels, copies and events on the device's engines, in the order in which the host enqueued them.
#include "common/simulator/model/timeline.h"

#include <algorithm>
#include <utility>

namespace warpbook::simulator {
namespace {

/// On an H200 (driver 580.159, 2026-11-21) the driver copies pageable memory that goes to the device to a staging
/// buffer and returns, even if the stream is busy: measured from 8 bytes to 1 MiB (1 us to 45 us). Larger copies, and
/// all copies to pageable memory, block the caller until they are done.
constexpr std::uint64_t kStagedBytes = std::uint64_t{1} << 20;

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

Timeline::Timeline(const Device& device, unsigned connections)
    : connections_(std::clamp(connections, 1u, kMostConnections)) {
  add_device(device);
}

void Timeline::add_device(const Device& device) {
  streams_[default_stream(static_cast<unsigned>(devices_.size()))] = {};
  devices_.emplace_back(device, connections_);
}

void Timeline::create_stream(std::uint32_t stream, bool non_blocking, int priority) {
  Engines& device = engines(stream);
  Stream& made = streams_[stream] = {host_us_, non_blocking, priority};
  made.queue = device.next_queue++ % connections_;
}

void Timeline::destroy_stream(std::uint32_t stream) {
  // Its work continues: whoever waits for all streams must still wait for it.
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

unsigned Timeline::queue_of(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second.queue;
}

double Timeline::queued(std::uint32_t stream, double when) const {
  return in_graph_ ? when : std::max(when, engines(stream).queues[queue_of(stream)]);
}

void Timeline::hold_queue(std::uint32_t stream, double when) {
  if (in_graph_) return;
  double& until = engines(stream).queues[queue_of(stream)];
  until = std::max(until, when);
}

double Timeline::duplex_delay(const Engines& engines, Engine engine, double start, double duration) {
  double shared = 0;
  for (const BusySpans::Span& other : engines.pinned[engine == Engine::copy_in ? 1 : 0].spans())
    shared += std::max(0.0, std::min(start + duration, other.end) - std::max(start, other.start));
  return shared * engines.device->model.duplex_slowdown;
}

void Timeline::finish(std::uint32_t stream, double end) {
  Stream& state = streams_[stream];
  state.ready = std::max(state.ready, end);
}

Activity Timeline::place(Engine engine, std::uint32_t stream, std::string name, double earliest, double duration) {
  Activity activity{engine, stream, std::move(name), earliest, earliest + duration, call_};
  finish(stream, activity.end_us);
  streams_[stream].last_end = activity.end_us;
  streams_[stream].last = engine;
  activities_.push_back(activity);
  return activity;
}

double Timeline::kernel_ready(std::uint32_t stream) const {
  const ModelConstants& constants = model(stream);
  const double when = ready(stream, Engine::compute) + (in_graph_ ? 0 : constants.launch_gap_us);
  return in_graph_ ? std::max(when, graph_dispatched_) : queued(stream, when);
}

double Timeline::kernel_start(std::uint32_t stream, const GridDemand& demand) const {
  // The call has not been made yet.
  const double call = in_graph_ ? 0 : model(stream).launch_call_us + model(stream).launch_latency_us;
  const double arrival = std::max(kernel_ready(stream), host_us_ + call);
  return engines(stream).residency.start_of(demand, arrival, priority_of(stream));
}

Activity Timeline::kernel(std::uint32_t stream, const std::string& name, const KernelTime& time,
                          const GridDemand& demand) {
  spend(model(stream).launch_call_us);
  const ModelConstants& constants = model(stream);
  double us = time.us;
  // Part of its launch is done before what it waits for ends.
  if (depends_in_graph_)
    us = std::max(us - constants.graph_overlap_us, constants.kernel_overhead_us - constants.graph_overlap_us);
  const double arrival = kernel_ready(stream);
  // Only a kernel after a kernel blocks its queue, not one after a copy, a host function or an event.
  if (const Stream& before = streams_[stream]; before.last == Engine::compute)
    hold_queue(stream, std::min(arrival, before.last_end));
  Engines& device = engines(stream);
  device.residency.forget(host_us_);
  const Residency::Place at = device.residency.place(demand, arrival, us, priority_of(stream));
  if (in_graph_) graph_dispatched_ = at.start + constants.graph_dispatch_us;
  return place(Engine::compute, stream, name, at.start, at.end - at.start);
}

Activity Timeline::device_work(std::uint32_t stream, const std::string& name, double ready_us, double duration_us,
                               const GridDemand& demand) {
  const Residency::Place at = engines(stream).residency.place(demand, ready_us, duration_us, priority_of(stream));
  return place(Engine::compute, stream, name, at.start, at.end - at.start);
}

Activity Timeline::copy(std::uint32_t stream, CopyKind kind, std::uint64_t bytes, bool pageable) {
  const ModelConstants& model = this->model(stream);
  spend(kind == CopyKind::device_to_device ? model.launch_call_us : model.copy_call_us);
  const double size = static_cast<double>(bytes);
  if (kind == CopyKind::host_to_host) {
    if (in_graph_)
      return place(Engine::copy_in, stream, "memcpy h2h", ready(stream), bytes_per_us(size, model.host_bytes_per_us));
    // The host performs it, after what was in the stream before.
    if (pageable) synchronise_until(streams_[stream].ready);
    const double start = host_us_;
    host_us_ += bytes_per_us(size, model.host_bytes_per_us);
    return place(Engine::copy_in, stream, "memcpy h2h", start, host_us_ - start);
  }
  if (kind == CopyKind::device_to_device) {
    const double duration = model.copy_latency_us + bytes_per_us(size, model.device_bytes_per_us);
    return on_device(stream, "memcpy d2d", duration);
  }
  const Engine engine = kind == CopyKind::host_to_device ? Engine::copy_in : Engine::copy_out;
  const double arrival = ready(stream, engine);
  busy(stream, engine).forget(host_us_);
  double duration = pageable ? model.pageable_latency_us + bytes_per_us(size, model.pageable_bytes_per_us)
                             : model.copy_latency_us + bytes_per_us(size, model.pinned_bytes_per_us);
  if (!pageable) {
    const double start = BusySpans(busy(stream, engine)).place(arrival, duration).start;
    duration += duplex_delay(engines(stream), engine, start, duration);
  }
  const BusySpans::Span at = busy(stream, engine).place(arrival, duration);
  if (!pageable) {
    BusySpans& same = engines(stream).pinned[engine == Engine::copy_in ? 0 : 1];
    same.forget(host_us_);
    same.place(at.start, at.end - at.start);
  }
  Activity activity = place(engine, stream, kind == CopyKind::host_to_device ? "memcpy h2d" : "memcpy d2h", at.start,
                            at.end - at.start);
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
  const bool small = static_cast<double>(bytes) < model.small_memset_bytes;
  spend(small ? model.copy_call_us : model.launch_call_us);
  const double duration = model.copy_latency_us + bytes_per_us(static_cast<double>(bytes), model.memset_bytes_per_us);
  if (small) return place(Engine::compute, stream, "memset", ready(stream), duration);
  return on_device(stream, "memset", duration);
}

Activity Timeline::on_device(std::uint32_t stream, const char* name, double duration) {
  const double arrival = queued(stream, ready(stream));
  hold_queue(stream, arrival);
  Engines& device = engines(stream);
  device.residency.forget(host_us_);
  const Residency::Place at = device.residency.place(GridDemand::of_memory(*device.device), arrival, duration, 0);
  return place(Engine::compute, stream, name, at.start, at.end - at.start);
}

/// As fast as the device's slowest link; without a link through the host.
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
  const std::uint64_t moved = traffic.bytes_to_device + traffic.bytes_to_host + traffic.bytes_between_devices;
  const double duration = model.prefetch_latency_us + (moved == 0 ? 0 : model.prefetch_move_us) +
                          bytes_per_us(static_cast<double>(traffic.bytes_to_device), model.prefetch_bytes_per_us) +
                          bytes_per_us(static_cast<double>(traffic.bytes_to_host), model.prefetch_host_bytes_per_us) +
                          bytes_per_us(static_cast<double>(traffic.populated_bytes), model.prefetch_new_bytes_per_us) +
                          bytes_per_us(static_cast<double>(traffic.bytes_between_devices), between_devices(stream));
  const BusySpans::Span at = busy(stream, engine).place(ready(stream), duration);
  return place(engine, stream, "prefetch", at.start, at.end - at.start);
}

Activity Timeline::migration(const Activity& by, const PageTraffic& traffic) {
  const double rate = model(by.stream).migration_bytes_per_us;
  const double duration =
      std::min(bytes_per_us(static_cast<double>(traffic.bytes_to_device), rate), by.end_us - by.start_us);
  busy(by.stream, Engine::copy_in).place(by.start_us, duration);
  Activity activity{Engine::copy_in, by.stream, "migration", by.start_us, by.start_us + duration, call_};
  activities_.push_back(activity);
  return activity;
}

Activity Timeline::copy_fault(std::uint32_t stream, const PageTraffic& traffic) {
  const double duration = fault_time_us(*engines(stream).device, traffic);
  const BusySpans::Span at = busy(stream, Engine::copy_in).place(ready(stream), duration);
  return place(Engine::copy_in, stream, "migration", at.start, at.end - at.start);
}

Activity Timeline::host_fault(const PageTraffic& traffic) {
  const ModelConstants& model = this->model(kDefaultStream);
  const double start = host_us_;
  host_us_ += model.cpu_fault_us * static_cast<double>(traffic.cpu_page_faults) +
              bytes_per_us(static_cast<double>(traffic.bytes_to_host), model.host_migration_bytes_per_us) +
              bytes_per_us(static_cast<double>(traffic.populated_bytes), model.host_populate_bytes_per_us);
  Activity activity{Engine::copy_out, kDefaultStream, "migration", start, host_us_, call_};
  if (traffic.bytes_to_host != 0) activities_.push_back(activity);
  return activity;
}

void Timeline::host_function(std::uint32_t stream) {
  const ModelConstants& model = this->model(stream);
  const double called = host_us_;
  spend(model.copy_call_us);
  if (in_graph_) return finish(stream, ready(stream) + model.graph_host_us);
  Stream& state = streams_[stream];
  const double when = ready(stream), waits = when - host_us_;
  double start = called + model.host_function_us;
  if (waits > model.launch_latency_us) {  // Something else has to end first.
    const double sleep = std::min(waits, ModelConstants::kLongestSleepUs) * model.host_function_sleep;
    start =
        when + (state.last_function == state.ready ? model.host_function_next_us : model.host_function_wait_us + sleep);
  }
  // The driver has one thread for the host functions of all streams.
  start = std::max(start, host_functions_free_ + model.host_function_next_us);
  host_functions_free_ = start;
  finish(stream, start);
  state.last_function = state.ready;
}

void Timeline::give_back_function(std::uint32_t stream) {
  spend(model(stream).copy_call_us);
  finish(stream, ready(stream));
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
