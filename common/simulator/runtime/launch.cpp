// Launches kernels from the host.
#include "common/simulator/runtime/launch.h"

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "common/simulator/machine/grid_workspace.h"
#include "common/simulator/runtime/annotations.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/device_graph_rules.h"
#include "common/simulator/runtime/graph_capture.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/grid_tree.h"
#include "common/simulator/runtime/refusal.h"

namespace warpbook::simulator::runtime {
namespace {

std::vector<std::byte> pack_parameters(const Function& function, void** arguments) {
  std::vector<std::byte> packed(function.parameter_bytes);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    std::memcpy(packed.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return packed;
}

/// True if a launch only returns when its kernel has ended, with its error: CUDA_LAUNCH_BLOCKING, read once as CUDA
/// does.
bool launches_block() {
  static const char* const value = std::getenv("CUDA_LAUNCH_BLOCKING");
  return value != nullptr && std::string_view(value) != "" && std::string_view(value) != "0";
}

/// The limit of grids on the device at a time: no more can be suspended to wait for their blocks.
constexpr std::uint64_t kMostGrids = 128;

/// The address of a workspace for a cooperative grid. One serves all that run one after another; the others use the
/// further ones in turn.
std::uint64_t grid_workspace_of(Runtime& runtime, bool alone) {
  VirtualDevice& device = runtime.here();
  if (device.grid_workspace == 0) {
    const Allocation* place = runtime.memory.allocate(kMostGrids * kGridWorkspaceBytes, MemoryKind::module, 256,
                                                      "the workspace of cooperative grids", active_device());
    if (place == nullptr) return 0;
    device.grid_workspace = place->address;
  }
  if (alone) return device.grid_workspace;
  return device.grid_workspace + kGridWorkspaceBytes * (1 + device.cooperative_grids++ % (kMostGrids - 1));
}

void clear_grid_workspace(Runtime& runtime, std::uint64_t address) {
  const std::uint32_t words[] = {kGridWorkspaceBytes, 0};
  const Allocation* place = runtime.memory.find(address);
  std::memcpy(place->host + (address - place->address), words, sizeof words);
}

}  // namespace

cudaError_t prepare_launch(Runtime& runtime, Kernel& kernel, const LaunchRequest& request, GridRun& run) {
  run.cooperative = request.cooperative;
  run.cluster = request.cluster;
  if (const cudaError_t error =
          check_launch(runtime, kernel, request.grid, request.block, request.dynamic_shared, run)) {
    record_refusal(runtime, run, request.dynamic_shared, error);
    return error;
  }
  if (request.arguments == nullptr && !run.resources.function->parameters.empty()) return cudaErrorInvalidValue;
  run.parameters = pack_parameters(*run.resources.function, request.arguments);
  if (request.cooperative) {
    const std::uint64_t workspace = grid_workspace_of(runtime, runtime.backlog.is_empty());
    if (workspace == 0) return cudaErrorMemoryAllocation;
    append_grid_workspace(*run.resources.function, run.parameters, workspace);
  }
  return cudaSuccess;
}

LaunchNote note_launch(const Runtime& runtime) {
  if (!runtime.profile.enabled()) return {};
  return {runtime.filter.collects(), annotations().open()};
}

void note_for_profile(Runtime& runtime, GridRun& run, const LaunchNote& note) {
  if (!runtime.profile.enabled()) return;
  run.ranges = note.ranges;
  run.profiled = note.collects && runtime.filter.takes(run.kernel->name, annotations().ranges(), run.ranges);
}

void run_launch(Runtime& runtime, const Stream& stream, const GridRun& run) {
  const OnDevice there(stream.device());
  if (run.cooperative) {
    std::uint64_t workspace = 0;
    std::memcpy(&workspace, run.parameters.data() + run.parameters.size() - sizeof workspace, sizeof workspace);
    clear_grid_workspace(runtime, workspace);
  }
  if (!run.resources.function->may_wait) return GridTree(runtime, stream).launch(run);
  runtime.progress.perform([&runtime, stream, run] { GridTree(runtime, stream).launch(run); });
}

cudaError_t launch(Runtime& runtime, const Stream& stream, Kernel& kernel, const LaunchRequest& request) {
  GridRun run;
  run.partition = stream.is_default() ? current_partition() : stream.partition;
  if (const cudaError_t error = prepare_launch(runtime, kernel, request, run))
    return runtime.capturing != 0 ? runtime.graphs->captures.may_not(stream, error) : error;
  if (runtime.capturing != 0) {
    if (const auto captured = capture_launch(runtime, stream, run)) return *captured;
  }
  if (launches_graphs(run.resources)) return cudaErrorNotSupported;
  note_for_profile(runtime, run, note_launch(runtime));
  runtime.backlog.put(stream, [&runtime, stream, run = std::move(run)] {
    if (!runtime.has_failed()) run_launch(runtime, stream, run);
  });
  return launches_block() && runtime.capturing == 0 ? runtime.wait_for(stream) : cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
