// Accesses by threads of blocks, and which of them race.
#include "common/simulator/observe/race_detector.h"

#include <array>
#include <random>

#include "common/simulator/observe/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::testing;

TEST_CASE("threads of a block race until they meet") {
  for (const bool fine : {false, true}) {
    Device device;
    device.launch(1, fine);
    device.one(kWrite, 0, 3, 64);
    SECTION(fine ? "fine: without a barrier" : "without a barrier") {
      device.one(kRead, 0, 40, 64);
      REQUIRE(device.races.size() == 1);
      CHECK(epoch::thread(device.races[0].earlier) == 3);
      CHECK(epoch::thread(device.races[0].now) == 40);
      CHECK(device.races[0].earlier_wrote);
      CHECK_FALSE(device.races[0].now_writes);
    }
    SECTION(fine ? "fine: behind a barrier" : "behind a barrier") {
      device.blocks[0].meet_all(device.detector.knowledge());
      device.one(kRead, 0, 40, 64);
      CHECK(device.races.empty());
    }
    SECTION(fine ? "fine: a thread with itself" : "a thread with itself") {
      device.one(kRead, 0, 3, 64);
      device.one(kWrite, 0, 3, 64);
      CHECK(device.races.empty());
    }
  }
}

TEST_CASE("one of many readers is enough for a race with a writer") {
  for (const bool fine : {false, true}) {
    Device device;
    device.launch(3, fine);
    for (std::size_t block = 0; block < 3; ++block) device.row(kRead, block, 1, 4096, 0);
    CHECK(device.races.empty());
    device.one(kWrite, 2, 33, 4096);
    CHECK_FALSE(device.races.empty());
  }
}

TEST_CASE("rows are what their lanes are") {
  for (const std::uint32_t bytes : {4u, 8u, 16u}) {
    Device device;
    device.launch(2, false);
    AccessForm write = kWrite, read = kRead;
    write.bytes = read.bytes = bytes;
    device.row(write, 0, 0, 0, bytes);
    device.row(read, 0, 0, 0, bytes);
    CHECK(device.races.empty());
    SECTION("the same row by another warp, " + std::to_string(bytes) + " bytes a lane") {
      device.row(read, 0, 1, 0, bytes);
      CHECK(device.races.size() == 32 * bytes / 4);
    }
    SECTION("one place on, " + std::to_string(bytes) + " bytes a lane") {
      device.blocks[0].meet_all(device.detector.knowledge());
      device.row(write, 0, 0, bytes, bytes);
      CHECK(device.races.empty());
      device.one(write, 0, 63, 31 * bytes);
      CHECK_FALSE(device.races.empty());
    }
  }
}

TEST_CASE("runs of bytes, half-words and words find the races that their lanes do") {
  for (const bool fine : {false, true}) {
    Device runs, lanes;
    for (Device* const device : {&runs, &lanes}) device->launch(2, fine);
    std::mt19937 random(7);
    const auto any = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
    unsigned taken = 0;
    for (int i = 0; i < 20000; ++i) {
      AccessForm form = any(3) == 0 ? kWrite : kRead;
      form.bytes = 1u << any(3);
      form.site = 1 + any(3);
      const std::size_t block = any(8) == 0 ? 1 : 0;
      const std::uint32_t warp = any(2), first = any(4) == 0 ? any(32) : 0,
                          count = any(4) == 0 ? 1 + any(32 - first) : 32 - first;
      // Both sides of the border between two pages.
      const std::uint64_t address = 2048 - 256 + std::uint64_t{form.bytes} * any(512 / form.bytes - 32);
      std::array<std::uint64_t, 32> at{};
      for (unsigned lane = 0; lane < count; ++lane) at[first + lane] = address + std::uint64_t{form.bytes} * lane;
      const std::uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << first;
      const RaceDetector::Run run{address, form.bytes, first, count};
      if (runs.detector.access_run(form, runs.blocks[block], warp, nullptr, run))
        ++taken;
      else
        runs.detector.access(form, {&runs.blocks[block], warp, mask, at.data(), nullptr, nullptr, nullptr});
      lanes.detector.access(form, {&lanes.blocks[block], warp, mask, at.data(), nullptr, nullptr, nullptr});
      if (any(4) == 0)
        for (Device* const device : {&runs, &lanes}) device->blocks[block].meet_all(device->detector.knowledge());
      REQUIRE(runs.races.size() == lanes.races.size());
      for (std::size_t k = 0; k < runs.races.size(); ++k) {
        CHECK(runs.races[k].earlier == lanes.races[k].earlier);
        CHECK(runs.races[k].now == lanes.races[k].now);
        CHECK(runs.races[k].address + runs.races[k].offset == lanes.races[k].address + lanes.races[k].offset);
      }
      runs.races.clear();
      lanes.races.clear();
    }
    CHECK(taken > 1000);
  }
}

