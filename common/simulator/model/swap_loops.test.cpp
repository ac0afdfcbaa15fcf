// Tests of compare-and-swap loops: how they are recognised, and what they cost.
#include "common/simulator/model/swap_loops.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/machine/testing.h"
#include "common/simulator/model/near.h"
#include "common/simulator/model/time_model.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// The address of word (thread & mask) of the first array, in %rd3.
std::string word_of_thread(unsigned mask) {
  return "mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1; and.b32 %r5, %r4, " + std::to_string(mask) +
         "; mul.wide.u32 %rd4, %r5, 4; add.s64 %rd3, %rd1, %rd4;\n";
}

const std::string kAddOne =
    "ld.global.u32 %r6, [%rd3];\nagain: mov.u32 %r7, %r6; add.s32 %r8, %r7, 1;\n"
    "atom.global.cas.b32 %r6, [%rd3], %r7, %r8; setp.ne.s32 %p1, %r6, %r7; @%p1 bra again;\n";
const std::string kLock = "again: atom.global.cas.b32 %r6, [%rd3], 0, 0; setp.ne.s32 %p1, %r6, 0; @%p1 bra again;\n";
/// Eight steps, each of which takes a node that no other thread has taken yet.
const std::string kClaim =
    "mov.u32 %r9, 0;\nnext: atom.global.cas.b32 %r6, [%rd3], 0, 1; setp.ne.s32 %p1, %r6, 0; @%p1 bra taken;\n"
    "st.global.u32 [%rd2], %r9;\ntaken: add.s32 %r9, %r9, 1; setp.ne.s32 %p2, %r9, 8; @%p2 bra next;\n";
/// A maximum of the values in %r9.
const std::string kLargest =
    "ld.global.u32 %r6, [%rd3];\nagain: setp.ge.u32 %p1, %r6, %r9; @%p1 bra larger;\n"
    "mov.u32 %r7, %r6; atom.global.cas.b32 %r6, [%rd3], %r7, %r9; setp.ne.s32 %p1, %r6, %r7; @%p1 bra "
    "again;\nlarger:\n";

Repeats repetition_of(const std::string& body) {
  Bench bench(kernel(word_of_thread(0) + body));
  const std::vector<std::uint32_t>& accesses = bench.program->memory_operations;
  const auto swap = std::find_if(accesses.begin(), accesses.end(), [&](std::uint32_t index) {
    return bench.program->operations[index].atomic == ptx::AtomicOp::cas;
  });
  REQUIRE(swap != accesses.end());
  return repeats(*bench.program, *swap);
}

KernelTime time_of(const std::string& body, unsigned blocks, unsigned threads) {
  Bench bench(kernel(body));
  const std::uint64_t words = bench.array(std::vector<std::uint32_t>(std::size_t{1} << 17, 0));
  const std::uint64_t other = bench.array(std::vector<std::uint32_t>(32, 0));
  const Dim3 grid{blocks, 1, 1}, block{threads, 1, 1};
  const LaunchResult result = bench.launch("k", grid, block, {words, other});
  REQUIRE(result.fault.kind == FaultKind::none);
  return predict(load_device("h200"), {*bench.program, *bench.program->find("k"), grid, block, 0, 16, result.counters});
}

}  // namespace

TEST_CASE("a compare and swap is tried again if a loop goes on by its answer") {
  CHECK(repetition_of(kAddOne) == Repeats::until_found);
  CHECK(repetition_of(kLock) == Repeats::until_found);
  CHECK(repetition_of(kLargest) == Repeats::until_passed);
  CHECK(repetition_of(kClaim) == Repeats::no);
  CHECK(repetition_of("atom.global.cas.b32 %r6, [%rd3], 0, 1; st.global.u32 [%rd2], %r6;\n") == Repeats::no);
}

TEST_CASE("warps that swap one word get in each other's way, those of different words do not") {
  // Measured (validation/families contended loop_f32_1024 and loop_f32_65536, 2026-11-23): 2^17 threads take 100 us on
  // 1024 words and 4.5 us on 65536.
  const double few = time_of(word_of_thread(1023) + kAddOne, 512, 256).us;
  const double many = time_of(word_of_thread(65535) + kAddOne, 512, 256).us;
  CAPTURE(few, many);
  CHECK(near(few, 100, 0.4));
  CHECK(many < few / 10);
}

TEST_CASE("a compare and swap that is not tried again takes a pass for each lane on a word, no more") {
  const double passes = 64.0 * 8 * 32;
  const KernelTime time = time_of(word_of_thread(0) + kClaim, 64, 32);
  CAPTURE(time.us);
  CHECK(near(time.us, passes / load_device("h200").model.atomic_operations_per_us, 0.3));
}

TEST_CASE("maxima take about as long whatever the order of the blocks, which all try at once") {
  // Measured (validation/causes swaps maxima_64_64, 2026-11-27): rising values 8.0 us, falling ones 11.1 us.
  const auto of_order = [](const std::string& value) {
    return time_of(word_of_thread(63) + value + kLargest, 64, 256).us;
  };
  const double rising = of_order("add.u32 %r9, %r4, 1;\n");
  const double falling = of_order("mov.u32 %r9, 20000; sub.u32 %r9, %r9, %r4;\n");
  CAPTURE(rising, falling);
  CHECK(near(rising, 7, 0.25));  // Without the 1.3 us between two events.
  CHECK(near(falling, rising, 0.1));
}

TEST_CASE("of lanes that come to a maximum in any order, few pass it and the others give up soon") {
  // The recurrence itself.
  double tries = 0, rounds = 0, all_tries = 0, all_rounds = 0;
  for (int n = 1; n <= 1000; ++n) {
    tries = n + all_tries / n;
    rounds = 1 + all_rounds / n;
    all_tries += tries;
    all_rounds += rounds;
  }
  const Attempts found = attempts_at_extreme(1000);
  CHECK(near(found.tries, tries, 1e-3));
  CHECK(near(found.rounds, rounds, 1e-3));
}
