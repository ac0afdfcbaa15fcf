// Managed memory: on which side of the bus its pages are, and what moves when the host or the device touches them.
//
// A page of 4 KiB is nowhere until it is first touched; then it is on the host, on the device or, with the read-mostly
// advice, on both. Touching a page that is not accessible is a page fault. The driver serves faults in groups and
// manages memory in blocks of 2 MiB. It moves more than the page: the 64 KiB around it, and the largest aligned region
// of the block (128 KiB, ... 2 MiB) of which more than 51 % is then resident. So 2 MiB that one thread touches from
// first to last byte are six faults.
//
// The warps of a kernel fault side by side. Pages that are touched at the same time are served as one group, so a
// kernel whose warps are spread over the memory has fewer groups than one whose warps share pages (FaultWindow).
//
// Sources: NVIDIA's open kernel modules 580, kernel-open/nvidia-uvm/uvm_perf_prefetch.c (granularity, threshold, choice
// of the region); and the behaviour of an H200, measured with CUPTI and by the pages that the host lost (README.md).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/simulator/observe/touched_pages.h"

namespace warpbook::simulator {

/// A side of the bus, as in advice and prefetches. `host_numa` is the host, distinguished only if asked for.
enum class Place : std::uint8_t { none, host, device, host_numa };

struct ManagedPage {
  bool on_host = false, on_device = false;  ///< Both: read-only copies of one page.
  bool mapped = false;                      ///< The device accesses the host's page over the bus.
  bool read_mostly = false, accessed_by_device = false, accessed_by_host = false;
  Place preferred = Place::none, last_prefetch = Place::none;
  std::uint8_t device = 0;                                 ///< Which device, if on_device;
  std::uint8_t preferred_device = 0, prefetch_device = 0;  ///< and if these places are a device.
  std::uint16_t accessed_by_devices = 0;  ///< Bit set of the devices for which accessed_by_device holds.
};

/// The effect of one touch, launch or prefetch.
struct PageTraffic {
  std::uint64_t gpu_page_faults = 0;  ///< Groups of faults that the driver serves together.
  std::uint64_t cpu_page_faults = 0;
  std::uint64_t bytes_to_device = 0, bytes_to_host = 0;  ///< Copied over the bus.
  std::uint64_t populated_bytes = 0;                     ///< Untouched pages: created, not copied.
  std::uint64_t mapped_pages = 0;                        ///< Device faults that only mapped a page on the host.
  std::uint64_t written_pages = 0;                       ///< Device faults because it wrote to a read-mostly page.
  std::uint64_t bytes_between_devices = 0;
  std::uint64_t remote_bytes = 0;  ///< Device accesses to pages that stay on the host.
  void add(const PageTraffic& more);
  bool faulted() const { return gpu_page_faults + cpu_page_faults > 0; }
};

/// How many pages of a range the warps on the device touch at one time: faults on these are served as one group.
struct FaultWindow {
  std::size_t pages = 1;

  /// @param blocks of the grid @param resident blocks on the device at one time @param warps per block @param
  /// first_block pages of the range that block 0 touched @param touched pages that the whole grid touched
  static FaultWindow of(std::uint64_t blocks, std::uint64_t resident, std::uint64_t warps, std::uint64_t first_block,
                        std::uint64_t touched);
  /// For the copy engines and memset.
  static FaultWindow of_copies() { return {66}; }
};

struct ManagedRange {
  std::uint64_t address = 0, bytes = 0;
  std::vector<ManagedPage> pages;
};

class ManagedMemory {
 public:
  /// @param filled the host has already written all of it (variables with an initial value)
  ManagedRange& add(std::uint64_t address, std::uint64_t bytes, bool filled = false);
  void remove(std::uint64_t address);
  /// The range that contains @p address, or nullptr.
  ManagedRange* find(std::uint64_t address);
  std::map<std::uint64_t, ManagedRange>& ranges() { return ranges_; }

  /// True if no access to @p range by a kernel on @p device faults or leaves the device.
  static bool settled(const ManagedRange& range, unsigned device = 0);
  /// A kernel used the pages as @p uses says. @param remote if given, set to 1 for pages that were accessed over the
  /// bus
  static PageTraffic device_touches(ManagedRange& range, const std::vector<PageUse>& uses, FaultWindow window,
                                    std::vector<std::uint8_t>* remote = nullptr, unsigned device = 0);
  /// The host reads or writes one byte of @p page.
  static PageTraffic host_touches(ManagedRange& range, std::size_t page, bool write);
  /// cudaMemPrefetchAsync of pages [first, last).
  static PageTraffic prefetch(ManagedRange& range, std::size_t first, std::size_t last, Place to, unsigned device = 0);

 private:
  std::map<std::uint64_t, ManagedRange> ranges_;
};

}  // namespace warpbook::simulator
