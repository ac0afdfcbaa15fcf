// The tests of lab find_the_bug: repaired programs, what the repairs cost, and what was wrong.
#include <algorithm>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

namespace {

using Ints = std::vector<std::int32_t>;

constexpr std::size_t kMost = 1 << 16;
constexpr std::size_t kGroup = 256;

Ints random_ints(std::size_t count) { return test_random().array<std::int32_t>(count, -10'000, 10'000); }

/// One result for each group of @p size elements: what @p merge makes of them.
template <class Merge>
Ints of_groups(const Ints& in, std::size_t size, Merge merge) {
  Ints results;
  for (std::size_t i = 0; i < in.size(); i += size)
    results.push_back(merge(in.begin() + i, in.begin() + std::min(i + size, in.size())));
  return results;
}

/// Runs a program on some data, in another order if there is one, and compares. The first argument of each is data.
using Check = Answer (*)(const Ints& in, std::int64_t order);

/// Sizes of all kinds, then small ones in other orders of warps, lanes and blocks.
void check_all(Check check) {
  const std::size_t any = test_random().size(1, kMost);
  for (const std::size_t size : {std::size_t{1000}, std::size_t{1}, std::size_t{33}, any, kMost})
    check(random_ints(size), 0);
  for (const std::int64_t order : other_orders()) check(random_ints(700), order);
}

Answer check_differences(const Ints& in, std::int64_t order) {
  Ints out(in.size());
  for (std::size_t i = 0; i + 1 < in.size(); ++i) out[i] = in[i + 1] - in[i];
  const Answer answer =
      grade(call("differences", {input("in", in), output<std::int32_t>("out", in.size()), number("n", in.size())})
                .set(kScheduleSeed, order));
  require_equal(answer, "out", out);
  require_grid(answer, "differences_kernel", (in.size() + 255) / 256, 256);
  return answer;
}

Answer check_rotate(const Ints& in, std::int64_t order) {
  const std::int32_t n = static_cast<std::int32_t>(in.size());
  const std::int32_t by = order != 0 ? 0 : test_random().integer(0, 2) == 0 ? n : test_random().integer(0, 1 << 16);
  Ints rotated(in);
  std::rotate(rotated.begin(), rotated.begin() + by % n, rotated.end());
  const Answer answer =
      grade(call("rotate", {in_out("data", in), number("n", n), number("by", by)}).set(kScheduleSeed, order));
  require_equal(answer, "data", rotated);
  require_grid(answer, "rotate_kernel", (in.size() + 255) / 256, 256, by % n == 0 ? 0 : 1);
  return answer;
}

Answer check_histogram(const Ints& given, std::int64_t order) {
  Ints in(given), counts(64, 7);
  const Ints before(counts);
  for (std::int32_t& value : in) ++counts[value = std::abs(value) % 64];
  const Answer answer = grade(
      call("histogram", {input("in", in), in_out("counts", before), number("n", in.size())}).set(kScheduleSeed, order));
  require_equal(answer, "counts", counts);
  require_grid(answer, "histogram_kernel", (in.size() + 255) / 256, 256);
  return answer;
}

Answer check_group_sums(const Ints& in, std::int64_t order) {
  const Ints sums = of_groups(in, kGroup, [](auto begin, auto end) { return std::accumulate(begin, end, 0); });
  const Answer answer =
      grade(call("group_sums", {input("in", in), output<std::int32_t>("sums", sums.size()), number("n", in.size())})
                .set(kScheduleSeed, order));
  require_equal(answer, "sums", sums);
  require_grid(answer, "group_sums_kernel", sums.size(), 256);
  return answer;
}

Answer check_shift(const Ints& in, std::int64_t order) {
  Ints shifted(in);
  std::copy(in.begin() + 1, in.end(), shifted.begin());
  const Answer answer =
      grade(call("shift", {in_out("data", in), output<std::int32_t>("scratch", in.size()), number("n", in.size())})
                .set(kScheduleSeed, order));
  require_equal(answer, "data", shifted);
  require_grid(answer, "shift_kernel", (in.size() + 255) / 256, 256);
  return answer;
}

Answer check_total(const Ints& in, std::int64_t order) {
  const Ints sum = {std::accumulate(in.begin(), in.end(), 0)};
  const Answer answer =
      grade(call("total", {input("in", in), output<std::int32_t>("partial", 32), filled<std::int32_t>("arrived", 1, 0),
                           output<std::int32_t>("out", 1), number("n", in.size())})
                .set(kScheduleSeed, order));
  require_equal(answer, "out", sum);
  require_grid(answer, "total_kernel", 32, 32);
  return answer;
}

Answer check_reverse_groups(const Ints& in, std::int64_t order) {
  Ints out(in);
  for (std::size_t i = 0; i < in.size(); i += kGroup)
    std::reverse(out.begin() + i, out.begin() + std::min(i + kGroup, in.size()));
  const Answer answer =
      grade(call("reverse_groups", {input("in", in), output<std::int32_t>("out", in.size()), number("n", in.size())})
                .set(kScheduleSeed, order));
  require_equal(answer, "out", out);
  require_grid(answer, "reverse_groups_kernel", (in.size() + 511) / 512, 256);
  return answer;
}

Answer check_swap_pairs(const Ints& in, std::int64_t order) {
  Ints out(in);
  for (std::size_t i = 0; i + 1 < in.size(); i += 2) std::swap(out[i], out[i + 1]);
  const Answer answer =
      grade(call("swap_pairs", {input("in", in), output<std::int32_t>("out", in.size()), number("n", in.size())})
                .set(kScheduleSeed, order));
  require_equal(answer, "out", out);
  require_grid(answer, "swap_pairs_kernel", (in.size() + 255) / 256, 256);
  return answer;
}

/// A program that is right by luck has no small repair: first a case that a race or a missing barrier does not survive.
Answer counted(Check check, std::size_t count) {
  check(random_ints(700), worst_order());
  return check(random_ints(count), 0);
}

/// Nothing is told of the right answer but that this one is not it. @param lines any of which may be named
void require_found(int program, const Ints& found, int kind, const Ints& lines) {
  for (int asked = 1; asked <= 8; ++asked) {
    const std::int32_t line = found[asked - 1];
    if (asked != kind ? line == 0 : std::count(lines.begin(), lines.end(), line) > 0) continue;
    if (asked == kind && line != 0)
      WB_FAIL("line_of_program_" + std::to_string(program),
              "The kind of program " << program << " is right, its line is not: which line would you change, or write "
                                     << "something after?");
    WB_FAIL("kind_of_program_" + std::to_string(program),
            "Program " << program << " has a bug of another kind. The contract says what each kind is; the checkers' "
                       << "messages name what they have found, which may be elsewhere than the bug.");
  }
}

}  // namespace

