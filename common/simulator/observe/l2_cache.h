// What the L2 of a device holds from one launch to the next.
//
// A launch leaves in the cache what it read and wrote, and a later one finds it there. Room is taken by whole lines of
// 128 bytes, of which some may be there twice, in both halves of the cache. If it is full, what was touched longest ago
// leaves it first, a MiB of memory at a time. A launch that touches more than the cache holds finds nothing, because it
// pushes out what is there before it comes to it, and leaves nothing that is certain to be found. Scattered lines fill
// some sets of the cache earlier than others: close to its size, a part of them is found.
// Measured (H200, 2026-11-23, model/validation/families): 2 to 32 MiB that are read or copied again come from L2, 64
// MiB do not at all (streams); of 331,000 lines scattered over 64 MiB, about two thirds do (gathers warm_64).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/simulator/observe/footprint.h"

namespace warpbook::simulator {

class L2Cache {
 public:
  /// @param bytes capacity
  /// @param copies of a line, on average
  explicit L2Cache(std::uint64_t bytes, double copies = 1)
      : capacity_(static_cast<std::uint64_t>(static_cast<double>(bytes) / (128 * copies))) {}

  /// Of what a launch touched, how much it found here.
  struct Found {
    std::uint64_t read_pairs = 0;  ///< Aligned pairs of sectors of which it read at least one: all that it read.
    std::uint64_t written = 0;     ///< Sectors written.
  };
  /// A launch has run, with these footprints of its workers.
  Found run(const std::vector<const Footprint*>& footprints);
  /// Holds nothing any more.
  void clear();

 private:
  struct Chunk {
    Footprint::Bits held = {};
    std::uint64_t lines = 0;   ///< With any of them.
    std::uint64_t launch = 0;  ///< That touched it last.
  };
  double share_that_stays(const std::vector<const Footprint*>& footprints) const;
  void make_room();

  const std::uint64_t capacity_;  ///< In lines.
  std::uint64_t launches_ = 0;
  std::uint64_t lines_ = 0;                ///< Held, of all chunks.
  std::map<std::uint64_t, Chunk> chunks_;  ///< By place in memory.
};

}  // namespace warpbook::simulator
