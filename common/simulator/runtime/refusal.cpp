// Finds the limit that a refused launch exceeds.
#include "common/simulator/runtime/refusal.h"

#include <string>
#include <tuple>
#include <utility>

#include "common/simulator/machine/cluster.h"
#include "common/simulator/runtime/error_names.h"

namespace warpbook::simulator::runtime {

namespace {

/// Fills in the limit if @p found exceeds it. @returns whether it does
bool breaks(RefusedLaunch& launch, const char* what, std::uint64_t found, std::uint64_t most) {
  if (found > most) std::tie(launch.what, launch.found, launch.allowed) = std::tuple(what, found, most);
  return found > most;
}

/// The same for the three dimensions of @p dim, which must not be 0 either. @param attribute without its last letter
bool breaks(RefusedLaunch& launch, const Device& device, const Dim3& dim, const char* of, const char* attribute) {
  const std::pair<char, std::uint64_t> axes[] = {{'x', dim.x}, {'y', dim.y}, {'z', dim.z}};
  for (const auto& [axis, found] : axes) {
    const std::string what = std::string(of) + " in " + axis;
    const std::int64_t most = device.attribute(std::string(attribute) + axis);
    if (breaks(launch, what.c_str(), found, static_cast<std::uint64_t>(most))) return true;
    if (found == 0) {
      std::tie(launch.what, launch.allowed, launch.at_most) = std::tuple(what, 1, false);
      return true;
    }
  }
  return false;
}

void find_broken_limit(RefusedLaunch& launch, const Runtime& runtime, const GridRun& run) {
  const Device& device = runtime.device();
  const KernelResources& resources = run.resources;
  const std::uint64_t threads = run.block.count();
  if (breaks(launch, device, run.grid, "blocks of the grid", "max_grid_dim_") ||
      breaks(launch, "threads in a block", threads, resources.max_threads) ||
      breaks(launch, device, run.block, "threads of a block", "max_block_dim_"))
    return;
  if (breaks(launch, "bytes of shared memory in a block", resources.static_shared + launch.dynamic_shared,
             most_shared_bytes(device, run)) ||
      breaks(launch, "registers of a block", resources.registers * threads, device.registers_per_block))
    return;
  const std::uint64_t in_cluster =
      run.kernel->settings().non_portable_cluster ? kMostBlocksOfCluster : kMostPortableBlocksOfCluster;
  if (breaks(launch, "blocks of a cluster", run.cluster.count(), in_cluster)) return;
  if (run.cooperative)
    breaks(launch, "blocks of a grid that must be resident together", run.grid.count(),
           most_resident_blocks(device, run));
}

}  // namespace

void record_refusal(Runtime& runtime, const GridRun& run, std::uint64_t dynamic_shared, int error) {
  RefusedLaunch launch;
  launch.kernel = run.kernel->name;
  launch.grid = run.grid;
  launch.block = run.block;
  launch.dynamic_shared = dynamic_shared;
  launch.error = error_name(error);
  find_broken_limit(launch, runtime, run);
  runtime.profile.add(launch);
}

}  // namespace warpbook::simulator::runtime
