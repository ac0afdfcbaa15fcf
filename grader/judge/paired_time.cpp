// Medians, intervals without assumptions about the noise, and the three verdicts.
#include "grader/judge/paired_time.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace warpbook::grader {

namespace {

constexpr double kFurtherCommandUs = 10;  // A copy to a symbol took the host of an H200 8 us (2026-11-27).
constexpr std::size_t kMostCommands = 8;
constexpr double kEarlyFraction = 0.1;  // And by how much a long call may take longer on an idle device.

}  // namespace

Interval interval_of(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("an interval needs at least one sample");
  std::sort(samples.begin(), samples.end());
  const std::size_t count = samples.size();
  const double below = (static_cast<double>(count) - 1.96 * std::sqrt(static_cast<double>(count))) / 2;
  const std::size_t first = below > 0 ? static_cast<std::size_t>(below) : 0;
  const double median = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
  return {median, samples[first], samples[count - 1 - first]};
}

std::string spelling_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return "unknown";
}

Judgement judge(const std::vector<Round>& rounds, double full, const Margins& margins) {
  std::vector<double> ratios, controls, references;
  for (const Round& round : rounds) {
    if (!(round.reference_us > 0 && round.answer_us > 0 && round.control_us > 0))
      throw std::invalid_argument("a round has a time that is not positive");
    // The answer ran between the two: their geometric mean is what the reference would have taken at that moment.
    const double reference = std::sqrt(round.reference_us * round.control_us);
    ratios.push_back(round.answer_us / reference);
    controls.push_back(round.control_us / round.reference_us);
    references.push_back(reference);
  }
  Judgement judgement;
  judgement.ratio = interval_of(ratios);
  judgement.control = interval_of(controls);
  judgement.reference_us = interval_of(references).median;
  judgement.answer_us = judgement.ratio.median * judgement.reference_us;
  const double absolute = margins.absolute_us / judgement.reference_us;
  judgement.limit = std::max(full, 1 + absolute);
  const double strays = std::fabs(judgement.control.median - 1);
  const double spread =
      std::max(judgement.control.high - judgement.control.median, judgement.control.median - judgement.control.low);
  judgement.control_strayed = !(strays <= margins.control + absolute) || !(spread <= margins.spread + absolute);
  if (judgement.control_strayed) return judgement;
  if (judgement.ratio.high <= judgement.limit) judgement.verdict = Verdict::pass;
  if (judgement.ratio.low > judgement.limit) judgement.verdict = Verdict::fail;
  return judgement;
}

double commands_us(std::size_t commands, const std::vector<double>& copy_queued_us,
                   const std::vector<double>& copy_waiting_us) {
  double first = kLaunchUs;
  if (!copy_queued_us.empty() && !copy_waiting_us.empty())
    first = std::max(first, interval_of(copy_waiting_us).median - interval_of(copy_queued_us).median);
  const std::size_t further = std::clamp<std::size_t>(commands, 1, kMostCommands) - 1;
  return first + kFurtherCommandUs * static_cast<double>(further);
}

bool begins_early(const std::vector<double>& queued_us, const std::vector<double>& waiting_us, double launch_us) {
  const double queued = interval_of(queued_us).median, waiting = interval_of(waiting_us).median;
  return waiting - queued > launch_us + kEarlyFraction * waiting;
}

}  // namespace warpbook::grader
