// Schedules each basic block of a program as one warp sees it.
#include "common/simulator/model/critical_path.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "common/simulator/model/instruction_cost.h"
#include "common/simulator/model/work_totals.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using ptx::Pipe;
using ptx::Space;

class Scheduler {
 public:
  Scheduler(const Device& device, const KernelWork& work, const WorkTotals& totals)
      : model_(device.model), work_(work), program_(work.program), warps_(totals.warps_per_block) {
    memory_of_.assign(program_.operations.size(), kNone);
    for (std::size_t i = 0; i < program_.memory_operations.size(); ++i)
      memory_of_[program_.memory_operations[i]] = static_cast<std::uint32_t>(i);
    const double l2_reads = totals.l2_read_sectors * 32;
    dram_share_ = l2_reads > 0 ? std::min(1.0, totals.dram_read_bytes / l2_reads) : 0;
  }

  double run() {
    double path = 0;
    const double warps = std::max(1.0, static_cast<double>(work_.counters.warps));
    for (const Program::Range& block : program_.blocks) {
      if (block.begin >= work_.counters.instructions.size() || block.begin >= block.end) continue;
      const double executed = static_cast<double>(work_.counters.instructions[block.begin].inst_executed);
      // Blocks that never ran take no part, not even by what they would have left in flight.
      if (executed > 0) path += schedule(block) * executed / warps;
    }
    return path;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// @returns cycles from the block's first issue to its last
  double schedule(const Program::Range& block) {
    const double begin = now_;
    double issued = now_, last = now_;
    store_global_ = store_shared_ = now_;
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const Operation& operation = program_.operations[i];
      const OperationDetail& detail = program_.details[i];
      const InstructionCost cost = cost_of(model_, detail);
      double start = std::max(now_, inputs_ready(operation, detail));
      if (cost.instructions == 0) {
        set_outputs(operation, start);  // exists in PTX only: passes its operand on
        continue;
      }
      issued += cost.instructions * model_.issue_latency;
      const bool memory = memory_of_[i] != kNone;
      double finish = start + cost.latency;
      if (detail.pipe == Pipe::barrier && detail.id != OperationId::bar_warp_sync) {
        start = std::max({start, last, issued});
        now_ = finish = start + model_.barrier_latency + model_.barrier_warp_latency * warps_;
      } else if (memory) {
        const bool store = detail.id == OperationId::st;
        double& barrier_of_space = operation.space == Space::shared ? store_shared_ : store_global_;
        if (!store) start = std::max(start, barrier_of_space);
        finish = start + (store ? 0 : memory_latency(operation, memory_of_[i]));
        if (store || operation.atomic != ptx::AtomicOp::none) barrier_of_space = std::max(barrier_of_space, start);
      }
      last = std::max(last, start);
      set_outputs(operation, finish);
    }
    now_ = std::max({now_, last, issued});
    return now_ - begin;
  }

  double memory_latency(const Operation& operation, std::uint32_t index) const {
    const MemoryCounters& counted = work_.counters.memory[index];
    const double requests = std::max(1.0, static_cast<double>(counted.requests));
    const double replays = std::max(0.0, static_cast<double>(counted.wavefronts) / requests - 1);
    if (counted.sectors == 0) {
      const double serial =
          operation.atomic == ptx::AtomicOp::none ? 0 : static_cast<double>(counted.serialised) / requests;
      return model_.shared_latency + std::max(replays, serial);
    }
    const double hit = std::min(1.0, static_cast<double>(counted.sectors_hit) / static_cast<double>(counted.sectors));
    const double lines = static_cast<double>(counted.lines) / requests;
    const double miss = model_.l2_latency + dram_share_ * (model_.dram_latency - model_.l2_latency) +
                        std::max(0.0, lines - 1) * model_.line_latency;
    if (operation.atomic != ptx::AtomicOp::none) return operation.d == kNoOperand ? 0 : miss;
    return hit * (model_.l1_latency + std::max(0.0, lines - 1)) + (1 - hit) * miss;
  }

  double inputs_ready(const Operation& operation, const OperationDetail& detail) const {
    double when = 0;
    const auto use = [&](std::uint32_t slot) {
      if (slot == kNoOperand) return;
      const auto found = ready_.find(slot);
      if (found != ready_.end()) when = std::max(when, found->second);
    };
    use(operation.a);
    if (operation.count > 1 && detail.id == OperationId::st)
      use_list(operation.b, operation.count, use);
    else
      use(operation.b);
    use(operation.c);
    use(operation.f);
    use(operation.guard);
    return when;
  }

  template <typename Use>
  void use_list(std::uint32_t first, unsigned count, const Use& use) const {
    for (unsigned k = 0; k < count && first + k < program_.lists.size(); ++k) use(program_.lists[first + k]);
  }

  void set_outputs(const Operation& operation, double when) {
    const auto set = [&](std::uint32_t slot) {
      if (slot != kNoOperand) ready_[slot] = when;
    };
    if (operation.count > 1 && operation.d != kNoOperand)
      use_list(operation.d, operation.count, set);
    else
      set(operation.d);
    set(operation.e);
  }

  const ModelConstants& model_;
  const KernelWork& work_;
  const Program& program_;
  const double warps_;
  double dram_share_ = 0;
  std::vector<std::uint32_t> memory_of_;
  std::unordered_map<std::uint32_t, double> ready_;  ///< When the value of a register slot is there.
  double now_ = 0;
  double store_global_ = 0, store_shared_ = 0;  ///< Loads of that space may not move up past this.
};

}  // namespace

double warp_cycles(const Device& device, const KernelWork& work, const WorkTotals& totals) {
  return Scheduler(device, work, totals).run();
}

}  // namespace warpbook::simulator
