// Makes the virtual device, keeps its streams, modules and errors, and ends with the profile.
#include "common/simulator/runtime/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>
#include <stdexcept>
#include <utility>

#include "common/simulator/machine/schedule.h"
#include "common/simulator/machine/virtual_memory.h"
#include "common/simulator/runtime/check_report.h"
#include "common/simulator/runtime/crash_report.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/host_access.h"
#include "common/simulator/runtime/image_state.h"
#include "common/simulator/runtime/output_target.h"

namespace warpbook::simulator::runtime {
namespace {

thread_local bool per_thread_default = false;
thread_local std::uint32_t thread_stream = 0;  // number of this thread's own default stream, once it has one

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

/// A host that is apart from its device has its stack in another process.
bool wants_places(CheckSet checks) {
  return !host().is_apart() &&
         (checks.has(Check::memory) || checks.has(Check::race) || checks.has(Check::sync) || checks.has(Check::leak));
}

const Device& device_of(const Options& options) {
  const Device& whole = load_device(options.device);
  if (options.multiprocessors == 0) return whole;
  static Device part = whole;
  part.multiprocessors = options.multiprocessors;
  part.attributes["multiprocessor_count"] = options.multiprocessors;
  return part;
}

/// Ends the process, with all that the program wrote: what is left of its exit could not change the code.
[[noreturn]] void exit_with(int code) {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  ::_exit(code);
}

/// Runs after the program's own exit handlers and static destructors.
[[gnu::destructor]] void write_profile_at_exit() {
  if (the_runtime == nullptr || the_runtime->process != ::getpid()) return;
  if (the_runtime->heap) the_runtime->profile.heap(the_runtime->heap->use());
  const bool failed = report_checks(*the_runtime, true);
  if (const auto error = the_runtime->profile.write(the_runtime->timeline)) complain(*error);
  // A device apart from the program has an exit code of its own.
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

}  // namespace

Options Options::from_environment() {
  Options options;
  if (const std::string device = environment("WARPBOOK_DEVICE"); !device.empty()) options.device = device;
  options.profile = fixed_target(environment("WARPBOOK_PROFILE"));
  options.threads = static_cast<unsigned>(environment_number("WARPBOOK_THREADS"));
  options.schedule_seed = environment_number("WARPBOOK_SCHEDULE_SEED");
  options.step_limit = environment_number("WARPBOOK_STEP_LIMIT");
  if (const std::uint64_t count = environment_number("WARPBOOK_STREAM_PRIORITIES"); count != 0)
    options.stream_priorities = static_cast<int>(std::min<std::uint64_t>(count, 1000));
  options.multiprocessors =
      static_cast<unsigned>(std::min<std::uint64_t>(environment_number("WARPBOOK_MULTIPROCESSORS"), 100000));
  read_checks(options);
  return options;
}

std::recursive_mutex& runtime_lock() {
  static auto* lock = new std::recursive_mutex;
  return *lock;
}

ModuleRegistry& registry() {
  static auto* modules = new ModuleRegistry;
  return *modules;
}

Runtime& Runtime::instance() {
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
      device(device_of(options)),
      memory(device.total_memory),
      timeline(device),
      profile(device.name, options.profile),
      places(wants_places(options.checks)),
      backlog(Schedule(options.schedule_seed).late) {
  memory.set_red_zones(options.checks.has(Check::memory));
  limits.stack = device.stack_bytes;
  limits.printf = device.printf_bytes;
  limits.heap = device.heap_bytes;
  limits.persisting_l2 = static_cast<std::uint64_t>(device.attribute("max_persisting_l2_cache_size")) * 3 / 10;
  if (options.checks.has(Check::race) || options.checks.has(Check::init) || options.checks.has(Check::sync)) {
    checker = std::make_unique<Checker>(options.checks, memory, findings, order);
    backlog.tell(order);
  }
  // Where work waits for the host to wait, nobody knows yet what it will use.
  if (options.checks.has(Check::race) && !backlog.late()) {
    watch = std::make_unique<HostWatch>(*this);
    managed.watch(*watch);
    order.when_settled = [this] { watch->settle(); };
  }
  graphs = std::make_unique<GraphState>(*this);
  images = std::make_unique<ImageState>();
  legacy_.owned_by_program = false;
  flags = cudaDeviceMapHost;
}

Runtime::~Runtime() = default;

std::uint32_t Runtime::create_branch() {
  timeline.create_stream(next_stream_, true);
  return next_stream_++;
}

Stream* Runtime::find_stream(cudaStream_t handle) {
  const bool per_thread = handle == cudaStreamPerThread || (handle == nullptr && PerThreadDefaultStream::active());
  if (per_thread) {
    if (thread_stream == 0) {
      thread_stream = next_stream_++;
      timeline.create_stream(thread_stream, false);
    }
    per_thread_default_.number = thread_stream;
    per_thread_default_.owned_by_program = false;
    return &per_thread_default_;
  }
  if (handle == nullptr || handle == cudaStreamLegacy) return &legacy_;
  return streams.find(handle);
}

Stream& Runtime::create_stream(const char* call, unsigned stream_flags, int priority) {
  Stream& stream = *streams.add();
  if (options.checks.any()) objects.made(&stream, "stream", call, places.here());
  stream.number = next_stream_++;
  stream.flags = stream_flags;
  stream.priority = priority;
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
  backlog.finish_all();
  timeline.synchronise_all();
  return waited();
}

cudaError_t Runtime::wait_silently_for_all() {
  backlog.work_off_all();
  timeline.synchronise_all();
  return waited();
}

cudaError_t Runtime::waited() {
  flush_output();
  if (fault_pending()) notice_fault();
  return sticky_;
}

void Runtime::destroy_stream(Stream& stream) {
  if (capturing != 0) graphs->captures.forget(stream);
  backlog.work_off(stream);  // Its work refers to it. The host goes on: cudaStreamDestroy waits for nothing.
  timeline.destroy_stream(stream.number);
  objects.gone(&stream);
  streams.remove(&stream);
}

cudaError_t Runtime::load(DeviceModule& module) {
  const auto& error = module.load(
      memory, architecture(),
      {Schedule(options.schedule_seed).turns, options.checks.has(Check::race), options.checks.has(Check::init)});
  if (!error) {
    // Its managed variables hold their initial values, which are with the host.
    for (const Allocation* allocation : memory.live()) {
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
  graphs->clear();
  images->clear();
  managed.clear();
  if (watch) watch->clear();
  for (const auto& module : registry().modules()) module->unload(memory);
  for (const auto& [address, mapping] : memory.virtual_memory().mappings()) profile.freed(address);
  memory.virtual_memory().clear();
  memory.unite();
  for (const Allocation* allocation : memory.live()) {
    profile.freed(allocation->address);
    if (checker) checker->freed(allocation->address, allocation->bytes);
    memory.free(allocation->address);
  }
  for (const auto& [handle, stream] : streams.live()) timeline.destroy_stream(stream->number);
  streams.clear();
  events.clear();
  objects.clear();
  if (heap) profile.heap(heap->use());
  heap.reset();
  device_texts.clear();
  grid_workspace = 0;
  limits.stack = device.stack_bytes;
  limits.printf = device.printf_bytes;
  limits.heap = device.heap_bytes;
  limits.pending_launches = Limits().pending_launches;
  sticky_ = fault_pending_ = cudaSuccess;
  primary_context = false;
}

PerThreadDefaultStream::PerThreadDefaultStream() : before_(std::exchange(per_thread_default, true)) {}
PerThreadDefaultStream::~PerThreadDefaultStream() { per_thread_default = before_; }
bool PerThreadDefaultStream::active() { return per_thread_default; }

void complain(const std::string& message) { host().complain("warpbook: " + message); }

void complain_once(const std::string& message) {
  const std::lock_guard guard(runtime_lock());
  static auto* told = new std::set<std::string>;
  if (told->insert(message).second) complain(message);
}

}  // namespace warpbook::simulator::runtime
