// First-fit allocation for malloc in kernels, and the bytes around pieces that nobody may write.
#include "common/simulator/machine/device_heap.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace warpbook::simulator {
namespace {

constexpr std::uint64_t kHeader = 16;  // Neighbours do not touch, so that running over the end hits no one's data.
constexpr std::uint64_t kGuard = 64;   // On both sides of a piece, if it is guarded.
constexpr std::uint64_t kMostKept = 1 << 20;  // Bytes of freed pieces that are kept aside.
constexpr std::byte kGuardByte{0xfb};
constexpr std::byte kFreedByte{0xff};  // As free in kernels leaves it (system_calls.cpp).

/// The first byte that is another one than @p value, or @p end. That all are equal is found as fast as memory is read:
/// each is compared with the next.
const std::byte* first_other(const std::byte* begin, const std::byte* end, std::byte value) {
  if (begin == end) return end;
  if (*begin == value && std::memcmp(begin, begin + 1, static_cast<std::size_t>(end - begin) - 1) == 0) return end;
  return std::find_if(begin, end, [value](std::byte byte) { return byte != value; });
}

}  // namespace

std::uint64_t DeviceHeap::front() const { return bytes_ == nullptr ? 0 : kGuard; }

std::uint64_t DeviceHeap::take(std::uint64_t needed) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    if (range->second < needed) continue;
    const std::uint64_t address = range->first, rest = range->second - needed;
    free_.erase(range);
    if (rest != 0) free_[address + needed] = rest;
    return address;
  }
  return 0;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes == 0) return 0;
  const std::uint64_t extra = bytes_ == nullptr ? kHeader : 2 * kGuard;
  if (bytes > ~std::uint64_t{0} - 2 * extra) {
    ++use_.refused;
    return 0;
  }
  const std::uint64_t needed = (bytes + extra + 15) / 16 * 16;
  std::uint64_t range = take(needed);
  if (range == 0 && !freed_.empty()) {
    release_freed(0);
    range = take(needed);
  }
  if (range == 0) {
    ++use_.refused;
    return 0;
  }
  const std::uint64_t address = range + front();
  const Block block{needed, bytes, owner_};
  used_[address] = block;
  if (bytes_ != nullptr) watch(address, block);
  ++use_.allocations;
  use_.bytes += bytes;
  use_.live_bytes += bytes;
  use_.peak_bytes = std::max(use_.peak_bytes, use_.live_bytes);
  return address;
}

std::vector<HeapPiece> DeviceHeap::given_out() const {
  std::vector<HeapPiece> pieces;
  for (const auto& [address, block] : used_) pieces.push_back({address, block.asked, block.owner});
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
  const Block block = found->second;
  use_.live_bytes -= block.asked;
  used_.erase(found);
  if (bytes_ == nullptr) {
    give_back(address, block.size);
    return true;
  }
  check(address, block);
  std::fill_n(at(address), block.asked, kFreedByte);
  freed_.emplace_back(address, block);
  freed_bytes_ += block.size;
  release_freed(kMostKept);
  return true;
}

void DeviceHeap::give_back(std::uint64_t range, std::uint64_t size) {
  const auto place = free_.emplace(range, size).first;
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
}

/// Writes the bytes around a piece.
void DeviceHeap::watch(std::uint64_t address, const Block& block) {
  std::fill_n(at(address) - kGuard, kGuard, kGuardByte);
  std::fill(at(address) + block.asked, at(address) - kGuard + block.size, kGuardByte);
}

/// Keeps what was written around a piece, and writes the guard again.
void DeviceHeap::check(std::uint64_t address, const Block& block) {
  const HeapPiece piece{address, block.asked, block.owner};
  const std::byte* const begin = at(address);
  const std::byte* const after = begin + block.asked;
  const std::byte* const end = begin - kGuard + block.size;
  const std::byte* const past = first_other(after, end, kGuardByte);
  if (past != end)
    damage_.push_back({HeapDamage::Kind::past_end, piece, address + static_cast<std::uint64_t>(past - begin)});
  const bool is_intact = first_other(begin - kGuard, begin, kGuardByte) == begin;
  for (const std::byte* byte = begin; !is_intact; --byte) {  // The damaged byte nearest to the piece.
    if (byte[-1] == kGuardByte) continue;
    damage_.push_back({HeapDamage::Kind::before_start, piece, address - static_cast<std::uint64_t>(begin - byte) - 1});
    break;
  }
  watch(address, block);
}

void DeviceHeap::check_freed(const Place& place) {
  const auto& [address, block] = place;
  std::byte* const begin = at(address);
  std::byte* const end = begin + block.asked;
  const std::byte* const written = first_other(begin, end, kFreedByte);
  if (written == end) return;
  damage_.push_back({HeapDamage::Kind::after_free,
                     {address, block.asked, block.owner},
                     address + static_cast<std::uint64_t>(written - begin)});
  std::fill(begin, end, kFreedByte);
}

/// Gives the oldest freed pieces back until at most @p most bytes of them are kept.
void DeviceHeap::release_freed(std::uint64_t most) {
  while (freed_bytes_ > most) {
    check_freed(freed_.front());
    const auto [address, block] = freed_.front();
    freed_.pop_front();
    freed_bytes_ -= block.size;
    give_back(address - front(), block.size);
  }
}

std::vector<HeapDamage> DeviceHeap::take_damage() {
  if (bytes_ == nullptr) return {};
  for (const auto& [address, block] : used_) check(address, block);
  for (const Place& place : freed_) check_freed(place);
  return std::exchange(damage_, {});
}

}  // namespace warpbook::simulator
