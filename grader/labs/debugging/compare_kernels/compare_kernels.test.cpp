// The test of exercise compare_kernels: what was read from the counters is what the machine counts.
#include <cmath>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Profile profile_of(int kernel) {
  const std::size_t count = 1 << 20;
  const auto in = test_random().array<std::int32_t>(count, -1000, 1000);
  std::vector<std::int32_t> sums(count / 256);
  for (std::size_t i = 0; i < count; ++i) sums[i / 256] += in[i];
  const Answer answer = grade(call("sum_blocks", {number("kernel", kernel), input("in", in),
                                                  output<std::int32_t>("out", sums.size()), number("count", count)}));
  require_equal(answer, "out", sums);
  return answer.profile;
}

/// Of the statements that access shared memory, the number of the one with most conflicts.
static int worst_statement(const Profile& profile) {
  std::vector<double> conflicts;
  for (const LineCounters& line : profile.kernels.at(0).lines) {
    double sum = -1;
    for (const AccessCounters& access : line.accesses)
      if (access.space == "shared") sum = std::max(sum, 0.0) + access.conflicts;
    if (sum >= 0) conflicts.push_back(sum);
  }
  return 1 + static_cast<int>(std::max_element(conflicts.begin(), conflicts.end()) - conflicts.begin());
}

static void check(const std::vector<std::int32_t>& questions) {
  const Profile first = profile_of(1), second = profile_of(2);
  const auto of = [](const Profile& profile, Quantity quantity) { return value_of(profile, quantity).value(); };
  const double ratio = of(first, Quantity::time_us) / of(second, Quantity::time_us);
  const double wavefronts = of(first, Quantity::shared_wavefronts);
  const char* const rate = "Wavefronts / instructions, of loads and stores together.";
  const std::pair<double, const char*> expected[] = {
      {ratio > 1 ? 2 : 1, "Compare the times."},
      {std::max(ratio, 1 / ratio), "The longer time / the shorter one."},
      {wavefronts / of(first, Quantity::shared_requests), rate},
      {of(second, Quantity::shared_wavefronts) / of(second, Quantity::shared_requests), rate},
      {100 * of(first, Quantity::shared_bank_conflicts) / wavefronts, "100 * conflicts / wavefronts, of all accesses."},
      {of(second, Quantity::global_load_gb_per_s), "Sectors * 32 bytes / time; a byte per microsecond is 10^-3 GB/s."},
      {3, "Which rows differ? Their lanes and sectors are the same."},
      {worst_statement(first), "In which do neighbours use the same banks, not different ones?"}};
  const auto found = grade(call("answer", {each("questions", questions)})).output<double>(kReturned);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto& [wanted, why] = expected[questions[i]];
    if (!(std::abs(found.at(i) - wanted) <= (questions[i] == 1 || questions[i] == 5 ? 0.1 : 0.02) * wanted))
      WB_FAIL_CALL("answer(" << questions[i] << ")", found[i], ". " << why);
  }
}

WB_LAB_TEST(counters, 6, "the counters tell which is faster, why and where") { check({0, 6, 7}); }
WB_LAB_TEST(counters, 6, "what the counters add up to is computed") { check({1, 2, 3, 4, 5}); }
