// Managed memory: on which side of the bus its pages are, and what moves when the host or the device touches them.
//
// A page of 4 KiB is nowhere until someone touches it, then with the host, with the device or, if it is advised to be
// read mostly, with both. Whoever touches a page that it cannot reach has a fault. The driver serves faults block by
// block of 2 MiB, lowest address first, and brings more than the page: the 64 KiB around it, and the largest aligned
// piece of the block (128 KiB, ... 2 MiB) of which more than 51 % is then there. So 2 MiB touched from end to end are
// six faults, on either side.
//
// Sources: NVIDIA's open kernel modules 580, kernel-open/nvidia-uvm/uvm_perf_prefetch.c (granularity, threshold, choice
// of the piece) and uvm_va_block.c (who may map what from afar); checked on an H200, see README.md.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/simulator/observe/touched_pages.h"

namespace warpbook::simulator {

/// A side of the bus, as advice and prefetches name it.
enum class Place : std::uint8_t { none, host, device };

struct ManagedPage {
  bool on_host = false, on_device = false;  ///< Both: read-only copies of one page.
  bool mapped = false;                      ///< The device reaches the host's page over the bus.
  bool read_mostly = false, accessed_by_device = false, accessed_by_host = false;
  Place preferred = Place::none, last_prefetch = Place::none;
};

struct ManagedRange {
  std::uint64_t address = 0, bytes = 0;
  std::vector<ManagedPage> pages;
};

/// What one touch, launch or prefetch caused.
struct PageTraffic {
  std::uint64_t gpu_page_faults = 0;  ///< Faults that the driver serves one by one (it drops repeated ones).
  std::uint64_t cpu_page_faults = 0;
  std::uint64_t bytes_to_device = 0, bytes_to_host = 0;  ///< Copied over the bus.
  std::uint64_t populated_bytes = 0;                     ///< Pages that nobody had touched: made, not copied.
  std::uint64_t remote_bytes = 0;                        ///< What the device accessed in pages that stay on the host.
  void add(const PageTraffic& more);
  bool faulted() const { return gpu_page_faults + cpu_page_faults > 0; }
};

class ManagedMemory {
 public:
  /// @param filled the host has written all of it already (variables with an initial value)
  ManagedRange& add(std::uint64_t address, std::uint64_t bytes, bool filled = false);
  void remove(std::uint64_t address);
  /// The range that contains @p address, or nullptr.
  ManagedRange* find(std::uint64_t address);
  std::map<std::uint64_t, ManagedRange>& ranges() { return ranges_; }

  /// True if no access of a kernel to @p range can fault or leave the device.
  static bool settled(const ManagedRange& range);
  /// A kernel used the pages as @p uses say. @param remote if given, pages that it used from afar are set to 1
  static PageTraffic device_touches(ManagedRange& range, const std::vector<PageUse>& uses,
                                    std::vector<std::uint8_t>* remote = nullptr);
  /// The host reads or writes one byte of @p page.
  static PageTraffic host_touches(ManagedRange& range, std::size_t page, bool write);
  /// cudaMemPrefetchAsync of pages [first, last).
  static PageTraffic prefetch(ManagedRange& range, std::size_t first, std::size_t last, Place to);

 private:
  std::map<std::uint64_t, ManagedRange> ranges_;
};

}  // namespace warpbook::simulator
