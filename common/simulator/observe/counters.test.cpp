// Sums of counters.
#include "common/simulator/observe/counters.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("counters of workers are summed") {
  Counters a, b;
  a.instructions = {{1, 32, 30}, {2, 64, 64}};
  b.instructions = {{10, 320, 300}, {0, 0, 0}, {5, 5, 5}};
  a.memory.resize(1);
  b.memory.resize(1);
  a.memory[0].sectors = 4;
  b.memory[0].sectors = 8;
  a.memory[0].conflicts = 1;
  b.memory[0].tag_wavefronts = 3;
  b.branches = {{7, 2}};
  a.critical_warp_inst = 100;
  b.critical_warp_inst = 90;
  a.longest_warps_inst = 100;
  b.longest_warps_inst = 170;
  a.blocks = 1;
  b.blocks = 2;
  a.add(b);
  REQUIRE(a.instructions.size() == 3);
  CHECK(a.instructions[0].inst_executed == 11);
  CHECK(a.instructions[1].thread_inst_executed == 64);
  CHECK(a.instructions[2].thread_inst_executed_true == 5);
  CHECK(a.memory[0].sectors == 12);
  CHECK(a.memory[0].conflicts == 1);
  CHECK(a.memory[0].tag_wavefronts == 3);
  CHECK(a.branches[0].divergent == 2);
  CHECK(a.critical_warp_inst == 100);
  CHECK(a.longest_warps_inst == 270);
  CHECK(a.blocks == 3);
}

TEST_CASE("the widest stride is kept whoever saw it") {
  for (const auto& [x, y, kept] :
       {std::tuple{4, 128, 128}, {128, 4, 128}, {-256, 128, -256}, {64, -64, 64}, {-64, 64, 64}}) {
    Counters a, b;
    a.memory.resize(1);
    b.memory.resize(1);
    a.memory[0].stride = x;
    b.memory[0].stride = y;
    a.memory[0].stride_requests = b.memory[0].stride_requests = 2;
    a.add(b);
    CHECK(a.memory[0].stride == kept);
    CHECK(a.memory[0].stride_requests == 4);
  }
}
