// Checks, runs, times and records one grid.
#include "common/simulator/runtime/grid_run.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "common/simulator/machine/cluster.h"
#include "common/simulator/machine/graph_exec.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/model/clock_loops.h"
#include "common/simulator/model/machine_code.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/complaints.h"
#include "common/simulator/runtime/debugging.h"
#include "common/simulator/runtime/fault_finding.h"
#include "common/simulator/runtime/fault_report.h"
#include "common/simulator/runtime/heap_check.h"
#include "common/simulator/runtime/image_state.h"
#include "common/simulator/runtime/metrics.h"
#include "common/simulator/runtime/source_lines.h"

namespace warpbook::simulator::runtime {
namespace {

bool within(const Device& device, const Dim3& dim, const char* x, const char* y, const char* z) {
  return dim.x >= 1 && dim.y >= 1 && dim.z >= 1 && dim.x <= device.attribute(x) && dim.y <= device.attribute(y) &&
         dim.z <= device.attribute(z);
}

/// All of these are cudaErrorInvalidValue on the driver that the device description was measured with.
bool extents_are_valid(const Device& device, const GridRun& run) {
  if (!within(device, run.grid, "max_grid_dim_x", "max_grid_dim_y", "max_grid_dim_z")) return false;
  if (!within(device, run.block, "max_block_dim_x", "max_block_dim_y", "max_block_dim_z")) return false;
  return run.block.count() <= run.resources.max_threads;
}

/// Determines the clusters of a launch. The errors are an H200's (2026-11-23).
cudaError_t check_clusters(const Kernel& kernel, GridRun& run) {
  const auto& fixed = run.resources.function->cluster;
  const Dim3& dims = run.cluster;
  const bool given = dims.x != 0 || dims.y != 0 || dims.z != 0;
  if (given && dims.count() == 0) return cudaErrorInvalidClusterSize;
  if (fixed[0] != 0) {
    const bool same = run.cluster.x == fixed[0] && run.cluster.y == fixed[1] && run.cluster.z == fixed[2];
    if (given && !same) return cudaErrorInvalidClusterSize;
    run.cluster = {fixed[0], fixed[1], fixed[2]};
  }
  if (run.cluster.count() == 0) {
    run.cluster = {0, 0, 0};
    return cudaSuccess;
  }
  std::uint64_t most = kMostPortableBlocksOfCluster;
  if (kernel.settings().non_portable_cluster) most = run.planned ? run.grid.count() : kMostBlocksOfCluster;
  const bool whole =
      run.grid.x % run.cluster.x == 0 && run.grid.y % run.cluster.y == 0 && run.grid.z % run.cluster.z == 0;
  return whole && run.cluster.count() <= most ? cudaSuccess : cudaErrorInvalidClusterSize;
}

/// The heap for malloc in kernels, if a kernel of @p module may call it. nullptr also if there is no memory left for
/// it: malloc then returns NULL, as on a device whose heap is full.
DeviceHeap* heap_for(Runtime& runtime, const DeviceModule& module) {
  if (!module.uses_heap()) return nullptr;
  if (!runtime.here().heap) {
    const Allocation* place =
        runtime.memory.allocate(runtime.here().limits.heap, MemoryKind::module, 256, kDeviceHeapName, active_device());
    if (place != nullptr) runtime.here().heap = std::make_unique<DeviceHeap>(place->address, place->bytes);
    if (runtime.here().heap && runtime.options.checks.has(Check::memory)) runtime.here().heap->guard(runtime.memory);
  }
  return runtime.here().heap.get();
}

/// Those that the grid may run on.
unsigned multiprocessors_of(const Device& device, const GridRun& run) {
  return run.partition.count != 0 ? run.partition.count : device.multiprocessors;
}

Launch prepare(Runtime& runtime, const GridRun& run, std::uint64_t start_ns) {
  Launch launch;
  launch.program = run.resources.program;
  launch.kernel = run.resources.function;
  launch.grid = run.grid;
  launch.block = run.block;
  launch.explicit_cluster = run.cluster.count() != 0;
  if (launch.explicit_cluster) launch.cluster = run.cluster;
  launch.dynamic_shared_bytes = run.dynamic_shared;
  launch.parameters = run.parameters;
  launch.memory = &runtime.memory;
  if (!runtime.options.cold) launch.l2 = &runtime.here().l2;
  launch.checker = runtime.checker.get();
  launch.inherited = run.inherited;
  launch.name = run.kernel->name;
  launch.heap = heap_for(runtime, *run.kernel->module);
  launch.images = &runtime.images->table;
  launch.stack_bytes = run.stack_bytes;
  launch.device = active_device();
  launch.multiprocessors = multiprocessors_of(runtime.device(), run);
  launch.first_multiprocessor = run.partition.first;
  launch.all_multiprocessors = runtime.device().multiprocessors;
  launch.resident_blocks = run.resident.blocks * launch.multiprocessors;
  launch.grid_id = ++runtime.grids;
  launch.start_ns = start_ns;
  launch.clock_khz = runtime.device().clock_khz;
  launch.step_limit = runtime.options.step_limit;
  launch.threads = runtime.options.threads;
  launch.schedule_seed = runtime.options.schedule_seed;
  if (DeviceProgress::can_wait())
    launch.wait = [&runtime](const GridWait& wait) { return runtime.progress.wait(wait); };
  return launch;
}

}  // namespace

std::uint64_t most_shared_bytes(const Device& device, const GridRun& run) {
  const std::uint64_t opted_in = run.resources.static_shared + std::uint64_t{run.kernel->settings().max_dynamic_shared};
  return std::max<std::uint64_t>(opted_in, device.shared_per_block);
}

std::uint64_t most_resident_blocks(const Device& device, const GridRun& run) {
  return std::uint64_t{run.resident.blocks} * multiprocessors_of(device, run);
}

cudaError_t check_launch(Runtime& runtime, Kernel& kernel, Dim3 grid, Dim3 block, std::size_t dynamic_shared,
                         GridRun& run) {
  run.kernel = &kernel;
  run.grid = grid;
  run.block = block;
  if (const cudaError_t error = find_resources(runtime, kernel, run.resources)) return error;
  if (!extents_are_valid(runtime.device(), run)) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_clusters(kernel, run)) return error;
  // If no multiprocessor can hold a block, a cooperative grid is too large at any size.
  if (run.resources.static_shared + dynamic_shared > most_shared_bytes(runtime.device(), run)) {
    return run.cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidValue;
  }
  run.dynamic_shared = static_cast<std::uint32_t>(dynamic_shared);
  run.stack_bytes = static_cast<std::uint32_t>(runtime.here().limits.stack);
  run.resident =
      occupancy(runtime.device(), run.resources.registers, static_cast<unsigned>(block.count()), run.shared_bytes());
  if (run.resident.blocks == 0) return cudaErrorLaunchOutOfResources;
  const bool fits = !run.cooperative || grid.count() <= most_resident_blocks(runtime.device(), run);
  return fits ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
}

