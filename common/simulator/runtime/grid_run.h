// One grid as the machine executes it: checked, run, timed, recorded. For launches by the host and by kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/machine/device_runtime.h"
#include "common/simulator/model/occupancy.h"
#include "common/simulator/model/residency.h"
#include "common/simulator/model/time_model.h"
#include "common/simulator/runtime/device_graphs.h"
#include "common/simulator/runtime/kernel_resources.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Extents as messages and kernels use them.
inline Dim3 dim3_of(const std::array<std::uint32_t, 3>& extent) { return {extent[0], extent[1], extent[2]}; }

/// A launch whose configuration is valid, with its parameters laid out as Function::parameters says.
struct GridRun {
  Kernel* kernel = nullptr;
  KernelResources resources;
  Dim3 grid, block;
  bool cooperative = false;  ///< All blocks must be resident at once.
  Dim3 cluster = {0, 0, 0};  ///< As the launch gives it, later as it is used; 0: there are no explicit clusters.
  bool planned = false;      ///< It will not run now: clusters may be larger than the device supports.
  std::uint32_t dynamic_shared = 0;
  std::uint32_t stack_bytes = 0;  ///< cudaLimitStackSize at the launch.
  Occupancy resident;
  std::vector<std::byte> parameters;
  std::uint32_t inherited = 0;        ///< Launch::inherited
  DeviceGraphs* graphs = nullptr;     ///< Of the launch of a graph that it is part of.
  Partition partition;                ///< Of the stream; part of what the device has.
  bool profiled = true;               ///< The profile is to have a record of it.
  std::vector<std::uint32_t> ranges;  ///< Of NVTX, open at the launch: places in Annotations::ranges().
  std::uint64_t shared_bytes() const { return std::uint64_t{resources.static_shared} + dynamic_shared; }
};

/// Fills @p run except `cooperative`, `cluster` and `planned`, which are inputs, and the parameters. @returns CUDA's
/// error for a launch that is not possible
cudaError_t check_launch(Runtime& runtime, Kernel& kernel, Dim3 grid, Dim3 block, std::size_t dynamic_shared,
                         GridRun& run);

/// The most shared memory in bytes, static and dynamic, that a block of the kernel may have: more than the default
/// after an opt-in.
std::uint64_t most_shared_bytes(const Device& device, const GridRun& run);

/// The number of blocks that the device can hold at a time: the limit of a cooperative grid.
std::uint64_t most_resident_blocks(const Device& device, const GridRun& run);

/// Runs the grid and passes on its output. @param start_ns the clock that it sees at its start
/// @param traffic gets its use of managed pages and of memory of other devices
LaunchResult execute(Runtime& runtime, const GridRun& run, std::uint64_t start_ns, DeviceRuntime* device_runtime,
                     MemoryTraffic& traffic);

KernelTime predict_time(const Runtime& runtime, const GridRun& run, const Counters& counters,
                        const MemoryTraffic& traffic);

/// The grid's use of the multiprocessors. @param time its duration alone, if that is known
GridDemand demand_of(const Device& device, const GridRun& run, const KernelTime& time);

/// The profile's record, except stream, start and relations to other grids.
KernelRecord describe(const Runtime& runtime, const GridRun& run, const Counters& counters, const KernelTime& time);

/// Reports the fault and stores it for the next call that returns errors.
void report_fault(Runtime& runtime, const GridRun& run, const Fault& fault);

}  // namespace warpbook::simulator::runtime
