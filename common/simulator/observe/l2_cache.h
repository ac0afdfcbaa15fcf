// What the L2 of a device holds from one launch to the next.
//
// A launch leaves in the cache what it read and wrote, and a later one finds it there. If the cache is full, what was
// touched longest ago leaves it first, a MiB of memory at a time. A launch that touches more than the cache holds finds
// nothing, because it pushes out what is there before it comes to it, and leaves nothing that is certain to be found.
// Measured (H200, 2026-11-23, model/validation/families streams): 2 to 32 MiB that are read or copied again come from
// L2, 64 MiB do not at all.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/simulator/observe/footprint.h"

namespace warpbook::simulator {

class L2Cache {
 public:
  /// @param bytes capacity
  explicit L2Cache(std::uint64_t bytes) : capacity_(bytes / 32) {}

  /// Of what a launch touched, how much it found here.
  struct Found {
    std::uint64_t read_pairs = 0;  ///< Aligned pairs of sectors of which it read at least one: all that it read.
    std::uint64_t written = 0;     ///< Sectors written.
  };
  /// A launch has run, with these footprints of its workers, which have @p touched sectors in all.
  Found run(const std::vector<const Footprint*>& footprints, std::uint64_t touched);
  /// Holds nothing any more.
  void clear();

 private:
  struct Chunk {
    Footprint::Bits held = {};
    std::uint64_t sectors = 0;  ///< Number of them.
    std::uint64_t launch = 0;   ///< That touched it last.
  };
  void make_room();

  const std::uint64_t capacity_;  ///< In sectors.
  std::uint64_t launches_ = 0;
  std::uint64_t sectors_ = 0;              ///< Held, of all chunks.
  std::map<std::uint64_t, Chunk> chunks_;  ///< By place in memory.
};

}  // namespace warpbook::simulator