/// Bytes of a piece, of those that were allocated in between.
double mean_piece(const HeapUse& before, const HeapUse& after) {
  const std::uint64_t pieces = after.allocations - before.allocations;
  return pieces == 0 ? 0 : static_cast<double>(after.bytes - before.bytes) / static_cast<double>(pieces);
}

LaunchResult execute(Runtime& runtime, const GridRun& run, std::uint64_t start_ns, DeviceRuntime* device_runtime,
                     MemoryTraffic& traffic) {
  Launch prepared = prepare(runtime, run, start_ns);
  std::vector<std::byte> parameters;
  if (run.graphs != nullptr && run.graphs->exec() != 0) {
    parameters = run.parameters;
    append_graph_exec(*prepared.kernel, parameters, run.graphs->exec());
    prepared.parameters = parameters;
  }
  std::vector<std::pair<std::string, bool>> printed;
  prepared.print = [&printed](std::string_view text, bool is_error) { printed.emplace_back(text, is_error); };
  ManagedLaunch managed(runtime, run.grid.count(), prepared.resident_blocks, (run.block.count() + 31) / 32);
  const HeapUse heap_before = prepared.heap != nullptr ? prepared.heap->use() : HeapUse{};
  std::optional<HeapCheck> heap_check;
  if (prepared.heap != nullptr && runtime.options.checks.any()) heap_check.emplace(runtime);
  LaunchResult result =
      is_debugged() ? run_debugged(runtime, run, prepared, device_runtime) : simulator::run(prepared, device_runtime);
  static_cast<PageTraffic&>(traffic) = managed.finish();
  if (prepared.heap != nullptr) traffic.heap_bytes = mean_piece(heap_before, prepared.heap->use());
  traffic.peers = managed.peer_traffic();
  for (const auto& [text, is_error] : printed) runtime.print(text, is_error);
  return result;
}

