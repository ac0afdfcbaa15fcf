// Why a program gave no reply: it ended by itself, or a limit ended it.
#pragma once

#include <optional>
#include <string>

#include "grader/judge/finding.h"
#include "grader/runner/process.h"

namespace warpbook::grader {

/// What the program could compute: "5 s of CPU time".
std::string allowed_work(const Limits& limits);
/// The same as evidence.
void add_allowed_work(Finding& finding, const Limits& limits);

/// Nothing if the program ended normally, with a reply.
std::optional<Finding> reason_of_end(const std::string& worker, const ProcessResult& result, const Limits& limits);

}  // namespace warpbook::grader
