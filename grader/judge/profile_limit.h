// What the virtual GPU's profile of a case is limited to: texts in the case, by the options of `warpbook run`
// (docs/engineer.md).
#pragma once

#include <string>

namespace warpbook::grader {

inline const std::string kProfileKernel = "warpbook.profile_kernel";         ///< --kernel-name
inline const std::string kProfileSkip = "warpbook.profile_skip";             ///< --launch-skip
inline const std::string kProfileCount = "warpbook.profile_count";           ///< --launch-count
inline const std::string kProfileFromStart = "warpbook.profile_from_start";  ///< --profile-from-start
/// --nvtx-include. Only with this one, which may be empty, are ranges of NVTX known, and in the profile's text.
inline const std::string kProfileRanges = "warpbook.profile_ranges";

}  // namespace warpbook::grader
