// The tests of exercise pipelines: reversed tiles by all numbers of stages, by two kinds of warps; batches of warps.
#include "grader/runner/lab_test.h"
using namespace warpbook::grader;
static Answer check(const std::string& function, std::size_t width, int tiles, std::vector<Argument> more) {
  const auto in = test_random().array<std::int32_t>(width * tiles, -1000, 1000);
  std::vector<std::int32_t> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i / width * width + width - 1 - i % width];
  more.insert(more.begin(), {input("in", in), output<std::int32_t>("out", in.size()), number("tiles", tiles)});
  const Answer answer = grade(call(function, more));
  require_equal(answer, "out", out, {in.size() / width, width}), require_no_loads_into_registers(answer);
  return answer;
}
WB_LAB_TEST(correctness, 3, "tiles are reversed with one to eight stages") {
  for (int n = 1; n <= 8; ++n) check("staged", 128, test_random().size(1, 200), {number("stages", n)});
}
WB_LAB_TEST(counters, 2, "copies run ahead of the work") {
  require_at_most(check("staged", 128, 200, {number("stages", 8)}), Quantity::time_us, 60, "One by one: 100 us.");
  const auto in = input("in", std::vector(128 * 27, 7)), out = output<std::int32_t>("out", 128 * 20);
  require_reads_ahead("staged", {in, out, number("tiles", 200), number("stages", 8)}, "in", "out");
}
WB_LAB_TEST(correctness, 5, "one warp copies and the other writes") {
  for (int n : {1L, 2L, 3L, 200L, test_random().size(4, 199)}) require_pipeline(check("specialised", 32, n, {}), n);
  const std::vector all = {input("in", std::vector(6400, 7)), output<std::int32_t>("out", 6400), number("tiles", 200)};
  require_used_by_warp("specialised", all, "in", 0), require_used_by_warp("specialised", all, "out", 1);
}
WB_LAB_TEST(correctness, 4, "what diverged warps wait for is predicted") {  // Constants: no result shows a longer wait.
  std::vector<std::int32_t> commits, parts, ns, found;
  for (int i = 0; i < 300; ++i)
    commits.push_back(i % 8 + 1), parts.push_back(i < 72 ? 1 : test_random().size(1, 32)), ns.push_back(i % 9),
        found.push_back(std::max(commits[i] * parts[i] - ns[i], 0));
  require_returned(grade(call("waits_for", {each("commits", commits), each("parts", parts), each("ns", ns)})), found,
                   {"Each part commits a batch of its own, and all are of the warp; n of them need not have arrived."});
}
