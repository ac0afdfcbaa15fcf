// Page faults and migrations of managed memory, by first touch, prefetch and advice.
#include "common/simulator/model/managed_memory.h"

#include <algorithm>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

constexpr std::uint64_t kBase = 0x202800000000;
constexpr std::size_t kMiBPages = 256;
constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

std::vector<PageUse> all_of(const ManagedRange& range, PageUse use) {
  return std::vector<PageUse>(range.pages.size(), use);
}
std::vector<PageUse> some_of(const ManagedRange& range, const std::vector<std::size_t>& pages, PageUse use) {
  std::vector<PageUse> uses(range.pages.size());
  for (const std::size_t page : pages) uses[page] = use;
  return uses;
}
std::size_t on_device(const ManagedRange& range) {
  return static_cast<std::size_t>(
      std::count_if(range.pages.begin(), range.pages.end(), [](const ManagedPage& p) { return p.on_device; }));
}
constexpr PageUse kWrites = kPageRead | kPageWritten;
constexpr FaultWindow kOneThread{1};

}  // namespace

TEST_CASE("two MiB touched from end to end are six faults, on either side") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 4 * kMiB);
  PageTraffic host;
  for (std::size_t page = 0; page < range.pages.size(); ++page)
    host.add(ManagedMemory::host_touches(range, page, true));
  CHECK(host.cpu_page_faults == 12);
  CHECK(host.populated_bytes == 4 * kMiB);
  CHECK(host.bytes_to_host == 0);
  const PageTraffic device = ManagedMemory::device_touches(range, all_of(range, kPageRead), kOneThread);
  CHECK(device.gpu_page_faults == 12);
  CHECK(device.bytes_to_device == 4 * kMiB);
  CHECK(device.populated_bytes == 0);
  CHECK(ManagedMemory::settled(range));
  CHECK_FALSE(ManagedMemory::device_touches(range, all_of(range, kWrites), kOneThread).faulted());
  CHECK(ManagedMemory::host_touches(range, 100, false).bytes_to_host == 64 * kKiB);
}

TEST_CASE("pages that nobody had touched are made where they are touched, without a copy") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 2 * kMiB);
  const PageTraffic traffic = ManagedMemory::device_touches(range, all_of(range, kWrites), kOneThread);
  CHECK(traffic.gpu_page_faults == 6);
  CHECK(traffic.bytes_to_device == 0);
  CHECK(traffic.populated_bytes == 2 * kMiB);
}

TEST_CASE("a fault brings 64 KiB, and more where more than half of a piece is there") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 2 * kMiB, true);
  SECTION("one page") {
    CHECK(ManagedMemory::device_touches(range, some_of(range, {5}, kPageRead), kOneThread).bytes_to_device ==
          64 * kKiB);
    CHECK(range.pages[0].on_device);
    CHECK(range.pages[15].on_device);
    CHECK_FALSE(range.pages[16].on_device);
  }
  SECTION("two pieces of four do not bring the others") {
    CHECK(ManagedMemory::device_touches(range, some_of(range, {5, 20}, kPageRead), kOneThread).bytes_to_device ==
          128 * kKiB);
  }
  SECTION("three pieces of four bring the fourth") {
    CHECK(ManagedMemory::device_touches(range, some_of(range, {5, 20, 36}, kPageRead), kOneThread).bytes_to_device ==
          256 * kKiB);
    CHECK(range.pages[63].on_device);
  }
  SECTION("pieces far apart stay alone") {
    const PageTraffic traffic =
        ManagedMemory::device_touches(range, some_of(range, {0, 64, 128, 511}, kPageRead), kOneThread);
    CHECK(traffic.gpu_page_faults == 4);
    CHECK(traffic.bytes_to_device == 256 * kKiB);
  }
}

TEST_CASE("the last block of a range may be short") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 70 * kKiB + 1, true);
  CHECK(range.pages.size() == 18);
  const PageTraffic traffic = ManagedMemory::device_touches(range, some_of(range, {17}, kPageRead), kOneThread);
  CHECK(traffic.gpu_page_faults == 1);
  CHECK(traffic.bytes_to_device == 2 * kPageBytes);
  CHECK(memory.find(kBase + 18 * kPageBytes - 1) == &range);
  CHECK(memory.find(kBase + 18 * kPageBytes) == nullptr);
  CHECK(memory.find(kBase - 1) == nullptr);
}

TEST_CASE("prefetched pages do not fault, and only those move that are elsewhere") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 3 * kMiB, true);
  CHECK(ManagedMemory::prefetch(range, 0, kMiBPages, Place::device).bytes_to_device == 1 * kMiB);
  CHECK(ManagedMemory::prefetch(range, 0, 3 * kMiBPages, Place::device).bytes_to_device == 2 * kMiB);
  CHECK_FALSE(ManagedMemory::device_touches(range, all_of(range, kWrites), kOneThread).faulted());
  CHECK(ManagedMemory::prefetch(range, 0, 3 * kMiBPages, Place::host).bytes_to_host == 3 * kMiB);
  CHECK_FALSE(ManagedMemory::host_touches(range, 9, true).faulted());
  CHECK(range.pages[9].last_prefetch == Place::host);
}

