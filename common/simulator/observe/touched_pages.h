// Which 4 KiB pages of a range a grid read and wrote, asked of the footprints of its workers.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/observe/footprint.h"

namespace warpbook::simulator {

constexpr std::uint64_t kPageBytes = 4096;

/// What was done to a page: bits.
using PageUse = std::uint8_t;
constexpr PageUse kPageRead = 1;     ///< Touched at all: read, written or reduced.
constexpr PageUse kPageWritten = 2;  ///< Written or reduced.

/// Adds to @p pages what @p footprints say about the pages from byte @p offset of the device range on (a multiple of
/// kPageBytes). Costs nothing where no worker touched the MiB, and a comparison of bitmaps for each page elsewhere.
void add_touched_pages(const std::vector<const Footprint*>& footprints, std::uint64_t offset,
                       std::vector<PageUse>& pages);

/// Bytes of the distinct sectors touched in those pages for which @p wanted is not 0. @p offset as above.
std::uint64_t touched_bytes(const std::vector<const Footprint*>& footprints, std::uint64_t offset,
                            const std::vector<std::uint8_t>& wanted);

/// A part of the device range: from byte `begin` on.
struct ByteRange {
  std::uint64_t begin = 0, bytes = 0;
};
struct TouchedBytes {
  std::uint64_t read = 0, written = 0, any = 0;
};

/// Bytes of the distinct sectors that were touched in @p ranges.
TouchedBytes touched_bytes(const std::vector<const Footprint*>& footprints, const std::vector<ByteRange>& ranges);

}  // namespace warpbook::simulator
