// Catch2's session for a program that has its own main function.
#pragma once

/// What Catch2's main function does: reads its options and runs the test cases that they name.
/// @returns the number of failed assertions, or another nonzero number for options that Catch2 does not accept
extern "C" int warpbook_run_catch2(int argc, char** argv);
