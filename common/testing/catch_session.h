// Catch2's session for a program whose main function is its own.
#pragma once

/// What the main function of Catch2 does: reads its options and runs the test cases that they name.
/// @returns the number of assertions that failed, or another number for options that Catch2 does not take
extern "C" int warpbook_run_catch2(int argc, char** argv);
