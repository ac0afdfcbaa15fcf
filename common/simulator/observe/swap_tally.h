// How often compare and swaps changed each word of global memory: those that meet in one word get in each
// other's way on hardware, where they come from all multiprocessors at once.
//
// Few words have a count each. Where there are more than fit, the tally keeps those of a sample, which the hash of the
// address chooses, and takes it for the whole. What is kept depends only on the words, not on who counted them: the
// sums of several tallies are those of one.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::simulator {

/// Sums over words.
struct SwapSums {
  double swaps = 0;    ///< Changes.
  double words = 0;    ///< Words that changed.
  double squares = 0;  ///< Of each word's number of swaps.
};

class SwapTally {
 public:
  /// Always inlined, as those of Footprint are.
  __attribute__((always_inline)) void note(std::uint64_t word) { add(word, 1); }
  void add(const SwapTally& other);
  void clear();
  SwapSums sums() const;

 private:
  static constexpr unsigned kMostBits = 13;                                         ///< Of the number of places.
  static constexpr std::uint64_t kMostWords = std::uint64_t{1} << (kMostBits - 1);  ///< Words that are kept.
  struct Place {
    std::uint64_t word = 0;  ///< And one: 0 is an empty place.
    std::uint64_t count = 0;
  };

  static std::uint64_t hash(std::uint64_t word) {
    word *= 0x9e3779b97f4a7c15u;
    word ^= word >> 32;
    word *= 0xd6e8feb86659fd93u;
    return word ^ word >> 29;
  }
  bool in_sample(std::uint64_t hashed) const {
    return (hashed >> kMostBits & ((std::uint64_t{1} << thinned_) - 1)) == 0;
  }
  void add(std::uint64_t word, std::uint64_t count);
  void thin();

  std::vector<Place> places_;  ///< Empty until something is counted.
  std::uint64_t words_ = 0;
  unsigned thinned_ = 0;  ///< One word in two to the power of this is kept.
};

}  // namespace warpbook::simulator
