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

WB_LAB_TEST(counters, 12, "the counters tell which is faster, why and where") {
  const Profile first = profile_of(1), second = profile_of(2);
  const auto of = [](const Profile& profile, Quantity quantity) { return value_of(profile, quantity).value(); };
  const double ratio = of(first, Quantity::time_us) / of(second, Quantity::time_us);
  const double wavefronts = of(first, Quantity::shared_wavefronts);
  const double expected[] = {ratio > 1 ? 2. : 1.,
                             std::max(ratio, 1 / ratio),
                             wavefronts / of(first, Quantity::shared_requests),
                             of(second, Quantity::shared_wavefronts) / of(second, Quantity::shared_requests),
                             100 * of(first, Quantity::shared_bank_conflicts) / wavefronts,
                             of(second, Quantity::global_load_gb_per_s),
                             3,
                             double(worst_statement(first))};
  const char* const why[] = {"Compare the times.",
                             "The longer time / the shorter one.",
                             "Wavefronts / instructions.",
                             "Wavefronts / instructions.",
                             "100 * conflicts / wavefronts, of loads and stores together.",
                             "Sectors * 32 bytes / time; a byte in a microsecond is 10^-3 GB/s.",
                             "Which rows differ? Their lanes and sectors are the same.",
                             "Neighbouring threads' addresses are to be in different banks. In which are they not?"};
  const std::vector<std::int32_t> questions = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto found = grade(call("answer", {each("questions", questions)})).output<double>(kReturned);
  for (const int i : questions)
    if (!(std::abs(found.at(i) - expected[i]) <= (i == 1 || i == 5 ? 0.1 : 0.02) * expected[i]))
      FAIL("answer(" << i << ") returned " << found[i] << ". " << why[i]);
}
