// The catalogue of advice: why a counted quantity costs time, and what to try.
#pragma once

#include "grader/judge/quantity.h"

namespace warpbook::grader {

struct Advice {
  const char* why;
  const char* what_to_try;
};

/// What is said of a quantity in general.
const Advice& advice_for(Quantity quantity);

// What is said instead where more is known.
extern const Advice kWideAccess;
extern const Advice kFewChildren;
extern const Advice kFewTails;
extern const Advice kSharedTraffic;
extern const Advice kDivergence;
extern const Advice kGpuFaultGroups;
extern const Advice kOverlapOfCopies;
extern const Advice kChildren;
extern const Advice kOverlap;
extern const Advice kGridBarriers;

}  // namespace warpbook::grader
