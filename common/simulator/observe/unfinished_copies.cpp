// Asynchronous copies: what they write belongs to nobody until their thread has waited for them.
#include <bit>

#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator {

void RaceDetector::begin_copy(const AccessForm& form, const WarpAccess& by) {
  record_noted(*by.block, *by.shared);
  for (std::uint32_t left = by.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    access_lane(form, by, lane, 1u << lane);
    const Me me = me_of(form, by, lane);
    const AccessHistory::Pieces pieces = by.shared->at(by.address[lane], form.bytes);
    for (unsigned i = 0; i < pieces.count; ++i) pieces.written[i] = me.epoch | epoch::kUnfinished | epoch::kLastClock;
    if (pieces.count == 0) continue;
    by.shared->written_at_epoch(pieces.written[0]);
    by.shared->recorded_at_epoch(pieces.written[0]);
  }
}

void RaceDetector::end_copy(const AccessForm& form, const WarpAccess& by) {
  for (std::uint32_t left = by.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const Me me = me_of(form, by, lane);
    const AccessHistory::Pieces pieces = by.shared->at(by.address[lane], form.bytes);
    for (unsigned i = 0; i < pieces.count; ++i)
      if ((pieces.written[i] & epoch::kUnfinished) == epoch::kUnfinished) pieces.written[i] = me.epoch;
  }
}

}  // namespace warpbook::simulator
