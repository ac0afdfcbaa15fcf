// Counters per operation, filled by the executing threads and summed after the launch.
//
// A table after each structure (k...Sums) lists the members that are sums. add() and all other code that needs every
// sum uses the table, and a member that is missing in it does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/observe/swap_tally.h"

namespace warpbook::simulator {

/// The members of a structure that are summed.
template <class Counter, std::size_t N>
using Sums = std::array<std::uint64_t Counter::*, N>;

/// Adds these members of @p more to those of @p sum.
template <class Counter, std::size_t N>
constexpr void add_sums(const Sums<Counter, N>& members, Counter& sum, const Counter& more) {
  for (const auto member : members) sum.*member += more.*member;
}

/// For every operation. The names are Nsight Compute's (source counters: inst_executed, thread_inst_executed,
/// thread_inst_executed_true).
struct InstructionCounters {
  std::uint64_t inst_executed = 0;              ///< Warp-level executions.
  std::uint64_t thread_inst_executed = 0;       ///< Active lanes, predicated off or not.
  std::uint64_t thread_inst_executed_true = 0;  ///< Active lanes that passed the guard.
  void add(const InstructionCounters& more);
};
inline constexpr Sums<InstructionCounters, 3> kInstructionSums = {&InstructionCounters::inst_executed,
                                                                  &InstructionCounters::thread_inst_executed,
                                                                  &InstructionCounters::thread_inst_executed_true};
static_assert(sizeof(InstructionCounters) == kInstructionSums.size() * sizeof(std::uint64_t),
              "one is not in the table");

/// For every load, store, atomic and reduction. `ideal` is what the same lanes would need with a perfect pattern.
struct alignas(64) MemoryCounters {
  /// Accesses to shared memory use only this many of the first members (and `stride`), which fill a cache line.
  static constexpr std::size_t kOfShared = 8;
  std::uint64_t requests = 0;  ///< l1tex__t_requests: executions with at least one active lane.
  std::uint64_t bytes = 0;     ///< Bytes requested by the lanes; duplicates count for each lane.
  /// Shared memory: l1tex__data_pipe_lsu_wavefronts_mem_shared. Constant memory: distinct addresses of each request.
  std::uint64_t wavefronts = 0;
  std::uint64_t wavefronts_ideal = 0;  ///< What those lanes need without conflicts (after merging of equal words).
  std::uint64_t conflicts = 0;         ///< l1tex__data_bank_conflicts: wavefronts - wavefronts_ideal.
  std::uint64_t serialised = 0;       ///< Atomics: for each request the largest number of lanes on one address, summed.
  std::uint64_t stride_requests = 0;  ///< Requests whose adjacent lanes all have the same stride.
  std::uint64_t shared_requests = 0;  ///< For operations that may access several spaces (generic addresses, cp.async):
  std::uint64_t shared_bytes = 0;     ///< the part of requests and bytes that went to shared memory.
  std::uint64_t sectors = 0;          ///< l1tex__t_sectors: distinct 32-byte sectors over the lanes of each request.
  std::uint64_t sectors_ideal = 0;    ///< ceil(distinct bytes requested / 32) for each request.
  std::uint64_t lines = 0;            ///< Distinct 128-byte lines (tags).
  std::uint64_t sectors_hit = 0;      ///< Sectors found in the block's L1 (global and local loads).
  std::uint64_t tag_wavefronts = 0;   ///< Global memory: l1tex__t_output_wavefronts: four lines at a time.
  std::int64_t stride = 0;            ///< The largest stride among stride_requests, in bytes, for messages. Not a sum.
  /// Constant memory: bytes of the variable up to the last one that was read. Waits for an mbarrier: the most batches
  /// of asynchronous copies (cp.async) that had begun, from the one that was waited for on; 0 for none. Not a sum.
  std::int64_t reach = 0;
  void add(const MemoryCounters& more);
};
inline constexpr Sums<MemoryCounters, 14> kMemorySums = {
    &MemoryCounters::requests,         &MemoryCounters::bytes,           &MemoryCounters::wavefronts,
    &MemoryCounters::wavefronts_ideal, &MemoryCounters::conflicts,       &MemoryCounters::serialised,
    &MemoryCounters::stride_requests,  &MemoryCounters::shared_requests, &MemoryCounters::shared_bytes,
    &MemoryCounters::sectors,          &MemoryCounters::sectors_ideal,   &MemoryCounters::lines,
    &MemoryCounters::sectors_hit,      &MemoryCounters::tag_wavefronts};
static_assert(offsetof(MemoryCounters, stride) == kMemorySums.size() * sizeof(std::uint64_t),
              "one is not in the table");

/// Which of two strides is kept: the larger one, or the positive one of equal size. Independent of the order of
/// requests.
constexpr bool is_wider_stride(std::int64_t candidate, std::int64_t kept) {
  const std::int64_t a = candidate < 0 ? -candidate : candidate, b = kept < 0 ? -kept : kept;
  return a > b || (a == b && candidate > kept);
}

/// For every branch.
struct BranchCounters {
  std::uint64_t executed = 0;
  std::uint64_t divergent = 0;  ///< Executions in which lanes took both directions.
  void add(const BranchCounters& more);
};
inline constexpr Sums<BranchCounters, 2> kBranchSums = {&BranchCounters::executed, &BranchCounters::divergent};
static_assert(sizeof(BranchCounters) == kBranchSums.size() * sizeof(std::uint64_t), "one is not in the table");

/// Counters of one launch, indexed like Program::operations (and Program::memory_operations, Program::branches).
struct Counters {
  std::vector<InstructionCounters> instructions;
  std::vector<MemoryCounters> memory;
  std::vector<BranchCounters> branches;
  std::uint64_t barriers = 0;       ///< Barrier waits, per warp.
  std::uint64_t grid_barriers = 0;  ///< Number of grid barriers of a cooperative grid (grid.sync()).
  std::uint64_t shared_swaps = 0;   ///< The most changes of one word of shared memory by atomics that are loops, summed
                                    ///< over the blocks.
  std::uint64_t slept = 0;          ///< By how much warps that slept moved the clocks of their blocks on.
  std::uint64_t match_values = 0;   ///< Different values that match.any found, in all its executions.
  std::uint64_t blocks = 0;         ///< Blocks executed.
  std::uint64_t warps = 0;
  /// Operations of warps. Of the rounds in which a block does nothing but wait for others, one counts.
  std::uint64_t critical_warp_inst = 0;   ///< The most that any one warp executed,
  std::uint64_t longest_warps_inst = 0;   ///< the most that one warp of each block executed, summed over the blocks,
  std::uint64_t critical_block_inst = 0;  ///< and the most that the warps of any one block executed.
  /// Operations of the warps of each block, by its number, of the first kMostBlockWork blocks.
  std::vector<std::uint32_t> block_work;
  static constexpr std::uint64_t kMostBlockWork = 1u << 16;
  std::uint64_t read_sectors = 0;       ///< Distinct global sectors read / written in the whole launch: the
  std::uint64_t written_sectors = 0;    ///< compulsory traffic to DRAM. A sector that is both counts in both.
  std::uint64_t footprint_sectors = 0;  ///< Distinct global sectors touched at all.
  std::uint64_t read_pairs = 0;         ///< Distinct aligned pairs of sectors (64 bytes) with a sector read / written:
  std::uint64_t written_pairs = 0;      ///< DRAM is accessed in pairs.
  std::uint64_t read_kib = 0;           ///< Distinct aligned KiB with a sector read.
  std::uint64_t found_pairs = 0;        ///< Of read_pairs those, and of written_sectors those, that the L2 held from
  std::uint64_t found_written = 0;      ///< earlier launches.
  SwapSums swaps;                       ///< For compare-and-swap on global memory.
  void note_block(std::uint64_t number, std::uint64_t work);
  void add(const Counters& other);  ///< Sums everything except critical_..._inst (maximum) and the footprint.
};

}  // namespace warpbook::simulator
