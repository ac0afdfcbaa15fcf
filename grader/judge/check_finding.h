// Explains to students what a checker of the virtual GPU found (docs/checkers.md).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// The most important finding of the checkers: misused memory, then masks that do not name their caller, races,
/// undefined values, which a race may cause, and leaks. Nothing if they found nothing, or only stores of equal
/// values.
/// @param kept kinds of leaks that are not the answer's fault: "device_heap", "event"
std::optional<Finding> explain_check(const Profile& profile, const Sources& sources,
                                     const std::set<std::string>& kept = {});

/// The same beside another failure: one paragraph.
std::string in_brief(const Finding& found);

/// Whether it is one of explain_check().
bool is_of_check(FindingKind kind);

}  // namespace warpbook::grader
