// Lists of unordered accesses: they get their places, and give them back when no record of memory refers to them.
#include <algorithm>

#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator {

Epoch RaceDetector::listed(Epoch kept, std::vector<Entry> entries, const Me& me, bool fine_piece) {
  constexpr std::size_t kMostLists = std::size_t{1} << epoch::kKindShift;
  // Only if there are many for the records among which those in use have to be found.
  constexpr std::size_t kFewLists = 4096, kManyOfPage = 64;
  if (free_lists_.empty() && lists_.size() == lists_.capacity() && lists_.size() >= kFewLists &&
      lists_.size() / kManyOfPage >= global_.bytes_used() / sizeof(AccessHistory::Page))
    collect_lists();
  std::size_t place = lists_.size();
  if (is_own_list(kept, fine_piece)) {
    place = list_index(kept);
  } else if (!free_lists_.empty()) {
    place = free_lists_.back();
    free_lists_.pop_back();
  } else if (place < kMostLists) {
    lists_.emplace_back();
  } else {
    return me.epoch;
  }
  const std::uint32_t latest = std::max(epoch::serial(me.epoch), epoch::serial(kept));
  lists_[place] = {std::move(entries), fine_piece, me.is_shared};
  return epoch::first_of(latest) | epoch::kSpecial | epoch::kLastClock | static_cast<Epoch>(place);
}

void RaceDetector::collect_lists() {
  std::vector<bool> used(lists_.size());
  global_.for_each_single([&](Epoch e) {
    if (is_list(e)) used[list_index(e)] = true;
  });
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (used[i] || lists_[i].is_shared) continue;
    lists_[i].entries = {};
    free_lists_.push_back(static_cast<std::uint32_t>(i));
  }
  if (free_lists_.size() < lists_.size() / 4) lists_.reserve(2 * lists_.size());
}

}  // namespace warpbook::simulator
