// Findings for counted quantities that miss their thresholds.
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

}  // namespace warpbook::grader
