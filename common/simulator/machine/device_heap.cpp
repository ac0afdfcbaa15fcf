// First-fit allocation for malloc in kernels, and pieces that are allocations of their own.
#include "common/simulator/machine/device_heap.h"

#include <algorithm>
#include <iterator>

#include "common/simulator/machine/global_memory.h"

namespace warpbook::simulator {
namespace {

constexpr std::uint64_t kHeader = 16;         // Pieces do not touch, so an overrun does not hit a neighbour's data.
constexpr std::uint64_t kGuard = 64;          // On both sides of a piece, if it is guarded.
constexpr std::uint64_t kMostKept = 1 << 20;  // Bytes of freed pieces that are quarantined.

}  // namespace

std::uint64_t DeviceHeap::front() const { return memory_ == nullptr ? 0 : kGuard; }

void DeviceHeap::guard(GlobalMemory& memory) {
  memory_ = &memory;
  memory.divide(begin_);
}

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

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes, const HeapCall& call) {
  if (bytes == 0) return 0;
  const std::uint64_t extra = memory_ == nullptr ? kHeader : 2 * kGuard;
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
  used_[address] = {needed, bytes, call, {}};
  if (memory_ != nullptr) memory_->add_piece(address, bytes);
  ++use_.allocations;
  use_.bytes += bytes;
  use_.live_bytes += bytes;
  use_.peak_bytes = std::max(use_.peak_bytes, use_.live_bytes);
  return address;
}

std::vector<HeapPiece> DeviceHeap::given_out() const {
  std::vector<HeapPiece> pieces;
  for (const auto& [address, block] : used_) pieces.push_back({address, block.asked, block.made, {}, false});
  return pieces;
}

std::uint64_t DeviceHeap::size_at(std::uint64_t address) const {
  const auto found = used_.find(address);
  return found == used_.end() ? 0 : found->second.asked;
}

bool DeviceHeap::free(std::uint64_t address, const HeapCall& call) {
  if (address == 0) return true;
  const auto found = used_.find(address);
  if (found == used_.end()) return false;
  Block block = found->second;
  block.freed = call;
  use_.live_bytes -= block.asked;
  used_.erase(found);
  if (memory_ == nullptr) {
    give_back(address, block.size);
    return true;
  }
  memory_->remove_piece(address);
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

/// Releases the oldest freed pieces until at most @p most bytes of them are quarantined.
void DeviceHeap::release_freed(std::uint64_t most) {
  while (freed_bytes_ > most) {
    const auto [address, block] = freed_.front();
    freed_.pop_front();
    memory_->forget_freed(address);
    freed_bytes_ -= block.size;
    give_back(address - front(), block.size);
  }
}

std::optional<HeapPiece> DeviceHeap::piece_near(std::uint64_t address) const {
  if (memory_ == nullptr || address < begin_ || address >= end_) return std::nullopt;
  const auto holds = [&](const Place& place) { return address - (place.first - front()) < place.second.size; };
  const auto next = used_.upper_bound(address + front());
  if (next != used_.begin() && holds(*std::prev(next))) {
    const auto& [at, block] = *std::prev(next);
    return HeapPiece{at, block.asked, block.made, {}, false};
  }
  const auto kept = std::find_if(freed_.rbegin(), freed_.rend(), holds);
  if (kept == freed_.rend()) return std::nullopt;
  return HeapPiece{kept->first, kept->second.asked, kept->second.made, kept->second.freed, true};
}

std::uint32_t DeviceHeap::number_of(CheckSite site) {
  const auto same = [&](const CheckSite& other) {
    return other.line == site.line && other.file == site.file && other.kernel == site.kernel &&
           other.instruction == site.instruction;
  };
  const auto found = std::find_if(sources_.begin() + 1, sources_.end(), same);
  if (found == sources_.end()) {
    sources_.push_back(std::move(site));
    return static_cast<std::uint32_t>(sources_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - sources_.begin());
}

CheckSite DeviceHeap::site_of(const HeapCall& call) const {
  CheckSite site = sources_[call.source];
  site.block = call.block;
  site.thread = call.thread;
  return site;
}

}  // namespace warpbook::simulator