KernelTime predict_time(const Runtime& runtime, const GridRun& run, const Counters& counters,
                        const MemoryTraffic& traffic) {
  const Program& program = *run.resources.program;
  std::optional<Counters> without_waits;  // Counters are large, and few kernels wait for a clock.
  if (has_clock_loops(program)) without_waits = counters;
  const double clock_cycles = without_waits ? take_out_clock_loops(program, *without_waits) : 0;
  // A green context's device has fewer multiprocessors.
  std::optional<Device> part;
  if (run.partition.count != 0) part.emplace(runtime.device()).multiprocessors = run.partition.count;
  const Device& device = part ? *part : runtime.device();
  KernelTime time = predict(device, KernelWork{program, *run.resources.function, run.grid, run.block,
                                               static_cast<std::uint32_t>(run.shared_bytes()), run.resources.registers,
                                               without_waits ? *without_waits : counters,
                                               std::max<std::uint64_t>(run.cluster.count(), 1), traffic.heap_bytes});
  add_clock_time(device, clock_cycles, run.grid.count(), time);
  add_page_traffic(runtime.device(), traffic, time);
  for (const PeerTraffic& peer : traffic.peers)
    add_peer_traffic(runtime.device(), peer, counters.footprint_sectors * 32, time);
  return time;
}

GridDemand demand_of(const Device& device, const GridRun& run, const KernelTime& time) {
  GridDemand demand = GridDemand::of(device, run.grid.count(), static_cast<unsigned>(run.block.count()),
                                     run.resources.registers, run.shared_bytes(), time);
  demand.resident = std::max(run.resident.blocks, 1u);
  demand.partition = run.partition;
  return demand;
}

KernelRecord describe(const Runtime& runtime, const GridRun& run, const Counters& performed, const KernelTime& time) {
  const Counters counters = count_in_machine_code(
      runtime.device().model,
      KernelWork{*run.resources.program, *run.resources.function, run.grid, run.block,
                 static_cast<std::uint32_t>(run.shared_bytes()), run.resources.registers, performed});
  KernelRecord record;
  record.name = run.kernel->name;
  record.mangled = run.kernel->mangled;
  record.grid = run.grid;
  record.block = run.block;
  record.parameter_bytes = static_cast<std::uint32_t>(run.parameters.size());
  record.shared_bytes = static_cast<std::uint32_t>(run.shared_bytes());
  record.registers = run.resources.registers;
  record.registers_from_cubin = run.resources.from_cubin;
  record.ranges = run.ranges;
  record.time_us = time.us;
  record.limiter = time.limiter;
  record.model = time.components;
  record.metrics = metrics({*run.resources.program, counters, time, run.grid, run.block, run.resources.static_shared,
                            run.dynamic_shared, runtime.device().shared_reserved, run.resources.registers,
                            runtime.device().model.l2_sector_copies});
  record.lines = source_lines(*run.resources.program, counters);
  return record;
}

void report_fault(Runtime& runtime, const GridRun& run, const Fault& fault) {
  const FaultReport report = describe_fault(runtime, *run.kernel, *run.resources.program, fault);
  runtime.profile.add(report);
  print_report(text_of(report));
  add_fault(runtime, report, *run.resources.program, fault);
  runtime.faulty_kernel = run.kernel->name;
  runtime.set_fault(static_cast<cudaError_t>(report.code));
}

}  // namespace warpbook::simulator::runtime
