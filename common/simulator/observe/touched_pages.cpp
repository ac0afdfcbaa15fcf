// Finds touched pages by comparing each footprint with one that covers the pages asked for and nothing else.
#include "common/simulator/observe/touched_pages.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kPageWords = kPageBytes / kSectorBytes / 64;  // words of 64 sectors
constexpr std::uint64_t kGroup = 256;                                 // pages in a MiB, the unit of a footprint

enum class As { reader, writer };

/// Covers @p count pages from page @p first of the device range on.
void cover(Footprint& probe, std::uint64_t first, std::uint64_t count, As as) {
  probe.clear();
  for (std::uint64_t word = first * kPageWords; word < (first + count) * kPageWords; ++word) {
    if (as == As::reader)
      probe.mark_read(word * 64, ~std::uint64_t{0});
    else
      probe.mark_written(word * 64, ~std::uint64_t{0});
  }
}

/// A writer conflicts with whatever was touched, a reader with what was written or reduced.
bool meets(const Footprint& one, const Footprint& probe) { return Footprint::conflict({&one, &probe}); }

}  // namespace

void add_touched_pages(const std::vector<const Footprint*>& footprints, std::uint64_t offset,
                       std::vector<PageUse>& pages) {
  thread_local Footprint probe;
  const std::uint64_t first = offset / kPageBytes;
  std::vector<const Footprint*> near;
  for (std::uint64_t begin = 0; begin < pages.size();) {
    const std::uint64_t to_boundary = kGroup - (first + begin) % kGroup;
    const std::uint64_t end = std::min<std::uint64_t>(pages.size(), begin + to_boundary);
    cover(probe, first + begin, end - begin, As::writer);
    near.clear();
    for (const Footprint* one : footprints)
      if (meets(*one, probe)) near.push_back(one);
    for (std::uint64_t page = begin; page < end && !near.empty(); ++page) {
      cover(probe, first + page, 1, As::writer);
      const auto met = [&](const Footprint* one) { return meets(*one, probe); };
      if (std::none_of(near.begin(), near.end(), met)) continue;
      pages[page] |= kPageRead;
      cover(probe, first + page, 1, As::reader);
      if (std::any_of(near.begin(), near.end(), met)) pages[page] |= kPageWritten;
    }
    begin = end;
  }
  probe.clear();
}

TouchedBytes touched_bytes(const std::vector<const Footprint*>& footprints, const std::vector<ByteRange>& ranges) {
  Footprint probe;
  for (const ByteRange& range : ranges) {
    if (range.bytes == 0) continue;
    const std::uint64_t end = (range.begin + range.bytes - 1) / kSectorBytes + 1;
    for (std::uint64_t sector = range.begin / kSectorBytes; sector < end; sector += 64) {
      const std::uint64_t count = std::min<std::uint64_t>(64, end - sector);
      const std::uint64_t bits = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      probe.mark_read(sector, bits);
      probe.mark_written(sector, bits);
    }
  }
  // The sectors in both: |A| + |B| - |A or B|.
  const FootprintSizes touched = Footprint::count_union(footprints), asked = Footprint::count_union({&probe});
  std::vector<const Footprint*> all = footprints;
  all.push_back(&probe);
  const FootprintSizes either = Footprint::count_union(all);
  return {(touched.read + asked.read - either.read) * kSectorBytes,
          (touched.written + asked.written - either.written) * kSectorBytes,
          (touched.any + asked.any - either.any) * kSectorBytes};
}

std::uint64_t touched_bytes(const std::vector<const Footprint*>& footprints, std::uint64_t offset,
                            const std::vector<std::uint8_t>& wanted) {
  thread_local Footprint probe;
  probe.clear();
  const std::uint64_t first = offset / kPageBytes;
  for (std::uint64_t page = 0; page < wanted.size(); ++page) {
    if (wanted[page] == 0) continue;
    for (std::uint64_t word = 0; word < kPageWords; ++word)
      probe.mark_read(((first + page) * kPageWords + word) * 64, ~std::uint64_t{0});
  }
  // The sectors in both: |A| + |B| - |A or B|.
  std::vector<const Footprint*> all = footprints;
  const std::uint64_t touched = Footprint::count_union(all).any, asked = Footprint::count_union({&probe}).any;
  all.push_back(&probe);
  const std::uint64_t either = Footprint::count_union(all).any;
  probe.clear();
  return (touched + asked - either) * kSectorBytes;
}

}  // namespace warpbook::simulator
