// Tests of the time model on its inputs: limits, monotony, launch overhead, waves.
#include "common/simulator/model/time_model.h"

#include "common/simulator/model/near.h"
#include "common/simulator/model/work_totals.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

WorkTotals totals_of(const Device& device, double blocks, double threads) {
  WorkTotals totals;
  totals.blocks = blocks;
  totals.threads_per_block = threads;
  totals.warps_per_block = threads / 32;
  totals.occupancy = occupancy(device, 16, static_cast<unsigned>(threads), 0);
  return totals;
}

}  // namespace

TEST_CASE("an empty kernel takes the launch overhead and says so") {
  const Device& device = load_device("h200");
  const KernelTime time = predict(device, totals_of(device, 1, 256));
  CAPTURE(time.us);
  CHECK(near(time.us, device.model.kernel_overhead_us, 0.02));
  CHECK(time.limiter == "launch");
}

TEST_CASE("many empty blocks are bound by the rate at which blocks start") {
  // Measured: 132000 empty blocks of 256 threads, 82.0 us between events, 80.6 without them.
  const Device& device = load_device("h200");
  const KernelTime time = predict(device, totals_of(device, 132000, 256));
  CAPTURE(time.us);
  CHECK(time.limiter == "blocks");
  CHECK(near(time.us, 80.6, 0.25));
}

TEST_CASE("each resource becomes the limiter when its work is the largest") {
  const Device& device = load_device("h200");
  const auto limiter = [&](auto&& change) {
    WorkTotals totals = totals_of(device, 1320, 256);
    change(totals);
    return predict(device, totals).limiter;
  };
  const auto pipe = [](ptx::Pipe which) { return static_cast<std::size_t>(which); };
  CHECK(limiter([&](WorkTotals& t) { t.instructions = 1e9; }) == "issue");
  CHECK(limiter([&](WorkTotals& t) { t.pipes[pipe(ptx::Pipe::alu)] = 1e9; }) == "alu");
  CHECK(limiter([&](WorkTotals& t) { t.pipes[pipe(ptx::Pipe::fma)] = 1e9; }) == "fma");
  CHECK(limiter([&](WorkTotals& t) { t.pipes[pipe(ptx::Pipe::fp64)] = 1e9; }) == "fp64");
  CHECK(limiter([&](WorkTotals& t) { t.pipes[pipe(ptx::Pipe::xu)] = 1e9; }) == "xu");
  CHECK(limiter([&](WorkTotals& t) { t.lsu_wavefronts = 1e9; }) == "lsu");
  CHECK(limiter([&](WorkTotals& t) { t.l2_partial_lines = 1e9; }) == "l2");
  CHECK(limiter([&](WorkTotals& t) { t.dram_read_bytes = 1e9; }) == "dram");
  CHECK(limiter([&](WorkTotals& t) { t.longest_cycles = 1e6; }) == "latency");
  const auto contended = [&](WorkTotals& t) {
    t.atomic_passes = t.atomic_visits = 1e7;
    t.atomic_sectors = t.atomic_pairs = 1;
  };
  CHECK(limiter(contended) == "atomics");
  CHECK(limiter([&](WorkTotals& t) { t.pipes[pipe(ptx::Pipe::barrier)] = 1e9; }) == "barrier");
  CHECK(limiter([&](WorkTotals& t) { t.texture_quads = 1e9; }) == "texture");
  CHECK(limiter([&](WorkTotals& t) { t.cluster_wavefronts = 1e9; }) == "cluster");
  CHECK(limiter([&](WorkTotals& t) { t.heap_calls = 1e6; }) == "heap");
}

TEST_CASE("atomics on few pieces of memory keep few slices busy, and floats on one address wait for each other") {
  // Measured (validation/families contended, 2026-11-23): 2^18 lanes on 1 word 191 us, on 4 words 47.6, on 1024 words
  // 2.1; floats on 1 word 459.
  const Device& device = load_device("h200");
  const auto us = [&](double passes, double visits, double sectors, bool floats) {
    WorkTotals totals = totals_of(device, 1024, 256);
    const double none = predict(device, totals).us;
    totals.atomic_passes = passes;
    totals.atomic_visits = visits;
    totals.atomic_sectors = sectors;
    totals.atomic_pairs = sectors / 2;
    if (floats) totals.atomic_float_passes = passes;
    return predict(device, totals).us - none;
  };
  CHECK(near(us(262144, 8192, 1, false), 191, 0.1));
  CHECK(near(us(65536, 8192, 1, false), 47.6, 0.1));
  CHECK(near(us(32768, 32768, 128, false), 2.1, 0.3));
  CHECK(near(us(262144, 8192, 1, true), 459, 0.05));
}

TEST_CASE("scattered lanes make memory slower") {
  const Device& device = load_device("h200");
  WorkTotals totals = totals_of(device, 1320, 256);
  totals.dram_read_bytes = 1e9;
  const double in_order = predict(device, totals).us;
  totals.irregular_share = 1;
  CHECK(near(predict(device, totals).us, in_order / device.model.dram_random_share, 0.05));
}

TEST_CASE("more work never takes less time") {
  const Device& device = load_device("h200");
  WorkTotals totals = totals_of(device, 1320, 256);
  totals.block_cycles = totals.longest_cycles = 1000;
  double last = predict(device, totals).us;
  for (double bytes = 1e6; bytes < 1e10; bytes *= 3) {
    totals.dram_read_bytes = bytes;
    const double us = predict(device, totals).us;
    CHECK(us > last);
    last = us;
  }
}

TEST_CASE("the block that does not fit into a wave costs another round") {
  // Measured (validation/waves): 1056 blocks of 256 threads take 24.6 us, 1057 take 26.7; 132 take 7.7, 133 take 8.7.
  const Device& device = load_device("h200");
  const auto us = [&](double blocks) {
    WorkTotals totals = totals_of(device, blocks, 256);
    totals.block_cycles = totals.longest_cycles = 10000;
    totals.instructions = blocks * 8 * 2400;
    return predict(device, totals).us;
  };
  CHECK(us(133) > us(132));
  CHECK(us(1057) > us(1056));
  CHECK(near(us(1), us(132), 0.2));
}
