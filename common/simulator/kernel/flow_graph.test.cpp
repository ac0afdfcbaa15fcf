// Basic blocks and reconvergence points of small control-flow shapes.
#include "common/simulator/kernel/flow_graph.h"

#include <algorithm>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

Flow next() { return {}; }
Flow leave(bool conditional = false) { return {Flow::Kind::leave, conditional, {}}; }
Flow jump(std::uint32_t target) { return {Flow::Kind::branch, false, {target}}; }
Flow branch(std::uint32_t target) { return {Flow::Kind::branch, true, {target}}; }

/// The first instruction of the block where paths that diverge at instruction @p at meet; -1: nowhere.
int meet(const FlowGraph& graph, std::uint32_t at) {
  const std::int32_t block = graph.blocks()[graph.block_of(at)].reconvergence;
  return block < 0 ? -1 : static_cast<int>(graph.blocks()[static_cast<std::size_t>(block)].begin);
}

}  // namespace

TEST_CASE("an if-else meets behind both sides") {
  // 0: branch 3; 1: then; 2: jump 4; 3: else; 4: leave
  const FlowGraph graph({branch(3), next(), jump(4), next(), leave()});
  CHECK(graph.blocks().size() == 4);
  CHECK(meet(graph, 0) == 4);
}

TEST_CASE("a loop's lanes meet behind the loop") {
  // 0: head; 1: body; 2: branch 1; 3: leave
  const FlowGraph graph({next(), next(), branch(1), leave()});
  CHECK(meet(graph, 2) == 3);
}

TEST_CASE("lanes that return early do not keep the others from meeting") {
  // 0: branch 4 (outer if); 1: branch 6 (inner: return); 2: x; 3: jump 4; 4: y; 5: next; 6: leave
  const FlowGraph graph({branch(4), branch(6), next(), jump(4), next(), next(), leave()});
  CHECK(meet(graph, 0) == 4);
}

TEST_CASE("a guarded exit ends a block and falls through") {
  const FlowGraph graph({next(), leave(true), next(), leave()});
  REQUIRE(graph.blocks().size() == 2);
  CHECK(graph.blocks()[0].leaves);
  CHECK(graph.blocks()[0].successors == std::vector<std::uint32_t>{1});
}

TEST_CASE("an irreducible loop has a reconvergence point") {
  // 0: branch 3 (into the middle of the loop); 1: a; 2: next; 3: b; 4: branch 1; 5: leave
  const FlowGraph graph({branch(3), next(), next(), next(), branch(1), leave()});
  CHECK(meet(graph, 0) == 3);
  CHECK(meet(graph, 4) == 5);
  // Two entries and two exits: 0: branch 3; 1: branch 5; 2: jump 3; 3: branch 5; 4: jump 1; 5: leave
  const FlowGraph knot({branch(3), branch(5), jump(3), branch(5), jump(1), leave()});
  CHECK(meet(knot, 1) == 5);
  CHECK(meet(knot, 3) == 5);
}

TEST_CASE("an endless loop meets nowhere") {
  // 0: branch 2; 1: leave; 2: branch 2; 3: jump 2
  const FlowGraph graph({branch(2), leave(), branch(2), jump(2)});
  CHECK(meet(graph, 2) == -1);
}

TEST_CASE("every target of an indexed branch follows it") {
  const Flow table{Flow::Kind::indexed_branch, false, {1, 3, 5}};
  const FlowGraph graph({table, next(), jump(6), next(), jump(6), next(), leave()});
  CHECK(graph.blocks()[0].successors.size() == 3);
  CHECK(meet(graph, 0) == 6);
}
