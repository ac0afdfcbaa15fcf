// Schedules each basic block of a program as one warp sees it.
#include "common/simulator/model/critical_path.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/model/if_conversion.h"
#include "common/simulator/model/instruction_cost.h"
#include "common/simulator/model/work_totals.h"
#include "common/simulator/ptx/fragments.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using ptx::Pipe;
using ptx::Space;

class Scheduler {
 public:
  Scheduler(const Device& device, const KernelWork& work, const WorkTotals& totals)
      : model_(device.model),
        work_(work),
        program_(work.program),
        warps_(totals.warps_per_block),
        all_warps_(std::max(1.0, static_cast<double>(work.counters.warps))),
        predicated_(find_predicated_blocks(work.program)) {
    memory_of_.assign(program_.operations.size(), kNone);
    for (std::size_t i = 0; i < program_.memory_operations.size(); ++i)
      memory_of_[program_.memory_operations[i]] = static_cast<std::uint32_t>(i);
    const double per_multiprocessor = std::ceil(totals.blocks / device.multiprocessors);
    resident_warps_ = std::min<double>(totals.occupancy.blocks, per_multiprocessor) * warps_;
    const double l2_reads = totals.l2_read_sectors * 32;
    dram_share_ = l2_reads > 0 ? std::min(1.0, totals.dram_read_bytes / l2_reads) : 0;
  }

  double run() {
    std::vector<double> cycles(program_.blocks.size(), 0);
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      // Blocks that never ran take no part, not even by what they would have left in flight.
      if (executions(work_, program_.blocks[b]) == 0) continue;
      cycles[b] = schedule(b);
      // A loop: what counts is an iteration that waits for values of the one before.
      for (std::size_t k = loop_start(b); k <= b; ++k)
        if (executions(work_, program_.blocks[k]) > all_warps_) cycles[k] = schedule(k);
    }
    double path = 0;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      path += cycles[b] * executions(work_, program_.blocks[b]) / all_warps_;
    // The warps of a multiprocessor start together and go through the code outside loops side by side: each waits
    // until the others have issued theirs.
    return path + busy_wait() + once_ * resident_warps_ / model_.issue_per_cycle;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// The block that block @p b branches back to; b + 1 if it does not.
  std::size_t loop_start(std::size_t b) const {
    const Program::Range& block = program_.blocks[b];
    for (std::uint32_t i = block.end; i > block.begin; --i) {
      if (program_.details[i - 1].internal) continue;
      if (program_.details[i - 1].id != OperationId::bra) return b + 1;
      const auto target = static_cast<std::uint32_t>(program_.operations[i - 1].immediate);
      for (std::size_t k = 0; k <= b; ++k)
        if (program_.blocks[k].begin == target) return k;
      return b + 1;
    }
    return b + 1;
  }

