// Creates the virtual device, keeps its streams, modules and errors, and writes the profile at the end.
#include "common/simulator/runtime/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/simulator/machine/schedule.h"
#include "common/simulator/machine/virtual_memory.h"
#include "common/simulator/runtime/check_report.h"
#include "common/simulator/runtime/crash_report.h"
#include "common/simulator/runtime/debugging.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/host_access.h"
#include "common/simulator/runtime/image_state.h"
#include "common/simulator/runtime/ipc.h"
#include "common/simulator/runtime/output_target.h"

namespace warpbook::simulator::runtime {
namespace {

thread_local bool per_thread_default = false;
// Stream numbers of this thread's per-thread default streams by device; 0: not created yet.
thread_local std::array<std::uint32_t, kMostDevices> thread_streams{};

Runtime* the_runtime = nullptr;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::uint64_t environment_number(const char* name) {
  const std::string text = environment(name);
  if (text.empty()) return 0;
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (*end != '\0' || text[0] == '-') {
    throw std::invalid_argument(std::string(name) + "='" + text + "' is not a whole number");
  }
  return value;
}

/// If the program is in another process than the device, so is its stack.
bool wants_places(CheckSet checks) {
  return !host().is_apart() &&
         (checks.has(Check::memory) || checks.has(Check::race) || checks.has(Check::sync) || checks.has(Check::leak));
}

std::vector<std::unique_ptr<VirtualDevice>> devices_of(const Options& options) {
  std::vector<std::unique_ptr<VirtualDevice>> devices;
  const auto add = [&](unsigned ordinal) {
    const auto number = static_cast<unsigned>(devices.size());
    devices.push_back(std::make_unique<VirtualDevice>(number, ordinal, options.machine[ordinal]));
  };
  for (const unsigned ordinal : options.visible.numbers) add(ordinal);
  if (devices.empty()) add(0);
  return devices;
}

void read_devices(Options& options) {
  const std::string one = environment("WARPBOOK_DEVICE"), several = environment("WARPBOOK_DEVICES");
  const auto at_most = [](const char* variable, std::uint64_t most) {
    return static_cast<unsigned>(std::min(environment_number(variable), most));
  };
  const DeviceChanges changes = {.multiprocessors = at_most("WARPBOOK_MULTIPROCESSORS", 100000),
                                 .clock_khz = at_most("WARPBOOK_CLOCK_RATE", 100'000'000)};
  try {
    options.machine = make_machine(parse_devices(several, one.empty() ? "h200" : one), changes);
  } catch (const std::invalid_argument& error) {
    if (several.empty()) throw;
    throw std::invalid_argument(std::string("WARPBOOK_DEVICES: ") + error.what());
  }
  options.visible = visible_devices(options.machine, std::getenv("CUDA_VISIBLE_DEVICES"));
}

/// Parses CUDA_DEVICE_MAX_CONNECTIONS like the driver: anything but a number of at least 1 is ignored.
unsigned read_connections(const char* text) {
  if (text == nullptr || *text == 0) return Timeline::kConnections;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*end != 0 || value == 0) return Timeline::kConnections;
  return static_cast<unsigned>(std::min<unsigned long>(value, Timeline::kMostConnections));
}

/// Ends the process after flushing its output: the regular exit would not allow another exit code.
[[noreturn]] void exit_with(int code) {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  ::_exit(code);
}

/// Runs after the program's own exit handlers and static destructors.
[[gnu::destructor]] void write_profile_at_exit() {
  if (the_runtime == nullptr || the_runtime->process != ::getpid()) return;
  const std::lock_guard guard(runtime_lock());
  the_runtime->backlog.end();
  the_runtime->report_heap();
  const bool failed = report_checks(*the_runtime, true);
  if (const auto error = the_runtime->profile.write(the_runtime->timeline)) complain(*error);
  if (const auto error = the_runtime->trace.write(*the_runtime)) complain(*error);
  // If the device has its own process, that has an exit code of its own.
  const int code = the_runtime->options.check_exit_code;
  if (failed && code != 0 && !host().is_apart()) exit_with(code);
}

/// @throws std::invalid_argument that names the variable
void read_checks(Options& options) {
  const auto read = [](const char* name, auto parse) {
    try {
      parse(environment(name));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(std::string(name) + ": " + error.what());
    }
  };
  read("WARPBOOK_CHECK", [&](const std::string& text) { options.checks = CheckSet::parse(text); });
  read("WARPBOOK_CHECK_SUPPRESS", [&](const std::string& text) { options.suppressions = parse_suppressions(text); });
  options.check_report = fixed_target(environment("WARPBOOK_CHECK_REPORT"));
  const std::uint64_t code = environment_number("WARPBOOK_CHECK_EXITCODE");
  if (code > 255)
    throw std::invalid_argument("WARPBOOK_CHECK_EXITCODE=" + std::to_string(code) + " is not an exit code: 1 to 255");
  options.check_exit_code = static_cast<int>(code);
}

/// @throws std::invalid_argument that names the variable
bool starts_cold() {
  const std::string control = environment("WARPBOOK_CACHE_CONTROL");
  if (!control.empty() && control != "all" && control != "none")
    throw std::invalid_argument("WARPBOOK_CACHE_CONTROL='" + control + "' is neither all nor none");
  return control == "all";
}

/// @throws std::invalid_argument that names the variable
FilterOptions read_filter() {
  FilterOptions filter;
  filter.kernel_name = environment("WARPBOOK_PROFILE_KERNEL");
  filter.launch_skip = environment_number("WARPBOOK_PROFILE_LAUNCH_SKIP");
  filter.launch_count = environment_number("WARPBOOK_PROFILE_LAUNCH_COUNT");
  std::istringstream lines(environment("WARPBOOK_PROFILE_NVTX"));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) filter.include.push_back(line);
  const std::string start = environment("WARPBOOK_PROFILE_FROM_START");
  if (!start.empty() && start != "on" && start != "off")
    throw std::invalid_argument("WARPBOOK_PROFILE_FROM_START='" + start + "' is neither on nor off");
  filter.from_start = start != "off";
  try {
    ProfileFilter{filter};
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("WARPBOOK_PROFILE_KERNEL or WARPBOOK_PROFILE_NVTX: ") + error.what());
  }
  return filter;
}

}  // namespace

