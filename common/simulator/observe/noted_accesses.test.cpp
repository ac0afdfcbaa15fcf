// Accesses to shared memory that are only noted, and the races that they still take part in.
#include <array>
#include <string>

#include "common/simulator/observe/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::testing;

TEST_CASE("reads of shared memory that are only noted race with what is written before the block meets") {
  for (const std::int64_t step : {4, 0, 132, 2}) {
    CAPTURE(step);
    AccessForm read = kRead;
    read.bytes = step == 2 ? 2 : 4;
    Device device;
    device.launch(1, false);
    AccessHistory shared;
    REQUIRE(device.run(read, 0, shared, step));
    REQUIRE(shared.noted.size() == 1);
    std::array<std::uint64_t, 32> at{};
    at[1] = static_cast<std::uint64_t>(step) * 5;
    const RaceDetector::WarpAccess writer{&device.blocks[0], 1, 2, at.data(), &shared, nullptr, nullptr};
    SECTION("in one phase, step " + std::to_string(step)) {
      AccessForm write = kWrite;
      write.bytes = read.bytes;
      device.detector.access(write, writer);
      REQUIRE_FALSE(device.races.empty());
      CHECK(epoch::site(device.races[0].earlier) == kRead.site);
      CHECK(epoch::thread(device.races[0].earlier) / 32 == 0);
      CHECK_FALSE(device.races[0].earlier_wrote);
    }
    SECTION("behind a barrier, step " + std::to_string(step)) {
      device.blocks[0].meet_all(device.detector.knowledge());
      shared.drop_noted();
      device.detector.access(kWrite, writer);
      CHECK(device.races.empty());
    }
  }
}

TEST_CASE("reads of shared memory are looked at where somebody has written since the block met") {
  Device device;
  device.launch(1, false);
  AccessHistory shared;
  REQUIRE(device.run(kWrite, 0, shared, 4));
  CHECK_FALSE(device.run(kRead, 1, shared, 4));
  CHECK(shared.noted.empty());
  device.blocks[0].meet_all(device.detector.knowledge());
  CHECK(device.run(kRead, 1, shared, 4));
  CHECK(shared.noted.size() == 1);
}

TEST_CASE("writes of shared memory that are only noted race with other accesses before the block meets") {
  AccessForm wide = kWrite;
  wide.bytes = 8;
  for (const AccessForm& write : {kWrite, wide}) {
    Device device;
    device.launch(1, false);
    AccessHistory shared;
    const auto run = [&](const AccessForm& form, std::uint32_t warp, std::uint64_t address, std::int64_t step) {
      return device.detector.access_run(form, device.blocks[0], warp, &shared, {address, step, 0, 32});
    };
    // Two rows that touch, neither of which begins at a line of the history.
    REQUIRE(run(write, 0, 136, write.bytes));
    REQUIRE(run(write, 1, 136 + 32 * write.bytes, write.bytes));
    REQUIRE(shared.noted.size() == 2);
    std::array<std::uint64_t, 32> at{};
    at[1] = 136 + 33 * write.bytes;
    const RaceDetector::WarpAccess other{&device.blocks[0], 0, 2, at.data(), &shared, nullptr, nullptr};
    SECTION("with one lane, " + std::to_string(write.bytes) + " bytes") {
      for (const AccessForm& form : {kRead, kWrite}) {
        device.races.clear();
        device.detector.access(form, other);
        REQUIRE_FALSE(device.races.empty());
        CHECK(device.races[0].earlier_wrote);
        CHECK(epoch::site(device.races[0].earlier) == kWrite.site);
        CHECK(epoch::thread(device.races[0].earlier) == 33);
      }
    }
    SECTION("with a row, " + std::to_string(write.bytes) + " bytes") {
      CHECK_FALSE(run(write, 1, 128, write.bytes));
      CHECK(shared.noted.empty());
      CHECK_FALSE(run(kRead, 1, 136, 4));
      // The same threads write again, and others elsewhere.
      CHECK(run(write, 0, 136, write.bytes));
      CHECK(run(write, 1, 2048, write.bytes));
      CHECK(shared.noted.empty());
    }
    SECTION("behind a barrier, " + std::to_string(write.bytes) + " bytes") {
      device.blocks[0].meet_all(device.detector.knowledge());
      shared.drop_noted();
      device.detector.access(kWrite, other);
      CHECK(run(kRead, 1, 0, 132));
      CHECK(device.races.empty());
    }
  }
}

