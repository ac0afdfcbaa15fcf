// Blocks count as disjoint if no byte is accessed by two of them, and only then.
#include "common/simulator/machine/disjoint_blocks.h"

#include <map>
#include <random>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// Looks at each byte of each block.
bool are_disjoint_byte_by_byte(const std::vector<ByteSpan>& spans, const std::vector<GridAxis>& axes) {
  std::map<std::int64_t, std::uint32_t> owner;
  std::uint32_t block = 0;
  for (std::int64_t z = 0; z < axes[2].blocks; ++z) {
    for (std::int64_t y = 0; y < axes[1].blocks; ++y) {
      for (std::int64_t x = 0; x < axes[0].blocks; ++x, ++block) {
        const std::int64_t origin = x * axes[0].step + y * axes[1].step + z * axes[2].step;
        for (const ByteSpan& span : spans)
          for (std::int64_t at = span.begin; at < span.end; ++at)
            if (owner.try_emplace(origin + at, block).first->second != block) return false;
      }
    }
  }
  return true;
}

struct Arrays {
  std::uint64_t in = 0, out = 0;
};
/// %rd4 and %rd5: the thread's element of two arrays, in blocks of 64 threads.
const std::string kOwnElements =
    "mad.lo.s32 %r5, %r2, 64, %r1; mul.wide.s32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n";

constexpr std::uint32_t kBlocks = 4096, kElements = kBlocks * 64;

Arrays arrays_of(Bench& bench) {
  std::vector<std::uint32_t> values(kElements);
  for (std::uint32_t k = 0; k < kElements; ++k) values[k] = k * 2654435761u;
  return {bench.array(values), bench.array(std::vector<std::uint32_t>(kElements, 7))};
}

/// Whether a launch of @p body is known to write disjoint memory. Runs it on three host threads, too, and on one.
bool has_disjoint_writes(const std::string& body, Dim3 grid = {kBlocks}, bool in_place = false) {
  INFO(body);
  std::vector<std::uint32_t> outputs[2];
  bool disjoint = false;
  for (const unsigned threads : {1u, 3u}) {
    Bench bench(kernel(body));
    bench.settings.threads = threads;
    const Arrays arrays = arrays_of(bench);
    const std::vector<std::uint64_t> parameters{in_place ? arrays.out : arrays.in, arrays.out};
    const Launch launch = bench.launch_of("k", grid, {64}, parameters);
    Worker worker;
    worker.launch = &launch;
    worker.memory = launch.memory;
    worker.counters.memory.resize(bench.program->memory_operations.size() + 1);
    worker.counters.branches.resize(bench.program->branches.size());
    worker.block_counts.resize(bench.program->blocks.size());
    worker.guard_counts.resize(bench.program->operations.size());
    BlockState block;
    block.prepare(launch, worker);
    disjoint = block.writes_are_disjoint();
    REQUIRE_FALSE(run(launch).fault);
    outputs[threads / 2] = bench.read<std::uint32_t>(arrays.out, kElements);
  }
  REQUIRE(outputs[0] == outputs[1]);
  return disjoint;
}

}  // namespace

TEST_CASE("blocks along three axes are disjoint exactly if no byte is accessed twice") {
  std::mt19937 random(42);
  const auto number = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  unsigned disjoint = 0;
  constexpr unsigned kTries = 20000;
  for (unsigned i = 0; i < kTries; ++i) {
    std::vector<ByteSpan> spans;
    const std::int64_t pitch = number(1, 40), bytes = number(1, 8);
    for (std::int64_t k = number(1, 4); k > 0; --k) {
      const std::int64_t at = number(0, 1) != 0 ? k * pitch : number(-20, 60);
      spans.push_back({at, at + bytes});
    }
    std::vector<GridAxis> axes;
    for (const std::int64_t step : {bytes, pitch, number(1, 4) * pitch})
      axes.push_back({number(0, 2) != 0 ? step : number(-50, 50), static_cast<std::uint32_t>(number(1, 5))});
    const bool expected = are_disjoint_byte_by_byte(spans, axes);
    REQUIRE(are_disjoint(spans, axes) == expected);
    disjoint += expected ? 1 : 0;
  }
  CHECK(disjoint > kTries / 10);
  CHECK(disjoint < kTries / 10 * 9);
}

