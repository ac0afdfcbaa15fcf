// The ladder: every rung and the answer on the lab's benchmark, predicted and, on a real GPU, measured.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/plot.h"

namespace warpbook::grader {

/// A time measured on a real GPU, in rounds in which all rungs take turns.
struct MeasuredTime {
  double us = 0, low_us = 0, high_us = 0;  ///< Median, and the interval that holds it (paired_time.h).
  int rounds = 0;
  std::string timing;  ///< "queued" or "waiting" (worker.h).
  double bytes = 0;    ///< Bytes of the case's device buffers, each counted once; 0 if the worker has none.
  double copy_us = 0;  ///< cudaMemcpy between device buffers that moves as many bytes, in the same rounds; 0: none.
  double gb_per_s() const { return bytes / us / 1e3; }
};

/// One program on the lab's benchmark.
struct LadderStep {
  std::string rung, title, source;
  bool library = false;                         ///< A library that does the same job.
  std::optional<double> time_us;                ///< Predicted.
  std::optional<MeasuredTime> measured, large;  ///< On a real GPU; on the large benchmark, if it was asked for.
  std::string profile;                          ///< Path from the folder of results.json.
  std::optional<int> kernel;                    ///< The slowest one: index into the profile's kernels.
  std::size_t commands = 0;                     ///< The host's launches, copies and fills; files do not keep it.
  std::string problem;                          ///< Why it has no time; empty if it has one.

  /// The time to compare rungs by: measured, else predicted.
  std::optional<double> best_us() const { return measured ? measured->us : time_us; }
};

/// The ladder and the graded answer on the benchmark.
struct Ladder {
  std::vector<LadderStep> rungs;
  LadderStep answer;
  std::string device;       ///< Name of the real GPU; empty without one.
  std::vector<Plot> plots;  ///< Of the answer's own functions.
};

/// Two rungs whose order differs: the prediction puts `faster` before `slower`, the measurement says the opposite, and
/// the intervals leave no doubt.
struct Disorder {
  std::string faster, slower;
};

/// All such pairs, libraries left out.
std::vector<Disorder> disorder_of(const Ladder& ladder);

/// As results.json and the file ladder.json have them.
nlohmann::json to_json(const LadderStep& step);
nlohmann::json to_json(const Ladder& ladder);
/// The reverse. @throws nlohmann::json::exception
LadderStep step_from_json(const nlohmann::json& json);
Ladder ladder_from_json(const nlohmann::json& json);

}  // namespace warpbook::grader
