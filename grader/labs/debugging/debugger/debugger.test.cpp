// The tests of lab debugger: what the wrong programs' variables were, and the right programs.
#include <algorithm>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

namespace {

using Ints = std::vector<std::int32_t>;

/// Elements of main().
int in_of_main(int i) { return i >= 0 && i < 200 ? i * 37 % 101 : 0; }

/// Questions @p first and on. A failure does not tell what the debugger shows. @param why what helps with each
void check_found(int first, const Ints& expected, const std::vector<std::string>& why) {
  Ints questions(expected.size());
  std::iota(questions.begin(), questions.end(), first);
  Ints found = grade(call("found", {each("questions", questions)})).output<std::int32_t>(kReturned);
  found.resize(expected.size(), -1);  // The answer's process wrote them, and may have left some out.
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (found[i] != expected[i])
      WB_FAIL_CALL("found(" << questions[i] << ")", found[i], ", which is not what the debugger shows. " << why[i]);
}

Case case_of_smooth(const Ints& in) {
  return call("smooth", {input("in", in), output<std::int32_t>("out", in.size()), number("count", in.size())});
}

Answer check_smooth(const Case& given) {
  const Ints in = given.array<std::int32_t>("in");
  Ints out(in);
  for (std::size_t i = 1; i < in.size(); ++i) out[i] += in[i - 1], out[i - 1] += in[i];
  const Answer answer = grade(given);
  require_equal(answer, "out", out);
  require_grid(answer, "smooth_kernel", (in.size() + 63) / 64, 64);
  return answer;
}

Answer check_sums(const Ints& in, std::int64_t order) {
  Ints out;
  for (std::size_t i = 0; i < in.size(); i += 128)
    out.push_back(std::accumulate(in.begin() + i, in.begin() + std::min(i + 128, in.size()), 0));
  const Answer answer =
      grade(call("sums", {input("in", in), output<std::int32_t>("out", out.size()), number("count", in.size())})
                .set(kScheduleSeed, order));
  require_equal(answer, "out", out);
  require_grid(answer, "sums_kernel", out.size(), 128);
  return answer;
}

Ints random_ints(std::size_t count) { return test_random().array<std::int32_t>(count, -1000, 1000); }

}  // namespace

WB_LAB_TEST(correctness, 12, "what the debugger shows of program 1 is known") {
  Ints expected(6);
  for (int block = 0; block < 4; ++block) {
    int tile[66], sums[64];  // As the skeleton's kernel works with main()'s elements.
    for (int t = -1; t <= 64; ++t) tile[t + 1] = in_of_main(64 * block + t);
    if (block == 1) expected[3] = tile[1];
    tile[1] = in_of_main(64 * block + 31);
    for (int t = 0; t < 64; ++t) sums[t] = tile[t] + tile[t + 1] + tile[t + 2];
    if (block == 1) expected[0] = sums[1], expected[1] = 32, expected[2] = 2;
    if (block == 2) expected[4] = tile[5] + tile[6];
    for (int warp = 0; warp < 2; ++warp)
      expected[5] += *std::max_element(sums + 32 * warp, sums + 32 * warp + 32) > 200;
  }
  check_found(0, expected,
              {"print sum shows it.", "watch tile[1], reverse-continue: the debugger names the thread.",
               "The line at which it stops.", "The debugger shows the old value with the new one.",
               "break at D if i == 133 && k == 2: the program stops before that line.",
               "It stops once for each warp in which the condition holds for a thread."});
}

WB_LAB_TEST(correctness, 10, "what the debugger shows of program 2 is known") {
  const int amount = 70 % 50 + 1, cents = 7 * 70 % 90 + 10;
  check_found(6, {amount, amount * cents, 3, 70 % 3 == 2 ? 10 : 0, 10},
              {"print total, at H.", "`up` looks at the call in which rebate() was called.",
               "backtrace: rebate(), price(), and the kernel.", "print percent, at H.",
               "Compare what rebate() got with what its caller has. A is 1, B is 2, ..."});
}

