// Launches kernels.
#include "common/simulator/runtime/launch.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/simulator/machine/launch.h"
#include "common/simulator/model/occupancy.h"
#include "common/simulator/model/time_model.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/fault_report.h"
#include "common/simulator/runtime/kernel_resources.h"
#include "common/simulator/runtime/metrics.h"
#include "common/simulator/runtime/source_lines.h"

namespace warpbook::simulator::runtime {
namespace {

bool within(const Device& device, const Dim3& dim, const char* x, const char* y, const char* z) {
  return dim.x >= 1 && dim.y >= 1 && dim.z >= 1 && dim.x <= device.attribute(x) && dim.y <= device.attribute(y) &&
         dim.z <= device.attribute(z);
}

/// All of these answer cudaErrorInvalidValue on the driver that the device description comes from.
bool shape_is_valid(const Runtime& runtime, const Kernel& kernel, const KernelResources& resources,
                    const LaunchRequest& request) {
  const Device& device = runtime.device;
  if (!within(device, request.grid, "max_grid_dim_x", "max_grid_dim_y", "max_grid_dim_z")) return false;
  if (!within(device, request.block, "max_block_dim_x", "max_block_dim_y", "max_block_dim_z")) return false;
  if (request.block.count() > resources.max_threads) return false;
  const std::uint64_t opted_in = resources.static_shared + std::uint64_t{kernel.max_dynamic_shared};
  const std::uint64_t most = opted_in > device.shared_per_block ? opted_in : device.shared_per_block;
  return resources.static_shared + request.dynamic_shared <= most;
}

std::vector<std::byte> pack_parameters(const Function& function, void** arguments) {
  std::vector<std::byte> packed(function.parameter_bytes);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    std::memcpy(packed.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return packed;
}

/// The heap for malloc in kernels, if @p program may call it. nullptr also when there is no memory left for it: then
/// malloc returns NULL, as on a device whose heap is full.
DeviceHeap* heap_for(Runtime& runtime, const Program& program) {
  const bool needed = std::any_of(program.calls.begin(), program.calls.end(), [](const CallSite& site) {
    return site.system == SystemCall::malloc || site.system == SystemCall::free;
  });
  if (!needed) return nullptr;
  if (!runtime.heap) {
    const Allocation* place = runtime.memory.allocate(runtime.limits.heap, MemoryKind::module, 256, "the device heap");
    if (place != nullptr) runtime.heap = std::make_unique<DeviceHeap>(place->address, place->bytes);
  }
  return runtime.heap.get();
}

Launch prepare(Runtime& runtime, const KernelResources& resources, const LaunchRequest& request,
               const std::vector<std::byte>& parameters, const Occupancy& resident) {
  Launch launch;
  launch.program = resources.program;
  launch.kernel = resources.function;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(request.dynamic_shared);
  launch.parameters = parameters;
  launch.memory = &runtime.memory;
  launch.heap = heap_for(runtime, *resources.program);
  launch.stack_bytes = static_cast<std::uint32_t>(runtime.limits.stack);
  launch.multiprocessors = runtime.device.multiprocessors;
  launch.resident_blocks = resident.blocks * runtime.device.multiprocessors;
  launch.grid_id = ++runtime.grids;
  launch.start_ns = static_cast<std::uint64_t>(runtime.timeline.now_us() * 1000.0);
  launch.clock_khz = runtime.device.clock_khz;
  launch.step_limit = runtime.options.step_limit;
  launch.threads = runtime.options.threads;
  launch.schedule_seed = runtime.options.schedule_seed;
  return launch;
}

/// "file:20: void kernel(int): block: [0,0,0], thread: [0,0,0] Assertion `a` failed.": such a line goes to stderr.
bool reports_assertion(const std::string& text) {
  constexpr std::string_view kEnd = "` failed.\n";
  return text.size() > kEnd.size() && text.compare(text.size() - kEnd.size(), kEnd.size(), kEnd) == 0 &&
         text.find(": block: [") != std::string::npos && text.find(" Assertion `") != std::string::npos;
}

void record(Runtime& runtime, const Stream& stream, const Kernel& kernel, const KernelResources& resources,
            const LaunchRequest& request, const Counters& counters, const KernelTime& time, double start_us) {
  if (!runtime.profile.enabled()) return;
  KernelRecord record;
  record.name = kernel.name;
  record.mangled = kernel.mangled;
  record.grid = request.grid;
  record.block = request.block;
  record.shared_bytes = resources.static_shared + static_cast<std::uint32_t>(request.dynamic_shared);
  record.registers = resources.registers;
  record.registers_from_cubin = resources.from_cubin;
  record.stream = stream.number;
  record.start_us = start_us;
  record.time_us = time.us;
  record.limiter = time.limiter;
  record.model = time.components;
  record.metrics = metrics({*resources.program, counters, time, request.grid, request.block, resources.static_shared,
                            static_cast<std::uint32_t>(request.dynamic_shared), resources.registers});
  record.lines = source_lines(*resources.program, counters);
  runtime.profile.add(std::move(record));
}

}  // namespace

cudaError_t launch(Runtime& runtime, Stream& stream, Kernel& kernel, const LaunchRequest& request) {
  KernelResources resources;
  if (const cudaError_t error = find_resources(runtime, kernel, resources)) return error;
  if (!shape_is_valid(runtime, kernel, resources, request)) return cudaErrorInvalidValue;
  if (request.arguments == nullptr && !resources.function->parameters.empty()) return cudaErrorInvalidValue;
  const std::uint64_t shared = resources.static_shared + request.dynamic_shared;
  const Occupancy resident =
      occupancy(runtime.device, resources.registers, static_cast<unsigned>(request.block.count()), shared);
  if (resident.blocks == 0) return cudaErrorLaunchOutOfResources;
  if (request.cooperative && request.grid.count() > std::uint64_t{resident.blocks} * runtime.device.multiprocessors) {
    return cudaErrorCooperativeLaunchTooLarge;
  }

  const std::vector<std::byte> parameters = pack_parameters(*resources.function, request.arguments);
  Launch prepared = prepare(runtime, resources, request, parameters, resident);
  std::vector<std::string> printed;
  prepared.print = [&printed](std::string_view text) { printed.emplace_back(text); };
  const LaunchResult result = run(prepared);
  for (const std::string& text : printed) {
    runtime.print(text, result.fault.kind == FaultKind::assertion && reports_assertion(text));
  }

  const KernelTime time =
      predict(runtime.device, KernelWork{*resources.program, *resources.function, request.grid, request.block,
                                         static_cast<std::uint32_t>(shared), resources.registers, result.counters});
  const double start_us = runtime.timeline.kernel(stream.number, kernel.name, time).start_us;
  record(runtime, stream, kernel, resources, request, result.counters, time, start_us);
  if (result.fault) {
    const FaultReport report = describe_fault(runtime, kernel, *resources.program, result.fault);
    runtime.profile.add(report);
    complain(text_of(report));
    runtime.set_fault(static_cast<cudaError_t>(report.code));
  }
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
