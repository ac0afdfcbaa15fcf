// Addresses, memory and mappings that a program manages itself.
#include "common/simulator/machine/virtual_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/global_memory.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

constexpr std::uint64_t kUnit = VirtualMemory::kGranularity;
constexpr auto kReadWrite = VirtualMemory::Access::read_write;

std::string fault_at(const GlobalMemory& memory, std::uint64_t address) {
  return describe_outside_global(memory, address, 4, false).text;
}

}  // namespace

TEST_CASE("memory that is mapped twice is the same bytes") {
  GlobalMemory memory(16 * kUnit);
  VirtualMemory& virtual_memory = memory.virtual_memory();
  const std::uint64_t first = virtual_memory.reserve(2 * kUnit, 0), second = virtual_memory.reserve(kUnit, 4 * kUnit);
  CHECK(second % (4 * kUnit) == 0);
  const std::uint64_t handle = virtual_memory.create(kUnit);
  REQUIRE(virtual_memory.map(first + kUnit, kUnit, handle));
  REQUIRE(virtual_memory.map(second, kUnit, handle));
  CHECK(memory.find(second) == nullptr);  // Not accessible yet.
  REQUIRE(virtual_memory.set_access(first + kUnit, kUnit, kReadWrite));
  REQUIRE(virtual_memory.set_access(second, kUnit, VirtualMemory::Access::read));
  const Allocation* const one = memory.find(first + kUnit + 8);
  const Allocation* const other = memory.find(second + 8);
  REQUIRE(one != nullptr);
  REQUIRE(other != nullptr);
  CHECK(other->read_only);
  CHECK_FALSE(other->is_constant());
  std::memcpy(one->host + 8, "same", 5);
  CHECK(std::memcmp(other->host + 8, "same", 5) == 0);
}

TEST_CASE("adjacent mappings are one range, and faults report what is missing") {
  GlobalMemory memory(16 * kUnit);
  VirtualMemory& virtual_memory = memory.virtual_memory();
  const std::uint64_t base = virtual_memory.reserve(4 * kUnit, 0);
  //  | a | b |   | c, no access |
  for (const std::uint64_t at : {std::uint64_t{0}, kUnit, 3 * kUnit})
    REQUIRE(virtual_memory.map(base + at, kUnit, virtual_memory.create(kUnit)));
  REQUIRE(virtual_memory.set_access(base, 2 * kUnit, kReadWrite));
  REQUIRE(memory.find(base) != nullptr);
  CHECK(memory.find(base)->bytes == 2 * kUnit);
  CHECK(fault_at(memory, base + 2 * kUnit).find("no memory is mapped there (cuMemMap)") != std::string::npos);
  CHECK(fault_at(memory, base + 3 * kUnit).find("may not access it (cuMemSetAccess)") != std::string::npos);
  CHECK(virtual_memory.unmap(base, kUnit));
  CHECK(memory.find(base) == nullptr);
  REQUIRE(memory.find(base + kUnit) != nullptr);
  CHECK(memory.find(base + kUnit)->bytes == kUnit);
}

