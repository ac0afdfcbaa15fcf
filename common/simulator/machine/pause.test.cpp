// Grids that wait for values written by others, and which kernels may wait.
#include <string>

#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::testing;

namespace {

constexpr const char* kWaits =
    "again: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.s32 %p1, %r3, 0; @%p1 bra again;\n"
    "st.global.u32 [%rd1+4], %r3;";

/// A kernel k that waits for a word, and one that stores it.
std::string with_store() {
  return kernel(kWaits) +
         ".visible .entry store(.param .u64 p0, .param .u64 p1)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<4>;\n"
         "ld.param.u64 %rd1, [p0]; mov.u32 %r1, 7; st.global.u32 [%rd1], %r1; ret;\n}\n";
}

struct Waited {
  LaunchResult result;
  int answer = 0;
  unsigned in_vain = 0;
};

/// The word is stored after the grid has polled it @p looks times.
Waited wait_for_looks(unsigned looks) {
  Bench bench(with_store());
  const std::uint64_t words = bench.array(std::vector<int>{0, 0});
  Waited waited;
  unsigned left = looks;
  bench.settings.wait = [&](const GridWait& wait) {
    CHECK(wait.waiting);
    CHECK(!wait.host_memory);
    waited.in_vain += wait.in_vain ? 1 : 0;
    if (--left == 0) bench.launch("store", {1}, {1}, {words, 0});
    return WaitAnswer::look;
  };
  waited.result = bench.launch("k", {2}, {64}, {words, 0});
  waited.answer = bench.read<int>(words, 2)[1];
  return waited;
}

bool may_wait(const std::string& body) { return Bench(kernel(body)).program->find("k")->may_wait; }

}  // namespace

TEST_CASE("a waiting grid continues when the word is written, and unsuccessful polls leave no trace") {
  const Waited soon = wait_for_looks(1), late = wait_for_looks(9);
  for (const Waited* waited : {&soon, &late}) {
    CHECK(waited->result.fault.message == "");
    CHECK(waited->answer == 7);
  }
  CHECK(soon.in_vain == 0);
  CHECK(late.in_vain == 8);
  const Counters &a = soon.result.counters, &b = late.result.counters;
  CHECK(a.critical_warp_inst == b.critical_warp_inst);
  REQUIRE(a.instructions.size() == b.instructions.size());
  for (std::size_t i = 0; i < a.instructions.size(); ++i) {
    CAPTURE(i);
    CHECK(a.instructions[i].inst_executed == b.instructions[i].inst_executed);
  }
}

TEST_CASE("a grid that waits forever faults, and one that is stopped ends") {
  for (const WaitAnswer answer : {WaitAnswer::endless, WaitAnswer::stop}) {
    Bench bench(with_store());
    const std::uint64_t words = bench.array(std::vector<int>{0, 0});
    bench.settings.wait = [answer](const GridWait&) { return answer; };
    const LaunchResult result = bench.launch("k", {1}, {32}, {words, 0});
    CHECK(result.fault.kind == FaultKind::deadlock);
    CHECK((result.fault.message.find("loops forever") != std::string::npos) == (answer == WaitAnswer::endless));
  }
}

TEST_CASE("kernels with a loop that can see memory change may wait") {
  CHECK(may_wait(kWaits));
  CHECK(may_wait("again: atom.global.add.u32 %r3, [%rd1], 0; setp.eq.s32 %p1, %r3, 0; @%p1 bra again;"));
  CHECK(may_wait("again: ld.global.u32 %r3, [%rd1]; membar.gl; setp.eq.s32 %p1, %r3, 0; @%p1 bra again;"));
  CHECK(!may_wait("again: ld.global.u32 %r3, [%rd1]; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9; @%p1 bra again;"));
  CHECK(!may_wait("ld.volatile.global.u32 %r3, [%rd1]; st.global.u32 [%rd2], %r3;"));
  CHECK(!may_wait("again: ld.volatile.shared.u32 %r3, [tile]; setp.eq.s32 %p1, %r3, 0; @%p1 bra again;"));
}