Options Options::from_environment() {
  Options options;
  options.profile = fixed_target(environment("WARPBOOK_PROFILE"));
  options.trace = fixed_target(environment("WARPBOOK_TRACE"));
  options.filter = read_filter();
  options.threads = static_cast<unsigned>(environment_number("WARPBOOK_THREADS"));
  options.schedule_seed = environment_number("WARPBOOK_SCHEDULE_SEED");
  options.step_limit = environment_number("WARPBOOK_STEP_LIMIT");
  options.cold = starts_cold();
  if (const std::uint64_t count = environment_number("WARPBOOK_STREAM_PRIORITIES"); count != 0)
    options.stream_priorities = static_cast<int>(std::min<std::uint64_t>(count, 1000));
  if (const std::uint64_t seconds = environment_number("WARPBOOK_PATIENCE"); seconds != 0)
    options.patience = static_cast<unsigned>(std::min<std::uint64_t>(seconds, 100000));
  options.connections = read_connections(std::getenv("CUDA_DEVICE_MAX_CONNECTIONS"));
  read_devices(options);
  read_checks(options);
  return options;
}

ModuleRegistry& registry() {
  static auto* modules = new ModuleRegistry;
  return *modules;
}

Runtime& Runtime::instance() {
  begin_debugging();
  const std::lock_guard guard(runtime_lock());
  if (the_runtime == nullptr) {
    the_runtime = new Runtime;
    if (!host().is_apart())
      install_crash_report(
          {serve_host_access, end_host_access, [](std::uint64_t address, bool write, std::uint64_t instruction) {
             explain_host_access({.address = address, .write = write, .instruction = instruction});
           }});
  }
  return *the_runtime;
}

Runtime* Runtime::existing() { return the_runtime; }