TEST_CASE("clocks that run out hide races and make none up") {
  for (const bool fine : {false, true}) {
    Device device;
    device.launch(2, fine);
    for (std::uint32_t round = 0; round < 2 * epoch::kMostClock; ++round) {
      device.blocks[0].meet_all(device.detector.knowledge());
      if (round % 1000 == 0 || round + 3 > epoch::kMostClock) {
        device.one(kWrite, 0, 3, 64);
        device.blocks[0].meet_all(device.detector.knowledge());
        device.one(kRead, 0, 40, 64);
      }
    }
    CHECK(device.races.empty());
    device.one(kWrite, 1, 0, 64);
    CHECK_FALSE(device.races.empty());
  }
}

TEST_CASE("bytes of one word belong to who writes them") {
  Device device;
  device.launch(1, false);
  AccessForm byte = kWrite;
  byte.bytes = 1;
  for (std::uint32_t thread = 0; thread < 4; ++thread) device.one(byte, 0, thread, 100 + thread);
  CHECK(device.races.empty());
  device.one(byte, 0, 5, 103);
  CHECK(device.races.size() == 1);
}

TEST_CASE("a fence and a flag hand over, in the scope of both") {
  const HandOver store{.reads = false, .writes = true, .wide = true},
      load{.reads = true, .writes = false, .wide = true};
  HandOver narrow = store;
  narrow.wide = false;
  for (const auto& [wide_fence, flag, races] :
       {std::tuple{true, store, 0u}, std::tuple{false, store, 1u}, std::tuple{true, narrow, 1u}}) {
    Device device;
    device.launch(2, true);
    device.one(kWrite, 0, 1, 0);
    device.blocks[0].fence(device.detector.knowledge(), 1, wide_fence);
    device.hand_over(flag, 0, 1, 512);
    device.hand_over(load, 1, 40, 512);
    device.blocks[1].fence(device.detector.knowledge(), 40, true);
    device.one(kRead, 1, 40, 0);
    CHECK(device.races.size() == races);
  }
}

TEST_CASE("the host learns what was released at system scope, and no more") {
  const HandOver relaxed{.writes = true, .wide = true, .system = true};
  HandOver release = relaxed, release_on_device{.writes = true, .wide = true};
  release.releases = release_on_device.releases = true;
  enum class Fence { none, device, system };
  for (const auto& [order, fence, unknown] :
       {std::tuple{relaxed, Fence::none, 1u}, std::tuple{relaxed, Fence::device, 1u},
        std::tuple{relaxed, Fence::system, 0u}, std::tuple{release, Fence::none, 0u},
        std::tuple{release_on_device, Fence::system, 1u}}) {
    Device device;
    device.launch(1, true);
    device.one(kWrite, 0, 1, 0);
    if (fence != Fence::none) device.blocks[0].fence(device.detector.knowledge(), 1, true, fence == Fence::system);
    device.hand_over(order, 0, 1, 512);
    device.one(kWrite, 0, 1, 64);  // Behind the flag.
    const Knowledge::Map told = device.detector.released_to_system(512);
    CHECK(device.by_host(0, 4, false, 0, told).size() == unknown);
    CHECK(device.by_host(64, 4, false, 0, told).size() == 1);
  }
}

TEST_CASE("what a thread does behind its fence is not handed over") {
  const HandOver store{.reads = false, .writes = true, .wide = true},
      load{.reads = true, .writes = false, .wide = true};
  Device device;
  device.launch(2, true);
  device.blocks[0].fence(device.detector.knowledge(), 1, true);
  device.one(kWrite, 0, 1, 0);
  device.hand_over(store, 0, 1, 512);
  device.hand_over(load, 1, 40, 512);
  device.blocks[1].fence(device.detector.knowledge(), 40, true);
  device.one(kRead, 1, 40, 0);
  CHECK(device.races.size() == 1);
}

