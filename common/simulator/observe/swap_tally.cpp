// A table with open addressing that thins itself out.
#include "common/simulator/observe/swap_tally.h"

#include <utility>

namespace warpbook::simulator {

void SwapTally::add(std::uint64_t word, std::uint64_t count) {
  const std::uint64_t hashed = hash(word);
  if (!in_sample(hashed)) return;
  if (places_.empty()) places_.resize(std::size_t{1} << kMostBits);
  for (std::uint64_t at = hashed;; ++at) {
    Place& place = places_[at % places_.size()];
    if (place.word == word + 1) {
      place.count += count;
      return;
    }
    if (place.word != 0) continue;
    place = {word + 1, count};
    if (++words_ > kMostWords) thin();
    return;
  }
}

void SwapTally::thin() {
  std::vector<Place> kept = std::exchange(places_, {});
  while (words_ > kMostWords) {
    ++thinned_;
    words_ = 0;
    for (Place& place : kept) {
      if (place.word == 0) continue;
      if (in_sample(hash(place.word - 1)))
        ++words_;
      else
        place = {};
    }
  }
  words_ = 0;
  for (const Place& place : kept)
    if (place.word != 0) add(place.word - 1, place.count);
}

void SwapTally::add(const SwapTally& other) {
  if (other.thinned_ > thinned_) {
    const std::vector<Place> own = std::exchange(places_, {});
    thinned_ = other.thinned_;
    words_ = 0;
    for (const Place& place : own)
      if (place.word != 0) add(place.word - 1, place.count);
  }
  for (const Place& place : other.places_)
    if (place.word != 0) add(place.word - 1, place.count);
}

void SwapTally::clear() {
  if (words_ != 0) places_.assign(places_.size(), Place{});
  words_ = 0;
  thinned_ = 0;
}

SwapSums SwapTally::sums() const {
  const double each = static_cast<double>(std::uint64_t{1} << thinned_);
  SwapSums sums;
  for (const Place& place : places_) {
    const auto count = static_cast<double>(place.count);
    sums.swaps += each * count;
    sums.words += place.word != 0 ? each : 0;
    sums.squares += each * count * count;
  }
  return sums;
}

}  // namespace warpbook::simulator