  /// @returns cycles from the last issue before the block to its own last issue
  double schedule(std::size_t number) {
    const Program::Range& block = program_.blocks[number];
    const bool once = executions(work_, block) <= all_warps_;
    // A predicated body belongs to one stretch of code with what is before and after it.
    const bool open = predicated_[number] || (number + 1 < predicated_.size() && predicated_[number + 1]);
    const double begin = front_;
    double issued = front_;
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const OperationDetail& detail = program_.details[i];
      if (detail.internal) continue;
      const Operation& operation = program_.operations[i];
      const InstructionCost cost = cost_of(model_, detail);
      double start = std::max(opened_, inputs_ready(operation, detail));
      if (cost.instructions == 0) {
        set_outputs(operation, detail, start);  // exists in PTX only: passes its operand on
        continue;
      }
      issued += cost.instructions * model_.issue_latency;
      if (once) once_ += cost.instructions;
      double finish = start + cost.latency;
      if (detail.pipe == Pipe::barrier && detail.id != OperationId::bar_warp_sync) {
        start = std::max({start, front_, issued}) + busy_wait();
        front_ = opened_ = finish = start + model_.barrier_latency + model_.barrier_warp_latency * warps_;
        store_global_ = store_shared_ = opened_;
        phase_begin_ = opened_;
        phase_wavefronts_ = 0;
        issued = std::max(issued, front_);
      } else if (memory_of_[i] != kNone) {
        const MemoryCounters& counted = work_.counters.memory[memory_of_[i]];
        phase_wavefronts_ += static_cast<double>(counted.wavefronts + counted.lines) / requests_of(counted);
        const bool store = is_store(detail.id);
        double& fence = operation.space == Space::shared ? store_shared_ : store_global_;
        if (!store) start = std::max(start, fence);
        finish = start + (store ? 0 : memory_latency(operation, counted));
        if (store || operation.atomic != ptx::AtomicOp::none) fence = std::max(fence, start);
      }
      front_ = std::max(front_, start);
      set_outputs(operation, detail, finish);
    }
    front_ = std::max(front_, issued);
    if (!open) {
      opened_ = front_;
      store_global_ = store_shared_ = front_;
    }
    return front_ - begin;
  }

  /// Cycles that the load-store unit still needs for the block's accesses since the last barrier.
  double busy_wait() const { return std::max(0.0, phase_begin_ + phase_wavefronts_ * warps_ - front_); }

  static double requests_of(const MemoryCounters& counted) {
    return std::max(1.0, static_cast<double>(counted.requests));
  }

  double memory_latency(const Operation& operation, const MemoryCounters& counted) const {
    const double requests = requests_of(counted);
    const bool atomic = operation.atomic != ptx::AtomicOp::none;
    if (!touches_sectors(operation, counted)) {
      const double replays = std::max(0.0, static_cast<double>(counted.wavefronts) / requests - 1);
      return model_.shared_latency + std::max(replays, atomic ? static_cast<double>(counted.serialised) / requests : 0);
    }
    const double further_lines = std::max(0.0, static_cast<double>(counted.lines) / requests - 1);
    const double miss = model_.l2_latency + dram_share_ * (model_.dram_latency - model_.l2_latency) +
                        further_lines * model_.line_latency;
    if (atomic) return operation.d == kNoOperand ? 0 : miss;
    const double missed = missing_share(counted, requests);
    return (1 - missed) * (model_.l1_latency + further_lines) + missed * miss;
  }

  /// Share of a warp's executions that wait for a miss. Warps of a block run side by side: a sector that one of them
  /// has just missed is a hit for the others by count, but they wait for it all the same, at least the first time.
  double missing_share(const MemoryCounters& counted, double requests) const {
    const double missed =
        1 - std::min(1.0, static_cast<double>(counted.sectors_hit) / static_cast<double>(counted.sectors));
    if (missed < 0.01) return missed;
    const double executions_per_warp = requests / all_warps_;
    return std::clamp(std::max(missed * std::sqrt(warps_), 1 / executions_per_warp), missed, 1.0);
  }

  double inputs_ready(const Operation& operation, const OperationDetail& detail) const {
    double when = 0;
    const auto use = [&](std::uint32_t slot) {
      if (slot == kNoOperand) return;
      const auto found = ready_.find(slot);
      if (found != ready_.end()) when = std::max(when, found->second);
    };
    if (is_image_operation(detail.id)) {
      use(operation.a);
      const auto list = [&](std::uint32_t operand, unsigned count) {
        if (operand != kNoOperand) use_list(operand, count, use);
      };
      list(operation.b, coordinates_of(detail.modifiers.geometry));
      if (is_surface_store(detail.id)) {
        list(operation.c, operation.count);
      } else if (detail.id == OperationId::tex_grad) {
        list(operation.c, gradients_of(detail.modifiers.geometry));
        list(operation.f, gradients_of(detail.modifiers.geometry));
      } else {
        use(operation.c);
      }
      use(operation.guard);
      return when;
    }
    // Fragments are lists; where D is none, the list is the second operand (stores of matrices).
    const auto fragments = ptx::fragment_registers(detail.id, detail.modifiers);
    const bool product = fragments[2] != 0;
    const auto use_operand = [&](std::uint32_t operand, unsigned list) {
      if (list != 0)
        use_list(operand, list, use);
      else
        use(operand);
    };
    use_operand(operation.a, product ? fragments[1] : 0);
    use_operand(operation.b, product                                               ? fragments[2]
                             : fragments[1] != 0                                   ? fragments[1]
                             : operation.count > 1 && detail.id == OperationId::st ? operation.count
                                                                                   : 0);
    use_operand(operation.c, product ? fragments[3] : 0);
    use(operation.f);
    use(operation.guard);
    return when;
  }

  template <typename Use>
  void use_list(std::uint32_t first, unsigned count, const Use& use) const {
    for (unsigned k = 0; k < count && first + k < program_.operation_lists.size(); ++k)
      use(program_.operation_lists[first + k]);
  }

  void set_outputs(const Operation& operation, const OperationDetail& detail, double when) {
    const auto set = [&](std::uint32_t slot) {
      if (slot != kNoOperand) ready_[slot] = when;
    };
    const unsigned fragment = ptx::fragment_registers(detail.id, detail.modifiers)[0];
    if (fragment != 0)
      use_list(operation.d, fragment, set);
    else if (reads_or_writes_image(detail.id) && operation.d != kNoOperand)
      use_list(operation.d, operation.count, set);
    else if (operation.count > 1 && operation.d != kNoOperand)
      use_list(operation.d, operation.count, set);
    else
      set(operation.d);
    set(operation.e);
  }

  const ModelConstants& model_;
  const KernelWork& work_;
  const Program& program_;
  const double warps_;         ///< Of a block.
  const double all_warps_;     ///< Of the launch.
  double resident_warps_ = 0;  ///< On one multiprocessor.
  double once_ = 0;            ///< Instructions of one warp that lie outside loops.
  double dram_share_ = 0;      ///< Of misses that go on to DRAM.
  std::vector<std::uint32_t> memory_of_;
  std::vector<bool> predicated_;                     ///< By block.
  std::unordered_map<std::uint32_t, double> ready_;  ///< When the value of a register slot is there.
  double front_ = 0;                                 ///< The last issue so far.
  double opened_ = 0;                                ///< Instructions of this stretch of code start no earlier.
  double store_global_ = 0, store_shared_ = 0;       ///< Loads of that space may not move up past this.
  double phase_begin_ = 0;                           ///< Since the last barrier:
  double phase_wavefronts_ = 0;                      ///< passes of this warp through the load-store unit.
};

}  // namespace

double warp_cycles(const Device& device, const KernelWork& work, const WorkTotals& totals) {
  return Scheduler(device, work, totals).run();
}

}  // namespace warpbook::simulator
