// The undo log: restores memory to its contents before a speculative launch.
#include "common/simulator/machine/undo_log.h"

#include <cstring>
#include <thread>
#include <vector>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

void write(UndoLog& log, const Allocation& allocation, std::uint64_t offset, std::byte value) {
  log.before_write(allocation, allocation.address + offset, 1);
  allocation.host[offset] = value;
}

}  // namespace

TEST_CASE("written memory is restored") {
  GlobalMemory memory(std::uint64_t{1} << 30);
  UndoLog log;
  const Allocation* a = memory.allocate(20000, MemoryKind::device);
  const Allocation* b = memory.allocate(20000, MemoryKind::managed);
  for (const Allocation* one : {a, b}) {
    for (std::uint64_t i = 0; i < 20000; ++i) one->host[i] = static_cast<std::byte>(i * 7);
    write(log, *one, 5, std::byte{1});
    write(log, *one, 12000, std::byte{2});
    write(log, *one, 12001, std::byte{3});
  }
  CHECK(log.saved_pages() == 4);
  log.restore();
  for (const Allocation* one : {a, b})
    for (std::uint64_t i = 0; i < 20000; ++i) REQUIRE(one->host[i] == static_cast<std::byte>(i * 7));
}

TEST_CASE("an access over a page boundary saves both pages") {
  GlobalMemory memory(std::uint64_t{1} << 30);
  UndoLog log;
  const Allocation* a = memory.allocate(3 * 4096, MemoryKind::device, 4096);
  log.before_write(*a, a->address + 4090, 12);
  CHECK(log.saved_pages() == 2);
}

TEST_CASE("registered host memory is saved within its bounds") {
  GlobalMemory memory(std::uint64_t{1} << 30);
  UndoLog log;
  std::vector<std::byte> host(10000, std::byte{9});
  const Allocation* a = memory.register_host(host.data(), host.size());
  write(log, *a, 0, std::byte{1});
  write(log, *a, 9999, std::byte{1});
  log.restore();
  CHECK(host == std::vector<std::byte>(10000, std::byte{9}));
}

TEST_CASE("what lies beside dense writes is saved with them, if one thread writes") {
  constexpr std::uint64_t kPage = 4096;
  GlobalMemory memory(std::uint64_t{1} << 30);
  UndoLog log(UndoLog::Writers::one);
  CHECK_FALSE(log.has_several_writers());
  const Allocation* before = memory.allocate(3 * kPage, MemoryKind::device, kPage);
  const Allocation* a = memory.allocate(40 * kPage, MemoryKind::device, 16 * kPage);
  const Allocation* managed = memory.allocate(40 * kPage, MemoryKind::managed, 16 * kPage);
  const auto fill = [](const Allocation& one) {
    for (std::uint64_t i = 0; i < one.bytes; ++i) one.host[i] = static_cast<std::byte>(i * 7 + i / 256);
  };
  for (const Allocation* one : {before, a, managed}) fill(*one);
  write(log, *a, 5 * kPage, std::byte{1});
  CHECK(log.saved_pages() == 1);
  write(log, *a, 9 * kPage, std::byte{1});
  CHECK(log.saved_pages() == 16);
  write(log, *a, 12 * kPage, std::byte{2});
  write(log, *a, 33 * kPage, std::byte{3});
  CHECK(log.saved_pages() == 17);
  write(log, *a, 34 * kPage + 1, std::byte{4});  // Its last 8 pages are all that it has of those 16.
  CHECK(log.saved_pages() == 24);
  for (const std::uint64_t k : {1, 2, 3}) write(log, *managed, k * kPage, std::byte{5});
  CHECK(log.saved_pages() == 27);
  for (std::uint64_t i = 0; i < 16 * kPage; ++i) write(log, *a, i, std::byte{6});
  CHECK(log.saved_pages() == 27);
  log.restore();
  std::uint64_t wrong = 0;
  for (const Allocation* one : {before, a, managed})
    for (std::uint64_t i = 0; i < one->bytes; ++i)
      wrong += one->host[i] != static_cast<std::byte>(i * 7 + i / 256) ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("many pages are put back") {
  GlobalMemory memory(std::uint64_t{1} << 30);
  for (const UndoLog::Writers writers : {UndoLog::Writers::one, UndoLog::Writers::several}) {
    UndoLog log(writers);
    constexpr std::uint64_t kPages = 1500, kStep = 4096 - 8;
    const Allocation* a = memory.allocate(kPages * 4096, MemoryKind::device, 4096);
    std::memset(a->host, 3, kPages * 4096);
    for (int round = 0; round < 2; ++round) {
      for (std::uint64_t i = 0; i < kPages * 4096; i += kStep) write(log, *a, i, std::byte{4});
      CHECK(log.saved_pages() == kPages);
      log.restore();
      log.clear();
      std::uint64_t wrong = 0;
      for (std::uint64_t i = 0; i < kPages * 4096; ++i) wrong += a->host[i] != std::byte{3} ? 1 : 0;
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a cleared log starts again") {
  GlobalMemory memory(std::uint64_t{1} << 30);
  UndoLog log;
  const Allocation* a = memory.allocate(100, MemoryKind::device);
  a->host[0] = std::byte{1};
  write(log, *a, 0, std::byte{2});
  log.clear();
  CHECK(log.saved_pages() == 0);
  write(log, *a, 0, std::byte{3});
  log.restore();
  CHECK(a->host[0] == std::byte{2});
}

TEST_CASE("threads that write to the same pages all wait until they are saved") {
  GlobalMemory memory(std::uint64_t{1} << 30);
  UndoLog log;
  constexpr std::uint64_t kBytes = 64 * 4096;
  const Allocation* a = memory.allocate(kBytes, MemoryKind::device);
  for (int round = 0; round < 200; ++round) {
    std::memset(a->host, round, kBytes);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::uint64_t i = t; i < kBytes; i += 4) write(log, *a, i, std::byte{0xff});
      });
    for (std::thread& thread : threads) thread.join();
    log.restore();
    log.clear();
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < kBytes; ++i) wrong += a->host[i] != static_cast<std::byte>(round) ? 1 : 0;
    REQUIRE(wrong == 0);
  }
}
