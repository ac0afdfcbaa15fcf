// Saying in a student's words what a checker of the virtual GPU found (docs/checkers.md).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// What matters most of what the checkers found: misused memory, then masks that do not name their caller, races,
/// undefined values, which may come of a race, and leaks. Nothing if they found nothing, or only stores of equal
/// values.
/// @param kept kinds of leaks that are none of the answer's: "device_heap", "event"
std::optional<Finding> explain_check(const Profile& profile, const Sources& sources,
                                     const std::set<std::string>& kept = {});

/// The same beside another failure: one paragraph.
std::string in_brief(const Finding& found);

/// Whether it is one of explain_check().
bool is_of_check(FindingKind kind);

}  // namespace warpbook::grader
