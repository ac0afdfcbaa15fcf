// Whether two runs of a case, in two orders that CUDA allows, returned the same.
#pragma once

#include "grader/judge/answer.h"

namespace warpbook::grader {

/// Whether the runs sent back the same, but for the times that were measured (single real numbers). A test sees the one
/// in the documented order, then. Where work waits for the host, none is left that has begun: only if work is left in
/// the other order and not in the documented one, results differ.
bool same_results(const Answer& documented, const Answer& other);

/// The same, where floating-point numbers may differ as sums in two orders do.
bool nearly_same_results(const Answer& documented, const Answer& other);

}  // namespace warpbook::grader
