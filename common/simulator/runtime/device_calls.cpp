// Launches, streams, events, copies and memory of the device runtime.
#include "common/simulator/runtime/device_calls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/error_names.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/kernel_name.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr std::string_view kPrefix = "__cudaCDP2", kPerThreadSuffix = "_ptsz";
// Special values of stream handles (cuda_device_runtime_api.h, driver_types.h).
constexpr std::uint64_t kPerThread = 2, kTailLaunch = 3, kFireAndForget = 4;
/// Handles of streams and events start here: not an address of anything.
constexpr std::uint64_t kHandleBase = 0x0000'0400'0000'0000;
/// The header whose functions are inlined where a program calls the device runtime.
constexpr std::string_view kHeader = "cuda_device_runtime_api.h";

using Extent = std::array<std::uint32_t, 3>;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

const std::map<std::string, DeviceCalls::Method>& DeviceCalls::methods() {
  static const auto* table = new std::map<std::string, Method>{
      {"LaunchDeviceV2", &DeviceCalls::launch},
      {"StreamCreateWithFlags", &DeviceCalls::create_stream},
      {"StreamDestroy", &DeviceCalls::destroy_stream},
      {"StreamWaitEvent", &DeviceCalls::wait_event},
      {"EventCreateWithFlags", &DeviceCalls::create_event},
      {"EventRecord", &DeviceCalls::record_event},
      {"EventDestroy", &DeviceCalls::destroy_event},
      {"MemcpyAsync", &DeviceCalls::copy},
      {"Memcpy2DAsync", &DeviceCalls::copy_rows},
      {"Memcpy3DAsync", &DeviceCalls::copy_box},
      {"MemsetAsync", &DeviceCalls::fill},
      {"Memset2DAsync", &DeviceCalls::fill_rows},
      {"Memset3DAsync", &DeviceCalls::fill_box},
      {"Malloc", &DeviceCalls::allocate},
      {"Free", &DeviceCalls::free},
      {"DeviceGetAttribute", &DeviceCalls::attribute},
      {"DeviceGetLimit", &DeviceCalls::limit},
      {"DeviceGetCacheConfig", &DeviceCalls::cache_config},
      {"GetDevice", &DeviceCalls::device},
      {"GetDeviceCount", &DeviceCalls::device_count},
      {"RuntimeGetVersion", &DeviceCalls::runtime_version},
      {"FuncGetAttributes", &DeviceCalls::function_attributes},
      {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", &DeviceCalls::occupancy},
  };
  return *table;
}

bool DeviceCalls::call(DeviceCall& call) {
  if (call.name() == "cudaGraphSetConditional") {
    runtime_.graphs->conditions[call.argument<std::uint64_t>(0)] = call.argument<std::uint32_t>(1);
    return true;
  }
  if (call.name() == "cudaGraphLaunch") {
    call.answer(static_cast<std::int32_t>(launch_graph(call)));
    return true;
  }
  if (call.name().rfind(kPrefix, 0) != 0) return false;
  std::string name = call.name().substr(kPrefix.size());
  // The NULL stream of such a call is the per-thread one: it belongs to a block, like the other one.
  if (ends_with(name, kPerThreadSuffix)) name.resize(name.size() - kPerThreadSuffix.size());
  if (name == "GetParameterBufferV2") {
    call.answer(parameter_buffer(call));
  } else if (name == "GetLastError" || name == "PeekAtLastError") {
    const auto found = last_error_.find(thread_key(call));
    call.answer(found == last_error_.end() ? std::int32_t{0} : static_cast<std::int32_t>(found->second));
    if (found != last_error_.end() && name == "GetLastError") last_error_.erase(found);
    refused_.erase(thread_key(call));
  } else if (name == "GetErrorName") {
    call.answer(text(call, error_name(call.argument<std::int32_t>(0))));
  } else if (name == "GetErrorString") {
    call.answer(text(call, error_text(call.argument<std::int32_t>(0))));
  } else {
    const auto method = methods().find(name);
    if (method == methods().end()) return false;
    call.answer(static_cast<std::int32_t>(keep(call, (this->*method->second)(call))));
  }
  return true;
}

cudaError_t DeviceCalls::keep(DeviceCall& call, cudaError_t error) {
  if (error != cudaSuccess) last_error_[thread_key(call)] = error;
  return error;
}

Kernel* DeviceCalls::kernel_at(std::uint64_t address) {
  const Program& program = *node_.run.resources.program;
  const std::uint64_t index = (address - kCodeBase) / 16;
  if (address < kCodeBase || (address - kCodeBase) % 16 != 0 || index >= program.functions.size()) return nullptr;
  const Function& function = program.functions[index];
  return function.entry ? &node_.run.kernel->module->kernel(function.name) : nullptr;
}

std::uint64_t DeviceCalls::parameter_buffer(DeviceCall& call) {
  const auto refuse = [&](cudaError_t error) {
    keep(call, error);
    locate(call, refused_[thread_key(call)], true);
    return std::uint64_t{0};
  };
  Kernel* kernel = kernel_at(call.argument<std::uint64_t>(0));
  if (kernel == nullptr) return refuse(cudaErrorInvalidDeviceFunction);
  GridRun run;
  run.partition = node_.run.partition;
  const cudaError_t error = check_launch(runtime_, *kernel, dim3_of(call.argument<Extent>(1)),
                                         dim3_of(call.argument<Extent>(2)), call.argument<std::uint32_t>(3), run);
  if (error == cudaErrorInvalidValue)
    return refuse(cudaErrorInvalidConfiguration);  // Not the same code as on the
                                                   // host.
  if (error != cudaSuccess) return refuse(error);
  run.stack_bytes = node_.run.stack_bytes;  // The host may have set another limit since.
  const std::uint64_t bytes = run.resources.function->parameter_bytes;
  if (bytes > GridTree::kParameterBytes) return refuse(cudaErrorInvalidValue);
  if (tree_.pending() + buffers_.size() >= runtime_.here().limits.pending_launches) {
    return refuse(cudaErrorLaunchPendingCountExceeded);
  }
  const std::uint64_t address = tree_.take_parameters(bytes);
  if (address == 0) return refuse(cudaErrorMemoryAllocation);
  buffers_[address] = std::move(run);
  return address;
}

cudaError_t DeviceCalls::launch(DeviceCall& call) {
  const auto buffer = buffers_.find(call.argument<std::uint64_t>(0));
  if (buffer == buffers_.end()) return cudaErrorInvalidValue;
  DeviceWork work;
  work.kind = DeviceWork::Kind::kernel;
  work.run = std::move(buffer->second);
  work.run.parameters.resize(work.run.resources.function->parameter_bytes);
  call.read(buffer->first, work.run.parameters.data(), work.run.parameters.size());
  tree_.give_back_parameters(buffer->first);
  buffers_.erase(buffer);
  work.run.inherited = call.publish();
  const ModelConstants& model = runtime_.device().model;
  work.calls_us = spend(call, model.device_launch_call_us, model.device_launch_lane_us);
  return enqueue(call, call.argument<std::uint64_t>(1), std::move(work));
}

cudaError_t DeviceCalls::launch_graph(DeviceCall& call) {
  DeviceGraphs* const graphs = node_.run.graphs;
  if (graphs == nullptr) return cudaErrorInvalidValue;  // The kernel is not part of a graph.
  GraphCallOfGrid made;
  made.exec = call.argument<std::uint64_t>(0);
  made.stream = call.argument<std::uint64_t>(1);
  const ModelConstants& model = runtime_.device().model;
  const double us = made.stream == DeviceGraphs::kTail ? model.device_graph_tail_call_us : model.device_graph_call_us;
  made.calls_us = spend(call, us, us);
  if (const cudaError_t error = graphs->request(made.exec, made.stream)) return error;
  graph_issued_.emplace_back(call.block(), call.clock());
  node_.graph_calls.push_back(made);
  return cudaSuccess;
}

cudaError_t DeviceCalls::enqueue(DeviceCall& call, std::uint64_t stream, DeviceWork work) {
  work.index = node_.work.size();
  Queue* queue = nullptr;
  if (stream <= kPerThread) {  // NULL, cudaStreamLegacy and cudaStreamPerThread
    work.queue = DeviceWork::Queue::block_default;
    queue = &block_queues_[call.block()];
  } else if (stream == kTailLaunch) {
    work.queue = DeviceWork::Queue::tail;
  } else if (stream == kFireAndForget) {
    work.queue = DeviceWork::Queue::fire_and_forget;
  } else {
    const auto named = streams_.find(stream);
    if (named == streams_.end()) return cudaErrorInvalidValue;
    work.queue = DeviceWork::Queue::named;
    queue = &named->second;
  }
  if (queue != nullptr) {
    if (queue->last != kNone) work.after.push_back(queue->last);
    queue->last = work.index;
  }
  work.block = call.block();
  locate(call, work, false);
  issued_.emplace_back(call.block(), call.clock());
  node_.work.push_back(std::move(work));
  tree_.issued(node_, node_.work.back());
  return cudaSuccess;
}

double DeviceCalls::spend(const DeviceCall& call, double first_us, double lane_us) {
  WarpCalls& calls = warp_calls_[thread_key(call) / kWarpSize];
  const bool together = calls.operation == call.operation() && calls.clock == call.clock();
  calls.operation = call.operation();
  calls.clock = call.clock();
  return calls.us += together ? lane_us : first_us;
}

void DeviceCalls::locate(const DeviceCall& call, DeviceWork& work, bool forwards) const {
  // The call itself was inlined from the runtime's header; what lies between the two calls of a launch is on the
  // program's own line.
  const Program& program = *node_.run.resources.program;
  const Function& function = program.functions[program.details[call.operation()].function];
  for (std::uint32_t i = call.operation(); i >= function.begin && i < function.end; forwards ? ++i : --i) {
    const ptx::SourcePosition& source = program.details[i].source;
    const auto file = program.files.find(source.file);
    if (file != program.files.end() && !ends_with(file->second, kHeader)) {
      work.file = file->second;
      work.line = source.line;
      return;
    }
    if (i == 0 && !forwards) return;
  }
}

void DeviceCalls::finish(const LaunchResult& result) {
  for (const auto& [address, run] : buffers_) tree_.give_back_parameters(address);
  buffers_.clear();
  report_refused();
  if (issued_.empty() && graph_issued_.empty()) return;
  std::uint64_t steps = 0;
  for (const InstructionCounters& instruction : result.counters.instructions) steps += instruction.inst_executed;
  const double blocks = static_cast<double>(node_.run.grid.count());
  const double of_block = std::max(1.0, static_cast<double>(steps) / blocks);
  const double at_once = std::max(
      1.0, static_cast<double>(node_.run.resident.blocks) * static_cast<double>(runtime_.device().multiprocessors));
  const double waves = std::ceil(blocks / at_once);
  const auto part_of = [&](const std::pair<std::uint64_t, std::uint64_t>& place) {
    const double wave = std::floor(static_cast<double>(place.first) / at_once);
    return (wave + std::min(1.0, static_cast<double>(place.second) / of_block)) / waves;
  };
  for (std::size_t i = 0; i < issued_.size(); ++i) node_.work[i].issued = part_of(issued_[i]);
  for (std::size_t i = 0; i < graph_issued_.size(); ++i) node_.graph_calls[i].issued = part_of(graph_issued_[i]);
}

void DeviceCalls::report_refused() const {
  if (refused_.empty()) return;
  const auto& [thread, work] = *refused_.begin();
  const int error = last_error_.at(thread);
  std::string text =
      "kernel " + function_name(node_.run.kernel->name) + ": launches of " + std::to_string(refused_.size()) +
      " threads were refused and did not run, and the threads did not ask for the error: " + error_name(error) + " (" +
      std::to_string(error) + ")";
  if (!work.file.empty()) text += " at " + work.file + ":" + std::to_string(work.line);
  complain_once(text + ". Call cudaGetLastError() after the launch, in the same thread.");
}

cudaError_t DeviceCalls::create_stream(DeviceCall& call) {
  if (call.argument<std::uint32_t>(1) > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  const std::uint64_t handle = kHandleBase + 16 * ++handles_;
  if (!call.write(call.argument<std::uint64_t>(0), &handle, sizeof handle)) return cudaErrorInvalidValue;
  streams_[handle] = {};
  const double us = runtime_.device().model.device_stream_us;
  spend(call, us, us);
  return cudaSuccess;
}

cudaError_t DeviceCalls::destroy_stream(DeviceCall& call) {
  return streams_.erase(call.argument<std::uint64_t>(0)) != 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t DeviceCalls::create_event(DeviceCall& call) {
  if (call.argument<std::uint32_t>(1) != cudaEventDisableTiming) return cudaErrorInvalidValue;
  const std::uint64_t handle = kHandleBase + 16 * ++handles_;
  if (!call.write(call.argument<std::uint64_t>(0), &handle, sizeof handle)) return cudaErrorInvalidValue;
  events_[handle] = kNone;
  return cudaSuccess;
}

cudaError_t DeviceCalls::destroy_event(DeviceCall& call) {
  return events_.erase(call.argument<std::uint64_t>(0)) != 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t DeviceCalls::record_event(DeviceCall& call) {
  const auto event = events_.find(call.argument<std::uint64_t>(0));
  const auto stream = call.argument<std::uint64_t>(1);
  if (event == events_.end()) return cudaErrorInvalidValue;
  if (stream == kTailLaunch || stream == kFireAndForget) return cudaErrorInvalidValue;
  DeviceWork work;
  work.kind = DeviceWork::Kind::event;
  const std::size_t index = node_.work.size();
  const cudaError_t error = enqueue(call, stream, std::move(work));
  if (error == cudaSuccess) event->second = index;
  return error;
}

cudaError_t DeviceCalls::wait_event(DeviceCall& call) {
  const auto stream = call.argument<std::uint64_t>(0);
  const auto event = events_.find(call.argument<std::uint64_t>(1));
  if (event == events_.end()) return cudaErrorInvalidValue;
  if (stream == kTailLaunch || stream == kFireAndForget) return cudaErrorInvalidValue;
  if (event->second == kNone) return cudaSuccess;
  DeviceWork work;
  work.kind = DeviceWork::Kind::event;
  work.after.push_back(event->second);
  return enqueue(call, stream, std::move(work));
}

cudaError_t DeviceCalls::allocate(DeviceCall& call) {
  if (call.argument<std::uint64_t>(1) == 0) return cudaErrorInvalidValue;
  DeviceHeap* const heap = runtime_.here().heap.get();
  const std::uint64_t address =
      heap == nullptr ? 0 : heap->allocate(call.argument<std::uint64_t>(1), call.heap_call(*heap));
  if (address != 0 && runtime_.checker) runtime_.checker->allocated(address, call.argument<std::uint64_t>(1));
  if (!call.write(call.argument<std::uint64_t>(0), &address, sizeof address)) return cudaErrorInvalidValue;
  return address == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t DeviceCalls::free(DeviceCall& call) {
  const auto address = call.argument<std::uint64_t>(0);
  if (address == 0) return cudaSuccess;
  DeviceHeap* const heap = runtime_.here().heap.get();
  return heap != nullptr && heap->free(address, call.heap_call(*heap)) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace warpbook::simulator::runtime