WB_LAB_TEST(correctness, 8, "what the debugger shows of program 3 is known") {
  int i = 0;
  while ((37 * i + 3) % 101 != 0) ++i;
  check_found(11, {i, i % 64, (37 * (i + 1) + 3) % 101},
              {"It stops by itself: print i.", "print threadIdx.x: blocks have 64 threads.",
               "cuda lane N, one more than the lane in focus; then print at."});
}

WB_LAB_TEST(correctness, 8, "what the debugger shows of program 4 is known") {
  check_found(14, {16, in_of_main(0) + in_of_main(32) + in_of_main(64) + in_of_main(96)},
              {"info barriers, in the column Waiting threads.", "print part[0]: d was 64 and 32 before."});
}

WB_LAB_TEST(correctness, 9, "program 1, smooth, is repaired") {
  for (const std::size_t count : usual_sizes(1, 1 << 16)) check_smooth(case_of_smooth(random_ints(count)));
  for (const std::int64_t order : other_orders())
    check_smooth(case_of_smooth(random_ints(300)).set(kScheduleSeed, order));
}

WB_LAB_TEST(correctness, 9, "program 2, prices, is repaired") {
  for (const std::size_t count : usual_sizes(1, 1 << 16)) {
    Ints orders, out;
    for (std::size_t i = 0; i < count; ++i) {
      const int amount = test_random().integer(1, 1000), cents = test_random().integer(1, 1000);
      const int kind = test_random().integer(0, 3), total = amount * cents;
      orders.insert(orders.end(), {amount, cents, kind});
      out.push_back(total - total * ((kind == 2 ? 10 : 0) + (total >= 1000 ? 5 : 0)) / 100);
    }
    const Answer answer =
        grade(call("prices", {input("orders", orders), output<std::int32_t>("out", count), number("count", count)}));
    require_equal(answer, "out", out);
    require_grid(answer, "prices_kernel", (count + 63) / 64, 64);
  }
}

WB_LAB_TEST(correctness, 9, "program 3, steps, is repaired") {
  for (const std::size_t count : usual_sizes(1, 1 << 16)) {
    const Ints in = random_ints(count);
    Ints from = test_random().array<std::int32_t>(count, 0, static_cast<std::int32_t>(count) - 1), out;
    from[test_random().integer(0, static_cast<std::int64_t>(count) - 1)] = 0;
    for (const std::int32_t at : from) out.push_back(at == 0 ? in[0] : in[at] - in[at - 1]);
    const Answer answer = grade(call(
        "steps", {input("in", in), input("from", from), output<std::int32_t>("out", count), number("count", count)}));
    require_equal(answer, "out", out);
    require_grid(answer, "steps_kernel", (count + 63) / 64, 64);
  }
}

WB_LAB_TEST(correctness, 9, "program 4, sums, is repaired") {
  for (const std::size_t count : usual_sizes(1, 1 << 16)) check_sums(random_ints(count), 0);
  for (const std::int64_t order : other_orders()) check_sums(random_ints(300), order);
}

WB_LAB_TEST(counters, 8, "program 1, smooth, loads each element once") {
  const Answer answer = check_smooth(case_of_smooth(random_ints(1 << 16)));
  require_at_most(answer, Quantity::global_load_requests, 4 * 1024,
                  "A block of two warps loads its 64 elements, and a neighbour on each side: the tile has the others.");
}

WB_LAB_TEST(counters, 8, "program 4, sums, is as parallel as before") {
  check_sums(random_ints(700), worst_order());
  const Answer answer = check_sums(random_ints(1 << 16), 0);
  require_at_most(answer, Quantity::barriers_per_warp, 9, "One in each of 7 rounds, one before them, one after them.");
  require_at_least(answer, Quantity::active_threads_per_instruction, 24,
                   "A fix that lets one lane do the work of 32 needs no barrier, but wastes the GPU.");
}

WB_LAB_TEST(time, 10, "program 1, smooth, is as fast as its tile") {
  require_time(benchmark_case, check_smooth, 1.3, 3.0);
}

WB_LAB_BENCHMARK { return case_of_smooth(random.array<std::int32_t>(1 << 20, -1000, 1000)); }
