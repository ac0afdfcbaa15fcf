// Keeps a bit for each sector that the L2 holds.
#include "common/simulator/observe/l2_cache.h"

#include <algorithm>
#include <cmath>
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

/// Lines with any of the sectors.
std::uint64_t lines_of(const Bits& sectors) {
  Bits lines = Footprint::pairs_of(sectors);
  for (std::uint64_t& word : lines) word = (word | word >> 2) & 0x1111111111111111u;
  return Footprint::count(lines);
}

std::uint64_t of_share(std::uint64_t count, double share) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * share));
}

}  // namespace

/// Of what a launch touches, the part that lies in sets of the cache that hold all that the launch touches of them.
/// Each MiB is spread evenly over the sets; if only some of its lines are touched, they lie in sets by chance.
double L2Cache::share_that_stays(const std::vector<const Footprint*>& footprints) const {
  constexpr double kWays = 16, kLinesOfChunk = 8192;  // The number of ways is estimated.
  std::uint64_t lines = 0, chunks = 0;
  Footprint::for_each_chunk(footprints, [&](std::uint64_t, const Bits& read, const Bits& written) {
    lines += lines_of(brought(read, written));
    ++chunks;
  });
  if (lines == 0 || capacity_ == 0) return 1;
  const double mean = kWays * static_cast<double>(lines) / static_cast<double>(capacity_);
  const double gaps = 1 - std::min(1.0, static_cast<double>(lines) / (kLinesOfChunk * static_cast<double>(chunks)));
  const double deviation = std::sqrt(mean * gaps);
  if (mean <= kWays - 2 * deviation) return 1;
  if (mean >= kWays + 1 + 2 * deviation) return 0;
  // A straight line for the normal distribution.
  return deviation == 0 ? (mean <= kWays ? 1 : 0) : std::clamp(0.5 + 0.4 * (kWays + 0.5 - mean) / deviation, 0.0, 1.0);
}

L2Cache::Found L2Cache::run(const std::vector<const Footprint*>& footprints) {
  const double share = share_that_stays(footprints);
  if (share == 0) {
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
    lines_ -= chunk.lines;
    chunk.lines = lines_of(chunk.held);
    lines_ += chunk.lines;
    chunk.launch = launches_;
  });
  make_room();
  return {of_share(found.read_pairs, share), of_share(found.written, share)};
}

void L2Cache::make_room() {
  if (lines_ <= capacity_) return;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> by_age;
  for (const auto& [index, chunk] : chunks_) by_age.emplace_back(chunk.launch, index);
  std::sort(by_age.begin(), by_age.end());
  for (const auto& [launch, index] : by_age) {
    if (lines_ <= capacity_ || launch == launches_) return;
    const auto oldest = chunks_.find(index);
    lines_ -= oldest->second.lines;
    chunks_.erase(oldest);
  }
}

void L2Cache::clear() {
  chunks_.clear();
  lines_ = 0;
}

}  // namespace warpbook::simulator
