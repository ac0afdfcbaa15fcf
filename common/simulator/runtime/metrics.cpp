// Computes Nsight Compute's metrics. Each definition is next to the line that computes it.
//
// Instructions are PTX instructions that have a counterpart in machine code (all but those of ptx::Pipe::none:
// ld.param, cvta, plain moves). Their number differs from the machine code's; ratios agree.
#include "common/simulator/runtime/metrics.h"

#include <algorithm>
#include <utility>

#include "common/simulator/machine/control.h"
#include "common/simulator/model/instruction_cost.h"
#include "common/simulator/ptx/group_products.h"
#include "common/simulator/ptx/operation_table.h"
#include "common/simulator/runtime/accesses.h"
#include "common/simulator/runtime/branches.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr double kSectorBytes = 32;
constexpr std::uint64_t kLinesPerWavefront = 4;  // tags that the L1's tag stage looks up at once
constexpr double kSectorsOfLaunch = 1000;  // instructions and parameters, 967 to 1200 for 235 kernels that read nothing
constexpr unsigned kRegisterGranularity = 8;  // registers per thread are allocated in multiples of this,
constexpr unsigned kFewestRegisters = 16;     // and never fewer than this

double ratio(double numerator, double denominator) { return denominator == 0 ? 0 : numerator / denominator; }

/// Counters of the memory operations, by space and direction.
struct MemoryTotals {
  std::uint64_t load_wavefronts = 0;      // of global loads
  std::uint64_t copy_conflicts = 0;       // of asynchronous copies
  MemoryCounters counted[5][6];           // [global, shared, local, texture, surface][ld, st, atom, red, ldgsts, tex]
  std::uint64_t instructions[5][6] = {};  // inst_executed of the same operations

  explicit MemoryTotals(const MeasuredLaunch& launch) {
    for (std::size_t i = 0; i < launch.program.memory_operations.size() && i < launch.counters.memory.size(); ++i) {
      for (const auto& [kind, memory] : accesses_of(launch.program, i, launch.counters.memory[i])) {
        if (kind.op == AccessOp::bulk_ld || kind.op == AccessOp::bulk_st) continue;
        const auto space = static_cast<unsigned>(kind.space), op = static_cast<unsigned>(kind.op);
        counted[space][op].add(memory);
        const bool loads = kind.op == AccessOp::ld || kind.op == AccessOp::ldgsts;
        if (loads && kind.space == AccessSpace::global && memory.requests != 0) {
          const std::uint64_t lines = (memory.lines + memory.requests - 1) / memory.requests;
          const std::uint64_t passes = memory.requests * ((lines + kLinesPerWavefront - 1) / kLinesPerWavefront);
          load_wavefronts += passes;
          // The data that a copy loads is stored sector by sector (two kernels on an H200, 2026-11-23).
          if (kind.op == AccessOp::ldgsts && memory.sectors > passes) copy_conflicts += memory.sectors - passes;
        }
        instructions[space][op] += launch.counters.instructions[launch.program.memory_operations[i]].inst_executed;
      }
    }
  }
  const MemoryCounters& of(AccessSpace space, AccessOp op) const {
    return counted[static_cast<unsigned>(space)][static_cast<unsigned>(op)];
  }
  std::uint64_t executed(AccessSpace space, AccessOp op) const {
    return instructions[static_cast<unsigned>(space)][static_cast<unsigned>(op)];
  }
};

using Metrics = std::map<std::string, double>;

void add_instructions(Metrics& out, const MeasuredLaunch& launch) {
  double executed = 0, threads = 0, threads_on = 0;
  for (std::size_t i = 0; i < launch.counters.instructions.size(); ++i) {
    if (launch.program.details[i].pipe == ptx::Pipe::none) continue;
    executed += static_cast<double>(launch.counters.instructions[i].inst_executed);
    threads += static_cast<double>(launch.counters.instructions[i].thread_inst_executed);
    threads_on += static_cast<double>(launch.counters.instructions[i].thread_inst_executed_true);
  }
  // Warp-level instructions executed.
  out["smsp__inst_executed.sum"] = executed;
  // Active threads per warp-level instruction, whether predicated off or not (warp execution efficiency times 32).
  out["smsp__thread_inst_executed_per_inst_executed.ratio"] = ratio(threads, executed);
  // The same without threads that are predicated off.
  out["smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"] = ratio(threads_on, executed);
}