WB_LAB_TEST(correctness, 6, "program 1, differences, is repaired") { check_all(check_differences); }
WB_LAB_TEST(correctness, 6, "program 2, rotate, is repaired") { check_all(check_rotate); }
WB_LAB_TEST(correctness, 6, "program 3, histogram, is repaired") { check_all(check_histogram); }
WB_LAB_TEST(correctness, 6, "program 4, group sums, is repaired") { check_all(check_group_sums); }
WB_LAB_TEST(correctness, 6, "program 5, shift, is repaired") { check_all(check_shift); }
WB_LAB_TEST(correctness, 6, "program 6, total, is repaired") { check_all(check_total); }
WB_LAB_TEST(correctness, 6, "program 7, reverse groups, is repaired") { check_all(check_reverse_groups); }
WB_LAB_TEST(correctness, 6, "program 8, swap pairs, is repaired") { check_all(check_swap_pairs); }

WB_LAB_TEST(correctness, 16, "kind and line of each bug are found") {
  const Ints kinds = {5, 3, 7, 6, 2, 4, 1, 8};
  // A line that is right where it is, and one that should be elsewhere, may both be named: of program 2 the allocation
  // and the return after it, of program 5 the load and the launch, of program 6 the store and the fence that comes too
  // late, of program 7 the condition and the barrier in it.
  const std::vector<Ints> lines = {{2}, {3, 4}, {2}, {6}, {2, 3}, {3, 5}, {3, 5}, {3}};
  Ints asked(8);
  std::iota(asked.begin(), asked.end(), 1);
  for (int program = 1; program <= 8; ++program) {
    const Answer answer = grade(call("line_of", {number("program", program), each("kinds", asked)}));
    Ints found = answer.output<std::int32_t>(kReturned);
    found.resize(8);  // The answer's process wrote them, and may have left some out.
    require_found(program, found, kinds[program - 1], lines[program - 1]);
  }
}

WB_LAB_TEST(correctness, 8, "which programs are right by luck is predicted") {
  Ints programs(8);
  std::iota(programs.begin(), programs.end(), 1);
  require_returned(grade(call("right_today", {each("programs", programs)})), {0, 1, 0, 1, 1, 1, 0, 1},
                   {"The order of warps and lanes hides some; the virtual GPU ends a kernel that leaves an array, or "
                    "waits forever."});
}

WB_LAB_TEST(counters, 6, "program 4, group sums, is as parallel as before") {
  const Answer answer = counted(check_group_sums, kMost);
  require_at_most(answer, Quantity::barriers_per_warp, 9,
                  "One barrier before the loop, one for each of its 8 steps: more would order nothing more.");
  require_at_least(answer, Quantity::active_threads_per_instruction, 24,
                   "A fix that lets one lane do the work of 32 has no race, but wastes the GPU.");
}

WB_LAB_TEST(counters, 4, "program 6, total, is one launch of 32 blocks") {
  const Answer answer = counted(check_total, kMost);
  require_at_most(answer, Quantity::kernel_launches, 1, "The last block adds the sums: no other launch is needed.");
  require_at_most(answer, Quantity::global_atomic_requests, 32, "One for each block counts it: sums need no others.");
}

WB_LAB_TEST(counters, 4, "program 7, reverse groups, has two barriers for a group") {
  const Answer answer = counted(check_reverse_groups, kMost);
  require_at_most(answer, Quantity::barriers_per_warp, 4,
                  "A block has two groups: one barrier between storing and reading, one before the next group.");
  require_at_least(answer, Quantity::barriers_per_warp, 3, "A fix leaves what the program does: it has a barrier.");
}

WB_LAB_TEST(counters, 4, "program 3, histogram, has two barriers") {
  constexpr std::size_t kRequests = kMost / 256 * 2;
  const Answer answer = counted(check_histogram, kMost);
  require_at_most(answer, Quantity::barriers_per_warp, 2, "One after clearing, one after counting.");
  require_at_most(answer, Quantity::global_atomic_requests, kRequests,
                  "A block counts in its shared memory, and adds each of its 64 bins once.");
}

WB_LAB_TEST(time, 10, "program 4, group sums, is as fast as barriers allow") {
  require_time(
      benchmark_case,
      [](const Case& given) {
        require_equal(grade(given), "sums",
                      of_groups(given.array<std::int32_t>("in"), kGroup,
                                [](auto begin, auto end) { return std::accumulate(begin, end, 0); }));
      },
      1.3, 3.0);
}

WB_LAB_BENCHMARK {
  constexpr std::size_t kCount = 1 << 20;
  return call("group_sums", {input("in", random.array<std::int32_t>(kCount, -10'000, 10'000)),
                             output<std::int32_t>("sums", kCount / kGroup), number("n", kCount)});
}