TEST_CASE("lanes know each other behind a barrier of their warp, and nobody else") {
  Device device;
  device.launch(1, true);
  device.one(kWrite, 0, 0, 0);
  device.one(kWrite, 0, 40, 4);
  device.blocks[0].meet_in_warp(device.detector.knowledge(), 0, 0xffff);
  device.one(kRead, 0, 15, 0);
  CHECK(device.races.empty());
  device.one(kRead, 0, 16, 0);
  CHECK(device.races.size() == 1);
  device.one(kRead, 0, 15, 4);
  CHECK(device.races.size() == 2);
}

TEST_CASE("atomics do not race with each other, but with plain accesses") {
  Device device;
  device.launch(2, false);
  device.one(kAtomic, 0, 0, 0);
  device.one(kAtomic, 1, 0, 0);
  CHECK(device.races.empty());
  device.one(kRead, 1, 0, 0);
  CHECK(device.races.size() == 1);
}

TEST_CASE("a grid is behind those that are before it, and races with others") {
  Device device;
  device.launch(2, false);
  device.row(kWrite, 1, 0, 0, 4);
  SECTION("behind") {
    device.before = 3;
    device.launch(1, false);
    device.row(kWrite, 0, 0, 0, 4);
    CHECK(device.races.empty());
  }
  SECTION("beside") {
    device.before = 1;
    device.launch(1, false);
    device.row(kWrite, 0, 0, 0, 4);
    CHECK(device.races.size() == 32);
  }
}

TEST_CASE("a copy that was not waited for is nobody's") {
  Device device;
  device.launch(1, false);
  AccessHistory shared;
  std::array<std::uint64_t, 32> at{};
  for (unsigned lane = 0; lane < 32; ++lane) at[lane] = lane * 4;
  const RaceDetector::WarpAccess by{&device.blocks[0], 0, ~0u, at.data(), &shared, nullptr, nullptr};
  device.detector.begin_copy(kWrite, by);
  device.blocks[0].meet_all(device.detector.knowledge());
  device.detector.access(kRead, by);
  REQUIRE(device.races.size() == 32);
  CHECK(device.races[0].unfinished);
  device.races.clear();
  device.detector.end_copy(kWrite, by);
  device.detector.access(kRead, by);
  CHECK(device.races.empty());
  const RaceDetector::WarpAccess other{&device.blocks[0], 1, ~0u, at.data(), &shared, nullptr, nullptr};
  device.detector.access(kRead, other);
  CHECK(device.races.size() == 32);
}

TEST_CASE("a plain store races with atomics of others, whoever changed the word atomically in between") {
  for (const bool fine : {false, true}) {
    for (const bool answers : {false, true}) {
      AccessForm atomic = kAtomic;
      atomic.answers = answers;
      Device device;
      device.launch(2, fine);
      device.one(kWrite, 0, 0, 64);
      device.one(atomic, 0, 0, 64);
      CHECK(device.races.empty());
      device.one(atomic, 0, 40, 64);
      REQUIRE(device.races.size() == 1);
      CHECK(epoch::thread(device.races[0].earlier) == 0);
      CHECK(epoch::thread(device.races[0].now) == 40);
      device.blocks[0].meet_all(device.detector.knowledge());
      device.one(atomic, 0, 33, 64);
      CHECK(device.races.size() == 1);
      // A barrier of one block does not affect another one.
      device.one(atomic, 1, 3, 64);
      CHECK(device.races.size() == 2);
    }
  }
}

TEST_CASE("a plain load races with atomics of others, behind one that it is before") {
  Device device;
  device.launch(1, false);
  device.one(kRead, 0, 0, 64);
  device.one(kAtomic, 0, 0, 64);
  CHECK(device.races.empty());
  device.one(kAtomic, 0, 40, 64);
  REQUIRE(device.races.size() == 1);
  CHECK_FALSE(device.races[0].earlier_wrote);
}

TEST_CASE("of very many readers the latest are remembered") {
  Device device;
  device.launch(3000, true);
  for (std::size_t block = 0; block < 3000; ++block) device.one(kRead, block, 0, 64);
  CHECK(device.races.empty());
  device.one(kWrite, 2999, 0, 64);
  REQUIRE(device.races.size() == 1);
  CHECK(epoch::serial(device.races[0].earlier) > 2700);
}

