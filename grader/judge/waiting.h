// Waiting: why the warps of a kernel that is limited by latency are too few to cover it.
#pragma once

#include "grader/judge/advice.h"
#include "grader/judge/finding.h"
#include "grader/judge/profile.h"

namespace warpbook::grader {

/// Adds to the finding what keeps warps of @p kernel away: lanes without work, a small grid, registers, shared memory.
/// @param takes_most if the kernel takes most of the time; otherwise its grid may be as large as its work
/// @returns what to try
const Advice& advice_on_waiting(Finding& finding, const KernelRecord& kernel, bool takes_most);

}  // namespace warpbook::grader
