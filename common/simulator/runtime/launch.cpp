// Launches kernels from the host.
#include "common/simulator/runtime/launch.h"

#include <cstring>
#include <vector>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/grid_tree.h"

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

}  // namespace

cudaError_t launch(Runtime& runtime, Stream& stream, Kernel& kernel, const LaunchRequest& request) {
  GridRun run;
  if (const cudaError_t error =
          check_launch(runtime, kernel, request.grid, request.block, request.dynamic_shared, run)) {
    return error;
  }
  if (request.arguments == nullptr && !run.resources.function->parameters.empty()) return cudaErrorInvalidValue;
  if (request.cooperative &&
      request.grid.count() > std::uint64_t{run.resident.blocks} * runtime.device.multiprocessors) {
    return cudaErrorCooperativeLaunchTooLarge;
  }
  run.parameters = pack_parameters(*run.resources.function, request.arguments);
  GridTree(runtime, stream).launch(std::move(run));
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
