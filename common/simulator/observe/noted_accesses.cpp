// Accesses to shared memory that are only noted first, and recorded if another one before the next barrier of the block
// may not be ordered after them.
#include <algorithm>

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

/// The addresses of a run, from lane 0 on.
AccessHistory::NotedLanes lanes_of(const RaceDetector::Run& run) {
  AccessHistory::NotedLanes lanes;
  lanes.lanes = run.lanes == BlockClocks::kLanes ? ~0u : (1u << run.lanes) - 1;
  for (unsigned i = 0; i < BlockClocks::kLanes; ++i)
    lanes.address[i] = static_cast<std::uint32_t>(run.address + static_cast<std::uint64_t>(run.stride) * i);
  return lanes;
}

/// Whether everything written is ordered before a read.
bool may_note_read(const AccessHistory& shared, Epoch now) {
  return shared.latest_written < now && shared.noted.size() < AccessHistory::kMostNoted;
}
/// Whether all that was recorded or noted since the last barrier are writes that are noted.
bool may_note_write(const AccessHistory& shared, Epoch now) {
  return shared.latest_recorded < now && (shared.noted.empty() || shared.notes_writes()) &&
         shared.noted.size() < AccessHistory::kMostNoted;
}

}  // namespace

bool RaceDetector::note_read(const AccessForm& form, const BlockClocks& block, std::uint32_t warp,
                             AccessHistory& shared, const Run& run) {
  if (!may_note_read(shared, now_in(block))) return false;
  shared.noted.push_back(note_of(form, warp, run));
  return true;
}

bool RaceDetector::note_write(const AccessForm& form, const BlockClocks& block, std::uint32_t warp,
                              AccessHistory& shared, const Run& run) {
  const Epoch now = now_in(block);
  const bool of_words = ((run.address | static_cast<std::uint64_t>(run.stride) | form.bytes) & 3) == 0;
  if (!of_words || block.in_cluster || !may_note_write(shared, now)) return false;
  const bool is_row = run.stride == static_cast<std::int64_t>(form.bytes);
  if (!(is_row ? shared.add_noted_words(run.address / 4, run.lanes * form.bytes / 4)
               : shared.add_noted_words(lanes_of(run), form.bytes)))
    return false;
  shared.noted.push_back(note_of(form, warp, run));
  shared.written_at_epoch(now);
  return true;
}

bool RaceDetector::note_lanes(const AccessForm& form, const BlockClocks& block, std::uint32_t warp,
                              AccessHistory& shared, const AccessHistory::NotedLanes& lanes) {
  const Epoch now = now_in(block);
  const bool reads = form.kind == AccessForm::Kind::read;
  if (!may_note(form, block) || form.bytes % 4 != 0 || block.in_cluster) return false;
  if (!(reads ? may_note_read(shared, now) : may_note_write(shared, now))) return false;
  if (!reads && !shared.add_noted_words(lanes, form.bytes)) return false;
  shared.noted_lanes.push_back(lanes);
  shared.noted.push_back(note_of(form, warp, {shared.noted_lanes.size() - 1, 0, 0, 0}));
  if (!reads) shared.written_at_epoch(now);
  return true;
}

void RaceDetector::record_noted(BlockClocks& block, AccessHistory& shared) {
  AccessForm form;
  form.kind = shared.notes_writes() ? AccessForm::Kind::write : AccessForm::Kind::read;
  std::vector<AccessHistory::Noted> noted;
  std::vector<AccessHistory::NotedLanes> noted_lanes;
  noted.swap(shared.noted);
  noted_lanes.swap(shared.noted_lanes);
  shared.drop_noted();
  for (const AccessHistory::Noted& one : noted) {
    form.bytes = one.bytes;
    form.site = one.site;
    std::uint64_t address[BlockClocks::kLanes] = {};
    WarpAccess by;
    by.block = &block;
    by.warp = one.warp;
    by.address = address;
    by.shared = &shared;
    if (one.is_scattered()) {
      const AccessHistory::NotedLanes& lanes = noted_lanes[one.address];
      std::copy(lanes.address.begin(), lanes.address.end(), address);
      by.lanes = lanes.lanes;
    } else {
      const Run run{one.address, one.stride, one.first, one.lanes};
      if (record_run(form, block, one.warp, &shared, run)) continue;
      for (unsigned i = 0; i < one.lanes; ++i)
        address[one.first + i] = run.address + static_cast<std::uint64_t>(run.stride) * i;
      by.lanes = (one.lanes == BlockClocks::kLanes ? ~0u : (1u << one.lanes) - 1) << one.first;
    }
    record(form, by);
  }
  // They keep their memory.
  noted.clear();
  noted_lanes.clear();
  noted.swap(shared.noted);
  noted_lanes.swap(shared.noted_lanes);
}

bool RaceDetector::access_run(const AccessForm& form, BlockClocks& block, std::uint32_t warp, AccessHistory* shared,
                              const Run& run) {
  const bool notes = shared != nullptr && may_note(form, block);
  if (notes && form.kind == AccessForm::Kind::read && note_read(form, block, warp, *shared, run)) return true;
  if (notes && form.kind == AccessForm::Kind::write && note_write(form, block, warp, *shared, run)) return true;
  if (shared != nullptr) before_recording(form, block, *shared);
  return record_run(form, block, warp, shared, run);
}

}  // namespace warpbook::simulator