/// Instructions that Nsight Compute has no metric for, each once for a warp.
struct OwnCounts {
  // Block barriers (__syncthreads() and the like), and those of them that tell something about all threads:
  // __syncthreads_count(), _and() and _or().
  double barrier = 0, barrier_red = 0;
  // Fences of system scope: __threadfence_system().
  double fence_sys = 0;
  // Loads and atomics that acquire at system scope, and stores and atomics that release at it.
  double acquire_sys = 0, release_sys = 0;
  // Loads and atomics, and stores and atomics, that the host sees as one step: those of system scope, and volatile
  // ones.
  double load_sys = 0, store_sys = 0;
  // Compare-and-swap: atomicCAS().
  double cas = 0;
  // Readings of a multiprocessor's clock: clock() and clock64(), and of the device's: %globaltimer.
  double clock = 0, globaltimer = 0;
  // Reads of textures of layers, by a direction, and of the four texels that a filter would mix.
  double texture_layered = 0, texture_cube = 0, texture_gather = 0;
};

/// What orders a kernel's memory accesses for the host, and for other devices.
void count_system_order(OwnCounts& counts, const OperationDetail& detail, double executed) {
  using ptx::Semantics;
  const Semantics semantics = detail.modifiers.semantics;
  const bool is_volatile = semantics == Semantics::volatile_ || semantics == Semantics::mmio;
  if (detail.modifiers.scope != ptx::Scope::sys && !is_volatile) return;
  if (detail.id == ptx::OperationId::membar || detail.id == ptx::OperationId::fence) {
    counts.fence_sys += executed;
    return;
  }
  const bool is_atomic = ptx::is_atomic(detail.id);
  if (is_atomic || detail.id == ptx::OperationId::ld) counts.load_sys += executed;
  if (is_atomic || detail.id == ptx::OperationId::st) counts.store_sys += executed;
  if (semantics == Semantics::acquire || semantics == Semantics::acq_rel) counts.acquire_sys += executed;
  if (semantics == Semantics::release || semantics == Semantics::acq_rel) counts.release_sys += executed;
}

/// What a kernel has the hardware do, and could do itself.
void count_hardware_ways(OwnCounts& counts, const OperationDetail& detail, double executed) {
  using ptx::OperationId;
  if (detail.pipe == ptx::Pipe::barrier && detail.id != OperationId::bar_warp_sync) {
    counts.barrier += executed;
    if (detail.modifiers.red) counts.barrier_red += executed;
  }
  if (detail.id == OperationId::atom_cas || detail.id == OperationId::atom_cas_op_first ||
      detail.id == OperationId::atom_cas_wide)
    counts.cas += executed;
  if (detail.id == OperationId::tld4) counts.texture_gather += executed;
  if (detail.id != OperationId::tex && detail.id != OperationId::tex_level && detail.id != OperationId::tex_grad &&
      detail.id != OperationId::tld4)
    return;
  const ptx::Geometry geometry = detail.modifiers.geometry;
  if (geometry == ptx::Geometry::cube || geometry == ptx::Geometry::acube) counts.texture_cube += executed;
  if (geometry == ptx::Geometry::a1d || geometry == ptx::Geometry::a2d) counts.texture_layered += executed;
}

OwnCounts count_own(const MeasuredLaunch& launch) {
  const Handler read_clock = handler_set().read_clock;
  OwnCounts counts;
  double* clock = nullptr;  // The next instruction reads it, in an operation of the decoder's before it.
  for (std::size_t i = 0; i < launch.counters.instructions.size(); ++i) {
    const Operation& operation = launch.program.operations[i];
    const OperationDetail& detail = launch.program.details[i];
    const auto executed = static_cast<double>(launch.counters.instructions[i].inst_executed);
    if (operation.handler == read_clock) clock = operation.immediate <= 2 ? &counts.clock : &counts.globaltimer;
    if (detail.internal) continue;
    if (double* const count = std::exchange(clock, nullptr)) *count += executed;
    count_system_order(counts, detail, executed);
    count_hardware_ways(counts, detail, executed);
  }
  return counts;
}

