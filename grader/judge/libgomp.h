// Explains to students the message of libgomp, GCC's OpenACC library, when it ends a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/finding.h"
#include "grader/judge/named_arrays.h"

namespace warpbook::grader {

/// Which array it was, by its name, which part of it, and what to look at in the clause. Nothing if libgomp has said
/// nothing. @param said what the program wrote on stderr @param arrays those of the case
std::optional<Finding> explain_libgomp(const std::string& said, const std::vector<ArrayPlace>& arrays);

}  // namespace warpbook::grader