TEST_CASE("a memory file gives the same bytes under another handle, and other files are refused") {
  GlobalMemory memory(2 * kUnit);
  VirtualMemory& virtual_memory = memory.virtual_memory();
  const std::uint64_t made = virtual_memory.create(2 * kUnit, 0, 3);
  CHECK_FALSE(virtual_memory.is_shared(made));
  const int file = virtual_memory.share(made);
  CHECK(virtual_memory.is_shared(made));
  CHECK(VirtualMemory::ordinal_of(file) == 3u);
  CHECK_FALSE(VirtualMemory::ordinal_of(-1));
  const int unsealed = ::memfd_create("warpbook-device-memory-0", MFD_CLOEXEC);  // It could be cut while it is mapped.
  CHECK_FALSE(VirtualMemory::ordinal_of(unsealed));
  ::close(unsealed);
  const std::uint64_t handle = virtual_memory.import(file, 0);  // Though the device is full: it takes no room here.
  ::close(file);
  REQUIRE(handle != 0);
  CHECK(virtual_memory.bytes_of(handle) == 2 * kUnit);
  const std::uint64_t here = virtual_memory.reserve(2 * kUnit, 0), there = virtual_memory.reserve(2 * kUnit, 0);
  REQUIRE(virtual_memory.map(here, 2 * kUnit, made));
  REQUIRE(virtual_memory.set_access(here, 2 * kUnit, kReadWrite));
  REQUIRE(virtual_memory.map(there, 2 * kUnit, handle));
  REQUIRE(virtual_memory.set_access(there, 2 * kUnit, kReadWrite));
  std::memcpy(memory.find(here)->host + kUnit, "same", 5);
  CHECK(std::memcmp(memory.find(there)->host + kUnit, "same", 5) == 0);
  CHECK(virtual_memory.unmap(here, 2 * kUnit));
  CHECK(virtual_memory.release(made));
  CHECK(std::memcmp(memory.find(there)->host + kUnit, "same", 5) == 0);
  CHECK(virtual_memory.create(2 * kUnit) != 0);  // The owner's room is free again.
}

TEST_CASE("mappings that do not fit are refused") {
  GlobalMemory memory(4 * kUnit);
  VirtualMemory& virtual_memory = memory.virtual_memory();
  const std::uint64_t base = virtual_memory.reserve(4 * kUnit, 0);
  CHECK(virtual_memory.create(5 * kUnit) == 0);  // More than the device has.
  const std::uint64_t handle = virtual_memory.create(2 * kUnit);
  CHECK_FALSE(virtual_memory.map(base, 3 * kUnit, handle));              // More than the memory has,
  CHECK_FALSE(virtual_memory.map(base + 3 * kUnit, 2 * kUnit, handle));  // beyond the reservation,
  CHECK_FALSE(virtual_memory.map(base - kUnit, kUnit, handle));          // outside of it,
  CHECK_FALSE(virtual_memory.map(base, kUnit, handle + 1));              // no such memory.
  REQUIRE(virtual_memory.map(base + kUnit, 2 * kUnit, handle));
  CHECK_FALSE(virtual_memory.map(base, 2 * kUnit, handle));  // Something is mapped in its second half.
  CHECK_FALSE(virtual_memory.unmap(base + kUnit, kUnit));    // Half a mapping.
  CHECK_FALSE(virtual_memory.set_access(base, 4 * kUnit, kReadWrite));
  CHECK_FALSE(virtual_memory.release_addresses(base, 4 * kUnit));
  CHECK(virtual_memory.unmap(base + kUnit, 2 * kUnit));
  CHECK_FALSE(virtual_memory.release_addresses(base, kUnit));
  CHECK(virtual_memory.release_addresses(base, 4 * kUnit));
}

TEST_CASE("memory counts as used until its handles and its mappings have gone") {
  GlobalMemory memory(8 * kUnit);
  VirtualMemory& virtual_memory = memory.virtual_memory();
  const std::uint64_t base = virtual_memory.reserve(kUnit, 0), handle = virtual_memory.create(3 * kUnit);
  CHECK(memory.used() == 3 * kUnit);
  REQUIRE(virtual_memory.map(base, kUnit, handle));
  REQUIRE(virtual_memory.set_access(base, kUnit, kReadWrite));
  CHECK(memory.used() == 3 * kUnit);
  CHECK(virtual_memory.retain(base + 5) == handle);
  CHECK(virtual_memory.release(handle));
  CHECK(virtual_memory.release(handle));
  CHECK_FALSE(virtual_memory.release(handle));
  CHECK(memory.used() == 3 * kUnit);
  CHECK(virtual_memory.unmap(base, kUnit));
  CHECK(memory.used() == 0);
  CHECK(virtual_memory.retain(base) == 0);
}
