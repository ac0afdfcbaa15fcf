// Saying in a student's words why a launch was refused.
#pragma once

#include <optional>
#include <string>

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// The first refused launch of the run: as it is written, its line, and which limit of the device it breaks. Nothing if
/// none was refused. @param source of the answer, from the project's root: launches are looked for in no other file
std::optional<Finding> explain_refusal(const Profile& profile, const std::string& source, const Sources& sources);

}  // namespace warpbook::grader
