// Reads of shared memory that are only noted first, and recorded if a thread writes before the next barrier of the
// block.
#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator {

bool RaceDetector::note_read(const AccessForm& form, const BlockClocks& block, std::uint32_t warp,
                             AccessHistory& shared, const Run& run) {
  const Epoch now = epoch::first_of(block.serial) + (Epoch{block.clock} << epoch::kClockShift);
  if (shared.latest_written >= now || shared.noted.size() >= AccessHistory::kMostNoted ||
      block.clock >= epoch::kMostClock)
    return false;
  shared.noted.push_back({static_cast<std::uint32_t>(run.address), static_cast<std::int32_t>(run.stride),
                          static_cast<std::uint16_t>(form.site), static_cast<std::uint8_t>(warp),
                          static_cast<std::uint8_t>(run.first), static_cast<std::uint8_t>(run.lanes),
                          static_cast<std::uint8_t>(form.bytes)});
  return true;
}

void RaceDetector::keep_noted(BlockClocks& block, AccessHistory& shared) {
  for (const AccessHistory::NotedRead& read : shared.noted) {
    AccessForm form;
    form.bytes = read.bytes;
    form.site = read.site;
    const Run run{read.address, read.stride, read.first, read.lanes};
    if (keep_run(form, block, read.warp, &shared, run)) continue;
    std::uint64_t address[BlockClocks::kLanes] = {};
    for (unsigned i = 0; i < read.lanes; ++i)
      address[read.first + i] = run.address + static_cast<std::uint64_t>(run.stride) * i;
    WarpAccess by;
    by.block = &block;
    by.warp = read.warp;
    by.lanes = (read.lanes == BlockClocks::kLanes ? ~0u : (1u << read.lanes) - 1) << read.first;
    by.address = address;
    by.shared = &shared;
    access(form, by);
  }
  shared.noted.clear();
}

bool RaceDetector::access_run(const AccessForm& form, BlockClocks& block, std::uint32_t warp, AccessHistory* shared,
                              const Run& run) {
  if (shared != nullptr && !form.strong) {
    if (form.kind != AccessForm::Kind::read)
      keep_noted(block, *shared);
    else if (!block.fine && note_read(form, block, warp, *shared, run))
      return true;
  }
  return keep_run(form, block, warp, shared, run);
}

}  // namespace warpbook::simulator
