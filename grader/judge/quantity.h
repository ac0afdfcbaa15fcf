// Quantity: what thresholds can be set on, each computed from the counters of a profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/advice.h"
#include "grader/judge/manifest.h"
#include "grader/judge/profile.h"

namespace warpbook::grader {

/// Counted quantities. Each is a ratio or a sum over the launches it is asked for. Loads and stores are those of
/// Direction.
enum class Quantity {
  global_load_sectors_per_request,   ///< 32-byte sectors that one warp-level global load touches.
  global_store_sectors_per_request,  ///< The same of stores.
  global_load_sectors_ratio,         ///< Sectors touched by global loads / the fewest that could hold the data.
  global_store_sectors_ratio,        ///< The same of stores.
  shared_load_wavefronts_ratio,      ///< Wavefronts of shared loads / conflict-free wavefronts: 1 is free of conflicts.
  shared_store_wavefronts_ratio,     ///< The same of stores.
  shared_load_wavefronts_per_request,   ///< Wavefronts that one warp-level shared load takes.
  shared_store_wavefronts_per_request,  ///< The same of stores.
  shared_bank_conflicts,                ///< Extra wavefronts of all that accesses shared memory.
  shared_requests,                      ///< Accesses of warps to shared memory, each counted once.
  shared_wavefronts,                    ///< Wavefronts of all that accesses shared memory.
  shared_bytes_per_block,               ///< Shared memory of a block, static and dynamic: the largest of the launches.
  global_load_bytes,                    ///< Bytes of the sectors of global loads, by textures and surfaces too.
  global_store_bytes,                   ///< The same of stores.
  global_load_requests,                 ///< Warp-level global loads: few of them if each moves much.
  global_store_requests,                ///< The same of stores.
  idle_lanes,                           ///< Lanes that took no part in an instruction of their warp, summed over all.
  active_threads_per_instruction,       ///< Lanes that take part, of 32, averaged over instructions.
  active_threads_predicated_on,         ///< The same without the lanes that a predicate switches off.
  divergent_branches,                   ///< Branches at which the lanes of a warp diverged.
  kernel_launches,                      ///< Number of launches.
  launched_threads,                     ///< Threads of all launches together.
  launches_by_host,                     ///< Those of them that the host made.
  launches_by_kernels,                  ///< Launches that kernels made: dynamic parallelism.
  tail_launches,                        ///< Those of them that wait for all else of their kernel.
  children_at_a_time,                   ///< Most grids that kernels launched and that run at the same time, predicted.
  launch_depth,                         ///< Largest number of launches by kernels between the host and a grid.
  heap_peak_bytes,             ///< Most bytes of the device heap that malloc in kernels had given out at a time.
  heap_live_bytes,             ///< Bytes of the device heap that were not freed.
  warp_instructions,           ///< Instructions that warps executed; one counts once, whatever its lanes.
  busiest_block_instructions,  ///< Those of the block that executed most; of several launches, the most.
  global_atomic_requests,      ///< Atomic operations of warps on global memory: atomics and reductions.
  barriers_per_warp,           ///< Block barriers (__syncthreads() and its kin) that a warp comes to, on average.
  grid_barriers,               ///< Times that all blocks of a cooperative launch met: grid.sync().
  texture_reads,               ///< Instructions of warps that read textures.
  surface_reads,               ///< Instructions of warps that read surfaces.
  surface_writes,              ///< Instructions of warps that write surfaces.
  global_load_gb_per_s,        ///< Bytes moved by global loads / predicted time of kernels, in 10^9 bytes in a second.
  bytes_copied_to_device,      ///< Bytes of copies from the host to the device.
  bytes_copied_to_host,        ///< Bytes of copies from the device to the host.
  time_with_copies_us,         ///< From the start of the first kernel or copy to the end of the last one, predicted.
  time_us,                     ///< The same of kernels and fills; of one kernel, its own.
  gpu_page_faults,             ///< Groups of page faults that kernels, copies and fills had on managed memory.
  cpu_page_faults,             ///< Page faults of the host on managed memory, its first touch of new pages included.
  bytes_migrated_to_device,    ///< Bytes of managed memory that went over the bus to the device.
  bytes_migrated_to_host,      ///< The same, to the host.
  time_between_events_us,      ///< From the first recorded event or work to the last (events of measure()), predicted.
};

/// What in a profile shows why a quantity is as it is.
enum class ExplainedBy {
  nothing,
  access,        ///< The access of a line to global or shared memory.
  lanes,         ///< Lanes of a line that are idle, and branches that diverge.
  instructions,  ///< The line that executes most of them.
  migrations     ///< Page faults and bytes that changed sides.
};

/// All of them, in the order of their declaration.
std::vector<Quantity> all_quantities();

/// What a lab takes for the predicted time.
Quantity predicted_time(const Manifest& manifest);

/// "sectors per request of global stores"
std::string name_of(Quantity quantity);

/// "global_store_sectors_per_request": how records name it.
std::string key_of(Quantity quantity);

/// "sectors"; empty for a ratio.
std::string unit_of(Quantity quantity);

ExplainedBy explained_by(Quantity quantity);

/// True if @p access counts towards the quantity.
bool concerns(Quantity quantity, const AccessCounters& access);

/// The advice for too many, or too few; nullptr: none, because too few means that work was not done.
const Advice* advice_for(Quantity quantity, bool many);

/// The value, or nothing if no launch does such an access (the quantity then has no meaning).
std::optional<double> value_of(const Profile& profile, Quantity quantity, const std::string& kernel = "");

}  // namespace warpbook::grader
