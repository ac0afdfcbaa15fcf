// Errors in synchronisation between lanes: masks that do not name the caller, barriers that one warp reaches at several
// places or that warps reach in different ways.
#include <algorithm>
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

constexpr const char* kUndefined = ": that happens to work where the numbers of arrivals fit, and is undefined";
constexpr const char* kMoveIt = "let all threads of a warp reach the same barrier: move it out of the branches";

}  // namespace

void Checker::check_places(const BlockState& block, unsigned barrier, bool all) {
  if (!all) note_parts(block, barrier);
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
  report_arrivals({*first, *odd}, "mixed_barrier",
                  "threads meet at one barrier in different ways (" + detail_of(*first).spelling + " and " +
                      detail_of(*odd).spelling + "): what the barrier answers, and whether it opens, is undefined",
                  "let all threads call the same one of __syncthreads(), __syncthreads_count(), _and() and _or()");
}

bool Checker::check_pair(const Arrival& one, const Arrival& other) {
  if (one.operation == other.operation) return false;
  const OperationDetail &first = detail_of(one), &second = detail_of(other);
  if (!is_aligned(first) && !is_aligned(second)) return false;
  report_arrivals({one, other}, "divergent_barrier",
                  "lanes of warp " + std::to_string(one.warp->index) + " are at two barriers at once (" +
                      first.spelling + (first.spelling == second.spelling ? "" : " and " + second.spelling) + ")" +
                      kUndefined,
                  kMoveIt);
  for (const Arrival* arrival : {&one, &other}) one.warp->state->checked->divergent.push_back(arrival->operation);
  return true;
}

void Checker::note_parts(const BlockState& block, unsigned barrier) {
  CheckedBlock& checked = *block.checked;
  for (const auto& warp : block.warps) {
    Arrival here;
    std::uint32_t elsewhere = 0;
    const auto add = [&](std::uint32_t lanes, const Operation* operation) {
      here = {warp.get(), here.lanes | lanes, operation};
    };
    for (const Waiting& waiting : warp->waiting) {
      if (waiting.barrier == static_cast<std::int32_t>(barrier))
        add(waiting.path.mask, waiting.path.next - 1);
      else if (waiting.barrier >= 0)
        elsewhere |= waiting.path.mask;
    }
    for (const Arrival& gone : checked.meetings[barrier].gone)
      if (gone.warp == warp.get()) add(gone.lanes, gone.operation);
    const std::uint32_t others = warp->live & ~here.lanes & ~elsewhere;
    if (here.operation == nullptr || others == 0 || !is_aligned(detail_of(here))) continue;
    checked.parts.push_back({here, others});
  }
}

void Checker::left(WarpState& warp, std::uint32_t lanes) {
  if (!warp.state->checked->parts.empty()) check_parts(warp, nullptr, lanes);
}

void Checker::check_parts(WarpState& warp, const Operation* op, std::uint32_t lanes) {
  CheckedBlock& block = *warp.state->checked;
  for (std::size_t i = 0; i < block.parts.size();) {
    const CheckedBlock::Part part = block.parts[i];
    if (part.here.warp != &warp || (part.others & lanes) == 0) {
      ++i;
      continue;
    }
    block.parts.erase(block.parts.begin() + static_cast<std::ptrdiff_t>(i));
    const auto& told = block.divergent;
    if (std::find(told.begin(), told.end(), part.here.operation) != told.end()) continue;
    if (op != nullptr && check_pair(part.here, {&warp, lanes, op})) continue;
    report_arrivals({part.here}, "divergent_barrier",
                    "only " + std::to_string(lanes_in(part.here.lanes)) + " of " +
                        std::to_string(lanes_in(part.here.lanes | part.others)) + " lanes of warp " +
                        std::to_string(warp.index) + " were at the barrier (" + detail_of(part.here).spelling +
                        ") when it opened" + kUndefined,
                    kMoveIt);
    block.divergent.push_back(part.here.operation);
  }
}

void Checker::report_arrivals(const std::vector<Arrival>& arrivals, const char* kind, std::string message,
                              const char* advice) {
  CheckFinding finding;
  finding.check = Check::sync;
  finding.kind = kind;
  finding.kernel = std::string(arrivals.front().warp->worker->launch->name);
  for (const Arrival& arrival : arrivals) {
    const OperationDetail& detail = detail_of(arrival);
    const bool waits = detail.id != ptx::OperationId::bar_arrive && detail.id != ptx::OperationId::barrier_arrive;
    finding.sites.push_back(site_of_lane(*arrival.warp, arrival.operation,
                                         static_cast<unsigned>(std::countr_zero(arrival.lanes)),
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
  const auto report = [&](unsigned lane, const char* kind, const std::string& message, const char* advice) {
    CheckFinding finding;
    finding.check = Check::sync;
    finding.kind = kind;
    finding.kernel = std::string(warp.worker->launch->name);
    finding.message = "lane " + std::to_string(lane) + " calls " + detail.spelling + " with a mask that " + message;
    finding.advice = advice;
    finding.sites = {site_of_lane(warp, op, lane, "call")};
    findings_.add(std::move(finding));
  };
  for (std::uint32_t left = warp.exec; left != 0;) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t named = mask[lane] & warp.live;
    std::uint32_t agree = 0;
    for (std::uint32_t rest = warp.exec; rest != 0; rest &= rest - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(rest));
      if ((mask[other] & warp.live) == named) agree |= 1u << other;
    }
    if (const std::uint32_t unnamed = agree & ~named; unnamed != 0) {
      return report(static_cast<unsigned>(std::countr_zero(unnamed)), "mask_without_the_caller",
                    "does not name it: what it gets is undefined",
                    "compute the mask where all lanes are still together, and call only with the lanes that it names");
    }
    if (const std::uint32_t others = named & warp.exec & ~agree; others != 0) {
      return report(lane, "masks_that_differ",
                    "names lane " + std::to_string(std::countr_zero(others)) +
                        ", which calls with another mask: whether they wait for each other is undefined",
                    "call with one mask in all lanes that it names");
    }
    left &= ~agree;
  }
}

}  // namespace warpbook::simulator
