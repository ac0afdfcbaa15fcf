// Device memory: how it is allocated, found, freed, and protected from the host.
#include "common/simulator/machine/global_memory.h"

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "common/simulator/machine/access_messages.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

bool says(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (message.find(part) == std::string::npos) {
      FAIL_CHECK("\"" << message << "\" does not say \"" << part << "\"");
      return false;
    }
  return true;
}

}  // namespace

TEST_CASE("allocations do not touch and are found by any of their addresses") {
  GlobalMemory memory(64 * kMiB);
  const Allocation* a = memory.allocate(1000, MemoryKind::device);
  const Allocation* b = memory.allocate(1, MemoryKind::device);
  REQUIRE(a != nullptr);
  REQUIRE(b != nullptr);
  CHECK(a->address % 256 == 0);
  CHECK(b->address % 256 == 0);
  CHECK(b->address > a->address + 1000);
  CHECK(memory.find(a->address) == a);
  CHECK(memory.find(a->address + 999) == a);
  CHECK(memory.find(a->address + 1000) == nullptr);
  CHECK(memory.find(a->address - 1) == nullptr);
  CHECK(memory.find(b->address) == b);
  CHECK(memory.find(0) == nullptr);
  CHECK(a->serial == 1);
  CHECK(b->serial == 2);
  CHECK(memory.live() == std::vector<const Allocation*>{a, b});
}

TEST_CASE("with red zones there is room between neighbours, by their size, and none of it counts as used") {
  constexpr std::uint64_t kKiB = 1024;
  GlobalMemory memory(64 * kMiB);
  memory.set_red_zones(true);
  const Allocation* small = memory.allocate(100, MemoryKind::device);
  const Allocation* middle = memory.allocate(300 * kKiB, MemoryKind::device);
  const Allocation* large = memory.allocate(8 * kMiB, MemoryKind::device);
  const Allocation* last = memory.allocate(100, MemoryKind::device);
  const auto gap = [](const Allocation* before, const Allocation* after) {
    return after->address - (before->address + before->bytes);
  };
  CHECK(gap(small, middle) >= 300 * kKiB);
  CHECK(gap(middle, large) >= kMiB);
  CHECK(gap(large, last) >= kMiB);
  CHECK(gap(middle, large) < kMiB + 512);
  for (const Allocation* each : {small, middle, large, last}) CHECK(each->address % 256 == 0);
  CHECK(memory.used() == 512 + 300 * kKiB + 8 * kMiB + 512);
  CHECK(memory.find(small->address + small->bytes + 60 * kKiB) == nullptr);

  const Allocation* a = memory.allocate(10, MemoryKind::managed);
  const Allocation* b = memory.allocate(10, MemoryKind::pinned);
  CHECK(gap(a, b) >= 64 * kKiB);
  CHECK(b->address % 4096 == 0);
}

TEST_CASE("every process sees the same addresses") {
  std::vector<std::uint64_t> first, second;
  for (auto* addresses : {&first, &second}) {
    GlobalMemory memory(64 * kMiB);
    for (const std::uint64_t bytes : {100u, 5000u, 1u, 70000u}) {
      addresses->push_back(memory.allocate(bytes, MemoryKind::device)->address);
      addresses->push_back(memory.allocate(bytes, MemoryKind::managed)->address);
    }
  }
  CHECK(first == second);
}

TEST_CASE("device memory starts poisoned, the host's zero") {
  GlobalMemory memory(64 * kMiB);
  const Allocation* device = memory.allocate(100, MemoryKind::device);
  CHECK(device->host[0] == std::byte{0xcd});
  CHECK(device->host[99] == std::byte{0xcd});
  for (const MemoryKind kind : {MemoryKind::managed, MemoryKind::pinned, MemoryKind::module})
    CHECK(memory.allocate(100, kind)->host[50] == std::byte{0});
  // A very large allocation only takes host memory for the parts that are used.
  const Allocation* large = memory.allocate(48 * kMiB, MemoryKind::device);
  CHECK(large->host[32 * kMiB - 1] == std::byte{0xcd});
  CHECK(large->host[32 * kMiB] == std::byte{0});
}