/// Barriers in shared memory (mbarrier), at which a warp arrives and waits apart.
void add_mbarriers(Metrics& out, const MeasuredLaunch& launch) {
  using ptx::OperationId;
  double arrivals = 0, waits = 0;
  for (std::size_t i = 0; i < launch.program.memory_operations.size() && i < launch.counters.memory.size(); ++i) {
    const auto executed = static_cast<double>(launch.counters.memory[i].requests);
    switch (launch.program.details[launch.program.memory_operations[i]].id) {
      case OperationId::mbarrier_arrive:
      case OperationId::mbarrier_arrive_expect_tx:
      case OperationId::mbarrier_arrive_no_complete:
      case OperationId::mbarrier_arrive_drop:
      case OperationId::mbarrier_arrive_drop_expect_tx:
      case OperationId::mbarrier_arrive_drop_no_complete:
        arrivals += executed;
        break;
      case OperationId::mbarrier_try_wait:
      case OperationId::mbarrier_try_wait_parity:
        waits += executed;
        break;
      default:
        break;
    }
  }
  // Arrivals of warps, and waits that have ended (test_wait does not wait), each once for a warp.
  out["warpbook__inst_executed_op_mbarrier_arrive.sum"] = arrivals;
  out["warpbook__inst_executed_op_mbarrier_wait.sum"] = waits;
}

/// Nsight Compute has no such metrics; their names have the prefix of this project.
void add_own(Metrics& out, const MeasuredLaunch& launch) {
  const OwnCounts counts = count_own(launch);
  out["warpbook__inst_executed_op_barrier.sum"] = counts.barrier;
  out["warpbook__inst_executed_op_barrier_red.sum"] = counts.barrier_red;
  out["warpbook__inst_executed_op_fence_sys.sum"] = counts.fence_sys;
  out["warpbook__inst_executed_op_acquire_sys.sum"] = counts.acquire_sys;
  out["warpbook__inst_executed_op_release_sys.sum"] = counts.release_sys;
  out["warpbook__inst_executed_op_load_sys.sum"] = counts.load_sys;
  out["warpbook__inst_executed_op_store_sys.sum"] = counts.store_sys;
  out["warpbook__inst_executed_op_cas.sum"] = counts.cas;
  out["warpbook__inst_executed_op_clock.sum"] = counts.clock;
  out["warpbook__inst_executed_op_globaltimer.sum"] = counts.globaltimer;
  out["warpbook__inst_executed_op_texture_layered.sum"] = counts.texture_layered;
  out["warpbook__inst_executed_op_texture_cube.sum"] = counts.texture_cube;
  out["warpbook__inst_executed_op_texture_gather.sum"] = counts.texture_gather;
  add_mbarriers(out, launch);
  // What the busiest block executed.
  out["warpbook__inst_executed_of_block.max"] = static_cast<double>(launch.counters.critical_block_inst);
  // Number of barriers of a cooperative grid (grid.sync()).
  out["warpbook__grid_barriers.sum"] = launch.time.grid_barriers;
}

