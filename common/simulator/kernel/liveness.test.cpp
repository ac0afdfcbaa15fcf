// Live ranges share slots exactly when they do not overlap.
#include "common/simulator/kernel/liveness.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

Access uses(std::vector<std::uint32_t> writes, std::vector<std::uint32_t> reads, bool guarded = false) {
  return {std::move(reads), std::move(writes), guarded};
}

}  // namespace

TEST_CASE("registers that are not live together share a slot") {
  // r0 = ; r1 = r0; r2 = r1; leave
  const std::vector<Flow> flow{{}, {}, {}, {Flow::Kind::leave, false, {}}};
  const std::vector<Access> accesses{uses({0}, {}), uses({1}, {0}), uses({2}, {1}), uses({}, {2})};
  const auto slots = assign_slots(FlowGraph(flow), accesses, std::vector<RegisterClass>(3, RegisterClass::narrow), 0);
  CHECK(slots.offset[0] == slots.offset[2]);
  CHECK(slots.offset[0] != slots.offset[1]);  // A result never lies on an input.
  CHECK(slots.bytes == 256);
  CHECK(slots.live_at_entry.empty());
}

TEST_CASE("a register that a loop carries keeps its slot through the loop") {
  // 0: r0 = ; 1: r1 = ; 2: r2 = r1; 3: branch 1; 4: use r0
  std::vector<Flow> flow(5);
  flow[3] = {Flow::Kind::branch, true, {1}};
  flow[4] = {Flow::Kind::leave, false, {}};
  const std::vector<Access> accesses{uses({0}, {}), uses({1}, {}), uses({2}, {1}), uses({}, {2}), uses({}, {0})};
  const auto slots = assign_slots(FlowGraph(flow), accesses, std::vector<RegisterClass>(3, RegisterClass::narrow), 64);
  CHECK(slots.offset[0] != slots.offset[1]);
  CHECK(slots.offset[0] != slots.offset[2]);
  CHECK(slots.offset[0] >= 64);
}

TEST_CASE("a guarded write keeps the old value alive") {
  // 0: r0 = ; 1: @p r0 = ; 2: use r0 - r1 is written between and must not take its place.
  const std::vector<Flow> flow{{}, {}, {}, {Flow::Kind::leave, false, {}}};
  const std::vector<Access> accesses{uses({0}, {}), uses({1}, {}), uses({0}, {1}, true), uses({}, {0})};
  const auto slots = assign_slots(FlowGraph(flow), accesses, std::vector<RegisterClass>(2, RegisterClass::narrow), 0);
  CHECK(slots.offset[0] != slots.offset[1]);
}

TEST_CASE("a register read before it is written is found") {
  const std::vector<Flow> flow{{}, {Flow::Kind::leave, false, {}}};
  const auto slots =
      assign_slots(FlowGraph(flow), {uses({0}, {1}), uses({}, {0})}, {RegisterClass::narrow, RegisterClass::wide}, 0);
  CHECK(slots.live_at_entry == std::vector<std::uint32_t>{1});
}

TEST_CASE("classes have their own slots, and pressure counts 32-bit registers") {
  const std::vector<Flow> flow{{}, {}, {}, {Flow::Kind::leave, false, {}}};
  const std::vector<Access> accesses{uses({0}, {}), uses({1}, {}), uses({2}, {}), uses({}, {0, 1, 2})};
  const auto slots = assign_slots(FlowGraph(flow), accesses,
                                  {RegisterClass::predicate, RegisterClass::narrow, RegisterClass::wide}, 0);
  CHECK(slots.bytes == 64 + 128 + 256);
  CHECK(slots.pressure == 3);
}
