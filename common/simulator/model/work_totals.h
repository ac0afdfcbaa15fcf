// The inputs of the time model: a launch's counters, summed into what the resources of the device have to do.
#pragma once

#include <array>

#include "common/simulator/model/instruction_cost.h"
#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// Totals of the whole launch unless they say otherwise.
struct WorkTotals {
  double blocks = 0;
  double threads_per_block = 0;
  double warps_per_block = 0;
  Occupancy occupancy;

  double code = 0;                         ///< Machine instructions of the code that ran, each counted once.
  double instructions = 0;                 ///< Machine instructions of warps.
  std::array<double, kPipeCount> pipes{};  ///< The same by ptx::Pipe.
  double lsu_wavefronts = 0;               ///< Shared wavefronts, lines of global accesses, shuffles.
  double l2_read_sectors = 0;              ///< Global and local loads that miss the L1.
  double l2_write_sectors = 0;             ///< Sectors written whole.
  double l2_partial_sectors = 0;           ///< Sectors written in part,
  double l2_partial_lines = 0;             ///< and the lines of requests that they are in.
  double l2_read_lines = 0;                ///< Lines of requests with sectors that miss the L1.
  double irregular_share = 0;              ///< Of sectors read: those of lanes that go anywhere.
  double dram_read_bytes = 0;
  double dram_write_bytes = 0;
  double scattered_bytes = 0;      ///< Moved in addition for sectors that stores to anywhere fill in part.
  double atomic_passes = 0;        ///< Passes over sectors of global atomics and reductions: one address, one lane.
  double atomic_visits = 0;        ///< Sectors of their requests,
  double atomic_wide_visits = 0;   ///< and of those that take two passes at least.
  double atomic_float_passes = 0;  ///< Those of floats among them.
  double atomic_sectors = 0;       ///< Distinct sectors that they touch, estimated.
  double atomic_pairs = 0;         ///< Distinct pairs of them.
  double swap_cycles = 0;          ///< Loops of compare and swap: all successes on one word, one after the other.
  double chain_cycles = 0;         ///< Blocks that wait for the one before: all waits, one after the other.
  double look_back = 0;            ///< Blocks that look back at those before: so many of them at a time.
  double constant_passes = 0;      ///< Different addresses of requests to constant memory.
  double constant_misses = 0;      ///< Cycles for lines of it that are not in the first cache: whole launch.
  double constant_bytes = 0;       ///< That the launch reads: each multiprocessor fetches them.
  double texture_quads = 0;        ///< Groups of lanes that the texture unit serves.
  double cluster_wavefronts = 0;   ///< Accesses to shared memory of other blocks.
  double heap_calls = 0;           ///< Calls of malloc() and free() by lanes,
  double heap_calls_of_warp = 0;   ///< and by those of one warp, on average.
  double longest_warp = 1;         ///< Length of the longest warp, in those of the mean one.
  double grid_barriers = 0;        ///< Of a cooperative grid.
  double warp_cycles = 0;          ///< Length of one warp's own path, unloaded (critical_path.h).
};

WorkTotals total(const Device& device, const KernelWork& work);

/// Share of a table in constant memory of which @p reach bytes are read that the cache next to the multiprocessor's
/// pipes does not hold.
double constant_miss_share(const ModelConstants& model, double reach);

/// True for plain stores, of matrices too.
bool is_store(ptx::OperationId id);

/// Whether any request of an operation went to global or local memory, which is read and written in sectors: by the
/// space that it names, and by what was counted where lanes may go to several (generic addresses, cp.async).
bool touches_sectors(const Operation& operation, const MemoryCounters& counted);

/// Times that warps executed @p block, one of the program's blocks. What the decoder put in itself is not counted.
double executions(const KernelWork& work, const Program::Range& block);

/// The model proper.
KernelTime predict(const Device& device, const WorkTotals& totals);

}  // namespace warpbook::simulator