TEST_CASE("the host can access managed and pinned memory at its address, but not device memory") {
  GlobalMemory memory(64 * kMiB);
  const Allocation* device = memory.allocate(100, MemoryKind::device);
  CHECK(GlobalMemory::is_device_only(device->address));
  CHECK(reinterpret_cast<std::uint64_t>(device->host) != device->address);
  for (const MemoryKind kind : {MemoryKind::managed, MemoryKind::pinned}) {
    const Allocation* shared = memory.allocate(10000, kind);
    CHECK_FALSE(GlobalMemory::is_device_only(shared->address));
    CHECK(reinterpret_cast<std::uint64_t>(shared->host) == shared->address);
    std::memset(reinterpret_cast<void*>(shared->address), 1, 10000);
  }
}

TEST_CASE("capacity is that of the device") {
  GlobalMemory memory(10 * kMiB);
  const Allocation* a = memory.allocate(6 * kMiB, MemoryKind::device);
  REQUIRE(a != nullptr);
  CHECK(memory.used() == 6 * kMiB);
  CHECK(memory.allocate(6 * kMiB, MemoryKind::device) == nullptr);
  CHECK(memory.allocate(6 * kMiB, MemoryKind::managed) == nullptr);
  CHECK(memory.allocate(6 * kMiB, MemoryKind::pinned) != nullptr);
  CHECK(memory.free(a->address));
  CHECK(memory.used() == 0);
  CHECK(memory.allocate(10 * kMiB, MemoryKind::device) != nullptr);
  CHECK(memory.capacity() == 10 * kMiB);
}

TEST_CASE("a request for more than there are addresses fails") {
  GlobalMemory memory(~std::uint64_t{0});
  CHECK(memory.allocate(std::uint64_t{1} << 50, MemoryKind::device) == nullptr);
  CHECK(memory.allocate(~std::uint64_t{0}, MemoryKind::device) == nullptr);
  CHECK(memory.allocate(std::uint64_t{200} << 30, MemoryKind::device) == nullptr);
}

TEST_CASE("freed memory is remembered and its addresses are not reused") {
  GlobalMemory memory(64 * kMiB);
  const std::uint64_t address = memory.allocate(5000, MemoryKind::device)->address;
  CHECK(memory.freed(address) == nullptr);
  CHECK_FALSE(memory.free(address + 8));
  CHECK(memory.free(address));
  CHECK_FALSE(memory.free(address));
  CHECK(memory.find(address) == nullptr);
  REQUIRE(memory.freed(address + 4999) != nullptr);
  CHECK(memory.freed(address + 4999)->bytes == 5000);
  CHECK(memory.allocate(5000, MemoryKind::device)->address != address);
}

TEST_CASE("the nearest allocation is the one with the smallest distance to either end") {
  GlobalMemory memory(64 * kMiB);
  CHECK(memory.nearest(1234) == nullptr);
  const Allocation* a = memory.allocate(256, MemoryKind::device);
  const Allocation* b = memory.allocate(256, MemoryKind::device);
  CHECK(memory.nearest(0) == a);
  CHECK(memory.nearest(a->address + 10) == a);
  CHECK(memory.nearest(a->address + 256 + 4) == a);
  CHECK(memory.nearest(b->address - 4) == b);
  CHECK(memory.nearest(~std::uint64_t{0}) == b);
}

TEST_CASE("registered host memory is found at its own address") {
  GlobalMemory memory(64 * kMiB);
  std::vector<int> values(1000);
  const Allocation* a = memory.register_host(values.data(), 4000);
  REQUIRE(a != nullptr);
  CHECK(a->address == reinterpret_cast<std::uint64_t>(values.data()));
  CHECK(memory.find(a->address + 3999) == a);
  CHECK(memory.register_host(values.data() + 10, 4) == nullptr);
  // Its place in the bitmaps is inside the device range and keeps the offset within a page.
  CHECK(a->address + a->shadow_delta >= GlobalMemory::kBase);
  CHECK(a->address + a->shadow_delta + 4000 <= GlobalMemory::kBase + GlobalMemory::kBytes);
  CHECK((a->address + a->shadow_delta) % 4096 == a->address % 4096);
  CHECK(memory.used() == 0);
  CHECK(memory.free(a->address));
  values[0] = 1;  // The host's memory is unchanged.
  CHECK(memory.register_host(values.data(), 4000) != nullptr);
}

