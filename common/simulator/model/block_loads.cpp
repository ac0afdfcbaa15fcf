// Distributes blocks as the device does.
#include "common/simulator/model/block_loads.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace warpbook::simulator {
namespace {

/// Gives the first blocks to multiprocessors, in order. The early ones are numbered first.
class Distribution {
 public:
  /// @param most blocks that a multiprocessor gets
  Distribution(const BlockTurns& turns, std::uint64_t most) : turns_(turns), most_(most) {
    if (turns_.early >= turns_.multiprocessors) turns_.early = 0;
  }

  std::size_t next() {
    const std::uint64_t others = turns_.multiprocessors - turns_.early;
    const std::uint64_t turn = turns_.early == 0 ? most_ : early_given_ / turns_.early;
    const double due = turn == 0 ? 0 : turns_.first + turns_.further * static_cast<double>(turn - 1);
    const bool begun = turns_.early != 0 && early_given_ % turns_.early != 0;
    const bool left = others_given_ < most_ * others;
    if (turn < most_ && (begun || !left || static_cast<double>(others_given_) >= due))
      return early_given_++ % turns_.early;
    return turns_.early + others_given_++ % others;
  }

 private:
  BlockTurns turns_;
  const std::uint64_t most_;
  std::uint64_t early_given_ = 0, others_given_ = 0;
};

}  // namespace

double busiest_share(const std::vector<std::uint32_t>& work, std::uint64_t blocks, const BlockTurns& turns,
                     unsigned resident) {
  if (work.size() != blocks || work.empty()) return 0;
  const auto [least, most] = std::minmax_element(work.begin(), work.end());
  if (*least == *most) return 0;
  const unsigned multiprocessors = turns.multiprocessors;
  std::vector<std::uint64_t> loads(multiprocessors, 0);
  using Slot = std::pair<std::uint64_t, std::size_t>;  // When it is free, and the multiprocessor.
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> slots;
  Distribution first(turns, std::min<std::uint64_t>(resident, (blocks + multiprocessors - 1) / multiprocessors));
  std::uint64_t all = 0;
  for (std::size_t b = 0; b < work.size(); ++b) {
    std::uint64_t begin = 0;
    std::size_t place = 0;
    if (b < std::size_t{multiprocessors} * resident) {
      place = first.next();
    } else {
      std::tie(begin, place) = slots.top();
      slots.pop();
    }
    slots.emplace(begin + work[b], place);
    loads[place] += work[b];
    all += work[b];
  }
  return static_cast<double>(*std::max_element(loads.begin(), loads.end())) / static_cast<double>(all);
}

}  // namespace warpbook::simulator