Runtime::Runtime()
    : process(::getpid()),
      options(Options::from_environment()),
      devices_(devices_of(options)),
      device_count_(static_cast<unsigned>(options.visible.numbers.size())),
      memory(devices_[0]->description.total_memory),
      timeline(devices_[0]->description, options.connections),
      profile(devices_[0]->description.name, options.profile),
      trace(options.trace),
      filter(options.filter),
      places(wants_places(options.checks)),
      progress(*this),
      backlog(Schedule(options.schedule_seed).late, progress, timeline) {
  memory.set_red_zones(options.checks.has(Check::memory));
  for (std::size_t i = 1; i < devices_.size(); ++i) {
    memory.add_device(devices_[i]->description.total_memory);
    timeline.add_device(devices_[i]->description);
    profile.add_device(devices_[i]->description.name);
  }
  if (options.checks.has(Check::race) || options.checks.has(Check::init) || options.checks.has(Check::sync)) {
    checker = std::make_unique<Checker>(options.checks, memory, findings, order);
    backlog.tell(order);
  }
  // If work is deferred until the host waits, its memory accesses are not known yet.
  if (options.checks.has(Check::race) && !backlog.late()) {
    watch = std::make_unique<HostWatch>(*this);
    managed.watch(*watch);
    order.when_settled = [this] { watch->settle(); };
  }
  graphs = std::make_unique<GraphState>(*this);
  images = std::make_unique<ImageState>();
  ipc = std::make_unique<Ipc>(*this);
}

Runtime::~Runtime() = default;

const Link* Runtime::link(unsigned from, unsigned to) const {
  return from == to ? nullptr : device_at(from).description.link_to(device_at(to).description);
}

void Runtime::report_heap() {
  std::optional<HeapUse> all;
  for (const auto& device : devices_) {
    if (!device->heap) continue;
    const HeapUse use = device->heap->use();
    if (!all) {
      all = use;
      continue;
    }
    all->allocations += use.allocations;
    all->bytes += use.bytes;
    all->refused += use.refused;
    all->live_bytes += use.live_bytes;
    all->peak_bytes += use.peak_bytes;
  }
  if (all) profile.heap(*all);
}

std::uint32_t Runtime::new_stream_number() { return Timeline::default_stream(active_device()) | next_stream_++; }

std::uint32_t Runtime::create_branch() {
  const std::uint32_t number = new_stream_number();
  timeline.create_stream(number, true);
  return number;
}

Stream* Runtime::find_stream(cudaStream_t handle) {
  const bool per_thread = handle == cudaStreamPerThread || (handle == nullptr && PerThreadDefaultStream::active());
  if (per_thread) {
    std::uint32_t& number = thread_streams[active_device()];
    if (number == 0) {
      number = new_stream_number();
      timeline.create_stream(number, false);
    }
    per_thread_default_.number = number;
    per_thread_default_.owned_by_program = false;
    return &per_thread_default_;
  }
  if (handle == nullptr || handle == cudaStreamLegacy) return &here().legacy;
  Stream* const found = streams.find(handle);
  if (found != nullptr) set_active_device(found->device());
  return found;
}

Stream& Runtime::create_stream(const char* call, unsigned stream_flags, int priority) {
  Stream& stream = *streams.add();
  if (options.checks.any()) objects.made(&stream, "stream", call, places.here());
  stream.number = new_stream_number();
  stream.flags = stream_flags;
  stream.priority = priority;
  stream.partition = current_partition();
  timeline.create_stream(stream.number, (stream_flags & cudaStreamNonBlocking) != 0, priority);
  return stream;
}

cudaError_t Runtime::wait_for(const Stream& stream) {
  if (capturing != 0) {
    if (const cudaError_t error = graphs->captures.synchronise(stream)) return error;
  }
  backlog.finish(stream);
  timeline.synchronise(stream.number);
  return waited();
}

cudaError_t Runtime::wait_for(const EventRecord& record) {
  backlog.finish(record.ticket);
  timeline.synchronise_until(record.time_us);
  return waited();
}

cudaError_t Runtime::wait_for_all() {
  backlog.finish_all(active_device());
  timeline.synchronise_all(active_device());
  return waited();
}

cudaError_t Runtime::wait_silently_for_all(bool takes_time) {
  backlog.work_off_all();
  if (takes_time) timeline.synchronise_all();
  return waited();
}

cudaError_t Runtime::waited() {
  flush_output();
  if (fault_pending()) notice_fault();
  return sticky_;
}

void Runtime::destroy_stream(Stream& stream) {
  if (capturing != 0) graphs->captures.forget(stream);
  // The host does not wait: cudaStreamDestroy waits for nothing.
  if (backlog.work_off(stream))
    timeline.destroy_stream(stream.number);
  else
    backlog.put(stream, [this, number = stream.number] { timeline.destroy_stream(number); });
  objects.gone(&stream);
  streams.remove(&stream);
}

