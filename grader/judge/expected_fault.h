// Expected faults: errors of kernels that a case is about and that the answer has to handle.
#pragma once

#include <string>

namespace warpbook::grader {

/// A text in a case: the kind of fault that a kernel of it ends with on the virtual GPU, "out_of_bounds" or
/// "assertion".
///
/// After a kernel's fault, the device is unusable for the rest of the process. Such a case still completes: what the
/// functions returned is judged, and Answer::profile.errors has the fault. Its arrays do not come back, no checker
/// runs, and it runs in the documented order. A fault of another kind fails the test, as does a program that ends
/// because of the fault. Whether there was one at all, the test must check by what the functions returned.
inline const std::string kExpectedFault = "warpbook.expected_fault";

/// A whole number in a case: 1 runs the program with CUDA_LAUNCH_BLOCKING=1.
inline const std::string kLaunchBlocking = "warpbook.launch_blocking";

}  // namespace warpbook::grader