TEST_CASE("read-mostly pages are copied, and a write leaves one copy") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 2 * kMiB, true);
  for (ManagedPage& page : range.pages) page.read_mostly = true;
  CHECK(ManagedMemory::device_touches(range, all_of(range, kPageRead), kOneThread).bytes_to_device == 2 * kMiB);
  CHECK_FALSE(ManagedMemory::host_touches(range, 3, false).faulted());
  CHECK_FALSE(ManagedMemory::device_touches(range, all_of(range, kPageRead), kOneThread).faulted());
  const PageTraffic host = ManagedMemory::host_touches(range, 3, true);
  CHECK(host.cpu_page_faults == 1);
  CHECK(host.bytes_to_host == 0);
  CHECK(on_device(range) == 511);
  const PageTraffic device = ManagedMemory::device_touches(range, some_of(range, {100, 101}, kWrites), kOneThread);
  CHECK(device.written_pages == 2);
  CHECK(device.bytes_to_device == 0);
  CHECK_FALSE(range.pages[100].on_host);
  CHECK(range.pages[99].on_host);
}

TEST_CASE("the device reaches pages from afar if it is advised to") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 2 * kMiB, true);
  std::vector<std::uint8_t> remote(range.pages.size());
  SECTION("accessed by the device: no fault") {
    for (ManagedPage& page : range.pages) page.accessed_by_device = true;
    CHECK_FALSE(ManagedMemory::device_touches(range, all_of(range, kWrites), kOneThread, &remote).faulted());
  }
  SECTION("preferred on the host: faults once, to map it") {
    for (ManagedPage& page : range.pages) page.preferred = Place::host;
    const PageTraffic first = ManagedMemory::device_touches(range, all_of(range, kWrites), kOneThread, &remote);
    CHECK(first.mapped_pages == 512);
    CHECK(first.bytes_to_device == 0);
    CHECK_FALSE(ManagedMemory::device_touches(range, all_of(range, kWrites), kOneThread, &remote).faulted());
  }
  CHECK(on_device(range) == 0);
  CHECK(std::count(remote.begin(), remote.end(), 1) == 512);
}

TEST_CASE("untouched memory that is preferred on the device comes as a whole block") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 4 * kMiB);
  for (ManagedPage& page : range.pages) page.preferred = Place::device;
  CHECK(ManagedMemory::device_touches(range, some_of(range, {700}, kPageRead), kOneThread).populated_bytes == 2 * kMiB);
  CHECK(range.pages[512].on_device);
  CHECK_FALSE(range.pages[511].on_device);
}

TEST_CASE("warps that are spread over the memory fault in fewer groups") {
  constexpr std::uint64_t kResident = 1056, kWarps = 8;
  const auto groups = [](std::uint64_t mib, FaultWindow window) {
    ManagedMemory memory;
    ManagedRange& range = memory.add(kBase, mib * kMiB, true);
    const PageTraffic traffic = ManagedMemory::device_touches(range, all_of(range, kWrites), window);
    CHECK(traffic.bytes_to_device == mib * kMiB);
    return traffic.gpu_page_faults;
  };
  // CUPTI counted on an H200, for 16 MiB: 27 groups with a thread for each element, 7 and 8 with a warp for each 4 KiB,
  // 1 to 3 with a warp for each 64 KiB; for 4 MiB with a thread for each element 7.
  const FaultWindow element = FaultWindow::of(16384, kResident, kWarps, 1, 4096);
  CHECK(element.pages == 66);
  CHECK(groups(16, element) == 24);
  CHECK(groups(4, element) == 6);
  CHECK(groups(16, FaultWindow::of(kResident, kResident, kWarps, 16, 4096)) == 24);  // the same with a grid-stride loop
  CHECK(groups(16, FaultWindow::of(512, kResident, kWarps, 8, 4096)) == 4);
  CHECK(groups(16, FaultWindow::of(32, kResident, kWarps, 128, 4096)) == 4);
}

TEST_CASE("pages go from one device to another on its faults and prefetches") {
  ManagedMemory memory;
  ManagedRange& range = memory.add(kBase, 2 * kMiB, true);
  ManagedMemory::prefetch(range, 0, 512, Place::device, 1);
  CHECK(ManagedMemory::settled(range, 1));
  CHECK_FALSE(ManagedMemory::settled(range, 0));
  const PageTraffic fault =
      ManagedMemory::device_touches(range, some_of(range, {17}, kPageRead), kOneThread, nullptr, 0);
  CHECK(fault.gpu_page_faults == 1);
  CHECK(fault.bytes_between_devices == 64 * kKiB);
  CHECK(fault.bytes_to_device == 0);
  CHECK(ManagedMemory::prefetch(range, 0, 512, Place::device, 0).bytes_between_devices == 2 * kMiB - 64 * kKiB);
  CHECK(ManagedMemory::settled(range, 0));
  CHECK(ManagedMemory::host_touches(range, 0, false).bytes_to_host != 0);
}
