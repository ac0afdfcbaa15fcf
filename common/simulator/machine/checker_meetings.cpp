// What is wrong with the meetings of lanes: masks that do not name who calls, barriers that one warp reaches at several
// places.
#include <bit>

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

/// bar.sync is barrier.sync.aligned: all lanes of a warp that have not ended execute the same one (PTX ISA, "barrier").
bool is_aligned(ptx::OperationId id) {
  return id == ptx::OperationId::bar_sync || id == ptx::OperationId::bar_red_popc ||
         id == ptx::OperationId::bar_red_pred;
}

}  // namespace

void Checker::check_places(const BlockState& block, const CheckedBlock::Meeting& meeting) {
  if (!checks.has(Check::sync)) return;
  std::uint64_t seen = 0;
  for (std::size_t j = 0; j < meeting.lanes.size(); ++j) {
    const std::uint64_t bit = std::uint64_t{1} << (meeting.lanes[j].warp % 64);
    if ((seen & bit) == 0) {
      seen |= bit;
      continue;
    }
    for (std::size_t i = 0; i < j; ++i) {
      const WarpState& warp = *block.warps[meeting.lanes[i].warp];
      const OperationDetail& detail = warp.program->details[meeting.places[i]->index];
      const bool apart = meeting.lanes[j].warp == warp.index && meeting.places[j] != meeting.places[i];
      if (!apart || !is_aligned(detail.id)) continue;
      CheckFinding finding;
      finding.check = Check::sync;
      finding.kind = "divergent_barrier";
      finding.kernel = std::string(block.checked->launch->name);
      for (const std::size_t k : {i, j}) {
        const auto lane = static_cast<unsigned>(std::countr_zero(meeting.lanes[k].mask));
        finding.sites.push_back(site_of_lane(warp, meeting.places[k], lane, "wait"));
      }
      finding.message = "lanes of warp " + std::to_string(warp.index) + " wait at different places for one barrier (" +
                        detail.spelling + "): that happens to work where the numbers of arrivals fit, and is undefined";
      finding.advice = "let all threads of a warp reach the same __syncthreads(): move it out of the branches";
      findings_.add(std::move(finding));
      return;
    }
  }
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
