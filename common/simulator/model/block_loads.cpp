// Distributes blocks as the device does.
#include "common/simulator/model/block_loads.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace warpbook::simulator {

double busiest_share(const std::vector<std::uint32_t>& work, std::uint64_t blocks, unsigned multiprocessors,
                     unsigned resident) {
  if (work.size() != blocks || work.empty()) return 0;
  const auto [least, most] = std::minmax_element(work.begin(), work.end());
  if (*least == *most) return 0;
  std::vector<std::uint64_t> loads(multiprocessors, 0);
  using Slot = std::pair<std::uint64_t, std::size_t>;  // When it is free, and the multiprocessor.
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> slots;
  std::uint64_t all = 0;
  for (std::size_t b = 0; b < work.size(); ++b) {
    std::uint64_t begin = 0;
    std::size_t place = b % multiprocessors;
    if (b >= std::size_t{multiprocessors} * resident) {
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
