// Schedules each basic block of a program for one warp.
#include "common/simulator/model/critical_path.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/simulator/model/if_conversion.h"
#include "common/simulator/model/live_registers.h"
#include "common/simulator/model/machine_code.h"
#include "common/simulator/model/operands.h"
#include "common/simulator/model/powers.h"
#include "common/simulator/model/swap_loops.h"
#include "common/simulator/model/work_totals.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using ptx::Pipe;
using ptx::Space;

class Scheduler {
 public:
  /// @param at_once loads bring their values at once: what remains is how long the instructions wait for each other
  Scheduler(const Device& device, const KernelWork& work, const WorkTotals& totals, const MachineCode& code,
            bool at_once = false)
      : model_(device.model),
        at_once_(at_once),
        code_(code),
        work_(work),
        program_(work.program),
        warps_(totals.warps_per_block),
        all_warps_(std::max(1.0, static_cast<double>(work.counters.warps))),
        predicated_(find_predicated_blocks(work.program)) {
    waits_.resize(program_.blocks.size());
    memory_of_.assign(program_.operations.size(), kNone);
    for (std::size_t i = 0; i < program_.memory_operations.size(); ++i) {
      const std::uint32_t index = program_.memory_operations[i];
      if (!code.arrays_in_registers || program_.operations[index].space != Space::local)
        memory_of_[index] = static_cast<std::uint32_t>(i);
    }
    const double per_multiprocessor = std::ceil(totals.blocks / device.multiprocessors);
    resident_warps_ = std::min<double>(totals.occupancy.blocks, per_multiprocessor) * warps_;
    const double l2_reads = totals.l2_read_sectors * 32;
    dram_share_ = l2_reads > 0 ? std::min(1.0, totals.dram_read_bytes / l2_reads) : 0;
    // Blocks that run side by side go through what they share in step: what one of them brings from memory, all the
    // others wait for. Only those of later rounds find it in L2. Scattered lanes do not meet, nor do blocks that
    // are alone: what they read again, they have brought themselves.
    const double rounds = std::ceil(per_multiprocessor / std::max<double>(1, totals.occupancy.blocks));
    const bool alone = totals.blocks <= rounds;
    first_visits_ = std::min(1.0, totals.atomic_sectors / std::max(1.0, totals.atomic_visits));
    if (dram_share_ > 0 && !alone)
      in_step_ = (1 - totals.irregular_share) * std::max(0.0, totals.cold_share / rounds - dram_share_);
    dram_share_ += in_step_;
  }

