// Serves page faults and prefetches as NVIDIA's driver does.
#include "common/simulator/model/managed_memory.h"

#include <algorithm>
#include <iterator>

#include "common/simulator/observe/counters.h"

namespace warpbook::simulator {
namespace {

constexpr std::size_t kBlockPages = 512;  // 2 MiB: the unit that the driver manages.
constexpr std::size_t kLeafPages = 16;    // 64 KiB: the smallest unit that a fault moves.
constexpr std::size_t kThreshold = 51;    // Percent of a region that must be resident for the driver to move the rest.
// The driver takes at most 256 faults at a time (uvm_perf_fault_batch_count), and each brings 64 KiB.
constexpr std::size_t kLargestWindow = 256 * kLeafPages;
// The driver wakes up before all resident blocks have faulted. Fitted to the fault groups that CUPTI counted for
// kernels with one thread per element: 7 in 4 MiB, 27 in 16 MiB.
constexpr std::size_t kEarlyWaking = 4;

struct Piece {
  std::size_t begin = 0, end = 0;
};

bool is_host(Place place) { return place == Place::host || place == Place::host_numa; }

bool is_on_device(const ManagedPage& page, unsigned device) { return page.on_device && page.device == device; }

bool is_on(const ManagedPage& page, Place place, unsigned device) {
  return place == Place::device ? is_on_device(page, device) : page.on_host;
}

/// The pages that a fault on @p page moves to @p to. @param coming pages that other faults of the group move
Piece piece_to_bring(const ManagedRange& range, std::size_t page, Place to, const std::vector<bool>& coming,
                     unsigned device) {
  const std::vector<ManagedPage>& pages = range.pages;
  const std::size_t block = page / kBlockPages * kBlockPages;
  const std::size_t block_end = std::min(block + kBlockPages, pages.size());
  const std::size_t leaf = page / kLeafPages * kLeafPages, leaf_end = std::min(leaf + kLeafPages, pages.size());
  const auto there = [&](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i)
      count += is_on(pages[i], to, device) || (i >= leaf && i < leaf_end) || (i < coming.size() && coming[i]);
    return count;
  };
  // Untouched memory is created as a whole block if that side is its preferred location.
  const auto first = pages.begin() + static_cast<std::ptrdiff_t>(block);
  const auto last = pages.begin() + static_cast<std::ptrdiff_t>(block_end);
  const bool untouched = std::none_of(first, last, [](const ManagedPage& p) { return p.on_host || p.on_device; });
  if (untouched && pages[page].preferred == to) return {block, block_end};
  Piece piece{leaf, leaf_end};
  for (std::size_t size = 2 * kLeafPages; size <= kBlockPages; size *= 2) {
    const std::size_t begin = page / size * size, end = std::min(begin + size, block_end);
    if (there(begin, end) * 100 > (end - begin) * kThreshold) piece = {begin, end};
  }
  return piece;
}

/// Moves one page to @p to. @param keep_copy the other side keeps its copy (read-mostly)
void bring(ManagedPage& page, Place to, bool keep_copy, PageTraffic& traffic, unsigned device) {
  if (is_on(page, to, device)) return;
  if (to == Place::device && page.on_device) {
    // From another device. Several copies of a read-mostly page count as one.
    traffic.bytes_between_devices += kPageBytes;
    page.device = static_cast<std::uint8_t>(device);
    page.mapped = false;
    return;
  }
  if (to == Place::device) page.device = static_cast<std::uint8_t>(device);
  const bool exists = page.on_host || page.on_device;
  if (!exists) traffic.populated_bytes += kPageBytes;
  if (exists) (to == Place::device ? traffic.bytes_to_device : traffic.bytes_to_host) += kPageBytes;
  const bool both = exists && keep_copy;
  page.on_device = to == Place::device || both;
  page.on_host = to == Place::host || both;
  page.mapped = false;
}

/// Whether the device accesses a page on the host instead of moving it.
bool stays_on_host(const ManagedPage& page) {
  if (page.on_device || page.read_mostly) return false;
  return page.mapped || is_host(page.preferred) || (page.accessed_by_device && page.on_host);
}

/// Drops the other side's copy of a read-mostly page because @p by writes.
void drop_other_copy(ManagedPage& page, Place by) {
  page.on_device = by == Place::device;
  page.on_host = by == Place::host;
}

}  // namespace

void PageTraffic::add(const PageTraffic& more) {
  constexpr Sums<PageTraffic, 9> kSums = {
      &PageTraffic::bytes_between_devices, &PageTraffic::gpu_page_faults, &PageTraffic::cpu_page_faults,
      &PageTraffic::bytes_to_device,       &PageTraffic::bytes_to_host,   &PageTraffic::populated_bytes,
      &PageTraffic::mapped_pages,          &PageTraffic::written_pages,   &PageTraffic::remote_bytes};
  static_assert(sizeof(PageTraffic) == kSums.size() * sizeof(std::uint64_t), "one is not in the table");
  add_sums(kSums, *this, more);
}

