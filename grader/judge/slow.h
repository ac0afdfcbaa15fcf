// Findings for times that miss their thresholds.
#pragma once

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// A time that is too long.
struct Slow {
  double found_us = 0, reference_us = 0;
  double full = 1, zero = 2;  ///< Ratios to the reference.
  bool predicted = true;
  bool with_copies = false;  ///< The times count the copies too.
};

/// Found against the reference, what limits the slowest kernel, the source line that wastes most.
Finding explain_slow(const Profile& profile, const Slow& slow, const Sources& sources);

/// The fraction of the points that a ratio earns: 1 up to `full`, 0 from `zero` on, linear in between.
double time_credit(double ratio, double full, double zero);

}  // namespace warpbook::grader
