// Judges measured times: an answer against the reference, in rounds of one run on one GPU.
#pragma once

#include <string>
#include <vector>

namespace warpbook::grader {

/// A median, and its 95 % confidence interval, whatever the distribution.
struct Interval {
  double median = 0, low = 0, high = 0;
};

/// The interval is between two of the sorted samples: the number of samples below the true median is binomial, which is
/// n / 2 +- 1.96 * sqrt(n) / 2. @param samples at least one; up to 5, the interval is from the smallest to the largest
Interval interval_of(std::vector<double> samples);

/// One round: reference, answer, and the reference once more from a process of its own, in this order or the reverse.
struct Round {
  double reference_us = 0, answer_us = 0, control_us = 0;
};

/// The verdict of rounds on a limit.
enum class Verdict {
  pass,          ///< The answer's ratio is within the limit, with 95 % confidence.
  fail,          ///< It is beyond it, with the same confidence.
  inconclusive,  ///< Neither, or the control was off: measure again.
};

/// "pass", "fail" or "inconclusive"
std::string spelling_of(Verdict verdict);

/// How far off measurements may be and still be trusted, and the smallest difference that ever counts against an
/// answer.
struct Margins {
  double control = 0.05;     ///< Of reference against reference: how far the median may be from 1, ...
  double spread = 0.15;      ///< ... and how far the ends of its interval may be from the median.
  double absolute_us = 1.0;  ///< Added to both, and to the limit: the resolution of event times is 0.5 us.
};

/// The outcome for a limit.
struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  Interval ratio;           ///< Answer / reference, paired within each round.
  Interval control;         ///< Reference / reference.
  double reference_us = 0;  ///< Median.
  double answer_us = 0;     ///< Median ratio times reference_us.
  double limit = 0;         ///< Ratio up to which the answer passes, the absolute margin included.
  bool control_strayed = false;
};

/// @param rounds at least one, all times positive
/// @param full   the ratio up to which all points are given
Judgement judge(const std::vector<Round>& rounds, double full, const Margins& margins = {});

/// What launching on an idle device may add, even for several launches.
constexpr double kLaunchUs = 15;

/// What the commands of one call (launches, copies, fills) may add on an idle device: the first one what a copy alone
/// does, each further one the host's time for a call. With more than a few, the time of the host's calls counts.
/// @param copy_queued_us, copy_waiting_us of a copy, which cannot begin early; empty: not known
double commands_us(std::size_t commands, const std::vector<double>& copy_queued_us,
                   const std::vector<double>& copy_waiting_us);

/// Whether work begins before the time measurement: then an idle device takes longer than a busy one, by more than what
/// launching costs. Then only times that began on an idle device count.
/// @param launch_us what launching may add, where that is known better
bool begins_early(const std::vector<double>& queued_us, const std::vector<double>& waiting_us,
                  double launch_us = kLaunchUs);

}  // namespace warpbook::grader
