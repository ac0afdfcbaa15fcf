// The tests of exercise async_copies: reversed tiles, copies that bypass registers, and what has arrived.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count) {
  const auto in = test_random().array<std::int32_t>(count, 1, 1'000'000);
  std::vector<std::int32_t> out((count + 255) / 256 * 256);
  for (std::size_t i = 0; i < count; ++i) out[i / 256 * 256 + 255 - i % 256] = in[i];
  const Answer answer =
      grade(call("reverse_tiles", {input("in", in), output<std::int32_t>("out", out.size()), number("count", count)}));
  require_equal(answer, "out", out, {out.size() / 256, 256});
  return answer;
}

WB_LAB_TEST(correctness, 5, "tiles are reversed, zeros first") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(count);
}

WB_LAB_TEST(counters, 4, "elements come by asynchronous copies") {
  const Answer answer = check(1 << 14);
  require_no_loads_into_registers(answer);
  double copies = 0;
  for (const KernelRecord& kernel : answer.profile.kernels)
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.op == "ldgsts" && access.space == "global") copies += access.requests;
  if (copies != (1 << 14) / 128.0)
    WB_FAIL("number_of_copies",
            copies << " asynchronous copies of warps; " << (1 << 14) / 128 << " of 32 x 16 bytes are enough.");
}

// With the counters, on the virtual GPU: it makes no copy before it has to. Others may copy earlier than they must.
WB_LAB_TEST(counters, 3, "what has arrived is predicted") {
  std::vector<std::int32_t> batches, ns;
  for (int i = 0; i < 81; ++i) batches.push_back(i / 9), ns.push_back(i % 9);
  require_machine_agrees("arrived", {each("batches", batches), each("ns", ns)}, {"All batches but the last n."});
}
