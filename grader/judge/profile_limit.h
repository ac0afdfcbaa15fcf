// Limits of the virtual GPU's profile of a case: texts in the case, as for the options of `warpbook run`
// (docs/engineer.md).
#pragma once

#include <string>

namespace warpbook::grader {

inline const std::string kProfileKernel = "warpbook.profile_kernel";         ///< --kernel-name
inline const std::string kProfileSkip = "warpbook.profile_skip";             ///< --launch-skip
inline const std::string kProfileCount = "warpbook.profile_count";           ///< --launch-count
inline const std::string kProfileFromStart = "warpbook.profile_from_start";  ///< --profile-from-start
/// --nvtx-include. NVTX ranges are recorded, and in the profile's text, only with this one; it may be empty.
inline const std::string kProfileRanges = "warpbook.profile_ranges";

}  // namespace warpbook::grader