TEST_CASE("lists of readers that rows of writes have replaced are used again, and those in use are kept") {
  Device device;
  const auto read_by_both = [&](std::uint64_t address) {
    device.row(kRead, 0, 0, address, 4);
    device.row(kRead, 0, 1, address, 4);
  };
  for (int i = 0; i < 1000; ++i) {
    device.launch(2, true);
    REQUIRE(device.detector.access_run(kWrite, device.blocks[0], 0, nullptr, {0, 4, 0, 32}));
    device.blocks[0].meet_all(device.detector.knowledge());
    read_by_both(0);
    read_by_both(4096);
  }
  CHECK(device.races.empty());
  CHECK(device.detector.lists() < 32 * 1000 / 2);
  device.one(kWrite, 1, 0, 4096);  // Both readers are still known.
  CHECK_FALSE(device.races.empty());
}

TEST_CASE("the host races with what it has not waited for, byte by byte") {
  Device device;
  device.launch(2, false);
  AccessForm byte = kWrite;
  byte.bytes = 1;
  device.one(byte, 0, 3, 4096 + 5);
  device.one(kRead, 1, 40, 8192);
  const std::uint32_t second = device.blocks[1].serial;
  CHECK(device.by_host(4096, 5, true, 0).empty());
  CHECK(device.by_host(4096 + 6, 100, true, 0).empty());
  CHECK(device.by_host(0, 1 << 20, false, second).empty());  // It has waited for the first one, and only reads.
  const auto written = device.by_host(4096, 64, false, 0);
  REQUIRE(written.size() == 1);
  CHECK(written[0].address == 4096 + 5);
  CHECK(written[0].wrote);
  CHECK(epoch::thread(written[0].epoch) == 3);
  const auto read = device.by_host(0, 1 << 20, true, second);
  REQUIRE(read.size() == 1);
  CHECK_FALSE(read[0].wrote);
  CHECK(epoch::serial(read[0].epoch) == second);
  CHECK(device.by_host(0, 1 << 20, true, second + 1).empty());
}

TEST_CASE("the host races with each of several accesses that are not ordered among each other") {
  Device device;
  device.launch(2, true);
  device.one(kRead, 0, 3, 64);
  device.one(kRead, 1, 40, 64);
  CHECK(device.by_host(64, 4, true, 0).size() == 2);
  CHECK(device.by_host(64, 4, true, device.blocks[1].serial).size() == 1);
  CHECK(device.by_host(64, 4, false, 0).empty());
}

TEST_CASE("a race knows whether memory still holds what the earlier access left or read there") {
  Device device;
  device.launch(1, true);
  SECTION("a write, of which the second half is read") {
    AccessForm wide = kWrite, half = kRead;
    wide.bytes = 8;
    device.one(wide, 0, 3, 64);
    device.one(half, 0, 40, 68);
    REQUIRE(device.races.size() == 1);
    CHECK(device.races[0].is_kept);
    CHECK(device.races[0].offset == 0);
    CHECK(device.races[0].bytes == 4);
  }
  SECTION("a read of the second half of what is written") {
    AccessForm wide = kWrite;
    wide.bytes = 8;
    device.one(kRead, 0, 3, 68);
    device.one(wide, 0, 40, 64);
    REQUIRE(device.races.size() == 1);
    CHECK(device.races[0].is_kept);
    CHECK(device.races[0].offset == 4);
    CHECK(device.races[0].bytes == 4);
  }
  SECTION("a read before an atomic change by another thread") {
    device.one(kRead, 0, 3, 64);
    device.one(kAtomic, 0, 40, 64);
    device.one(kWrite, 0, 41, 64);
    REQUIRE(device.races.size() >= 2);
    CHECK(device.races[0].is_kept);
    for (const Race& race : device.races)
      if (epoch::thread(race.earlier) == 3 && epoch::thread(race.now) == 41) CHECK_FALSE(race.is_kept);
  }
  SECTION("two lanes that write by one instruction") {
    device.row(kWrite, 0, 0, 64, 0);
    REQUIRE_FALSE(device.races.empty());
    for (const Race& race : device.races) CHECK(race.same_instruction);
  }
}

TEST_CASE("whether one range is ordered before another is not asked for each of its words") {
  constexpr std::uint64_t kBytes = 1 << 20;
  for (const bool ordered : {true, false}) {
    std::uint64_t asked = 0, found = 0;
    RaceDetector detector([&](const Race&) { ++found; },
                          [&](std::uint32_t) {
                            ++asked;
                            return ordered;
                          });
    for (const AccessForm& form : {kWrite, kWrite, kRead}) {
      const std::uint32_t serial = detector.take_serials(1);
      detector.start_grid(1, serial);
      detector.access_range(form, serial, 0, kBytes);
    }
    CHECK((found == 0) == ordered);
    if (ordered) CHECK(asked < 10);
  }
}
