// Waiting: why the warps of a kernel that is limited by latency are too few to cover it.
#pragma once

#include "grader/judge/advice.h"
#include "grader/judge/finding.h"
#include "grader/judge/profile.h"

namespace warpbook::grader {

/// Adds to the finding why @p kernel has too few warps: lanes without work, a small grid, registers, shared memory;
/// or that there are many kernels.
/// @param all_us the time that is too long
/// @returns what to try
const Advice& advice_on_waiting(Finding& finding, const Profile& profile, const KernelRecord& kernel, double all_us);

}  // namespace warpbook::grader
