// Launching a kernel: checks, parameters, execution, time, profile.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/simulator/runtime/grid_run.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

struct LaunchRequest {
  Dim3 grid, block;
  std::size_t dynamic_shared = 0;
  void** arguments = nullptr;  ///< One pointer for each parameter.
  bool cooperative = false;    ///< All blocks must be resident at once.
  Dim3 cluster = {0, 0, 0};    ///< cudaLaunchAttributeClusterDimension; 0: not given.
};

/// Checks a launch and lays out its parameters. @returns CUDA's error for a launch that is not possible
cudaError_t prepare_launch(Runtime& runtime, Kernel& kernel, const LaunchRequest& request, GridRun& run);
/// Runs the grid, at once.
void run_launch(Runtime& runtime, const Stream& stream, const GridRun& run);

/// Whether the profile gets a record of a launch, as known when it is issued.
struct LaunchNote {
  bool collects = false;              ///< Between cudaProfilerStart and cudaProfilerStop, or always.
  std::vector<std::uint32_t> ranges;  ///< Of NVTX, around the call.
};

LaunchNote note_launch(const Runtime& runtime);
/// Decides whether the profile gets a record of the launch.
void note_for_profile(Runtime& runtime, GridRun& run, const LaunchNote& note);

/// Puts the kernel into the stream, where it runs to its end. A fault of the kernel is not returned: the next call that
/// returns errors does.
cudaError_t launch(Runtime& runtime, const Stream& stream, Kernel& kernel, const LaunchRequest& request);

}  // namespace warpbook::simulator::runtime