cudaError_t Runtime::load(DeviceModule& module) {
  if (module.only_device >= 0 && module.only_device != static_cast<int>(active_device()))
    return cudaErrorInvalidResourceHandle;
  const auto& error = module.load(memory, architecture(),
                                  {.turns_end_at_accesses = Schedule(options.schedule_seed).turns,
                                   .watched = options.checks.has(Check::race) || options.checks.has(Check::sync),
                                   .follows_undefined = options.checks.has(Check::init)});
  if (!error) {
    // Its managed variables hold their initial values, and their pages are on the host.
    for (const Allocation* allocation : memory.live()) {
      if (allocation->is_constant() && options.checks.has(Check::memory))
        memory.set_constant(allocation->address, true);
      const bool is_new = allocation->kind == MemoryKind::managed && managed.model.find(allocation->address) == nullptr;
      if (!is_new) continue;
      if (watch) watch->allocated(allocation->address, allocation->bytes, true);
      managed.allocated(allocation->address, allocation->bytes, true);
      profile.allocated(allocation->address, allocation->bytes, "managed", "__managed__");
    }
    return cudaSuccess;
  }
  complain_once(error->message);
  return static_cast<cudaError_t>(error->code);
}

void Runtime::flush_output() {
  if (!output_.empty()) host().print(output_, false);
  if (!error_output_.empty()) host().print(error_output_, true);
  output_.clear();
  error_output_.clear();
}

void Runtime::notice_fault() {
  if (fault_pending_ == cudaSuccess) return;
  sticky_ = std::exchange(fault_pending_, cudaSuccess);
  flush_output();
}

void Runtime::reset() {
  flush_output();
  VirtualDevice& device = here();
  // What belongs to no device is freed with the last device in use.
  const bool alone = std::none_of(devices_.begin(), devices_.end(), [&](const auto& other) {
    return other.get() != &device && (other->primary_context || memory.used(other->number) != 0);
  });
  if (alone) {
    graphs->clear();
    images->clear();
    ipc->clear();
    std::vector<std::uint64_t> variables;
    for (const Allocation* allocation : memory.live())
      if (allocation->kind == MemoryKind::managed && !allocation->name.empty())
        variables.push_back(allocation->address);
    managed.clear(variables);
    if (watch) watch->clear();
  }
  for (const auto& module : registry().modules()) module->unload(memory);
  if (alone) {
    for (const auto& [address, mapping] : memory.virtual_memory().mappings()) profile.freed(address);
    memory.virtual_memory().clear();
  }
  memory.unite();
  for (const Allocation* allocation : memory.live()) {
    const bool stays = allocation->mapped || allocation->kind == MemoryKind::managed;
    if (!alone && (stays || allocation->device != device.number)) continue;
    profile.freed(allocation->address);
    // A managed variable stays, with its contents (DeviceModule::unload).
    if (allocation->kind == MemoryKind::managed && !allocation->name.empty()) continue;
    if (checker) checker->freed(allocation->address, allocation->bytes);
    memory.free(allocation->address);
  }
  std::vector<Stream*> gone;
  for (const auto& [handle, stream] : streams.live())
    if (alone || stream->device() == device.number) gone.push_back(stream.get());
  for (Stream* stream : gone) {
    timeline.destroy_stream(stream->number);
    objects.gone(stream);
    streams.remove(stream);
  }
  std::vector<Event*> gone_events;
  for (const auto& [handle, event] : events.live())
    if (alone || event->device == device.number) gone_events.push_back(event.get());
  for (Event* event : gone_events) {
    objects.gone(event);
    events.remove(event);
  }
  if (alone) objects.clear();
  report_heap();
  device.heap.reset();
  device.texts.clear();
  device.grid_workspace = 0;
  device.reset_limits();
  for (unsigned owner = 0; owner < devices_.size(); ++owner) {
    if ((device.peers & only_device(owner)) != 0)
      memory.set_access(owner, memory.access(owner) & ~only_device(device.number));
  }
  device.peers = 0;
  sticky_ = fault_pending_ = cudaSuccess;
  device.primary_context = false;
}

PerThreadDefaultStream::PerThreadDefaultStream() : before_(std::exchange(per_thread_default, true)) {}
PerThreadDefaultStream::~PerThreadDefaultStream() { per_thread_default = before_; }
bool PerThreadDefaultStream::active() { return per_thread_default; }

}  // namespace warpbook::simulator::runtime
