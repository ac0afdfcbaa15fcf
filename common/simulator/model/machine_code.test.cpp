// Tests of the counters where ptxas merges several instructions into one.
#include "common/simulator/model/machine_code.h"

#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

struct Counted {
  std::uint64_t loads = 0, wavefronts = 0, conflicts = 0;
};

/// Loads of one warp from shared memory, as a profiler counts them.
Counted counted(const std::string& body) {
  Bench bench(kernel(body + "st.global.u32 [%rd1], %r10;\n"));
  const std::uint64_t out = bench.array(std::vector<std::uint32_t>(32, 0));
  const Dim3 grid{1, 1, 1}, block{32, 1, 1};
  const LaunchResult result = bench.launch("k", grid, block, {out, out});
  REQUIRE(result.fault.kind == FaultKind::none);
  const Program& program = *bench.program;
  const Counters counters = count_in_machine_code(
      load_device("h200").model, {program, *program.find("k"), grid, block, 1024, 16, result.counters});
  Counted sums;
  for (std::size_t i = 0; i < program.memory_operations.size(); ++i) {
    const std::uint32_t index = program.memory_operations[i];
    if (program.details[index].id != ptx::OperationId::ld || program.operations[index].space != ptx::Space::shared)
      continue;
    sums.loads += counters.instructions[index].inst_executed;
    sums.wavefronts += counters.memory[i].wavefronts;
    sums.conflicts += counters.memory[i].conflicts;
  }
  return sums;
}

/// Four adjacent words.
const std::string kFour =
    "ld.shared.u32 %r10, [%r3]; ld.shared.u32 %r11, [%r3+4]; ld.shared.u32 %r12, [%r3+8]; ld.shared.u32 %r13, "
    "[%r3+12];\n";

}  // namespace

TEST_CASE("neighbouring loads from shared memory count as one where their address is aligned") {
  const Counted same = counted("mov.u32 %r3, tile;\n" + kFour);
  CHECK(same.loads == 1);
  CHECK(same.wavefronts == 2);
  const Counted own = counted("mov.u32 %r4, tile; shl.b32 %r5, %r1, 4; add.s32 %r3, %r4, %r5;\n" + kFour);
  CHECK(own.loads == 1);
  CHECK(own.wavefronts == 4);  // 512 bytes.
  CHECK(own.conflicts == 0);
}

TEST_CASE("loads that may not be aligned stay four") {
  const Counted apart = counted("mov.u32 %r4, tile; shl.b32 %r5, %r1, 2; add.s32 %r3, %r4, %r5;\n" + kFour);
  CHECK(apart.loads == 4);
  CHECK(apart.wavefronts == 4);
}
