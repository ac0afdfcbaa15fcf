// Findings for counted quantities and times that miss their thresholds.
#pragma once

#include <optional>
#include <string>

#include "grader/judge/finding.h"
#include "grader/judge/quantity.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// A threshold that was missed.
struct Missed {
  Quantity quantity{};
  std::optional<double> found;  ///< Nothing: no launch does such an access.
  double limit = 0;
  bool at_most = true;  ///< Otherwise it is a lower limit.
  std::string reason;   ///< The reason for the limit.
  std::string kernel;   ///< Part of a kernel's name, or empty: all.
};

/// Found against allowed; the source line that costs most, with what it does and what would be ideal; why it costs;
/// what to try; the reason for the limit.
Finding explain_missed(const Profile& profile, const Missed& missed, const Sources& sources);

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
