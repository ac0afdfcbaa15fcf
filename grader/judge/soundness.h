// Points that an answer got by luck: those of functions whose result is right only by luck, as a checker found, or as
// another order of blocks, warps and streams showed.
#pragma once

#include <vector>

#include "grader/judge/results.h"

namespace warpbook::grader {

/// Takes points away from tests that call a function in which another test found something of the kind: from all tests
/// if the result is a matter of luck (it must first be right), from tests of correctness for leaks.
/// @param records of one program in one run, in the order in which the tests are listed
/// @returns the indices of those that were changed
std::vector<std::size_t> withhold_lucky_points(std::vector<TestRecord>& records);

}  // namespace warpbook::grader
