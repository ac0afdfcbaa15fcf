// Sums counters by resource. Each rule is next to the counter that it reads.
#include "common/simulator/model/work_totals.h"

#include <algorithm>
#include <cmath>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/model/block_loads.h"
#include "common/simulator/model/critical_path.h"
#include "common/simulator/model/if_conversion.h"
#include "common/simulator/model/machine_code.h"
#include "common/simulator/model/powers.h"
#include "common/simulator/model/swap_loops.h"

namespace warpbook::simulator {
namespace {

using ptx::Pipe;
using ptx::Space;

constexpr double kSectorBytes = 32, kPairsOfKib = 16;
constexpr double kConstantLine = 64;  ///< Bytes of a line of the first constant cache.
constexpr double kScattered = 4;      ///< Lines per request from which on its lanes count as scattered.

bool is_atomic(const Operation& operation) { return operation.atomic != ptx::AtomicOp::none; }

/// Further visits of a sector: f64 takes two, and so do the two operands of a compare-and-swap that do not fit into 32
/// bytes.
double further_visits(const Operation& operation, const OperationDetail& detail, double bytes_of_visit) {
  if (detail.modifiers.types[0] == ptx::Type::f64) return 1;
  return operation.atomic == ptx::AtomicOp::cas ? std::clamp(2 * bytes_of_visit / kSectorBytes - 1, 0.0, 1.0) : 0;
}

bool adds_floats(const OperationDetail& detail) {
  for (const ptx::Type type : detail.modifiers.types)
    if (type == ptx::Type::f32 || type == ptx::Type::f64 || type == ptx::Type::f16 || type == ptx::Type::f16x2 ||
        type == ptx::Type::bf16 || type == ptx::Type::bf16x2)
      return true;
  return false;
}

struct Stores {
  double sectors = 0, bytes = 0;
  double pairs = 0;      ///< Of requests: at most two of a line.
  double scattered = 0;  ///< Sectors of scattered lanes.
};

/// Sectors of lanes without a constant stride.
double irregular(const MemoryCounters& counted) {
  return 1 - std::min(1.0, static_cast<double>(counted.stride_requests) / static_cast<double>(counted.requests));
}

/// @param fails a compare-and-swap that others get in the way of
void add_atomic(const Operation& operation, const OperationDetail& detail, const MemoryCounters& counted, bool one_lane,
                WorkTotals& totals, bool fails = false) {
  const double sectors = static_cast<double>(counted.sectors), serialised = static_cast<double>(counted.serialised);
  const double requests = static_cast<double>(counted.requests);
  // Shared atomics take one pass for each lane on the same word if the old value is used or they are implemented as a
  // loop.
  if (!touches_sectors(operation, counted)) {
    const double wavefronts = static_cast<double>(counted.wavefronts);
    totals.lsu_wavefronts += one_lane ? wavefronts : std::max(wavefronts, serialised);
    // In another block of the cluster, lane by lane: validation/families clusters histogram, 6 cycles each.
    if (detail.modifiers.of_cluster)
      totals.cluster_wavefronts += 0.4 * static_cast<double>(counted.bytes) / size_of(detail.modifiers.types[0]);
    return;
  }
  totals.lsu_wavefronts += std::max(static_cast<double>(counted.lines), 1.0);
  const double passes = one_lane ? requests : std::max(sectors, requests);
  totals.atomic_passes += passes;
  if (adds_floats(detail)) totals.atomic_float_passes += passes;
  const double distinct = passes * requests / std::max(serialised, requests);
  totals.atomic_wide_visits +=
      distinct *
      (fails ? 1 : further_visits(operation, detail, static_cast<double>(counted.bytes) / std::max(passes, 1.0)));
  totals.atomic_visits += distinct;
  totals.atomic_sectors += distinct;
  if (operation.d != kNoOperand)
    totals.atomic_returned_bytes +=
        one_lane ? requests * size_of(detail.modifiers.types[0]) : static_cast<double>(counted.bytes);
}

double executed_by_lanes(const KernelWork& work, std::uint32_t index) {
  return static_cast<double>(work.counters.instructions[index].thread_inst_executed_true);
}

/// A compare-and-swap of global memory that is repeated, in the whole launch.
struct RepeatedSwap {
  const Operation& operation;
  std::uint32_t index;
  const MemoryCounters& counted;
};
template <class Use>
void for_repeated_swaps(const KernelWork& work, Repeats kind, const Use& use) {
  const std::size_t accesses = std::min(work.program.memory_operations.size(), work.counters.memory.size());
  for (std::size_t i = 0; i < accesses; ++i) {
    const std::uint32_t index = work.program.memory_operations[i];
    const Operation& operation = work.program.operations[index];
    const MemoryCounters& counted = work.counters.memory[i];
    if (operation.atomic != ptx::AtomicOp::cas || !touches_sectors(operation, counted)) continue;
    if (repeats(work.program, index) == kind) use(RepeatedSwap{operation, index, counted});
  }
}

/// Adds operations that are repeated @p more times than here.
void add_repeated(const WorkTotals& again, double more, WorkTotals& totals) {
  totals.atomic_passes += more * again.atomic_passes;
  totals.atomic_visits += more * again.atomic_visits;
  totals.atomic_wide_visits += more * again.atomic_wide_visits;
}

/// Compare-and-swap loops. Blocks run one after the other here, so only lanes of one warp interfere with each other. On
/// the device all warps do, and in each round the word changes for one lane. All lanes that want it try, fewer in each
/// round, because those that fail get the new value: `swap_retries` / log2(lanes) of the passes that the same number of
/// rounds with all lanes would take.
void add_retries(const ModelConstants& model, const KernelWork& work, WorkTotals& totals) {
  const SwapSums& swaps = work.counters.swaps;
  if (swaps.squares <= swaps.swaps) return;
  WorkTotals again;  // Operations repeated until they succeed,
  double lanes = 0, round = 0;
  for_repeated_swaps(work, Repeats::until_found, [&](const RepeatedSwap& swap) {
    add_atomic(swap.operation, work.program.details[swap.index], swap.counted, false, again, true);
    lanes += executed_by_lanes(work, swap.index);
    round = std::max(round, cycles_of_round(model, work, swap.index));
  });
  if (lanes == 0) return;
  // and how much more often that happens with all warps at once: passes of a lane times those of all rounds.
  const double contenders = swaps.squares / swaps.swaps;
  const double share = std::min(0.5, model.swap_retries / std::max(1.0, log2_everywhere(contenders)));
  add_repeated(again, std::max(0.0, share * swaps.squares / lanes - 1), totals);
  totals.swap_cycles = round * swaps.squares / swaps.swaps;
}

/// Maxima and minima by compare-and-swap. Here a warp finds what those before it have stored, and in the order of the
/// blocks either all lanes swap or nearly none. On the device all that are there at once start from the old value and
/// come to the word in any order. The lanes of a warp keep theirs: if each passes the one before, as here, so do those
/// of the warp that has passed all others, on their own.
void add_extremes(const Device& device, const KernelWork& work, WorkTotals& totals) {
  const SwapSums& swaps = work.counters.swaps;
  if (swaps.words == 0) return;
  for_repeated_swaps(work, Repeats::until_passed, [&](const RepeatedSwap& swap) {
    const double at_once = totals.occupancy.blocks * device.multiprocessors * totals.threads_per_block;
    const OldValues old = old_values(work, swap.index);
    const double lanes = std::max(std::min(old.lanes, at_once), swaps.swaps),
                 tried = executed_by_lanes(work, swap.index);
    const double requests = static_cast<double>(swap.counted.requests);
    const double together = std::max(1.0, static_cast<double>(swap.counted.serialised) / requests);
    WorkTotals again;
    add_atomic(swap.operation, work.program.details[swap.index], swap.counted, false, again, true);
    // Whole warps come to more words of a sector than the few lanes that try here.
    const double whole = old.lanes > 0 ? std::min(1.0, old.sectors / old.lanes * tried / again.atomic_visits) : 1;
    again.atomic_passes -= (1 - whole) * again.atomic_visits;
    again.atomic_visits *= whole;
    again.atomic_wide_visits *= whole;
    add_repeated(again, swaps.words * attempts_at_extreme(lanes / swaps.words).tries / tried - 1, totals);
    totals.extreme_warps = std::max(totals.extreme_warps, lanes / swaps.words / together);
    totals.extreme_cycles = device.model.atomic_latency;
    totals.extreme_turns += std::max(0.0, requests / std::max(1.0, lanes / device.warp_size) - 1);
  });
}

/// Constant memory serves one address of a request after the other. Beyond the first-level cache a line of 64 bytes is
/// fetched once for all warps that go through the table side by side, more often the more warps there are; if lanes
/// want several lines, these overlap.
/// @param in_step multiprocessors whose warps all go through the table side by side
void add_constant(const ModelConstants& model, const MemoryCounters& counted, double side_by_side, double resident,
                  double in_step, bool in_order, WorkTotals& totals) {
  const auto reach = static_cast<double>(counted.reach), requests = static_cast<double>(counted.requests);
  const double lines = std::sqrt(static_cast<double>(counted.lines) * static_cast<double>(counted.sectors));
  const double missed = constant_miss_share(model, reach) * requests / side_by_side;
  // A line that comes for the first time comes for all warps.
  const double first = std::min(missed, in_step * reach / kConstantLine);
  const double again = (missed - first) * (1 + (resident - 1) * model.constant_warp_miss_share);
  totals.constant_passes += static_cast<double>(counted.wavefronts);
  totals.constant_bytes = std::max(totals.constant_bytes, reach);
  if (in_order) return;  // Fetched ahead: tables of 1 to 8 KiB take as long for each step (validation/causes bodies).
  totals.constant_misses +=
      std::max((first + again) * model.constant_miss_cycles,
               constant_miss_share(model, reach) * (lines - requests) * model.constant_further_line_cycles);
}

void add_access(const Operation& operation, const OperationDetail& detail, const MemoryCounters& counted,
                unsigned merged, WorkTotals& totals, Stores& stores) {
  const double sectors = static_cast<double>(counted.sectors), lines = static_cast<double>(counted.lines);
  const double wavefronts = static_cast<double>(counted.wavefronts);
  if (is_image_operation(detail.id)) {
    totals.texture_quads += static_cast<double>(counted.requests);
  } else if (detail.modifiers.of_cluster && (detail.id == ptx::OperationId::ld || detail.id == ptx::OperationId::st)) {
    totals.cluster_wavefronts += wavefronts;
  } else if (merged > 1) {
    // Lanes that share the words of a wide load need fewer passes, but each lane's words are returned one by one.
    // As many passes as one of the merged loads, but at least two for four words.
    totals.lsu_wavefronts += std::max(wavefronts, static_cast<double>(counted.requests) * merged / 2);
  } else if (merged == 1) {
    totals.lsu_wavefronts +=
        wavefronts + line_passes(operation, detail, counted);  // A generic access may be counted in both spaces.
  }
  if (is_store(detail.id)) {
    if (sectors == 0) return;  // Shared memory.
    // A request that leaves bytes of a sector unwritten makes L2 merge them.
    const double whole = std::min(sectors, static_cast<double>(counted.bytes) / kSectorBytes);
    const bool local = operation.space == Space::local;
    (local ? totals.local_write_sectors : totals.l2_write_sectors) += whole;
    (local ? totals.local_partial_lines : totals.l2_partial_lines) += std::min(lines, sectors - whole);
    totals.l2_partial_sectors += sectors - whole;
    stores.sectors += sectors;
    stores.pairs += std::min(sectors, 2 * lines);
    stores.bytes += static_cast<double>(counted.bytes);
    if (lines > static_cast<double>(counted.requests) * kScattered) stores.scattered += sectors * irregular(counted);
  } else if (sectors > 0) {
    const double missed = sectors - std::min(sectors, static_cast<double>(counted.sectors_hit));
    totals.l2_read_sectors += missed;
    totals.l2_read_lines += lines * missed / sectors;
    if (lines > static_cast<double>(counted.requests) * kScattered)
      totals.irregular_share += missed * irregular(counted);
  }
}

void add_memory_traffic(const Device& device, const Counters& counters, const Stores& stores, WorkTotals& totals) {
  const ModelConstants& model = device.model;
  const double read = static_cast<double>(counters.read_sectors),
               written = static_cast<double>(counters.written_sectors);
  const double footprint = static_cast<double>(counters.footprint_sectors) * kSectorBytes;
  const double l2 = static_cast<double>(device.l2_bytes);

  totals.irregular_share = totals.l2_read_sectors > 0 ? totals.irregular_share / totals.l2_read_sectors : 0;
  // Compulsory reads of what the L2 did not hold before, in pairs of sectors, and repeated reads whose data was
  // evicted.
  if (counters.read_pairs > 0) {
    totals.cold_share = 1 - static_cast<double>(counters.found_pairs) / static_cast<double>(counters.read_pairs);
    totals.dram_density =
        static_cast<double>(counters.read_pairs) / (kPairsOfKib * static_cast<double>(counters.read_kib));
  }
  totals.dram_read_bytes = totals.cold_share * static_cast<double>(counters.read_pairs) * model.dram_granule_bytes;
  if (footprint > l2 && totals.l2_read_sectors > read)
    totals.dram_read_bytes +=
        (totals.l2_read_sectors - read) * kSectorBytes * (1 - l2 / footprint) * model.l2_far_reuse;
  // Sectors that were neither held nor written completely nor read anyway are read before they are written back.
  const double new_share = written > 0 ? 1 - static_cast<double>(counters.found_written) / written : 1;
  const double plain_written = new_share * std::max(0.0, written - totals.atomic_sectors);
  const double missing = plain_written * kSectorBytes - new_share * stores.bytes;
  const double unread = (static_cast<double>(counters.footprint_sectors) - read) * kSectorBytes;
  totals.dram_read_bytes += std::clamp(missing, 0.0, std::max(unread, 0.0));
  totals.dram_write_bytes = std::max(0.0, written * kSectorBytes - model.l2_dirty_bytes);
  // With scattered addresses, few of those sectors stay in L2 until the kernel ends, and reading and writing back 32
  // bytes occupies DRAM as long as a granule does.
  if (stores.scattered > 0 && missing > 0) {
    const double sectors = plain_written * stores.scattered / stores.sectors;
    const double filled = std::min(1.0, missing / (plain_written * kSectorBytes));
    const double evicted = std::max(0.0, 1 - model.l2_scattered_sectors / sectors);
    const double moved = sectors * filled * evicted;
    totals.scattered_bytes = moved * (2 * model.dram_granule_bytes - kSectorBytes);  // One of the reads is in the sum
                                                                                     // above.
    totals.dram_write_bytes = std::max(totals.dram_write_bytes, moved * kSectorBytes);
  }
}

bool calls_heap(const Program& program, std::uint32_t index) {
  const ptx::OperationId id = program.details[index].id;
  if (id != ptx::OperationId::call) return false;
  const auto site = static_cast<std::size_t>(program.operations[index].immediate);
  return site < program.calls.size() &&
         (program.calls[site].system == SystemCall::malloc || program.calls[site].system == SystemCall::free);
}

/// Issue slots and pipes. A predicated body is issued by every warp that reaches its `if`, not only by those with
/// active lanes in it; its accesses then take a useless pass through the load-store unit.
void add_instructions(const KernelWork& work, const MachineCode& code, WorkTotals& totals) {
  const Program& program = work.program;
  const std::vector<bool> predicated = find_predicated_blocks(program);
  double before = 0;  // executions of the previous block
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const double executed = executions(work, program.blocks[b]);
    const double issued = predicated[b] ? std::max(executed, before) : executed;
    before = executed;
    if (issued == 0) continue;
    for (std::uint32_t i = program.blocks[b].begin; i < program.blocks[b].end; ++i) {
      const OperationDetail& detail = program.details[i];
      if (detail.internal) continue;
      const InstructionCost& cost = code.cost(i);
      totals.instructions += issued * cost.instructions;
      totals.code += cost.instructions;
      for (std::size_t pipe = 0; pipe < kPipeCount; ++pipe) totals.pipes[pipe] += issued * cost.pipes[pipe];
      if (detail.id == ptx::OperationId::shfl_sync || detail.id == ptx::OperationId::shfl)
        totals.lsu_wavefronts += executed;
      if (calls_heap(program, i)) {
        totals.heap_calls += executed_by_lanes(work, i);
        totals.heap_warp_calls += executed;
      }
      if (detail.pipe == Pipe::lsu) totals.lsu_wavefronts += issued - executed;
    }
  }
}

}  // namespace

