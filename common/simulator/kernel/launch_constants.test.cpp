// What comes out the same in every block, and what must not be taken for it.
#include "common/simulator/kernel/launch_constants.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;
using Found = std::vector<bool>;

namespace {

constexpr InstructionKind kPure{true, false}, kOther{false, false}, kAcrossLanes{false, true};

Access uses(std::vector<std::uint32_t> writes, std::vector<std::uint32_t> reads) {
  return {std::move(reads), std::move(writes), false};
}

}  // namespace

TEST_CASE("what follows from launch constants alone is one") {
  // r0 = ; r1 = r0; r2 = load r1; r3 = r1 + r2
  const std::vector<Access> accesses{uses({0}, {}), uses({1}, {0}), uses({2}, {1}), uses({3}, {1, 2})};
  CHECK(find_launch_constants({kPure, kPure, kOther, kPure}, accesses, {}, 4) == Found{true, true, false, false});
}

TEST_CASE("a register with two writers is no launch constant") {
  // r0 = ; r1 = r0; r1 = r1 (a loop's counter)
  const std::vector<Access> accesses{uses({0}, {}), uses({1}, {0}), uses({1}, {1})};
  CHECK(find_launch_constants({kPure, kPure, kPure}, accesses, {}, 2) == Found{true, false, false});
}

TEST_CASE("a register that may be read before it is written is no launch constant") {
  CHECK(find_launch_constants({kPure}, {uses({0}, {})}, {0}, 1) == Found{false});
}

TEST_CASE("a register that other lanes look at is no launch constant") {
  // r0 = ; r1 = shfl r0; the lanes that did not come by must hold what they held.
  const std::vector<Access> accesses{uses({0}, {}), uses({1}, {0})};
  CHECK(find_launch_constants({kPure, kAcrossLanes}, accesses, {}, 2) == Found{false, false});
  CHECK(find_launch_constants({kPure, kOther}, accesses, {}, 2) == Found{true, false});
}

TEST_CASE("arithmetic is pure, unless it has a carry; memory and functions among lanes are not") {
  using warpbook::simulator::ptx::OperationId;
  CHECK(is_pure(OperationId::mad_integer));
  CHECK(is_pure(OperationId::setp_integer));
  CHECK_FALSE(is_pure(OperationId::addc));
  CHECK_FALSE(is_pure(OperationId::ld));
  CHECK_FALSE(is_pure(OperationId::activemask));
  CHECK(crosses_lanes(OperationId::shfl_sync));
  CHECK_FALSE(crosses_lanes(OperationId::mad_integer));
}
