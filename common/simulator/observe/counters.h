// What is counted, per operation: filled by the executing threads, summed after the launch.
//
// Which members are sums is said once, in a table behind each structure (k...Sums): add() and whoever else needs all of
// them goes through it, and a member that is not in its table does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/observe/swap_tally.h"

namespace warpbook::simulator {

/// Members of a structure that are summed.
template <class Counter, std::size_t N>
using Sums = std::array<std::uint64_t Counter::*, N>;

/// Adds those members of @p more to those of @p sum.
template <class Counter, std::size_t N>
constexpr void add_sums(const Sums<Counter, N>& members, Counter& sum, const Counter& more) {
  for (const auto member : members) sum.*member += more.*member;
}

/// Of every operation. Names are Nsight Compute's (source counters: inst_executed, thread_inst_executed,
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

/// Of every load, store, atomic and reduction. `ideal` is what the same lanes would need with a perfect pattern.
struct alignas(64) MemoryCounters {
  /// Accesses to shared memory count in so many of the first ones (and in `stride`), which are a cache line.
  static constexpr std::size_t kOfShared = 8;
  std::uint64_t requests = 0;  ///< l1tex__t_requests: executions with at least one lane on.
  std::uint64_t bytes = 0;     ///< Bytes asked for by the lanes, duplicates counted for each lane.
  /// Shared memory: l1tex__data_pipe_lsu_wavefronts_mem_shared. Constant memory: different addresses of each request.
  std::uint64_t wavefronts = 0;
  std::uint64_t wavefronts_ideal = 0;  ///< What those lanes need with no conflict (after merging of equal words).
  std::uint64_t conflicts = 0;         ///< l1tex__data_bank_conflicts: wavefronts - wavefronts_ideal.
  std::uint64_t serialised = 0;        ///< Atomics: sum over requests of the largest number of lanes on one address.
  std::uint64_t stride_requests = 0;   ///< Requests whose neighbouring lanes all had one distance from each other.
  std::uint64_t shared_requests = 0;   ///< Of an operation that may touch several spaces (generic addresses, cp.async):
  std::uint64_t shared_bytes = 0;      ///< the part of requests and bytes that went to shared memory.
  std::uint64_t sectors = 0;           ///< l1tex__t_sectors: distinct 32-byte sectors over the lanes of each request.
  std::uint64_t sectors_ideal = 0;     ///< ceil(distinct bytes wanted / 32) of each request.
  std::uint64_t lines = 0;             ///< Distinct 128-byte lines (tags).
  std::uint64_t sectors_hit = 0;       ///< Sectors found in the L1 of the block (global and local loads).
  std::uint64_t tag_wavefronts = 0;    ///< Global memory: l1tex__t_output_wavefronts: four lines at a time.
  std::int64_t stride = 0;  ///< The widest distance that stride_requests saw, in bytes, for messages. No sum.
  std::int64_t reach = 0;   ///< Constant memory: bytes of the variable up to the last one read. No sum.
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

/// Which of two strides is kept: the wider one, the positive one of two as wide. The order of requests does not matter.
constexpr bool is_wider_stride(std::int64_t candidate, std::int64_t kept) {
  const std::int64_t a = candidate < 0 ? -candidate : candidate, b = kept < 0 ? -kept : kept;
  return a > b || (a == b && candidate > kept);
}

/// Of every branch.
struct BranchCounters {
  std::uint64_t executed = 0;
  std::uint64_t divergent = 0;  ///< Executions in which lanes went both ways.
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
  std::uint64_t grid_barriers = 0;  ///< Times that all blocks of a cooperative grid met (grid.sync()).
  std::uint64_t blocks = 0;         ///< Blocks that ran.
  std::uint64_t warps = 0;
  std::uint64_t critical_warp_inst = 0;  ///< The most operations that any one warp executed.
  /// The most that any one block executed. Rounds in which a block of a cooperative grid waits for others count once.
  std::uint64_t critical_block_inst = 0;
  std::uint64_t read_sectors = 0;       ///< Distinct global sectors read / written over the whole launch: the
  std::uint64_t written_sectors = 0;    ///< compulsory traffic to DRAM. Sectors in both count in both.
  std::uint64_t footprint_sectors = 0;  ///< Distinct global sectors touched at all.
  std::uint64_t read_pairs = 0;         ///< Distinct aligned pairs of sectors (64 bytes) with a sector read / written:
  std::uint64_t written_pairs = 0;      ///< memory fetches pairs.
  SwapSums swaps;                       ///< Of compare and swap on global memory.
  void add(const Counters& other);      ///< Sums everything but critical_..._inst (maximum) and the footprint.
};

}  // namespace warpbook::simulator
