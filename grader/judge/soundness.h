// Points that an answer has by luck: those of functions in which a checker found that luck.
#pragma once

#include <vector>

#include "grader/judge/results.h"

namespace warpbook::grader {

/// Takes the points of tests away that call a function in which another test's checkers found something: of all tests
/// for what makes results a matter of luck (first the result must be right), of tests of correctness for leaks.
/// @param records of one program in one run, in the order in which the tests are listed
/// @returns the places of those that were changed
std::vector<std::size_t> withhold_lucky_points(std::vector<TestRecord>& records);

}  // namespace warpbook::grader
