// Explains to students the faults that the virtual GPU found.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// Explains a fault of the virtual GPU: what, where, and what to look at. `kernels` are those that were
/// launched until then: they show a launch's size, and a kernel that launches itself endlessly.
Finding explain_fault(const FaultRecord& fault, const Sources& sources, const std::vector<KernelRecord>& kernels = {});

}  // namespace warpbook::grader
