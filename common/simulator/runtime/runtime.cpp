// Makes the virtual device, keeps its streams, modules and errors, and ends with the profile.
#include "common/simulator/runtime/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

#include "common/simulator/machine/schedule.h"
#include "common/simulator/runtime/crash_report.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/host_access.h"

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

const Device& device_of(const Options& options) {
  const Device& whole = load_device(options.device);
  if (options.multiprocessors == 0) return whole;
  static Device part = whole;
  part.multiprocessors = options.multiprocessors;
  part.attributes["multiprocessor_count"] = options.multiprocessors;
  return part;
}

/// Runs after the program's own exit handlers and static destructors.
[[gnu::destructor]] void write_profile_at_exit() {
  if (the_runtime == nullptr || the_runtime->process != ::getpid()) return;
  if (the_runtime->heap) the_runtime->profile.heap(the_runtime->heap->use());
  if (const auto error = the_runtime->profile.write(the_runtime->timeline)) complain(*error);
}

}  // namespace

Options Options::from_environment() {
  Options options;
  if (const std::string device = environment("WARPBOOK_DEVICE"); !device.empty()) options.device = device;
  options.profile = environment("WARPBOOK_PROFILE");
  // The program may change its working folder.
  const bool is_path = !options.profile.empty() && options.profile.rfind("fd:", 0) != 0;
  if (is_path) options.profile = std::filesystem::absolute(options.profile).string();
  options.threads = static_cast<unsigned>(environment_number("WARPBOOK_THREADS"));
  options.schedule_seed = environment_number("WARPBOOK_SCHEDULE_SEED");
  options.step_limit = environment_number("WARPBOOK_STEP_LIMIT");
  if (const std::uint64_t count = environment_number("WARPBOOK_STREAM_PRIORITIES"); count != 0)
    options.stream_priorities = static_cast<int>(std::min<std::uint64_t>(count, 1000));
  options.multiprocessors =
      static_cast<unsigned>(std::min<std::uint64_t>(environment_number("WARPBOOK_MULTIPROCESSORS"), 100000));
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
    if (!host().is_apart()) install_crash_report({serve_host_access, explain_host_access});
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
      backlog(Schedule(options.schedule_seed).late) {
  limits.stack = device.stack_bytes;
  limits.printf = device.printf_bytes;
  limits.heap = device.heap_bytes;
  limits.persisting_l2 = static_cast<std::uint64_t>(device.attribute("max_persisting_l2_cache_size")) * 3 / 10;
  legacy_.owned_by_program = false;
  flags = cudaDeviceMapHost;
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

Stream& Runtime::create_stream(unsigned stream_flags, int priority) {
  Stream& stream = *streams.add();
  stream.number = next_stream_++;
  stream.flags = stream_flags;
  stream.priority = priority;
  timeline.create_stream(stream.number, (stream_flags & cudaStreamNonBlocking) != 0, priority);
  return stream;
}

cudaError_t Runtime::wait_for(const Stream& stream) {
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

cudaError_t Runtime::waited() {
  flush_output();
  if (fault_pending()) notice_fault();
  return sticky_;
}

void Runtime::destroy_stream(Stream& stream) {
  backlog.finish(stream);  // Its work refers to it.
  timeline.destroy_stream(stream.number);
  streams.remove(&stream);
}

cudaError_t Runtime::load(DeviceModule& module) {
  const auto& error = module.load(memory, architecture(), {Schedule(options.schedule_seed).turns});
  if (!error) {
    // Its managed variables hold their initial values, which are with the host.
    for (const Allocation* allocation : memory.live()) {
      const bool is_new = allocation->kind == MemoryKind::managed && managed.model.find(allocation->address) == nullptr;
      if (!is_new) continue;
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
  managed.clear();
  for (const auto& module : registry().modules()) module->unload(memory);
  for (const Allocation* allocation : memory.live()) {
    profile.freed(allocation->address);
    memory.free(allocation->address);
  }
  for (const auto& [handle, stream] : streams.live()) timeline.destroy_stream(stream->number);
  streams.clear();
  events.clear();
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
