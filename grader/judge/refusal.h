// Explains to students why a launch was refused.
#pragma once

#include <optional>
#include <string>

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// The first refused launch of the run: as written, with its line and the limit of the device that it exceeds. Nothing
/// if none was refused. @param source of the answer, from the project's root: launches are looked for in no other file
std::optional<Finding> explain_refusal(const Profile& profile, const std::string& source, const Sources& sources);

}  // namespace warpbook::grader