TEST_CASE("writes of shared memory are checked where another thread has accessed it since the last barrier") {
  Device device;
  device.launch(1, false);
  AccessHistory shared;
  std::array<std::uint64_t, 32> at{};
  at[3] = 64;
  const RaceDetector::WarpAccess one{&device.blocks[0], 0, 8, at.data(), &shared, nullptr, nullptr};
  SECTION("a recorded read") { device.detector.access(kRead, one); }
  SECTION("a recorded write") { device.detector.access(kWrite, one); }
  SECTION("a noted read") { REQUIRE(device.run(kRead, 0, shared, 132)); }
  SECTION("a copy that nobody has waited for, and a barrier") {
    device.detector.begin_copy(kWrite, one);
    device.blocks[0].meet_all(device.detector.knowledge());
    shared.drop_noted();
  }
  CHECK_FALSE(device.run(kWrite, 1, shared, 4));
  CHECK(shared.noted.empty());
}

TEST_CASE("lanes without a stride in shared memory are only noted, and race with others before the block meets") {
  for (const std::uint32_t bytes : {4u, 16u}) {
    AccessForm read = kRead, write = kWrite;
    read.bytes = write.bytes = bytes;
    for (const AccessForm& first : {read, write}) {
      Device device;
      device.launch(1, false);
      AccessHistory shared;
      std::array<std::uint64_t, 32> at{}, other{};
      for (unsigned lane = 0; lane < 32; ++lane) at[lane] = (lane ^ 5) * bytes + 2048 - 8 * bytes;
      other[1] = at[7] + bytes - 4;
      const RaceDetector::WarpAccess by{&device.blocks[0], 1, 0xfffffff0, at.data(), &shared, nullptr, nullptr};
      const RaceDetector::WarpAccess one{&device.blocks[0], 0, 2, other.data(), &shared, nullptr, nullptr};
      const std::string name = (first.kind == Kind::read ? "reads of " : "writes of ") + std::to_string(bytes);
      device.detector.access(first, by);
      REQUIRE(shared.noted.size() == 1);
      REQUIRE(shared.noted[0].is_scattered());
      SECTION(name + ", and one lane writes") {
        device.detector.access(kWrite, one);
        REQUIRE(device.races.size() == 1);
        CHECK(device.races[0].earlier_wrote == (first.kind == Kind::write));
        CHECK(epoch::thread(device.races[0].earlier) == 39);
        CHECK(epoch::site(device.races[0].earlier) == first.site);
      }
      SECTION(name + ", and a lane that was not noted writes") {
        other[1] = at[3];
        device.detector.access(kWrite, one);
        CHECK(device.races.empty());
      }
      SECTION(name + ", and one lane reads") {
        device.detector.access(kRead, one);
        CHECK(device.races.size() == (first.kind == Kind::write ? 1 : 0));
      }
      SECTION(name + ", and a row is written") {
        CHECK_FALSE(device.detector.access_run(kWrite, device.blocks[0], 0, &shared, {at[7] & ~63ull, 4, 0, 32}));
        CHECK(shared.noted.empty());
      }
      SECTION(name + ", a barrier, and one lane writes") {
        device.blocks[0].meet_all(device.detector.knowledge());
        shared.drop_noted();
        device.detector.access(kWrite, one);
        CHECK(device.races.empty());
      }
    }
  }
}

TEST_CASE("two lanes that write one word at once race, and leave no other word noted") {
  Device device;
  device.launch(1, false);
  AccessHistory shared;
  std::array<std::uint64_t, 32> at{};
  for (unsigned lane = 0; lane < 32; ++lane) at[lane] = lane * lane * 8;
  at[31] = at[9];
  device.detector.access(kWrite, {&device.blocks[0], 0, ~0u, at.data(), &shared, nullptr, nullptr});
  REQUIRE(device.races.size() == 1);
  CHECK(device.races[0].lane == 31);
  CHECK(shared.noted.empty());
  CHECK_FALSE(shared.notes_writes());
  device.blocks[0].meet_all(device.detector.knowledge());
  shared.drop_noted();
  at[31] = 31 * 31 * 8;
  device.detector.access(kWrite, {&device.blocks[0], 0, ~0u, at.data(), &shared, nullptr, nullptr});
  CHECK(device.races.size() == 1);
  CHECK(shared.notes_writes());
}
