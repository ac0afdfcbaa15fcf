// Errors in synchronisation between lanes: masks that do not name the caller, barriers that one warp reaches at several
// places or that warps reach in different ways.
#include <bit>
#include <optional>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"

namespace warpbook::simulator {
namespace {

CheckSite site_of_lane(const WarpState& warp, const Operation* op, unsigned lane, const char* role) {
  const Launch& launch = *warp.worker->launch;
  CheckSite site = source_of(*warp.program, op->index);
  site.role = role;
  site.kernel = launch.name;
  for (unsigned axis = 0; axis < 3; ++axis) site.block[axis] = warp.block->index[axis];
  site.thread = unfolded(std::uint64_t{warp.index} * kWarpSize + lane, launch.block);
  return site;
}

const OperationDetail& detail_of(const CheckedBlock::Arrival& arrival) {
  return arrival.warp->program->details[arrival.operation->index];
}

/// bar.sync is barrier.sync.aligned: all lanes of a warp that have not exited execute the same one (PTX ISA,
/// "barrier").
bool is_aligned(const OperationDetail& detail) {
  switch (detail.id) {
    case ptx::OperationId::bar_sync:
    case ptx::OperationId::bar_arrive:
    case ptx::OperationId::bar_red_popc:
    case ptx::OperationId::bar_red_pred:
      return true;
    default:
      return detail.modifiers.aligned;
  }
}

/// PTX ISA, "barrier": red must not be mixed with sync or arrive at one barrier, nor different kinds of bar.red.
bool has_answer(const OperationDetail& barrier) {
  switch (barrier.id) {
    case ptx::OperationId::bar_red_popc:
    case ptx::OperationId::bar_red_pred:
    case ptx::OperationId::barrier_red_popc:
    case ptx::OperationId::barrier_red_pred:
      return true;
    default:
      return false;
  }
}

bool differ_in_form(const CheckedBlock::Arrival& one, const CheckedBlock::Arrival& other) {
  const OperationDetail &first = detail_of(one), &second = detail_of(other);
  if (!has_answer(first) && !has_answer(second)) return false;
  const auto counts = [](ptx::OperationId id) {
    return id == ptx::OperationId::bar_red_popc || id == ptx::OperationId::barrier_red_popc;
  };
  return has_answer(first) != has_answer(second) || counts(first.id) != counts(second.id) ||
         one.operation->atomic != other.operation->atomic;
}

}  // namespace

void Checker::check_places(const BlockState& block, unsigned barrier) {
  const auto is_at_barrier = [](const Waiting& waiting) {
    return waiting.barrier >= 0 && waiting.barrier < static_cast<std::int32_t>(BlockState::kBarriers);
  };
  const std::vector<Arrival>& gone = block.checked->meetings[barrier].gone;
  std::optional<Arrival> first = gone.empty() ? std::nullopt : std::optional(gone.front()), odd;
  bool divergent = false;
  for (const auto& warp : block.warps) {
    for (const Waiting& waiting : warp->waiting) {
      if (waiting.barrier != static_cast<std::int32_t>(barrier)) continue;
      const Arrival here{warp.get(), waiting.path.mask, waiting.path.next - 1};
      if (!first)
        first = here;
      else if (!odd && differ_in_form(*first, here))
        odd = here;
      for (const Waiting& other : warp->waiting)
        if (is_at_barrier(other) && (other.barrier != waiting.barrier || &other > &waiting))
          divergent |= check_pair(here, {warp.get(), other.path.mask, other.path.next - 1});
      for (const Arrival& other : gone)
        if (other.warp == here.warp) divergent |= check_pair(here, other);
    }
  }
  if (!odd || divergent) return;
  report_arrivals(*first, *odd, "mixed_barrier",
                  "threads meet at one barrier in different ways (" + detail_of(*first).spelling + " and " +
                      detail_of(*odd).spelling + "): what the barrier answers, and whether it opens, is undefined",
                  "let all threads call the same one of __syncthreads(), __syncthreads_count(), _and() and _or()");
}

bool Checker::check_pair(const Arrival& one, const Arrival& other) {
  if (one.operation == other.operation) return false;
  const OperationDetail &first = detail_of(one), &second = detail_of(other);
  if (!is_aligned(first) && !is_aligned(second)) return false;
  report_arrivals(one, other, "divergent_barrier",
                  "lanes of warp " + std::to_string(one.warp->index) + " are at two barriers at once (" +
                      first.spelling + (first.spelling == second.spelling ? "" : " and " + second.spelling) +
                      "): that happens to work where the numbers of arrivals fit, and is undefined",
                  "let all threads of a warp reach the same __syncthreads(): move it out of the branches");
  return true;
}

void Checker::report_arrivals(const Arrival& one, const Arrival& other, const char* kind, std::string message,
                              const char* advice) {
  CheckFinding finding;
  finding.check = Check::sync;
  finding.kind = kind;
  finding.kernel = std::string(one.warp->worker->launch->name);
  for (const Arrival* arrival : {&one, &other}) {
    const OperationDetail& detail = detail_of(*arrival);
    const bool waits = detail.id != ptx::OperationId::bar_arrive && detail.id != ptx::OperationId::barrier_arrive;
    finding.sites.push_back(site_of_lane(*arrival->warp, arrival->operation,
                                         static_cast<unsigned>(std::countr_zero(arrival->lanes)),
                                         waits ? "wait" : "arrival"));
  }
  finding.message = std::move(message);
  finding.advice = advice;
  findings_.add(std::move(finding));
}

void Checker::check_masks(WarpState& warp, const Operation* op) {
  if (!checks.has(Check::sync)) return;
  const OperationDetail& detail = warp.program->details[op->index];
  const std::uint32_t slot = detail.id == ptx::OperationId::bar_warp_sync ? op->a
                             : detail.id == ptx::OperationId::shfl_sync   ? op->f
                                                                          : op->b;
  if (slot == kNoOperand) return;
  const auto* const mask = reinterpret_cast<const std::uint32_t*>(warp.registers + slot);
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (((mask[lane] >> lane) & 1) != 0) continue;
    CheckFinding finding;
    finding.check = Check::sync;
    finding.kind = "mask_without_the_caller";
    finding.kernel = std::string(warp.worker->launch->name);
    finding.message = "lane " + std::to_string(lane) + " calls " + detail.spelling +
                      " with a mask that does not name it: what it gets is undefined";
    finding.advice = "compute the mask where all lanes are still together, and call only with the lanes that it names";
    finding.sites = {site_of_lane(warp, op, lane, "call")};
    findings_.add(std::move(finding));
    return;
  }
}

}  // namespace warpbook::simulator
