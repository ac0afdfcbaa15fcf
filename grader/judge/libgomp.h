// Explains to students the message of libgomp, GCC's OpenACC library, when it ends a program.
#pragma once

#include <optional>
#include <string>

#include "grader/judge/finding.h"

namespace warpbook::grader {

/// Which array it was, by its name, which part of it, and what to look at in the clause. Nothing if libgomp has said
/// nothing. @param said what the program wrote on stderr, with the lines of named_arrays.h
std::optional<Finding> explain_libgomp(const std::string& said);

}  // namespace warpbook::grader
