// TimedWorker: an answer's process on a real GPU that runs one timed case after another.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grader/runner/live_process.h"
#include "grader/runner/submission.h"
#include "grader/runner/temporary_folder.h"
#include "grader/runner/worker.h"

namespace warpbook::grader {

/// Several of them take turns on one GPU, so that a disturbance of the GPU affects all of them. Every case has
/// fresh poison, and every array at another address than before.
class TimedWorker {
 public:
  /// Starts the worker. If the program cannot be started, the first run reports it.
  TimedWorker(const std::string& worker, const Environment& environment, std::uint64_t seed);

  /// Runs one case. The returned buffers are checked as by run_submission(); `measured_us` is set.
  Outcome run(const Case& given, Timing timing);

  /// The same, but only its time comes back.
  Outcome run_quietly(const Case& given, Timing timing);

  /// Runs the last case again without sending it; only its time comes back.
  Outcome run_again(Timing timing);

 private:
  Outcome exchange(Case message, bool whole);

  Environment environment_;
  Random secret_;
  TemporaryFolder folder_;
  ProcessRequest request_;
  std::unique_ptr<LiveProcess> process_;
};

}  // namespace warpbook::grader
