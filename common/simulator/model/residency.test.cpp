// Tests of what fits on SMs side by side.
#include "common/simulator/model/residency.h"

#include <cmath>

#include "common/simulator/model/near.h"
#include "common/simulator/model/occupancy.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

GridDemand grid_of(std::uint64_t blocks, unsigned threads, unsigned registers = 16, std::uint64_t shared = 0) {
  const Device& device = load_device("h200");
  KernelTime time;
  time.occupancy = occupancy(device, registers, threads, shared);
  return GridDemand::of(device, blocks, threads, registers, shared, time);
}

/// When the second of two grids of 400 us starts and ends, if both reach the device together.
Residency::Place second_of(const GridDemand& first, const GridDemand& second) {
  Residency residency(load_device("h200"));
  residency.place(first, 0, 400, 0);
  CHECK(residency.start_of(second, 0, 0) == Residency(residency).place(second, 0, 400, 0).start);
  return residency.place(second, 0, 400, 0);
}

}  // namespace

TEST_CASE("grids share a multiprocessor as far as warps, registers, shared memory and slots allow") {
  CHECK(second_of(grid_of(132, 1024), grid_of(132, 1024)).start == 0);
  CHECK(second_of(grid_of(264, 1024), grid_of(132, 1024)).start == 400);
  CHECK(second_of(grid_of(132, 128, 16, 120000), grid_of(132, 128, 16, 120000)).start == 400);
  CHECK(second_of(grid_of(132, 256, 200), grid_of(132, 256, 200)).start == 400);
  CHECK(second_of(grid_of(132, 256, 100), grid_of(132, 256, 100)).start == 0);
  CHECK(second_of(grid_of(31 * 132, 32), grid_of(132, 32)).start == 0);
  CHECK(second_of(grid_of(32 * 132, 32), grid_of(132, 32)).start == 400);
}

// The following was measured on an H200 (driver 580.159, CUDA 13.0, 2026-11-23): validation/timeline/fits, priorities.
TEST_CASE("a multiprocessor that is not idle gives no more of its L1 to shared memory") {
  CHECK(second_of(grid_of(132, 128, 16, 120000), grid_of(132, 128, 16, 100000)).start == 400);
  CHECK(second_of(grid_of(66, 128, 16, 200000), grid_of(132, 128, 16, 100000)).end == 400);
  CHECK(second_of(grid_of(132, 128, 16, 200000), grid_of(132, 1024)).start == 0);
  CHECK(second_of(grid_of(132, 128, 16, 232448), grid_of(132, 128)).start == 400);
}

TEST_CASE("blocks that do not fit at once come as others end") {
  CHECK(second_of(grid_of(198, 1024), grid_of(132, 1024)).start == 0);
  CHECK(second_of(grid_of(198, 1024), grid_of(132, 1024)).end == 800);
  CHECK(second_of(grid_of(66, 128, 16, 200000), grid_of(264, 128, 16, 100000)).end == 800);
  Residency residency(load_device("h200"));
  residency.place(grid_of(660, 1024), 0, 1200, 0);
  const Residency::Place wave = residency.place(grid_of(264, 1024), 5, 400, 0);
  CHECK(wave.start == 800);
  CHECK(wave.end == 1600);
}

TEST_CASE("a grid of more blocks than can be told apart in time is placed beside another one") {
  CHECK(near(second_of(grid_of(132, 1024), grid_of(std::uint64_t{1} << 60, 1024)).end, 600, 1e-6));
  // Its blocks on the places that become free at 400.5 us are out of step with the others, for some 1e12 rounds.
  Residency residency(load_device("h200"));
  residency.place(grid_of(132, 1024), 0, 400.5, 0);
  const GridDemand huge = grid_of((std::uint64_t{1} << 40) * 264, 1024);
  CHECK(near(residency.place(huge, 0, std::ldexp(1.0, 40), 0).end, std::ldexp(1.0, 40) + 200, 1e-12));
}

TEST_CASE("grids are distributed in the order in which they come, also if a later one would fit") {
  Residency residency(load_device("h200"));
  residency.place(grid_of(132, 128, 16, 200000), 0, 400, 0);
  CHECK(residency.place(grid_of(132, 128, 16, 100000), 1, 400, 0).start == 400);
  CHECK(residency.place(grid_of(132, 128, 16, 1000), 2, 400, 0).start == 400);
}

TEST_CASE("blocks of higher priority take the next places that come free") {
  Residency residency(load_device("h200"));
  residency.place(grid_of(2640, 1024), 0, 1000, 0);
  const Residency::Place urgent = residency.place(grid_of(264, 1024), 50, 100, -5);
  CHECK(urgent.start == 100);
  CHECK(urgent.end == 200);
  CHECK(residency.place(grid_of(264, 1024), 51, 100, 0).start == 1000);
}

TEST_CASE("grids of green contexts keep to their multiprocessors and do not queue up behind each other") {
  GridDemand first = grid_of(256, 1024), second = first;
  first.partition = {0, 64};
  second.partition = {64, 64};
  CHECK(second_of(first, second).start == 0);
  CHECK(second_of(first, second).end == 400);
  CHECK(second_of(first, first).start == 400);
  second.partition = {56, 64};  // Eight in common, which come free last.
  CHECK(second_of(first, second).start > 0);
  second.partition = {};
  CHECK(second_of(first, second).start > 0);
}

TEST_CASE("as many grids as the device holds run at once") {
  Residency residency(load_device("h200"));
  for (int i = 0; i < 128; ++i) CHECK(residency.place(grid_of(1, 32), 0, 400, 0).start == 0);
  CHECK(residency.place(grid_of(1, 32), 0, 400, 0).start == 400);
}

// Measured there: copies of 16 MiB by 33 blocks take 14.4 us, two of them 26.4, four 42.5, eight 76.6.
TEST_CASE("grids that want more of the memory than there is slow each other down") {
  GridDemand copy = grid_of(33, 1024);
  copy.use.device[1] = 0.7;
  Residency residency(load_device("h200"));
  CHECK(residency.place(copy, 0, 10, 0).end == 10);
  CHECK(near(residency.place(copy, 0, 10, 0).end, 10 + 10 - 10 * 0.3 / 0.7));
  GridDemand little = grid_of(33, 1024);
  little.use.device[1] = 0.1;
  CHECK(Residency(load_device("h200")).place(little, 0, 10, 0).end == 10);
  GridDemand other = grid_of(33, 1024);
  other.use.multiprocessor[0] = 1;
  Residency apart(load_device("h200"));
  CHECK(apart.place(other, 0, 10, 0).end == 10);
  CHECK(apart.place(other, 0, 10, 0).end == 10);  // On other SMs.
}

TEST_CASE("an engine does one thing at a time, and goes on behind what was there before") {
  BusySpans engine;
  CHECK(engine.place(10, 5).start == 10);
  const BusySpans::Span before = engine.place(0, 5);
  CHECK(before.start == 0);
  CHECK(before.end == 5);
  const BusySpans::Span around = engine.place(6, 8);
  CHECK(around.start == 6);
  CHECK(around.end == 19);
  CHECK(engine.place(0, 3).start == 5);
}