bool is_store(ptx::OperationId id) {
  switch (id) {
    case ptx::OperationId::st:
    case ptx::OperationId::stmatrix:
    case ptx::OperationId::wmma_store:
    case ptx::OperationId::wmma_store_f64:
    case ptx::OperationId::sust:
    case ptx::OperationId::sust_formatted:
    case ptx::OperationId::cp_async_bulk_store:
    case ptx::OperationId::cp_async_bulk_store_masked:
    case ptx::OperationId::cp_async_bulk_tensor_scatter:
    case ptx::OperationId::cp_async_bulk_tensor_store:
    case ptx::OperationId::cp_async_bulk_tensor_store_im2col:
      return true;
    default:
      return false;
  }
}

double line_passes(const Operation& operation, const OperationDetail& detail, const MemoryCounters& counted) {
  constexpr double kPassBytes = 128;
  constexpr double kAcross = 0.2;  // Nsight Compute: l1tex__data_pipe_lsu_wavefronts of families halo line_16_global.
  const auto lines = static_cast<double>(counted.lines), requests = static_cast<double>(counted.requests);
  const std::int64_t of_lane =
      std::int64_t{size_of(detail.modifiers.types[0])} * std::max<unsigned>(1, operation.count);
  if (counted.stride != of_lane || counted.stride_requests != counted.requests) return lines;
  const double aligned = std::min(lines, std::max(requests, static_cast<double>(counted.bytes) / kPassBytes));
  return aligned + kAcross * (lines - aligned);
}

