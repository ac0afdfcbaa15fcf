// Fills memory with a pattern, and checks where the pattern is still there.
#include "common/simulator/machine/host_stores.h"

#include <algorithm>
#include <cstring>

namespace warpbook::simulator {
namespace {

constexpr std::uint64_t kWord = 8, kGroup = 64;

/// The pattern of the word at @p address (Steele et al., "Fast splittable pseudorandom number generators", OOPSLA
/// 2014).
std::uint64_t pattern(std::uint64_t address) {
  std::uint64_t x = address * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 31);
}

}  // namespace

bool HostStores::follow(const Allocation& allocation) {
  if (allocation.bytes > kMostBytes - bytes_) return false;
  for (std::uint64_t at = 0; at < allocation.bytes; at += kWord) {
    const std::uint64_t word = pattern(allocation.address + at);
    std::memcpy(allocation.host + at, &word, std::min(kWord, allocation.bytes - at));
  }
  followed_[allocation.address] = allocation.bytes;
  bytes_ += allocation.bytes;
  return true;
}

void HostStores::forget(std::uint64_t address) {
  const auto found = followed_.find(address);
  if (found == followed_.end()) return;
  bytes_ -= found->second;
  followed_.erase(found);
}

void HostStores::find(UndefinedPages& undefined) {
  for (auto next = followed_.begin(); next != followed_.end();) {
    const auto [address, bytes] = *next++;
    const Allocation* const allocation = memory_.find(address);
    const std::uint64_t first = address - GlobalMemory::kBase;
    if (allocation == nullptr || undefined.defined(first, first + bytes - 1)) {
      forget(address);
      continue;
    }
    for (std::uint64_t group = 0; group < bytes; group += kGroup) {
      const auto count = static_cast<unsigned>(std::min(kGroup, bytes - group));
      const std::uint64_t before = undefined.get(first + group, count);
      if (before == 0) continue;
      std::uint64_t after = before;
      for (unsigned at = 0; at < count; at += kWord) {
        const std::uint64_t word = pattern(address + group + at);
        const std::uint64_t size = std::min<std::uint64_t>(kWord, count - at);
        if (std::memcmp(allocation->host + group + at, &word, size) != 0) after &= ~(std::uint64_t{0xff} << at);
      }
      if (after != before) undefined.assign(first + group, count, after);
    }
  }
}

}  // namespace warpbook::simulator