/// Instructions of the tensor pipe, as the machine code counts them (model/instruction_cost.h).
void add_tensor(Metrics& out, const MeasuredLaunch& launch) {
  double hmma = 0, imma = 0, dmma = 0, gmma = 0, ldsm = 0;
  for (std::size_t i = 0; i < launch.counters.instructions.size(); ++i) {
    const OperationDetail& detail = launch.program.details[i];
    if (detail.id == ptx::OperationId::ldmatrix && !detail.internal)
      ldsm += static_cast<double>(launch.counters.instructions[i].inst_executed);
    const double executed =
        static_cast<double>(launch.counters.instructions[i].inst_executed) * tensor_instructions(detail);
    if (executed == 0) continue;
    if (ptx::is_group_product(detail.id)) gmma += executed;
    const ptx::Type factor = detail.id == ptx::OperationId::wmma_mma_half ? ptx::Type::f16 : detail.modifiers.types[1];
    switch (factor) {
      case ptx::Type::f64:
        dmma += executed;
        break;
      case ptx::Type::b1:
      case ptx::Type::s8:
      case ptx::Type::u8:
      case ptx::Type::s4:
      case ptx::Type::u4:
        imma += executed;
        break;
      default:
        hmma += executed;
    }
  }
  // Warp-level instructions on the tensor pipe: all; of f16, bf16 and tf32; of integers (including bits); of f64.
  out["sm__inst_executed_pipe_tensor.sum"] = hmma + imma + dmma;
  out["sm__inst_executed_pipe_tensor_op_hmma.sum"] = hmma;
  out["sm__inst_executed_pipe_tensor_op_imma.sum"] = imma;
  out["sm__inst_executed_pipe_tensor_op_dmma.sum"] = dmma;
  // Warpgroup instructions (wgmma) among them; fp8 counts as hmma.
  out["sm__inst_executed_pipe_tensor_op_gmma.sum"] = gmma;
  // Loads of matrices from shared memory (ldmatrix).
  out["smsp__inst_executed_op_ldsm.sum"] = ldsm;
}

void add_branches(Metrics& out, const MeasuredLaunch& launch) {
  double executed = 0, divergent = 0;
  for (std::size_t i = 0; i < launch.counters.branches.size(); ++i) {
    if (only_ends_threads(launch.program, i)) continue;
    const BranchCounters& branch = launch.counters.branches[i];
    executed += static_cast<double>(branch.executed);
    divergent += static_cast<double>(branch.divergent);
  }
  // Branches executed, except those that only end threads; divergent branches, where two or more active threads went
  // different ways; uniform branches; and their share.
  out["smsp__sass_branch_targets.sum"] = executed;
  out["smsp__sass_branch_targets_threads_divergent.sum"] = divergent;
  out["smsp__sass_branch_targets_threads_uniform.sum"] = executed - divergent;
  out["smsp__sass_average_branch_targets_threads_uniform.pct"] = ratio(100 * (executed - divergent), executed);
}

void add_level_one(Metrics& out, const MemoryTotals& totals) {
  for (const AccessSpace space : {AccessSpace::global, AccessSpace::local}) {
    for (const AccessOp op : {AccessOp::ld, AccessOp::st, AccessOp::atom, AccessOp::red}) {
      if (space == AccessSpace::local && op != AccessOp::ld && op != AccessOp::st) continue;
      MemoryCounters memory = totals.of(space, op);
      // Nsight Compute counts the loads of asynchronous copies as loads (checked on an H200).
      if (space == AccessSpace::global && op == AccessOp::ld) memory.add(totals.of(space, AccessOp::ldgsts));
      const std::string suffix = std::string("_pipe_lsu_mem_") + name_of(space) + "_op_" + name_of(op);
      const auto requests = static_cast<double>(memory.requests), sectors = static_cast<double>(memory.sectors);
      // Warp-level accesses with at least one active thread; distinct 32-byte sectors of each, summed; their quotient.
      out["l1tex__t_requests" + suffix + ".sum"] = requests;
      out["l1tex__t_sectors" + suffix + ".sum"] = sectors;
      out["l1tex__average_t_sectors_per_request" + suffix + ".ratio"] = ratio(sectors, requests);
    }
  }
  // The part of it that asynchronous copies cause.
  const MemoryCounters& copied = totals.of(AccessSpace::global, AccessOp::ldgsts);
  out["sm__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum"] = static_cast<double>(copied.requests);
  out["sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"] = static_cast<double>(copied.sectors);
  // Wavefronts of global loads in the L1: up to four 128-byte lines each. Exact if all requests of an instruction
  // access equally many lines, otherwise computed from their average.
  out["l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum"] = static_cast<double>(totals.load_wavefronts);
  // Sectors of loads that hit in L1.
  out["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"] =
      static_cast<double>(totals.of(AccessSpace::global, AccessOp::ld).sectors_hit + copied.sectors_hit);
  for (const AccessOp op : {AccessOp::ld, AccessOp::st}) {
    const MemoryCounters& memory = totals.of(AccessSpace::global, op);
    // Bytes that threads requested (each thread counts), as a share of the bytes in the sectors transferred for them.
    out[std::string("smsp__sass_average_data_bytes_per_sector_mem_global_op_") + name_of(op) + ".pct"] =
        ratio(100 * static_cast<double>(memory.bytes), kSectorBytes * static_cast<double>(memory.sectors));
    for (const AccessSpace space : {AccessSpace::global, AccessSpace::shared, AccessSpace::local}) {
      // Warp-level load or store instructions executed in that space.
      out[std::string("smsp__inst_executed_op_") + name_of(space) + "_" + name_of(op) + ".sum"] =
          static_cast<double>(totals.executed(space, op));
    }
  }
}