FaultWindow FaultWindow::of(std::uint64_t blocks, std::uint64_t resident, std::uint64_t warps,
                            std::uint64_t first_block, std::uint64_t touched) {
  // Blocks that share pages walk through them side by side: one page at a time, with all their warps. Blocks with pages
  // of their own cover all of these, or 64 KiB per warp.
  const std::uint64_t pages = std::max<std::uint64_t>(first_block, 1);
  const std::uint64_t sharing = std::max<std::uint64_t>(blocks * pages / std::max<std::uint64_t>(touched, 1), 1);
  const std::uint64_t at_once = sharing > 1 ? 1 : std::min(pages, warps * kLeafPages);
  const std::uint64_t window = std::min(blocks, resident) * at_once / (sharing * kEarlyWaking);
  return {std::clamp<std::size_t>(window, 1, kLargestWindow)};
}

ManagedRange& ManagedMemory::add(std::uint64_t address, std::uint64_t bytes, bool filled) {
  ManagedRange range{address, bytes, std::vector<ManagedPage>((bytes + kPageBytes - 1) / kPageBytes)};
  for (ManagedPage& page : range.pages) page.on_host = filled;
  return ranges_.insert_or_assign(address, std::move(range)).first->second;
}

void ManagedMemory::remove(std::uint64_t address) { ranges_.erase(address); }

ManagedRange* ManagedMemory::find(std::uint64_t address) {
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return nullptr;
  ManagedRange& range = std::prev(next)->second;
  return address - range.address < range.pages.size() * kPageBytes ? &range : nullptr;
}

bool ManagedMemory::settled(const ManagedRange& range, unsigned device) {
  return std::all_of(range.pages.begin(), range.pages.end(), [&](const ManagedPage& page) {
    return is_on_device(page, device) && !page.on_host && !page.read_mostly;
  });
}

PageTraffic ManagedMemory::device_touches(ManagedRange& range, const std::vector<PageUse>& uses, FaultWindow window,
                                          std::vector<std::uint8_t>* remote, unsigned device) {
  PageTraffic traffic;
  const std::size_t count = std::min(range.pages.size(), uses.size());
  std::vector<bool> coming(range.pages.size());
  std::size_t group_end = 0;  // end of the pages whose faults belong to the latest group
  const auto fault = [&](std::size_t i) {
    if (i < group_end) return;
    ++traffic.gpu_page_faults;
    std::size_t left = window.pages;
    for (group_end = i; group_end < count && left > 0; ++group_end) {
      const std::size_t k = group_end;
      if (uses[k] == 0) continue;
      --left;
      if (is_on_device(range.pages[k], device) || stays_on_host(range.pages[k])) continue;
      const std::size_t leaf = k / kLeafPages * kLeafPages;
      for (std::size_t p = leaf; p < std::min(leaf + kLeafPages, range.pages.size()); ++p) coming[p] = true;
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (uses[i] == 0) continue;
    ManagedPage& page = range.pages[i];
    if (stays_on_host(page)) {
      if (!page.mapped && !page.accessed_by_device) {
        fault(i);
        ++traffic.mapped_pages;
      }
      if (!page.on_host) traffic.populated_bytes += kPageBytes;
      page.on_host = page.mapped = true;
      if (remote != nullptr) (*remote)[i] = 1;
      continue;
    }
    if (!is_on_device(page, device)) {
      fault(i);
      const Piece piece = piece_to_bring(range, i, Place::device, coming, device);
      for (std::size_t k = piece.begin; k < piece.end; ++k)
        if (k == i || !stays_on_host(range.pages[k]))
          bring(range.pages[k], Place::device, range.pages[k].read_mostly, traffic, device);
    }
    // Read-mostly pages are mapped read-only, even if the device has the only copy.
    if ((uses[i] & kPageWritten) != 0 && page.read_mostly) {
      fault(i);
      ++traffic.written_pages;
      drop_other_copy(page, Place::device);
    }
  }
  return traffic;
}

PageTraffic ManagedMemory::host_touches(ManagedRange& range, std::size_t index, bool write) {
  PageTraffic traffic;
  ManagedPage& page = range.pages[index];
  if (page.on_host && !(write && page.on_device)) return traffic;
  traffic.cpu_page_faults = 1;
  if (!page.on_host) {
    const Piece piece = piece_to_bring(range, index, Place::host, {}, 0);
    for (std::size_t k = piece.begin; k < piece.end; ++k)
      bring(range.pages[k], Place::host, range.pages[k].read_mostly, traffic, 0);
  }
  if (write && page.on_device) drop_other_copy(page, Place::host);
  return traffic;
}

PageTraffic ManagedMemory::prefetch(ManagedRange& range, std::size_t first, std::size_t last, Place to,
                                    unsigned device) {
  PageTraffic traffic;
  for (std::size_t i = first; i < last; ++i) {
    bring(range.pages[i], is_host(to) ? Place::host : to, range.pages[i].read_mostly, traffic, device);
    range.pages[i].last_prefetch = to;
    range.pages[i].prefetch_device = static_cast<std::uint8_t>(device);
  }
  return traffic;
}

}  // namespace warpbook::simulator