  WarpCycles run() {
    std::vector<double> cycles(program_.blocks.size(), 0);
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      // Blocks that never ran are skipped, including what they would have left in flight.
      if (executions(work_, program_.blocks[b]) == 0) continue;
      cycles[b] = schedule(b);
      // In a loop, an iteration that waits for values of the previous one counts.
      for (std::size_t k = loop_start(program_, b); k <= b; ++k)
        if (executions(work_, program_.blocks[k]) > all_warps_) cycles[k] = schedule(k);
      if (loop_start(program_, b) == b && executions(work_, program_.blocks[b]) > all_warps_) {
        cycles[b] -= overlapped(b);
        // All warps wait for the same data, then all of them load again.
        const double turns = in_step_ * loaded_in(program_.blocks[b]) * resident_warps_;
        cycles[b] += turns;
        waits_[b].lsu += turns;
      }
    }
    // Longer warps than the mean have their further instructions in code that not all warps execute equally often, most
    // of all in what a warp executes again and again, and these take as long as those of others.
    Sum all, uneven, repeated, skipped;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      const double times = executions(work_, program_.blocks[b]);
      at_lsu_ += waits_[b].lsu * times / all_warps_;
      at_barrier_ += waits_[b].barrier * times / all_warps_;
      const Sum sum{executed_in(program_.blocks[b]), cycles[b] * times};
      all.add(sum);
      if (std::fmod(times, all_warps_) == 0) continue;
      uneven.add(sum);
      if (times > all_warps_) repeated.add(sum);
      // What the mean warp does not execute of code that some execute once.
      const double some = 1 / times - 1 / all_warps_;
      if (times < all_warps_) skipped.add({sum.instructions * some, sum.cycles * some});
    }
    const Sum& further = repeated.instructions > 0 ? repeated : uneven.instructions > 0 ? uneven : all;
    // One warp of each block arrives at a grid's barrier and polls for all: grid_sync has that time.
    const bool apart = work_.counters.grid_barriers == 0;
    const auto path_of = [&](double instructions) {
      const double more = apart ? std::max(0.0, instructions - all.instructions / all_warps_) : 0;
      const double once = std::min(more, skipped.instructions);
      return all.cycles / all_warps_ + once * skipped.cycles / std::max(1.0, skipped.instructions) +
             (more - once) * further.cycles / std::max(1.0, further.instructions);
    };
    // The warps of a multiprocessor start together and go through the code outside loops side by side: while one waits
    // for its own instructions, but not for memory, the others issue theirs.
    const double at_issue = once_ * resident_warps_ / model_.issue_per_cycle;
    const double served = std::max(0.0, end_of_phase(all_warps_) - repeating(all_warps_) - front_);
    const double together = served + std::max(0.0, at_issue - in_once_);
    const Counters& counted = work_.counters;
    const double blocks = std::max(1.0, static_cast<double>(counted.blocks));
    return {together + path_of(static_cast<double>(counted.longest_warps_inst) / blocks),
            together + path_of(static_cast<double>(counted.critical_warp_inst)), at_issue, at_lsu_, at_barrier_};
  }

  /// Cycles of the blocks of code that a warp executes at most once.
  double in_once() {
    double sum = 0;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      const double times = executions(work_, program_.blocks[b]);
      if (times > 0 && times <= all_warps_) sum += schedule(b) * times / all_warps_;
    }
    return sum;
  }
  /// @param cycles in_once() of a scheduler whose loads bring their values at once
  void set_in_once(double cycles) { in_once_ = cycles; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr double kUnrolled = 4;
  static constexpr double kOtherRegisters = 8;  ///< Of a thread: not for what its loads bring.

  /// Of all warps in some blocks of code.
  struct Sum {
    double instructions = 0, cycles = 0;
    void add(const Sum& more) {
      instructions += more.instructions;
      cycles += more.cycles;
    }
  };
  double executed_in(const Program::Range& block) const {
    double sum = 0;
    for (std::uint32_t i = block.begin; i < block.end && i < work_.counters.instructions.size(); ++i)
      sum += static_cast<double>(work_.counters.instructions[i].inst_executed);
    return sum;
  }

  /// Passes through the load-store unit of a warp's loads from global memory in @p block, each time; 0 if it has a
  /// barrier, at which warps wait anyway.
  double loaded_in(const Program::Range& block) const {
    double passes = 0;
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      if (program_.details[i].pipe == Pipe::barrier) return 0;
      if (memory_of_[i] != kNone && program_.details[i].id == OperationId::ld &&
          program_.operations[i].space == Space::global)
        passes += passes_of(i, work_.counters.memory[memory_of_[i]]);
    }
    return passes / std::max(1.0, executions(work_, block));
  }

  /// ptxas unrolls a short loop of one block further that ends when its counter has come to a value (not what is
  /// computed from the counter: validation/stream_occupancy one_load), and loads of several iterations are under way
  /// together unless stores or barriers keep them apart, or an address depends on what was loaded; as many as there are
  /// registers for (validation/families rows: 16 loads at a time where the PTX has 4, of 16 bytes 6).
  double overlapped(std::size_t number) {
    const Program::Range& block = program_.blocks[number];
    double longest = 0, instructions = 0, registers = 0;
    unsigned loads = 0;
    bool counts = false;
    std::unordered_set<std::uint32_t> loaded;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        const Operation& operation = program_.operations[i];
        const OperationDetail& detail = program_.details[i];
        if (detail.internal) continue;
        instructions += code_.cost(i).instructions;
        if (detail.id == OperationId::setp_integer) counts = is_counter(program_, block, operation.a);
        if (detail.pipe == Pipe::barrier || operation.atomic != ptx::AtomicOp::none || is_store(detail.id)) return 0;
        const bool load = memory_of_[i] != kNone;
        if (load && detail.id != OperationId::ld) return 0;
        if (load && loaded.contains(operation.a)) return 0;
        loads += load ? 1 : 0;
        if (load) registers += std::max<unsigned>(1, operation.count) * size_of(detail.modifiers.types[0]) / 4.0;
        if (load) {
          const MemoryCounters& counted = work_.counters.memory[memory_of_[i]];
          longest = std::max(longest, memory_latency(operation, counted) - request_gap(counted));
        }
        bool from_load = load;
        if (!load && detail.pipe != Pipe::branch)
          for (const std::uint32_t slot : {operation.a, operation.b, operation.c})
            from_load = from_load || (slot != kNoOperand && loaded.contains(slot));
        if (from_load) for_outputs(program_, operation, detail, [&](std::uint32_t slot) { loaded.insert(slot); });
      }
    }
    // Each counted twice, in the two passes. A loop that nvcc has left as it was stays so.
    constexpr unsigned kLongest = 2 * 28, kUnrolledBefore = 2 * 4;
    if (!counts || instructions > kLongest || loads < kUnrolledBefore) return 0;
    const double free = work_.registers - kOtherRegisters;
    const double at_a_time = std::clamp(free / (registers / 2), 1.0, kUnrolled);
    return longest * (1 - 1 / at_a_time);
  }

  /// @returns cycles from the last issue before the block to its own last issue
  double schedule(std::size_t number) {
    const Program::Range& block = program_.blocks[number];
    const bool once = executions(work_, block) <= all_warps_;
    // A predicated body is one stretch of code with what precedes and follows it.
    const bool open = predicated_[number] || (number + 1 < predicated_.size() && predicated_[number + 1]);
    waits_[number] = {};
    LoadsInFlight in_flight(work_, code_, number);
    const double begin = front_;
    double issued = front_;
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const OperationDetail& detail = program_.details[i];
      if (detail.internal) continue;
      const Operation& operation = program_.operations[i];
      const InstructionCost& cost = code_.cost(i);
      double start = std::max(opened_, inputs_ready(operation, detail));
      if (waits_for_copies(operation, detail)) continue;
      if (is_mbarrier_wait(detail.id)) {
        wait_for_bulk_copy(number);
        if (memory_of_[i] != kNone) wait_for_batch(number, work_.counters.memory[memory_of_[i]].reach);
      }
      if (cost.instructions == 0) {
        set_outputs(operation, detail, start);  // exists only in PTX: passes its operand on
        continue;
      }
      issued += cost.instructions * model_.issue_latency;
      phase_issued_[i] = cost.instructions * executions(work_, block);
      if (once)
        once_ +=
            (cost.instructions + (model_.fp64_issue_slots - 1) * cost.pipes[static_cast<std::size_t>(Pipe::fp64)]) *
            executions(work_, block) / all_warps_;
      double finish = start + cost.latency;
      if (detail.pipe == Pipe::barrier && detail.id != OperationId::bar_warp_sync) {
        // Loads from shared memory have to have ended. Warps arrive while others are still being served.
        start = std::max({start, front_, issued, shared_loaded_});
        const double waits = executions(work_, block), passes = in_phase(waits);
        const double served = end_of_phase(waits) - repeating(waits);
        waits_[number].barrier += model_.barrier_warp_latency * warps_;
        if (served > start) waits_[number].lsu += passes;
        front_ = opened_ = finish = std::max(start + barrier_cycles(detail), served + model_.barrier_latency) +
                                    in_turn(passes, in_phase_issued(waits));
        store_global_ = store_shared_ = opened_;
        phase_begin_ = opened_;
        phase_.clear();
        phase_issued_.clear();
        repeated_.clear();
        issued = std::max(issued, front_);
      } else if (memory_of_[i] != kNone) {
        const MemoryCounters& counted = work_.counters.memory[memory_of_[i]];
        const bool store = is_store(detail.id);
        double& fence = operation.space == Space::shared ? store_shared_ : store_global_;
        if (!store) start = std::max({start, fence, in_flight.room_for(i)});
        if (operation.space != Space::constant) phase_[i] = {std::max({start, issued, front_}), passes_of(i, counted)};
        if (detail.id == OperationId::cp_async || detail.id == OperationId::cp_async_cache_hint)
          copying_ = std::max(copying_, start + memory_latency(operation, counted));
        finish = start + (store ? 0 : memory_latency(operation, counted));
        if (detail.id == OperationId::ld && touches_sectors(operation, counted)) {
          // What a warp misses comes one request after the other.
          const double gap = request_gap(counted);
          if (gap > 0) finish = arrived_ = std::max(finish, arrived_ + gap);
        }
        in_flight.add(i, finish);
        if (is_bulk_load(detail.id))
          bulk_copies_.push_back(start + memory_latency(operation, counted) + model_.bulk_latency);
        if (detail.id == OperationId::ld && operation.space == Space::shared)
          shared_loaded_ = std::max(shared_loaded_, finish);
        if (store || operation.atomic != ptx::AtomicOp::none) fence = std::max(fence, start);
        if (is_uniform_constant(i)) {
          // Into uniform registers: the next instruction waits, each time for 8 bytes.
          const double words = std::max<unsigned>(1, operation.count) * size_of(detail.modifiers.types[0]) / 8.0;
          start = std::max({start, front_, issued});
          issued = finish = opened_ =
              start + std::ceil(words) * (goes_in_order(program_, i) ? model_.constant_in_order_latency
                                                                     : memory_latency(operation, counted));
          start = finish;
        }
        // The warp stays in the loop, and goes on when it has ended.
        if (is_shared_loop(operation, detail, counted))
          start = finish = opened_ = std::max(front_, start) + model_.shared_loop_latency;
      }
      front_ = std::max(front_, start);
      set_outputs(operation, detail, finish);
    }
    front_ = std::max(front_, issued);
    repeated_[number] = {executions(work_, block), front_ - begin};
    if (!open) {
      opened_ = front_;
      store_global_ = store_shared_ = front_;
    }
    return front_ - begin;
  }

  /// Asynchronous copies: their groups, or the mbarriers that count them, and waits until all but the last few have
  /// arrived.
  bool waits_for_copies(const Operation& operation, const OperationDetail& detail) {
    switch (detail.id) {
      case OperationId::cp_async_commit_group:
        copies_.push_back(copying_);
        copying_ = 0;
        return true;
      case OperationId::cp_async_wait_all:
        copies_.push_back(copying_);
        copying_ = 0;
        wait_for_copies(0);
        return true;
      case OperationId::cp_async_wait_group:
        wait_for_copies(operation.a == kNoOperand ? static_cast<std::size_t>(operation.immediate)
                                                  : constant_in(operation.a));
        return true;
      case OperationId::cp_async_mbarrier_arrive:
      case OperationId::cp_async_mbarrier_arrive_noinc:
        batches_.push_back(copying_);
        copying_ = 0;
        return false;
      default:
        return false;
    }
  }
  static bool is_bulk_load(OperationId id) {
    return id == OperationId::cp_async_bulk_load || id == OperationId::cp_async_bulk_load_multicast ||
           id == OperationId::cp_async_bulk_tensor_load;
  }
  static bool is_mbarrier_wait(OperationId id) {
    return id == OperationId::mbarrier_try_wait || id == OperationId::mbarrier_try_wait_parity ||
           id == OperationId::mbarrier_test_wait || id == OperationId::mbarrier_test_wait_parity;
  }
  /// Bulk copies arrive in their order.
  void wait_for_bulk_copy(std::size_t block) {
    if (bulk_copies_.empty()) return;
    wait_at_mbarrier(block, bulk_copies_.front());
    bulk_copies_.pop_front();
  }
  /// Waits until all batches of cp.async but the last @p begun - 1 have arrived; for none if @p begun is 0.
  void wait_for_batch(std::size_t block, std::int64_t begun) {
    for (; begun > 0 && batches_.size() >= static_cast<std::size_t>(begun); batches_.pop_front())
      wait_at_mbarrier(block, batches_.front());
  }
  /// A loop waits until it finds the phase complete, however often it asks.
  void wait_at_mbarrier(std::size_t block, double arrival) {
    const double asked = executions(work_, program_.blocks[block]);
    const double found = block + 1 < program_.blocks.size() ? executions(work_, program_.blocks[block + 1]) : asked;
    const double once = asked > 0 && found > 0 ? std::min(1.0, found / asked) : 1;
    front_ += once * std::max(0.0, arrival - front_);
    opened_ = std::max(opened_, front_);
  }
  std::size_t constant_in(std::uint32_t slot) const {
    for (const Preset& preset : work_.function.presets)
      if (preset.kind == Preset::Kind::constant && preset.slot == slot) return preset.value;
    return 0;
  }
  void wait_for_copies(std::size_t left) {
    while (copies_.size() > left) {
      front_ = std::max(front_, copies_.front());
      copies_.pop_front();
    }
    opened_ = std::max(opened_, front_);
  }

  /// Cycles that the load-store unit needs for the block's accesses since the last barrier.
  /// @param waits number of times that warps reached the barrier. If fewer warps made an access, some made none; if few
  /// warps reach the barrier, the others made their accesses elsewhere
  double in_phase(double waits) const {
    double passes = 0;
    for (const auto& [index, access] : phase_) passes += access.passes / std::max(waits, all_warps_);
    return passes * warps_;
  }
  /// When the load-store unit has served them all: the warps come with each access at about the same time.
  double end_of_phase(double waits) const {
    std::vector<Access> accesses;
    for (const auto& [index, access] : phase_) accesses.push_back(access);
    std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) { return a.start < b.start; });
    double end = phase_begin_;
    for (const Access& access : accesses)
      end = std::max(end, access.start) + access.passes / std::max(waits, all_warps_) * warps_;
    return end;
  }
  /// Cycles that the schedulers need for the block's instructions since the last barrier, like in_phase().
  double in_phase_issued(double waits) const {
    double instructions = 0;
    for (const auto& [index, all] : phase_issued_) instructions += all / std::max(waits, all_warps_);
    return instructions * warps_ / model_.issue_per_cycle;
  }
  /// The warps of a block come from a barrier together: they keep the load-store unit busy, then the schedulers. Other
  /// blocks of the multiprocessor fill the gaps.
  /// @returns cycles beyond the longer of the two
  double in_turn(double passes, double issued) const {
    const double exponent = model_.overlap_exponent;
    const double longer = std::max(passes, issued);
    if (longer == 0) return 0;
    const double shorter = std::min(passes, issued) / longer;
    return longer * (power_everywhere(1 + power_everywhere(shorter, exponent), 1 / exponent) - 1);
  }
  /// Cycles that a warp takes to repeat code since the last barrier, beyond the first time.
  double repeating(double waits) const {
    double cycles = 0;
    for (const auto& [number, repeated] : repeated_)
      cycles += repeated.second * std::max(0.0, repeated.first / std::max(waits, all_warps_) - 1);
    return cycles;
  }

  double barrier_cycles(const OperationDetail& detail) const {
    const double cycles = model_.barrier_latency + model_.barrier_warp_latency * warps_;
    return detail.id == OperationId::barrier_cluster_wait ? std::max(cycles, model_.cluster_barrier_latency) : cycles;
  }

  /// Whether it loads from constant memory at an address in a uniform register.
  bool is_uniform_constant(std::uint32_t index) {
    if (program_.operations[index].space != Space::constant) return false;
    const auto [known, fresh] = uniform_.try_emplace(index, false);
    if (fresh) known->second = has_uniform_address(work_, index);
    return known->second;
  }
  /// A shared-memory atomic that is implemented as a compare-and-swap loop (floats and 64 bits).
  bool is_shared_loop(const Operation& operation, const OperationDetail& detail, const MemoryCounters& counted) const {
    const ptx::AtomicOp atomic = operation.atomic;
    if (atomic == ptx::AtomicOp::none || atomic == ptx::AtomicOp::cas || atomic == ptx::AtomicOp::exch) return false;
    const ptx::Type type = detail.modifiers.types[0];
    return !touches_sectors(operation, counted) && (type == ptx::Type::f32 || size_of(type) == 8);
  }

  /// Passes through the load-store unit, of all warps. Merged loads are one.
  double passes_of(std::uint32_t index, const MemoryCounters& counted) const {
    const double passes = static_cast<double>(counted.wavefronts) +
                          line_passes(program_.operations[index], program_.details[index], counted);
    const unsigned merged = code_.loads[index];
    return merged == 0   ? 0
           : merged == 1 ? passes
                         : std::max(passes, static_cast<double>(counted.requests) * merged / 2);
  }

  static double requests_of(const MemoryCounters& counted) {
    return std::max(1.0, static_cast<double>(counted.requests));
  }

  /// Cycles from the arrival of what a warp has missed before to that of the next request.
  double request_gap(const MemoryCounters& counted) const {
    return at_once_ || counted.sectors == 0 ? 0 : missing_share(counted, requests_of(counted)) * model_.line_latency;
  }

  double memory_latency(const Operation& operation, const MemoryCounters& counted) const {
    const double requests = requests_of(counted);
    const bool atomic = operation.atomic != ptx::AtomicOp::none;
    if (at_once_ && (atomic || touches_sectors(operation, counted))) return 0;
    if (operation.space == Space::constant) {
      const double misses = constant_miss_share(model_, static_cast<double>(counted.reach));
      const double replays = static_cast<double>(counted.wavefronts) / requests - 1;
      return model_.constant_latency + misses * (model_.constant_far_latency - model_.constant_latency) +
             replays / model_.constant_passes_per_cycle;
    }
    if (!touches_sectors(operation, counted)) {
      const double replays = std::max(0.0, static_cast<double>(counted.wavefronts) / requests - 1);
      return model_.shared_latency + std::max(replays, atomic ? static_cast<double>(counted.serialised) / requests : 0);
    }
    const double further_lines = std::max(0.0, static_cast<double>(counted.lines) / requests - 1);
    const double from_dram = atomic ? atomic_dram_share(operation, counted) : dram_share_;
    const double miss =
        model_.l2_latency + from_dram * (model_.dram_latency - model_.l2_latency) + further_lines * model_.line_latency;
    if (atomic) return operation.d == kNoOperand ? 0 : miss - model_.l2_latency + model_.atomic_latency;
    const double missed = missing_share(counted, requests);
    return (1 - missed) * (model_.l1_latency + further_lines) + missed * miss;
  }

  /// Atomics find in L2 what an earlier one has changed. A request waits if one of its lanes is the first; where lanes
  /// try again, they stay in the same part of memory.
  double atomic_dram_share(const Operation& operation, const MemoryCounters& counted) const {
    if (operation.atomic == ptx::AtomicOp::cas && repeats(program_, operation.index) == Repeats::until_found)
      return dram_share_ * first_visits_;
    const double sectors = static_cast<double>(counted.sectors) / requests_of(counted);
    return dram_share_ * (1 - power_everywhere(1 - first_visits_, std::max(1.0, sectors)));
  }

  /// Share of a warp's executions that wait for a miss. The warps of a block run side by side: a sector that one of
  /// them has just missed counts as a hit for the others, but they wait for it all the same, at least the first time.
  double missing_share(const MemoryCounters& counted, double requests) const {
    const double missed =
        1 - std::min(1.0, static_cast<double>(counted.sectors_hit) / static_cast<double>(counted.sectors));
    if (missed < 0.01) return missed;
    const double executions_per_warp = requests / all_warps_;
    return std::clamp(std::max(missed * std::sqrt(warps_), 1 / executions_per_warp), missed, 1.0);
  }

  double inputs_ready(const Operation& operation, const OperationDetail& detail) const {
    double when = 0;
    for_inputs(program_, operation, detail, [&](std::uint32_t slot) {
      const auto found = ready_.find(slot);
      if (found != ready_.end()) when = std::max(when, found->second);
    });
    return when;
  }

  void set_outputs(const Operation& operation, const OperationDetail& detail, double when) {
    for_outputs(program_, operation, detail, [&](std::uint32_t slot) { ready_[slot] = when; });
  }

  /// When a warp comes with it, and passes through the load-store unit, of all warps.
  struct Access {
    double start = 0, passes = 0;
  };
  /// What a block of code has its warps wait for.
  struct Waits {
    double lsu = 0, barrier = 0;
  };

  const ModelConstants& model_;
  const bool at_once_;
  const MachineCode& code_;
  const KernelWork& work_;
  const Program& program_;
  const double warps_;         ///< Per block.
  const double all_warps_;     ///< Of the whole launch.
  double resident_warps_ = 0;  ///< On one SM.
  double once_ = 0;            ///< Instructions of one warp outside loops,
  double in_once_ = 0;         ///< and how long they wait for each other, but not for memory.
  double at_lsu_ = 0, at_barrier_ = 0;
  std::vector<Waits> waits_;  ///< By basic block, each time.
  double in_step_ = 0;        ///< Share of misses that all blocks wait for, because one has brought it from DRAM.
  double dram_share_ = 0;     ///< Share of misses that go to DRAM,
  double first_visits_ = 0;   ///< Share of the visits of sectors by atomics that are the first.
  std::vector<std::uint32_t> memory_of_;
  std::vector<bool> predicated_;                     ///< By basic block.
  std::unordered_map<std::uint32_t, double> ready_;  ///< Time at which the value of a register slot is available.
  double front_ = 0;                                 ///< The latest issue so far.
  double opened_ = 0;   ///< Instructions of this stretch of code start no earlier than this.
  double arrived_ = 0;  ///< When the last request that missed has arrived.
  std::unordered_map<std::uint32_t, bool> uniform_;  ///< Of loads from constant memory.
  std::deque<double> bulk_copies_;                   ///< When bulk copies arrive.
  std::deque<double> copies_;                        ///< When the groups of asynchronous copies arrive,
  std::deque<double> batches_;                       ///< those that mbarriers wait for,
  double copying_ = 0;                               ///< and those that belong to none yet.
  double store_global_ = 0, store_shared_ = 0;       ///< Loads of that space cannot move up past this.
  double shared_loaded_ = 0;                         ///< When all loads from shared memory so far have ended.
  double phase_begin_ = 0;                           ///< Since the last barrier:
  std::map<std::uint32_t, Access> phase_;            ///< accesses by operation,
  std::map<std::uint32_t, double> phase_issued_;     ///< instructions of all warps by operation,
  /// executions and cycles of each basic block.
  std::map<std::size_t, std::pair<double, double>> repeated_;
};

}  // namespace

WarpCycles warp_cycles(const Device& device, const KernelWork& work, const WorkTotals& totals,
                       const MachineCode& code) {
  Scheduler scheduler(device, work, totals, code);
  scheduler.set_in_once(Scheduler(device, work, totals, code, true).in_once());
  return scheduler.run();
}

}  // namespace warpbook::simulator
