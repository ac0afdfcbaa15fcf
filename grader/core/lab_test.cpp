// The functions that a lab's tests call: running answers, and requirements that explain themselves when they fail.
#include "grader/core/lab_test.h"

#include <algorithm>
#include <cmath>

#include "grader/core/explanations.h"
#include "grader/core/lab_context.h"

namespace warpbook::grader {

namespace {

constexpr int kRounds = 5;              // Paired measurements on a real GPU.
constexpr int kTries = 3;               // Before a measurement that strays counts as inconclusive.
constexpr double kControlMargin = 0.1;  // How far reference against reference may stray from 1.

[[noreturn]] void fail(const std::string& message) {
  FAIL(message);
  throw std::logic_error("Catch2's FAIL returned");
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Answer run_or_end(const std::string& worker, const Case& given, bool reference) {
  LabContext& lab = context();
  Outcome outcome = run_submission(worker, given, lab.environment(), test_random().bits());
  if (outcome.status == Outcome::Status::not_started) {
    if (reference) fail("The reference solution says that it is not started, at " + outcome.message);
    throw SkipTest{true, "Not started: warpbook::not_started() is still called at " + outcome.message +
                             ". Delete that line when you have written your answer."};
  }
  if (outcome.status == Outcome::Status::failed) {
    fail((reference ? "The reference solution did not finish. " : "") + outcome.message);
  }
  return std::move(outcome.answer);
}

void require_limit(const Answer& answer, Quantity quantity, double limit, bool at_most, const std::string& reason,
                   const std::string& kernel) {
  const LabContext& lab = context();
  if (!lab.environment().counted) throw SkipTest{false, "Counted on the virtual GPU only: use the preset sim."};
  const std::optional<double> found = value_of(answer.profile, quantity, kernel);
  if (found && (at_most ? *found <= limit : *found >= limit)) return;
  fail(explain_missed(answer.profile, {quantity, found, limit, at_most, reason, kernel}, lab.manifest.project_root));
}

/// One ratio that is worth having, or nothing: the answer and the reference in turn, with the reference as control.
std::optional<double> measured_ratio(const Case& given, double& reference_us) {
  std::vector<double> ratios, controls, references;
  for (int round = 0; round < kRounds; ++round) {
    const double before = grade_reference(given).measured_us;
    const double mine = grade(given).measured_us;
    const double after = grade_reference(given).measured_us;
    if (!(before > 0) || !(mine > 0) || !(after > 0)) fail("The lab's worker measured no time: it must use measure().");
    ratios.push_back(mine / after);
    controls.push_back(before / after);
    references.push_back(after);
  }
  reference_us = median(references);
  if (std::fabs(median(controls) - 1) > kControlMargin) return std::nullopt;
  return median(ratios);
}

}  // namespace

Registration::Registration(Kind kind, double points, const char* sentence, const char* file, int line) {
  registered_tests().push_back({kind, points, sentence, file, line});
}

void run_lab_test(void (*body)()) {
  try {
    body();
  } catch (const SkipTest& skip) {
    TestRecord& record = context().current;
    record.status = "skipped";
    record.not_started = skip.not_started;
    record.message = "  " + skip.message + "\n";
  }
}

Random& test_random() { return *context().random; }

Answer grade(const Case& given) {
  LabContext& lab = context();
  lab.last_case = given.describe();
  return run_or_end(lab.manifest.worker_of(lab.answer), given, false);
}

Answer grade_reference(const Case& given) { return run_or_end(context().manifest.worker_of("solution"), given, true); }

void require_compared(const Answer&, const std::string&, const Comparison& comparison) {
  if (!comparison.passed) fail(comparison.message);
}

void require_at_most(const Answer& answer, Quantity quantity, double limit, const std::string& reason,
                     const std::string& kernel) {
  require_limit(answer, quantity, limit, true, reason, kernel);
}

void require_at_least(const Answer& answer, Quantity quantity, double limit, const std::string& reason,
                      const std::string& kernel) {
  require_limit(answer, quantity, limit, false, reason, kernel);
}

void require_time(const Case& given, double full, double zero) {
  LabContext& lab = context();
  Slow slow;
  slow.full = full;
  slow.zero = zero;
  slow.predicted = lab.environment().counted;
  double ratio = 0;
  Profile profile;
  if (slow.predicted) {
    const Answer mine = grade(given), reference = grade_reference(given);
    const Quantity time = lab.manifest.time_with_copies ? Quantity::time_with_copies_us : Quantity::time_us;
    const auto found = value_of(mine.profile, time);
    const auto wanted = value_of(reference.profile, time);
    if (!wanted) fail("The reference solution launches no kernel on this case, so there is no time to compare with.");
    if (!found) fail("No kernel was launched: the work must be done on the GPU.");
    slow.found_us = *found;
    slow.reference_us = *wanted;
    ratio = *found / *wanted;
    profile = mine.profile;
  } else {
    std::optional<double> measured;
    for (int i = 0; i < kTries && !measured; ++i) measured = measured_ratio(given, slow.reference_us);
    if (!measured)
      throw SkipTest{
          false, "Inconclusive: the reference against itself strayed by more than 10 %. Run it again on an idle GPU."};
    ratio = *measured;
    slow.found_us = ratio * slow.reference_us;
  }
  const double credit = time_credit(ratio, full, zero);
  if (credit >= 1) return;
  lab.credit = credit;
  fail(explain_slow(profile, slow, lab.manifest.project_root));
}

}  // namespace warpbook::grader