TEST_CASE("a faulty access is described by what it missed") {
  GlobalMemory memory(64 * kMiB);
  const Allocation* a = memory.allocate(400, MemoryKind::device);
  const std::uint64_t address = a->address;
  const auto global = [&](std::uint64_t at, std::uint32_t bytes, bool write) {
    return describe_outside_global(memory, at, bytes, write).text;
  };
  const auto cause = [&](std::uint64_t at) { return describe_outside_global(memory, at, 4, false).cause; };
  CHECK(cause(0) == FaultCause::null_pointer);
  CHECK(cause(address + 404) == FaultCause::past_allocation);
  CHECK(cause(address - 8) == FaultCause::before_allocation);
  CHECK(describe_outside(ptx::Space::shared, 1024, 4, false, 1024).cause == FaultCause::outside_shared);
  CHECK(describe_outside(ptx::Space::shared, 1024, 4, false, 0).cause == FaultCause::no_shared);
  CHECK(describe_outside(ptx::Space::local, 1024, 4, false, 1024).cause == FaultCause::outside_local);
  CHECK(says(global(0, 4, false), {"null pointer"}));
  CHECK(
      says(global(address + 404, 4, true), {"write of 4 bytes", "4 bytes past the end of 400 bytes of device memory"}));
  CHECK(says(global(address - 8, 8, false), {"8 bytes before the start of 400"}));
  CHECK(says(global(address + 396, 16, false), {"runs 12 bytes past the end"}));
  memory.free(address);
  CHECK(says(global(address, 4, false), {"freed before"}));
  CHECK(cause(address) == FaultCause::freed_memory);
  int host = 0;
  CHECK(says(global(reinterpret_cast<std::uint64_t>(&host), 4, false), {"host memory"}));
  CHECK(says(describe_outside(ptx::Space::shared, 1024, 4, false, 1024).text, {"offset 1024", "1024 bytes"}));
  CHECK(says(describe_outside(ptx::Space::shared, 0xfffffffc, 4, true, 1024).text, {"offset -4 of shared"}));
  CHECK(says(describe_misaligned(ptx::Space::global, 0x1001, 4, true).text, {"0x1001", "not a multiple of 4"}));
}

TEST_CASE("each device has its own memory in one range of addresses, and can use another's with peer access") {
  GlobalMemory memory(64 * kMiB);
  memory.add_device(16 * kMiB);
  const Allocation* mine = memory.allocate(kMiB, MemoryKind::device);
  const Allocation* other = memory.allocate(kMiB, MemoryKind::device, 256, {}, 1);
  REQUIRE(other != nullptr);
  CHECK(memory.used(0) == kMiB);
  CHECK(memory.used(1) == kMiB);
  CHECK(memory.allocate(16 * kMiB, MemoryKind::device, 256, {}, 1) == nullptr);
  CHECK(mine->allows(0));
  CHECK_FALSE(mine->allows(1));
  CHECK_FALSE(other->allows(0));
  memory.set_access(1, memory.access(1) | only_device(0));
  CHECK(other->allows(0));
  CHECK_FALSE(mine->allows(1));
  CHECK(memory.allocate(1, MemoryKind::device, 256, {}, 1)->allows(0));
  memory.set_pool_access(other->address, only_device(1));
  CHECK_FALSE(other->allows(0));
  memory.set_access(1, kAllDevices);
  CHECK_FALSE(other->allows(0));  // A pool's.
  CHECK(memory.allocate(1, MemoryKind::pinned, 256, {}, 1)->allows(0));
  CHECK(says(describe_outside_global(memory, other->address, 4, true).text,
             {"write of 4 bytes", "memory of device 1", "may not access", "cudaMemPoolSetAccess"}));
  memory.free(other->address);
  CHECK(memory.used(1) == 512);
}
