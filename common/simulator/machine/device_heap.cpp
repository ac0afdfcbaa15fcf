// First-fit allocation for malloc in kernels.
#include "common/simulator/machine/device_heap.h"

#include <algorithm>
#include <iterator>

namespace warpbook::simulator {

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes == 0) return 0;
  constexpr std::uint64_t kHeader = 16;  // Neighbours do not touch, so that running over the end hits no one's data.
  if (bytes > ~std::uint64_t{0} - 2 * kHeader) {
    ++use_.refused;
    return 0;
  }
  const std::uint64_t needed = (bytes + kHeader + 15) / 16 * 16;
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    if (range->second < needed) continue;
    const std::uint64_t address = range->first, rest = range->second - needed;
    free_.erase(range);
    if (rest != 0) free_[address + needed] = rest;
    used_[address] = {needed, bytes};
    ++use_.allocations;
    use_.bytes += bytes;
    use_.live_bytes += bytes;
    use_.peak_bytes = std::max(use_.peak_bytes, use_.live_bytes);
    return address;
  }
  ++use_.refused;
  return 0;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> DeviceHeap::given_out() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
  for (const auto& [address, block] : used_) pieces.emplace_back(address, block.asked);
  return pieces;
}

std::uint64_t DeviceHeap::size_at(std::uint64_t address) const {
  const auto found = used_.find(address);
  return found == used_.end() ? 0 : found->second.asked;
}

bool DeviceHeap::free(std::uint64_t address) {
  if (address == 0) return true;
  const auto found = used_.find(address);
  if (found == used_.end()) return false;
  auto place = free_.emplace(address, found->second.size).first;
  use_.live_bytes -= found->second.asked;
  used_.erase(found);
  const auto next = std::next(place);
  if (next != free_.end() && place->first + place->second == next->first) {
    place->second += next->second;
    free_.erase(next);
  }
  if (place != free_.begin()) {
    const auto before = std::prev(place);
    if (before->first + before->second == place->first) {
      before->second += place->second;
      free_.erase(place);
    }
  }
  return true;
}

}  // namespace warpbook::simulator
