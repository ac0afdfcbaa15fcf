// Accesses to shared memory that are only noted first, and recorded if another one before the next barrier of the block
// may not be ordered after them.
#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator {
namespace {

/// The first epoch of what the threads of a block do now, if one clock serves all of them.
Epoch now_in(const BlockClocks& block) {
  return epoch::first_of(block.serial) + (Epoch{block.clock} << epoch::kClockShift);
}

AccessHistory::Noted note_of(const AccessForm& form, std::uint32_t warp, const RaceDetector::Run& run) {
  return {static_cast<std::uint32_t>(run.address), static_cast<std::int32_t>(run.stride),
          static_cast<std::uint16_t>(form.site),   static_cast<std::uint8_t>(warp),
          static_cast<std::uint8_t>(run.first),    static_cast<std::uint8_t>(run.lanes),
          static_cast<std::uint8_t>(form.bytes)};
}

}  // namespace

bool RaceDetector::note_read(const AccessForm& form, const BlockClocks& block, std::uint32_t warp,
                             AccessHistory& shared, const Run& run) {
  if (shared.latest_written >= now_in(block) || shared.noted.size() >= AccessHistory::kMostNoted) return false;
  shared.noted.push_back(note_of(form, warp, run));
  return true;
}

bool RaceDetector::note_write(const AccessForm& form, const BlockClocks& block, std::uint32_t warp,
                              AccessHistory& shared, const Run& run) {
  const Epoch now = now_in(block);
  const bool is_row = run.stride == static_cast<std::int64_t>(form.bytes) && ((run.address | form.bytes) & 3) == 0;
  if (!is_row || block.in_cluster || shared.latest_recorded >= now ||
      (!shared.noted.empty() && !shared.notes_writes()) || shared.noted.size() >= AccessHistory::kMostNoted ||
      !shared.add_noted_words(run.address / 4, run.lanes * form.bytes / 4))
    return false;
  shared.noted.push_back(note_of(form, warp, run));
  shared.written_at_epoch(now);
  return true;
}

void RaceDetector::record_noted(BlockClocks& block, AccessHistory& shared) {
  AccessForm form;
  form.kind = shared.notes_writes() ? AccessForm::Kind::write : AccessForm::Kind::read;
  std::vector<AccessHistory::Noted> noted;
  noted.swap(shared.noted);
  shared.drop_noted();
  for (const AccessHistory::Noted& one : noted) {
    form.bytes = one.bytes;
    form.site = one.site;
    const Run run{one.address, one.stride, one.first, one.lanes};
    if (record_run(form, block, one.warp, &shared, run)) continue;
    std::uint64_t address[BlockClocks::kLanes] = {};
    for (unsigned i = 0; i < one.lanes; ++i)
      address[one.first + i] = run.address + static_cast<std::uint64_t>(run.stride) * i;
    WarpAccess by;
    by.block = &block;
    by.warp = one.warp;
    by.lanes = (one.lanes == BlockClocks::kLanes ? ~0u : (1u << one.lanes) - 1) << one.first;
    by.address = address;
    by.shared = &shared;
    access(form, by);
  }
  noted.clear();
  noted.swap(shared.noted);  // It keeps its memory.
}

bool RaceDetector::access_run(const AccessForm& form, BlockClocks& block, std::uint32_t warp, AccessHistory* shared,
                              const Run& run) {
  const bool may_note = shared != nullptr && !form.strong && !block.fine && block.clock < epoch::kMostClock;
  if (may_note && form.kind == AccessForm::Kind::read && note_read(form, block, warp, *shared, run)) return true;
  if (may_note && form.kind == AccessForm::Kind::write && note_write(form, block, warp, *shared, run)) return true;
  if (shared != nullptr) before_recording(form, block, *shared);
  return record_run(form, block, warp, shared, run);
}

}  // namespace warpbook::simulator