bool touches_sectors(const Operation& operation, const MemoryCounters& counted) {
  switch (operation.space) {
    case Space::global:
    case Space::local:
      return counted.requests > 0;
    case Space::generic:
      return counted.requests > counted.shared_requests;
    case Space::shared:  // shared_requests are those of cp.async, which also reads global memory.
      return counted.shared_requests > 0 && counted.requests > counted.shared_requests;
    default:
      return false;
  }
}

double constant_miss_share(const ModelConstants& model, double reach) {
  return reach <= model.constant_cache_bytes ? 0 : 1 - model.constant_cache_bytes / reach;
}

double executions(const KernelWork& work, const Program::Range& block) {
  for (std::uint32_t i = block.begin; i < block.end && i < work.counters.instructions.size(); ++i)
    if (!work.program.details[i].internal) return static_cast<double>(work.counters.instructions[i].inst_executed);
  return 0;
}

WorkTotals total(const Device& device, const KernelWork& work) {
  const Program& program = work.program;
  const Counters& counters = work.counters;
  WorkTotals totals;
  totals.blocks = static_cast<double>(work.grid.count());
  totals.threads_per_block = static_cast<double>(work.block.count());
  const std::uint64_t warps = (work.block.count() + device.warp_size - 1) / device.warp_size;
  totals.warps_per_block = static_cast<double>(warps);
  totals.occupancy = occupancy(device, work.registers, static_cast<unsigned>(work.block.count()), work.shared_bytes);

  const ModelConstants& model = device.model;
  const BlockTurns turns{device.multiprocessors, static_cast<unsigned>(model.early_multiprocessors),
                         model.early_first_blocks, model.early_turn_blocks};
  totals.busiest_share =
      busiest_share(counters.block_work, work.grid.count(), turns, std::max(1u, totals.occupancy.blocks));

  const MachineCode code = machine_code(device.model, work);
  add_instructions(work, code, totals);

  Stores stores;
  const std::size_t accesses = std::min(program.memory_operations.size(), counters.memory.size());
  for (std::size_t i = 0; i < accesses; ++i) {
    const std::uint32_t index = program.memory_operations[i];
    if (counters.memory[i].requests == 0) continue;
    const Operation& operation = program.operations[index];
    if (operation.space == Space::local && code.arrays_in_registers) continue;
    if (operation.space == Space::constant) {
      if (code.cost(index).instructions == 0) continue;
      const double blocks =
          std::max(1.0, std::min<double>(totals.occupancy.blocks, std::ceil(totals.blocks / device.multiprocessors)));
      const bool far = constant_miss_share(device.model, static_cast<double>(counters.memory[i].reach)) > 0;
      const double warps = totals.warps_per_block;
      const bool apart = far && differs_by_block(work, index);
      add_constant(device.model, counters.memory[i], apart ? warps : warps * blocks, warps * blocks,
                   apart ? 0 : std::min<double>(totals.blocks, device.multiprocessors),
                   has_uniform_address(work, index) && goes_in_order(program, index), totals);
    } else if (is_atomic(operation)) {
      add_atomic(operation, program.details[index], counters.memory[i], code.one_lane[index] != 0, totals);
    } else {
      add_access(operation, program.details[index], counters.memory[i], code.loads[index], totals, stores);
    }
  }
  // Distinct sectors of atomics are not counted by themselves: all that were written, less the plain stores'. Of these
  // several may have filled a sector.
  if (totals.atomic_sectors > 0) {
    const double stored = stores.bytes / kSectorBytes;
    const double pairs = stores.sectors > 0 ? stores.pairs * stored / stores.sectors : 0;
    totals.atomic_sectors =
        std::clamp(static_cast<double>(counters.written_sectors) - stored, 1.0, totals.atomic_sectors);
    totals.atomic_pairs = std::clamp(static_cast<double>(counters.written_pairs) - pairs, totals.atomic_sectors / 2,
                                     totals.atomic_sectors);
  }
  add_retries(device.model, work, totals);
  add_extremes(device, work, totals);
  add_memory_traffic(device, counters, stores, totals);
  const BlockWaits waits = waits_of_blocks(device.model, work);
  totals.chain_cycles = waits.chain_cycles;
  totals.look_back = waits.look_back;
  totals.grid_barriers = static_cast<double>(work.counters.grid_barriers);
  totals.heap_bytes = work.heap_bytes;
  const double launched = std::max(1.0, static_cast<double>(counters.warps));
  totals.warps = launched;
  totals.cluster_blocks = static_cast<double>(work.cluster_blocks);
  const WarpCycles cycles = warp_cycles(device, work, totals, code);
  // Changes of one word of shared memory follow each other, whichever warps they come from.
  const double swaps = static_cast<double>(counters.shared_swaps) /
                       std::max(1.0, static_cast<double>(counters.blocks)) * device.model.shared_swap_cycles;
  totals.block_cycles = std::max(cycles.of_block, swaps);
  totals.longest_cycles = std::max(cycles.longest, swaps);
  totals.at_issue = cycles.at_issue;
  totals.at_lsu = cycles.at_lsu;
  totals.at_barrier = cycles.at_barrier;
  return totals;
}

}  // namespace warpbook::simulator
