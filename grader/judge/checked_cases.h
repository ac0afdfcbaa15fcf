// Which cases of a test run under the checkers.
//
// All that cost little do. A case that costs much runs under them only if its functions have not been checked in this
// test: smaller cases show the same mistakes, and a verdict is to take seconds.
#pragma once

#include <set>
#include <string>

#include "grader/judge/case.h"

namespace warpbook::grader {

/// What checkers have to do in a case, in elements: those of all its arrays, and its kWork.
double cost_of(const Case& given);

class CheckedCases {
 public:
  static constexpr double kMostCost = 1 << 17;

  /// Whether the test's next case runs under the checkers.
  bool includes(const Case& given);

 private:
  std::set<std::string> functions_;  ///< Called by cases that do.
};

}  // namespace warpbook::grader
