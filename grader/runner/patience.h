// Patience: how much time and memory an answer gets for a case, and how little once it has used up all of it twice.
//
// An answer that never ends, or takes all memory, does so in most cases: with the full limits in each of them, a lab
// would take minutes. So limits follow what the reference needs, and answers that finish always get the full limits:
//
// 1. A case has `busy_s` of CPU time. If that is not enough, the reference is run on the same case, and the answer
//    once more, with kPatience times the CPU time and the warp instructions that the reference needs. An answer that is
//    only slow on a slow machine, or on a large case, finishes then; an endless kernel is stopped at its line.
// 2. After kStrikes cases that did not end either, a case has kLittlePatience times what the reference needs at once.
// 3. After kStrikes cases that ran out of memory, a case has kLittleMemory, if the reference runs in that.
//
// CPU time counts, not wall-clock time: a busy machine costs an answer nothing. An answer may sleep `Limits::wall_s`,
// and after kStrikes such cases kShortSleep.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "grader/judge/reference.h"
#include "grader/runner/submission.h"

namespace warpbook::grader {

constexpr int kStrikes = 2;
constexpr double kPatience = 100, kLittlePatience = 20;
constexpr double kLittleSeconds = 2;                 ///< CPU seconds, whatever the reference needs.
constexpr double kShortSleep = 3;                    ///< Seconds.
constexpr std::uint64_t kLeastSteps = 1ull << 25;    ///< Warp instructions of a launch, whatever the reference needs.
constexpr std::uint64_t kLittleMemory = 1ull << 30;  ///< Bytes of private memory.

/// How many cases of one program did not end, and how many ran out of memory.
struct Strikes {
  int time = 0, memory = 0;
};

/// What the reference needs for the case, or nothing if it does not finish: in kLittleMemory, or without that
/// limit. Called only if needed.
using NeedOfReference = std::function<std::optional<Need>(bool in_little_memory)>;

/// What a run needed; nothing if it did not finish.
std::optional<Need> need_of(const Outcome& outcome);

/// Runs the program of the reference solution to find out.
NeedOfReference ask_program(const std::string& reference, const Case& given, const Environment& environment,
                            std::uint64_t seed);

/// Runs an answer on a case as run_submission() does, with patience if the environment's `busy_s` is a limit.
/// @param strikes of the program until now; those of this case are added
Outcome run_with_patience(const std::string& worker, const Case& given, Environment environment, std::uint64_t seed,
                          const NeedOfReference& reference, Strikes& strikes);

}  // namespace warpbook::grader