/// Textures and surfaces. Sectors are those of tiles, as docs/counters.md says.
void add_images(Metrics& out, const MemoryTotals& totals) {
  const auto add_requests = [&](const std::string& suffix, const MemoryCounters& memory) {
    const auto requests = static_cast<double>(memory.requests), sectors = static_cast<double>(memory.sectors);
    out["l1tex__t_requests_pipe_tex_mem_" + suffix + ".sum"] = requests;
    out["l1tex__t_sectors_pipe_tex_mem_" + suffix + ".sum"] = sectors;
    out["l1tex__average_t_sectors_per_request_pipe_tex_mem_" + suffix + ".ratio"] = ratio(sectors, requests);
  };
  // Warp-level texture reads with at least one active thread, and the distinct sectors that each needs.
  const MemoryCounters& texture = totals.of(AccessSpace::texture, AccessOp::tex);
  add_requests("texture", texture);
  // Those that hit in L1.
  out["l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum"] = static_cast<double>(texture.sectors_hit);
  // Instructions executed: texture reads, surface loads and stores.
  out["smsp__inst_executed_op_texture.sum"] = static_cast<double>(totals.executed(AccessSpace::texture, AccessOp::tex));
  for (const AccessOp op : {AccessOp::ld, AccessOp::st}) {
    add_requests(std::string("surface_op_") + name_of(op), totals.of(AccessSpace::surface, op));
    out[std::string("smsp__inst_executed_op_surface_") + name_of(op) + ".sum"] =
        static_cast<double>(totals.executed(AccessSpace::surface, op));
  }
}

void add_shared(Metrics& out, const MemoryTotals& totals) {
  for (const AccessOp op : {AccessOp::ld, AccessOp::st, AccessOp::atom}) {
    // Wavefronts of shared memory's data stage; a reduction (without result) is executed as an atomic.
    double wavefronts = static_cast<double>(totals.of(AccessSpace::shared, op).wavefronts);
    if (op == AccessOp::atom)
      wavefronts += static_cast<double>(totals.of(AccessSpace::shared, AccessOp::red).wavefronts);
    out[std::string("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_") + name_of(op) + ".sum"] = wavefronts;
  }
  // Asynchronous copies store what they load: wavefronts, and instructions executed.
  out["sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"] =
      static_cast<double>(totals.of(AccessSpace::shared, AccessOp::ldgsts).wavefronts);
  out["smsp__inst_executed_op_ldgsts.sum"] =
      static_cast<double>(totals.executed(AccessSpace::shared, AccessOp::ldgsts));
  for (const AccessOp op : {AccessOp::ld, AccessOp::st, AccessOp::ldgsts}) {
    // Wavefronts beyond those that the same threads would need without bank conflicts.
    const std::uint64_t conflicts = totals.of(AccessSpace::shared, op).conflicts;
    out[std::string("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_") + name_of(op) + ".sum"] =
        static_cast<double>(op == AccessOp::ldgsts ? totals.copy_conflicts : conflicts);
  }
}

