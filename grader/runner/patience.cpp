// Runs an answer again with limits based on the reference, or with those limits at once.
#include "grader/runner/patience.h"

#include <algorithm>

namespace warpbook::grader {

namespace {

constexpr std::uint64_t kReferenceSeed =
    0x9e3779b97f4a7c15u;  // Fixed: drawing it would change the test's random numbers.

/// Warp instructions of all launches.
double steps_of(const Profile& profile) {
  double steps = 0;
  for (const KernelRecord& kernel : profile.kernels) {
    const auto found = kernel.metrics.find("smsp__inst_executed.sum");
    if (found != kernel.metrics.end()) steps += found->second;
  }
  return steps;
}

/// Limits based on the reference's run.
void limit_by(const Need& reference, double factor, double least_seconds, Environment& environment) {
  environment.limits.busy_s = std::max(least_seconds, factor * reference.cpu_s);
  environment.step_limit = std::max(kLeastSteps, static_cast<std::uint64_t>(factor * reference.steps));
  environment.limits.patience = Patience{factor, least_seconds};
}

/// Says why a case got less than others.
void add_strikes(Finding& finding, int strikes, const std::string& what) {
  finding.more.push_back("(It got no more, because " + std::to_string(strikes) + " earlier cases " + what + ".)");
  finding.evidence.push_back({"earlier_cases", static_cast<double>(strikes), "cases"});
}

}  // namespace

std::optional<Need> need_of(const Outcome& outcome) {
  if (outcome.status != Outcome::Status::completed) return std::nullopt;
  return Need{outcome.cpu_s, steps_of(outcome.answer.profile)};
}

NeedOfReference ask_program(const std::string& reference, const Case& given, const Environment& environment,
                            std::uint64_t seed) {
  return [=](bool in_little_memory) {
    Environment its = environment;
    if (in_little_memory) its.limits.memory_bytes = kLittleMemory;
    return need_of(run_submission(reference, given, its, seed ^ kReferenceSeed));
  };
}

Outcome run_with_patience(const std::string& worker, const Case& given, Environment environment, std::uint64_t seed,
                          const NeedOfReference& reference, Strikes& strikes) {
  if (environment.limits.busy_s <= 0) return run_submission(worker, given, environment, seed);
  const double full_seconds = environment.limits.busy_s;
  const bool hurried = strikes.time >= kStrikes;
  bool starved = strikes.memory >= kStrikes && environment.limits.memory_bytes > kLittleMemory;
  if (hurried || starved) {
    const std::optional<Need> needed = reference(starved);
    starved = starved && needed;
    if (starved) {
      environment.limits.memory_bytes = kLittleMemory;
      environment.limits.resident_bytes = 2 * kLittleMemory;
    }
    if (hurried && needed) limit_by(*needed, kLittlePatience, std::min(full_seconds, kLittleSeconds), environment);
    if (hurried) environment.limits.wall_s = std::min(environment.limits.wall_s, kShortSleep);
  }
  Outcome outcome = run_submission(worker, given, environment, seed);
  if (!hurried && outcome.broken == Outcome::Broken::work) {
    if (const std::optional<Need> needed = reference(false)) {
      limit_by(*needed, kPatience, full_seconds, environment);
      outcome = run_submission(worker, given, environment, seed);
    }
  }
  if (outcome.broken == Outcome::Broken::work || outcome.broken == Outcome::Broken::clock) {
    if (hurried) add_strikes(outcome.finding, strikes.time, "did not finish");
    ++strikes.time;
  } else if (outcome.broken == Outcome::Broken::memory) {
    if (starved) add_strikes(outcome.finding, strikes.memory, "took all memory");
    ++strikes.memory;
  }
  return outcome;
}

}  // namespace warpbook::grader
