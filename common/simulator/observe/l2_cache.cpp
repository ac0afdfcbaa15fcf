// Keeps a bit for each sector that the L2 holds.
#include "common/simulator/observe/l2_cache.h"

#include <algorithm>
#include <utility>

namespace warpbook::simulator {
namespace {

using Bits = Footprint::Bits;

/// Memory is read in pairs of sectors, written in sectors.
Bits brought(const Bits& read, const Bits& written) {
  Bits all = Footprint::pairs_of(read);
  for (std::size_t w = 0; w < all.size(); ++w) all[w] |= all[w] << 1 | written[w];
  return all;
}

Bits in_both(const Bits& a, const Bits& b) {
  Bits both;
  for (std::size_t w = 0; w < both.size(); ++w) both[w] = a[w] & b[w];
  return both;
}

Bits only_first(const Bits& a, const Bits& b) {
  Bits rest;
  for (std::size_t w = 0; w < rest.size(); ++w) rest[w] = a[w] & ~b[w];
  return rest;
}

}  // namespace

L2Cache::Found L2Cache::run(const std::vector<const Footprint*>& footprints, std::uint64_t touched) {
  if (touched > capacity_) {
    clear();
    return {};
  }
  ++launches_;
  Found found;
  Footprint::for_each_chunk(footprints, [&](std::uint64_t index, const Bits& read, const Bits& written) {
    Chunk& chunk = chunks_[index];
    found.read_pairs += Footprint::count(Footprint::pairs_of(read)) -
                        Footprint::count(Footprint::pairs_of(only_first(read, chunk.held)));
    found.written += Footprint::count(in_both(written, chunk.held));
    const Bits all = brought(read, written);
    for (std::size_t w = 0; w < all.size(); ++w) chunk.held[w] |= all[w];
    sectors_ -= chunk.sectors;
    chunk.sectors = Footprint::count(chunk.held);
    sectors_ += chunk.sectors;
    chunk.launch = launches_;
  });
  make_room();
  return found;
}

void L2Cache::make_room() {
  if (sectors_ <= capacity_) return;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> by_age;
  for (const auto& [index, chunk] : chunks_) by_age.emplace_back(chunk.launch, index);
  std::sort(by_age.begin(), by_age.end());
  for (const auto& [launch, index] : by_age) {
    if (sectors_ <= capacity_) return;
    const auto oldest = chunks_.find(index);
    sectors_ -= oldest->second.sectors;
    chunks_.erase(oldest);
  }
}

void L2Cache::clear() {
  chunks_.clear();
  sectors_ = 0;
}

}  // namespace warpbook::simulator
