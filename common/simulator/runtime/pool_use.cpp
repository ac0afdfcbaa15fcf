// Places in a pool's range of addresses.
#include "common/simulator/runtime/pool_use.h"

#include <limits>
#include <utility>

namespace warpbook::simulator::runtime {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;

std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t to) {
  return bytes > kMostBytes ? kMostBytes : (bytes + to - 1) / to * to;
}

}  // namespace

std::uint64_t FreeOrder::note_free(std::uint32_t stream) {
  seen_[stream][stream] = ++last_;
  return last_;
}

FreesSeen FreeOrder::recorded(std::uint32_t stream) const {
  const auto found = seen_.find(stream);
  return found == seen_.end() ? FreesSeen() : found->second;
}

void FreeOrder::waited(std::uint32_t stream, const FreesSeen& event) {
  for (const auto& [other, number] : event) {
    std::uint64_t& known = seen_[stream][other];
    known = std::max(known, number);
  }
}

bool FreeOrder::is_before(std::uint32_t freed_in, std::uint64_t number, std::uint32_t stream) const {
  const auto found = seen_.find(stream);
  if (found == seen_.end()) return false;
  const auto known = found->second.find(freed_in);
  return known != found->second.end() && known->second >= number;
}

std::uint64_t PoolUse::new_chunks(std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t first = begin / kChunk, behind = (end + kChunk - 1) / kChunk;
  const auto mapped = std::distance(chunks_.lower_bound(first), chunks_.lower_bound(behind));
  return behind - first - static_cast<std::uint64_t>(mapped);
}

PoolUse::Place PoolUse::place(const Request& request) const {
  const Place usual = place(request, false);
  return usual.fits || !request.may_wait ? usual : place(request, true);
}

PoolUse::Place PoolUse::place(const Request& request, bool takes_all) const {
  const std::uint64_t size = rounded_up(std::max<std::uint64_t>(request.bytes, 1), kGranule);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
  for (const auto& [address, piece] : pieces_) taken.emplace_back(piece.begin, piece.end);
  for (const Freed& freed : freed_)
    if (!takes_all && !(request.may_use && request.may_use(freed))) taken.emplace_back(freed.begin, freed.end);
  std::sort(taken.begin(), taken.end());
  Place best;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  const auto consider = [&](std::uint64_t begin, std::uint64_t end) {
    // From the beginning of the gap, or so that it begins with a chunk that is mapped.
    for (std::uint64_t at = begin; at <= end && size <= end - at;) {
      const std::uint64_t added = new_chunks(at, at + size);
      if (added < fewest) {
        fewest = added;
        best = {true, at, at + size};
      }
      const auto next = chunks_.upper_bound(at / kChunk);
      if (added == 0 || next == chunks_.end()) break;
      at = *next * kChunk;
    }
  };
  std::uint64_t behind = 0;
  for (const auto& [begin, end] : taken) {
    if (begin > behind) consider(behind, begin);
    behind = std::max(behind, end);
  }
  consider(behind, 2 * kMostBytes);
  if (request.most != 0 && (chunks_.size() + fewest) * kChunk > rounded_up(request.most, kChunk)) best.fits = false;
  return best;
}

bool PoolUse::take(std::uint64_t address, const Request& request) {
  const Place found = place(request);
  if (!found.fits) return false;
  std::vector<Freed> left;
  for (const Freed& freed : freed_) {
    if (freed.begin < found.begin && found.begin < freed.end) {
      left.push_back(freed);
      left.back().end = found.begin;
    }
    if (freed.begin < found.end && found.end < freed.end) {
      left.push_back(freed);
      left.back().begin = found.end;
    }
    if (freed.end <= found.begin || freed.begin >= found.end) left.push_back(freed);
  }
  freed_ = std::move(left);
  for (std::uint64_t chunk = found.begin / kChunk; chunk * kChunk < found.end; ++chunk) chunks_.insert(chunk);
  pieces_[address] = {found.begin, found.end, request.bytes};
  reserved.set(chunks_.size() * kChunk);
  used.set(used.current + request.bytes);
  return true;
}

void PoolUse::give(std::uint64_t address, const Freed* freed) {
  const auto found = pieces_.find(address);
  if (found == pieces_.end()) return;
  used.current -= found->second.bytes;
  if (freed != nullptr) {
    freed_.push_back(*freed);
    freed_.back().begin = found->second.begin;
    freed_.back().end = found->second.end;
  }
  pieces_.erase(found);
}

void PoolUse::settle(std::uint64_t kept, const MayUse& is_done) {
  std::erase_if(freed_, is_done);
  release(kept);
}

void PoolUse::release(std::uint64_t kept) {
  const auto is_empty = [&](std::uint64_t chunk) {
    const std::uint64_t begin = chunk * kChunk, end = begin + kChunk;
    const auto lies_there = [&](const auto& piece) { return piece.begin < end && piece.end > begin; };
    return std::none_of(pieces_.begin(), pieces_.end(), [&](const auto& each) { return lies_there(each.second); }) &&
           std::none_of(freed_.begin(), freed_.end(), lies_there);
  };
  const std::uint64_t least = rounded_up(kept, kChunk) / kChunk;
  for (auto chunk = chunks_.end(); chunk != chunks_.begin() && chunks_.size() > least;) {
    --chunk;
    if (is_empty(*chunk)) chunk = chunks_.erase(chunk);
  }
  reserved.current = chunks_.size() * kChunk;
}

}  // namespace warpbook::simulator::runtime