TEST_CASE("the tiles of a large matrix are disjoint, unless they are too wide or too high") {
  constexpr std::int64_t kPitch = 16384;
  const auto tile = [](std::int64_t rows, std::int64_t bytes) {
    std::vector<ByteSpan> spans;
    for (std::int64_t row = 0; row < rows; ++row) spans.push_back({row * kPitch, row * kPitch + bytes});
    return spans;
  };
  CHECK(are_disjoint(tile(32, 128), {{128, 128}, {32 * kPitch, 128}, {0, 1}}));
  CHECK(are_disjoint(tile(32, 124), {{32 * kPitch, 100000}, {-128, 128}, {0, 1}}));
  CHECK_FALSE(are_disjoint(tile(32, 132), {{128, 128}, {32 * kPitch, 128}, {0, 1}}));
  CHECK_FALSE(are_disjoint(tile(33, 128), {{128, 128}, {32 * kPitch, 128}, {0, 1}}));
  CHECK_FALSE(are_disjoint(tile(32, 128), {{128, 129}, {32 * kPitch, 128}, {0, 1}}));
  CHECK_FALSE(are_disjoint(tile(1, 4), {{std::int64_t{1} << 62, 4}, {4, 4}, {0, 1}}));
}

TEST_CASE("kernels whose blocks write elements of their own are recognised") {
  CHECK(has_disjoint_writes(kOwnElements + "ld.global.u32 %r6, [%rd4]; st.global.u32 [%rd5], %r6;"));
  CHECK(has_disjoint_writes(kOwnElements + "setp.lt.s32 %p1, %r1, 40; ld.global.u32 %r6, [%rd4];\n"
                                           "@%p1 st.global.u32 [%rd5], %r6; @!%p1 st.global.u32 [%rd5], %r1;"));
  CHECK(
      has_disjoint_writes(kOwnElements +
                          "mov.u32 %r7, tile; shl.b32 %r8, %r1, 2; add.s32 %r9, %r7, %r8; ld.global.u32 %r6, [%rd4];\n"
                          "st.shared.u32 [%r9], %r6; bar.sync 0; ld.shared.u32 %r10, [%r7+8];\n"
                          "st.global.u32 [%rd5], %r10;"));
  // One element for each block, and rows of a grid with two axes.
  CHECK(has_disjoint_writes("mul.wide.s32 %rd3, %r2, 4; add.s64 %rd5, %rd2, %rd3; st.global.u32 [%rd5], %r2;"));
  CHECK(
      has_disjoint_writes("mov.u32 %r3, %ctaid.y; mad.lo.s32 %r4, %r3, 1024, %r1; mad.lo.s32 %r5, %r2, 64, %r4;\n"
                          "mul.wide.s32 %rd3, %r5, 4; add.s64 %rd5, %rd2, %rd3; st.global.u32 [%rd5], %r5;",
                          {16, 256}));
}

TEST_CASE("kernels whose blocks may share what they write are not taken to be disjoint") {
  const std::string copy = kOwnElements + "ld.global.u32 %r6, [%rd4]; st.global.u32 [%rd5], %r6;";
  CHECK_FALSE(has_disjoint_writes(copy, {kBlocks}, true));
  CHECK_FALSE(has_disjoint_writes(kOwnElements + "st.global.u32 [%rd5], %r2; st.global.u32 [%rd2], %r1;"));
  CHECK_FALSE(
      has_disjoint_writes("mad.lo.s32 %r5, %r2, 60, %r1; mul.wide.s32 %rd3, %r5, 4; add.s64 %rd5, %rd2, %rd3;\n"
                          "st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(has_disjoint_writes(kOwnElements + "red.global.add.u32 [%rd2], %r1; st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(has_disjoint_writes(kOwnElements + "st.u32 [%rd5], %r2;"));
  // Part of what would be written lies behind the array: guarded threads do not write it.
  CHECK_FALSE(has_disjoint_writes(
      kOwnElements + "setp.lt.s32 %p1, %r5, " + std::to_string(kElements) + "; @%p1 st.global.u32 [%rd5], %r2;",
      {kBlocks + 1}));
  // The address depends on memory.
  CHECK_FALSE(has_disjoint_writes(kOwnElements +
                                  "ld.global.u32 %r6, [%rd4]; and.b32 %r7, %r6, 255; mul.wide.u32 %rd6, %r7, 4;\n"
                                  "add.s64 %rd7, %rd2, %rd6; st.global.u32 [%rd7], %r1;"));
}

TEST_CASE("a fault in blocks with disjoint writes is the first one in the order of the blocks") {
  for (const unsigned threads : {1u, 3u}) {
    Bench bench(kernel(kOwnElements + "setp.gt.s32 %p1, %r2, 999; @!%p1 bra on; trap; on: ld.global.u32 %r6, [%rd4];\n"
                                      "st.global.u32 [%rd5], %r6;"));
    bench.settings.threads = threads;
    const Arrays arrays = arrays_of(bench);
    const LaunchResult result = bench.launch("k", {kBlocks}, {64}, {arrays.in, arrays.out});
    REQUIRE(result.fault);
    CHECK(result.fault.kind == FaultKind::trap);
    CHECK(result.fault.block[0] == 1000);
    CHECK(bench.read<std::uint32_t>(arrays.out + 4 * 999 * 64, 1)[0] == 999 * 64 * 2654435761u);
  }
}
