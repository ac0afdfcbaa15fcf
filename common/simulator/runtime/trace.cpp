// Collects calls, and writes them with the timeline and NVTX ranges as trace events.
#include "common/simulator/runtime/trace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/simulator/runtime/annotations.h"
#include "common/simulator/runtime/output_target.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

using nlohmann::json;

thread_local std::uint32_t traced_call = 0;

/// Processes of the trace: the host, and one for each device.
constexpr unsigned kHostProcess = 0;
unsigned device_process(unsigned device) { return device + 1; }

/// Rows of the host: calls of thread n, its ranges, and ranges of the whole process.
constexpr std::uint64_t kRowsOfThread = 2;
/// Rows of a device: lanes of its streams, then its copy engines.
constexpr std::uint64_t kLanes = 1000;
constexpr std::uint64_t kEngineRows = (std::uint64_t{1} << Timeline::kDeviceShift) * kLanes;
constexpr std::uint64_t kLastPlace = 0x7fffffff;

/// Microseconds with three decimal places: both viewers show as many.
json time_of(double us) { return std::round(us * 1000) / 1000; }

class Events {
 public:
  void process(unsigned id, const std::string& name) { metadata(id, 0, "process_name", {{"name", name}}); }
  /// @param place the position of the row among those of its process @returns its number
  std::uint64_t row(unsigned process, std::uint64_t place, const std::string& name) {
    const auto [found, added] = rows_.emplace(std::pair(process, place), rows_.size());
    if (added) {
      metadata(process, found->second, "thread_name", {{"name", name}});
      metadata(process, found->second, "thread_sort_index", {{"sort_index", std::min(place, kLastPlace)}});
    }
    return found->second;
  }
  void slice(unsigned process, std::uint64_t row, const char* category, const std::string& name, double start,
             double end, json arguments = json::object()) {
    const json from = time_of(start), to = time_of(std::max(start, end));
    json event{{"ph", "X"},
               {"pid", process},
               {"tid", row},
               {"name", name},
               {"cat", category},
               {"ts", from},
               {"dur", time_of(to.get<double>() - from.get<double>())}};
    if (!arguments.empty()) event["args"] = std::move(arguments);
    list_.push_back(std::move(event));
  }
  void add(json event) { list_.push_back(std::move(event)); }
  json take() {
    json all = std::move(names_);
    for (json& event : list_) all.push_back(std::move(event));
    return all;
  }

 private:
  void metadata(unsigned process, std::uint64_t row, const char* what, json arguments) {
    names_.push_back({{"ph", "M"}, {"pid", process}, {"tid", row}, {"name", what}, {"args", std::move(arguments)}});
  }
  json names_ = json::array(), list_ = json::array();
  /// Viewers expect 32-bit numbers.
  std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t> rows_;
};

std::string stream_name(std::uint32_t stream) {
  const std::uint32_t number = Timeline::number_of(stream);
  return number == 0 ? "stream 0 (default)" : "stream " + std::to_string(number);
}

/// Assigns rows so that overlapping activities do not hide each other: the first lane that is free.
class Lanes {
 public:
  std::uint64_t take(double start, double end) {
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (ends_[i] > start + 1e-9) continue;
      ends_[i] = end;
      return i;
    }
    if (ends_.size() + 1 < kLanes) ends_.push_back(end);
    return ends_.size() - 1;
  }

 private:
  std::vector<double> ends_;
};

/// The activities of one device and the calls that issued them.
class DeviceRows {
 public:
  explicit DeviceRows(Events& events) : events_(events) {}

  /// @returns the row of the stream's @p activity
  std::pair<unsigned, std::uint64_t> put(const Activity& activity, const json& arguments) {
    const unsigned process = device_process(Timeline::device_of(activity.stream));
    const bool kernel = activity.engine == Engine::compute;
    const char* const category = kernel ? activity.name.rfind("mem", 0) == 0 ? "gpu_memory" : "kernel" : "gpu_memory";
    json all = arguments;
    all["stream"] = Timeline::number_of(activity.stream);
    if (!kernel) {
      const bool in = activity.engine == Engine::copy_in;
      const std::uint64_t lane = engines_[{process, in}].take(activity.start_us, activity.end_us);
      const std::uint64_t row = events_.row(process, kEngineRows + (in ? 0 : kLanes) + lane,
                                            in ? "copy engine, to the device" : "copy engine, from the device");
      events_.slice(process, row, category, activity.name, activity.start_us, activity.end_us, all);
    }
    const std::uint64_t lane = streams_[activity.stream].take(activity.start_us, activity.end_us);
    const std::uint64_t row = events_.row(process, Timeline::number_of(activity.stream) * kLanes + lane,
                                          stream_name(activity.stream) + (lane == 0 ? "" : ", beside"));
    events_.slice(process, row, category, activity.name, activity.start_us, activity.end_us, std::move(all));
    return {process, row};
  }

 private:
  Events& events_;
  std::map<std::uint32_t, Lanes> streams_;
  std::map<std::pair<unsigned, bool>, Lanes> engines_;
};

