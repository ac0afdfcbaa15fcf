// The inputs of the time model: a launch's counters, summed by the resources of the device.
#pragma once

#include <array>

#include "common/simulator/model/instruction_cost.h"
#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// Totals of the whole launch unless stated otherwise.
struct WorkTotals {
  double blocks = 0;
  double busiest_share = 0;  ///< Of the work of all blocks, that of the multiprocessor with most; 0: by their number.
  double threads_per_block = 0;
  double warps_per_block = 0;
  Occupancy occupancy;

  double code = 0;                         ///< Machine instructions of the code that ran, each counted once.
  double instructions = 0;                 ///< Machine instructions of warps.
  std::array<double, kPipeCount> pipes{};  ///< The same by ptx::Pipe.
  double lsu_wavefronts = 0;               ///< Shared wavefronts, lines of global accesses, shuffles.
  double l2_read_sectors = 0;              ///< Global and local loads that miss the L1.
  double l2_write_sectors = 0;             ///< Sectors written completely.
  double l2_partial_sectors = 0;           ///< Sectors written partially,
  double l2_partial_lines = 0;             ///< and the lines of the requests that contain them.
  double local_write_sectors = 0;          ///< The same of local memory,
  double local_partial_lines = 0;          ///< not among those above.
  double l2_read_lines = 0;                ///< Lines of requests with sectors that miss the L1.
  double irregular_share = 0;              ///< Share of the sectors read by lanes with scattered addresses.
  double dram_density = 1;                 ///< Share of each KiB read that is read at all.
  double cold_share = 1;                   ///< Of what is read at all: what the L2 does not hold from earlier launches.
  double dram_read_bytes = 0;
  double dram_write_bytes = 0;
  double scattered_bytes = 0;  ///< Additional traffic for sectors that scattered stores fill partially.
  double atomic_passes = 0;    ///< Passes over sectors by global atomics and reductions: each pass serves one lane per
                               ///< address.
  double atomic_visits = 0;    ///< Sectors of their requests,
  double atomic_wide_visits = 0;     ///< and sectors of those that take at least two passes.
  double atomic_float_passes = 0;    ///< Floating-point passes among them.
  double atomic_sectors = 0;         ///< Distinct sectors that they touch, estimated.
  double atomic_pairs = 0;           ///< Distinct pairs of them.
  double atomic_returned_bytes = 0;  ///< Old values that are used.
  double swap_cycles = 0;            ///< Compare-and-swap loops: all successes on one word, one after the other.
  double extreme_warps = 0;          ///< Swaps of extreme values: warps that come to a word at once,
  double extreme_cycles = 0;         ///< a round of theirs,
  double extreme_turns = 0;          ///< and rounds of the warp that has passed all others.
  double chain_cycles = 0;           ///< Blocks that wait for the previous one: all waits, one after the other.
  double look_back = 0;              ///< Blocks that look back at earlier ones: how many they poll at a time.
  double constant_passes = 0;        ///< Different addresses of requests to constant memory.
  double constant_misses = 0;        ///< Cycles for its lines that miss the first-level cache, in the whole launch.
  double constant_bytes = 0;         ///< Bytes that the launch reads: each SM fetches them.
  double texture_quads = 0;          ///< Groups of lanes that the texture unit serves.
  double cluster_wavefronts = 0;     ///< Accesses to shared memory of other blocks.
  double cluster_blocks = 1;         ///< Blocks of a cluster.
  double heap_calls = 0;             ///< Calls of malloc() and free() by lanes,
  double heap_warp_calls = 0;        ///< and by warps.
  double heap_bytes = 0;             ///< Of a piece, on average.
  double warps = 0;                  ///< Launched.
  double grid_barriers = 0;          ///< Of a cooperative grid.
  double block_cycles = 0;           ///< Path of a block's longest warp, unloaded (critical_path.h), on average,
  double longest_cycles = 0;         ///< and of the longest warp of all.
  double at_issue = 0, at_lsu = 0, at_barrier = 0;  ///< Of block_cycles, waiting of warps for each other.
};

WorkTotals total(const Device& device, const KernelWork& work);

/// Miss rate of the first-level constant cache for a table of which @p reach bytes are read.
double constant_miss_share(const ModelConstants& model, double reach);

/// True for plain stores, including those of matrices.
bool is_store(ptx::OperationId id);

/// Passes through the load-store unit's data stage for lines of global memory: one for each line; but words side by
/// side lie in different banks, and nearly come in one pass where they begin in one line and end in the next.
double line_passes(const Operation& operation, const OperationDetail& detail, const MemoryCounters& counted);

/// Whether any request of an operation went to global or local memory, which is accessed in sectors. Decided by the
/// state space that it names, or by the counters if lanes may access several (generic addresses, cp.async).
bool touches_sectors(const Operation& operation, const MemoryCounters& counted);

/// How often warps executed @p block, one of the program's basic blocks. Operations added by the decoder do not count.
double executions(const KernelWork& work, const Program::Range& block);

/// The model itself.
KernelTime predict(const Device& device, const WorkTotals& totals);

}  // namespace warpbook::simulator
