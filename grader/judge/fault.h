// Saying in a student's words what the virtual GPU found wrong.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// A fault of the virtual GPU in a student's words: what, where, and what to look at. `kernels` are those that were
/// launched until then: they tell a launch's size, and a kernel that launches itself without end.
Finding explain_fault(const FaultRecord& fault, const Sources& sources, const std::vector<KernelRecord>& kernels = {});

}  // namespace warpbook::grader