void add_annotations(Events& events, const Annotations& all, double now) {
  const auto row_of = [&](std::uint32_t thread) {
    return events.row(kHostProcess, thread * kRowsOfThread + 1, "thread " + std::to_string(thread) + ": NVTX");
  };
  const auto title = [](const Annotation& annotation) {
    return annotation.domain.empty() ? annotation.text : annotation.domain + ": " + annotation.text;
  };
  std::uint64_t id = 0;
  for (const AnnotatedRange& range : all.ranges()) {
    const double end = range.end_us.value_or(now);
    ++id;
    if (range.nests) {
      events.slice(kHostProcess, row_of(range.thread), "nvtx", title(range.annotation), range.start_us, end);
      continue;
    }
    // Ranges of the whole process: they may overlap.
    for (const char* const phase : {"b", "e"})
      events.add({{"ph", phase},
                  {"pid", kHostProcess},
                  {"tid", row_of(range.thread)},
                  {"cat", "nvtx"},
                  {"id", id},
                  {"name", title(range.annotation)},
                  {"ts", time_of(*phase == 'b' ? range.start_us : end)}});
  }
  for (const AnnotatedMark& mark : all.marks())
    events.add({{"ph", "i"},
                {"s", "t"},
                {"pid", kHostProcess},
                {"tid", row_of(mark.thread)},
                {"cat", "nvtx"},
                {"name", title(mark.annotation)},
                {"ts", time_of(mark.time_us)}});
}

std::string dimensions(const Dim3& dim) {
  return std::to_string(dim.x) + "x" + std::to_string(dim.y) + "x" + std::to_string(dim.z);
}

}  // namespace

std::uint32_t Trace::begin(const char* name, double us) {
  calls_.push_back({name, annotations().this_thread(), us, us});
  return static_cast<std::uint32_t>(calls_.size());
}

void Trace::end(std::uint32_t call, double us) { calls_[call - 1].end_us = us; }

void Trace::kernel(std::size_t activity, const Dim3& grid, const Dim3& block, unsigned registers,
                   std::uint64_t shared_bytes, const std::string& limiter) {
  kernels_.push_back({activity, grid, block, registers, shared_bytes, limiter});
}

std::string Trace::text(const Runtime& runtime, int indent) const {
  Events events;
  events.process(kHostProcess, "host");
  for (unsigned device = 0; device < runtime.device_count(); ++device)
    events.process(device_process(device),
                   "device " + std::to_string(device) + ": " + runtime.device_at(device).description.display_name);
  const auto row_of_calls = [&](std::uint32_t thread) {
    return events.row(kHostProcess, thread * kRowsOfThread, "thread " + std::to_string(thread) + ": CUDA API");
  };
  for (const Call& call : calls_) {
    events.slice(kHostProcess, row_of_calls(call.thread), "cuda_api", call.name, call.start_us, call.end_us);
  }
  add_annotations(events, annotations(), runtime.timeline.now_us());
  DeviceRows rows(events);
  const auto& activities = runtime.timeline.activities();
  auto kernel = kernels_.begin();
  for (std::size_t i = 0; i < activities.size(); ++i) {
    const Activity& activity = activities[i];
    json arguments = json::object();
    if (kernel != kernels_.end() && kernel->activity == i) {
      arguments = {{"grid", dimensions(kernel->grid)},
                   {"block", dimensions(kernel->block)},
                   {"registers", kernel->registers},
                   {"shared_bytes", kernel->shared_bytes},
                   {"limiter", kernel->limiter}};
      ++kernel;
    }
    const auto [process, row] = rows.put(activity, arguments);
    if (activity.call == 0) continue;
    const Call& call = calls_[activity.call - 1];
    const json id = i + 1;
    events.add({{"ph", "s"},
                {"pid", kHostProcess},
                {"tid", row_of_calls(call.thread)},
                {"cat", "launch"},
                {"name", "launch"},
                {"id", id},
                {"ts", time_of(call.start_us)}});
    events.add({{"ph", "f"},
                {"bp", "e"},
                {"pid", process},
                {"tid", row},
                {"cat", "launch"},
                {"name", "launch"},
                {"id", id},
                {"ts", time_of(activity.start_us)}});
  }
  const json document{
      {"traceEvents", events.take()},
      {"displayTimeUnit", "ns"},
      {"otherData", {{"format", "warpbook.trace"}, {"version", 1}, {"device", runtime.device_at(0).description.name}}}};
  return document.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<std::string> Trace::write(const Runtime& runtime) const {
  if (target_.empty()) return std::nullopt;
  return write_document(target_, text(runtime, is_descriptor(target_) ? -1 : 0), "trace");
}

TracedCall::TracedCall(Runtime& runtime, const char* name) : runtime_(runtime) {
  if (!runtime.trace.enabled() || traced_call != 0) return;
  call_ = runtime.trace.begin(name, runtime.timeline.now_us());
  traced_call = call_;
  runtime.timeline.set_call(call_);
}

TracedCall::~TracedCall() {
  if (call_ == 0) return;
  runtime_.trace.end(call_, runtime_.timeline.now_us());
  runtime_.timeline.set_call(0);
  traced_call = 0;
}

}  // namespace warpbook::simulator::runtime
