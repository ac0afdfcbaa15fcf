// The tests of exercise shuffles: three results, no memory but for own elements, and the rules of width.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t warps) {
  const std::size_t count = 32 * warps;
  const auto in = test_random().array<std::int32_t>(count, -1000, 1000);
  const int leader = static_cast<int>(test_random().integer(0, 31));
  std::vector<std::int32_t> differences(count), scans(count), sums(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto warp = in.begin() + i / 32 * 32;
    differences[i] = in[i] - warp[leader];
    scans[i] = std::accumulate(in.begin() + i / 8 * 8, in.begin() + i + 1, 0);
    sums[i] = std::accumulate(warp, warp + 32, 0);
  }
  const Answer answer = grade(call(
      "shuffle", {input("in", in), output<std::int32_t>("differences", count), output<std::int32_t>("scans", count),
                  output<std::int32_t>("sums", count), number("count", count), number("leader", leader)}));
  require_equal(answer, "differences", differences, {warps, 32});
  require_equal(answer, "scans", scans, {warps, 32});
  require_equal(answer, "sums", sums, {warps, 32});
  return answer;
}

WB_LAB_TEST(correctness, 8, "differences, scans and sums are right in every warp") {
  for (const std::size_t warps : usual_sizes(1, 1 << 15)) check(warps);
}

WB_LAB_TEST(counters, 4, "values come from lanes and not from memory") {
  const Answer answer = check(1024);
  require_at_most(answer, Quantity::global_load_requests, 1024, "Each warp has one load to do: its own elements.");
  require_at_most(answer, Quantity::shared_bytes_per_block, 0, "Shuffles need no shared memory.");
}

WB_LAB_TEST(correctness, 6, "the source of each shuffle is predicted") {
  std::vector<std::int32_t> kinds, lanes, ns, widths;
  for (int i = 0; i < 1000; ++i) {
    kinds.push_back(i % 4), lanes.push_back(test_random().integer(0, 31)), widths.push_back(1 << i % 6);
    ns.push_back(i == 0 ? 33 : test_random().integer(0, i % 4 == 0 ? 63 : 31));
  }
  require_machine_agrees("source_lane",
                         {each("kinds", kinds), each("lanes", lanes), each("ns", ns), each("widths", widths)},
                         {"A lane without a source in its group gets its own value. Kind 0 takes n modulo width."});
}
