// Faults that a case is about: errors of kernels that the answer has to deal with.
#pragma once

#include <string>

namespace warpbook::grader {

/// A text in a case: the kind of fault that a kernel of it ends with on the virtual GPU, "out_of_bounds" or
/// "assertion".
///
/// A kernel that fails spoils the device for the rest of its process. Such a case is completed all the same: what the
/// functions returned is judged, and Answer::profile.errors has the fault. Its arrays do not come back, no checker
/// looks on, and it runs in the documented order. A fault of another kind fails the test, as does a program that ends
/// because of the fault. That there was one at all is the test's to ask, by what the functions returned.
inline const std::string kExpectedFault = "warpbook.expected_fault";

/// A whole number in a case: 1 runs the program with CUDA_LAUNCH_BLOCKING=1.
inline const std::string kLaunchBlocking = "warpbook.launch_blocking";

}  // namespace warpbook::grader