void add_level_two(Metrics& out, const MeasuredLaunch& launch, const MemoryTotals& totals) {
  // Bytes between L1 and L2: loads that missed L1, and all stores (the time model's estimate).
  out["l1tex__m_xbar2l1tex_read_bytes.sum"] = launch.time.l2_read_bytes;
  out["l1tex__m_l1tex2xbar_write_bytes.sum"] = launch.time.l2_write_bytes;
  // Sectors that the L2 slices look up: those of loads, stores, atomics and reductions (executed in L2), and those that
  // every launch fetches for itself. If L2 has two partitions, half of all addresses belong to the partition far from
  // the multiprocessor, and both count.
  const double copies = launch.l2_sector_copies;
  out["lts__t_sectors_op_read.sum"] = copies * launch.time.l2_read_bytes / kSectorBytes + kSectorsOfLaunch;
  out["lts__t_sectors_op_write.sum"] = copies * launch.time.l2_write_bytes / kSectorBytes;
  const auto sectors = [&](AccessOp op) { return static_cast<double>(totals.of(AccessSpace::global, op).sectors); };
  out["lts__t_sectors_op_atom.sum"] = copies * sectors(AccessOp::atom);
  out["lts__t_sectors_op_red.sum"] = copies * sectors(AccessOp::red);
  // Traffic between L2 and device memory (the time model's estimate).
  out["dram__bytes_read.sum"] = launch.time.dram_read_bytes;
  out["dram__bytes_write.sum"] = launch.time.dram_write_bytes;
}

void add_launch(Metrics& out, const MeasuredLaunch& launch) {
  const Occupancy& occupancy = launch.time.occupancy;
  out["launch__grid_size"] = static_cast<double>(launch.grid.count());
  out["launch__block_size"] = static_cast<double>(launch.block.count());
  out["launch__thread_count"] = static_cast<double>(launch.grid.count()) * static_cast<double>(launch.block.count());
  // As allocated per thread: the number of ptxas, rounded up.
  const unsigned registers =
      (launch.registers + kRegisterGranularity - 1) / kRegisterGranularity * kRegisterGranularity;
  out["launch__registers_per_thread"] = std::max(registers, kFewestRegisters);
  // Shared memory of a block: static, dynamic, and reserved by the system.
  const auto reserved = static_cast<double>(launch.reserved_shared_bytes);
  out["launch__shared_mem_per_block"] = launch.static_shared_bytes + launch.dynamic_shared_bytes + reserved;
  out["launch__shared_mem_per_block_driver"] = reserved;
  out["launch__shared_mem_per_block_static"] = launch.static_shared_bytes;
  out["launch__shared_mem_per_block_dynamic"] = launch.dynamic_shared_bytes;
  // Blocks per multiprocessor that each resource alone would allow.
  out["launch__occupancy_limit_blocks"] = occupancy.limit_blocks;
  out["launch__occupancy_limit_registers"] = occupancy.limit_registers;
  out["launch__occupancy_limit_shared_mem"] = occupancy.limit_carveout;
  out["launch__occupancy_limit_warps"] = occupancy.limit_warps;
  out["launch__occupancy_limit_barriers"] = occupancy.limit_barriers;
  // The part of a multiprocessor's unified L1 and shared memory that is shared memory while the kernel runs.
  out["launch__shared_mem_config_size"] = static_cast<double>(occupancy.carveout_bytes);
  // Grid size divided by the number of blocks that the device holds at once.
  out["launch__waves_per_multiprocessor"] = launch.time.waves;
  // Theoretical occupancy.
  out["sm__maximum_warps_per_active_cycle_pct"] = 100 * occupancy.fraction;
  // The predicted duration, in microseconds like every time of a profile.
  out["gpu__time_duration.sum"] = launch.time.us;
}

}  // namespace

std::map<std::string, double> metrics(const MeasuredLaunch& launch) {
  const MemoryTotals totals(launch);
  Metrics out;
  add_instructions(out, launch);
  add_own(out, launch);
  add_tensor(out, launch);
  add_branches(out, launch);
  add_level_one(out, totals);
  add_images(out, totals);
  add_shared(out, totals);
  add_level_two(out, launch, totals);
  add_launch(out, launch);
  return out;
}

}  // namespace warpbook::simulator::runtime
