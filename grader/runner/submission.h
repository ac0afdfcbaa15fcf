// Runs one case with one answer, and explains to students what happened if it did not finish.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/cuda/random.h"
#include "grader/judge/answer.h"
#include "grader/judge/finding.h"
#include "grader/judge/source_text.h"
#include "grader/runner/confinement.h"
#include "grader/runner/process.h"

namespace warpbook::grader {

/// How answers are run.
struct Environment {
  bool counted = true;           ///< On the virtual GPU: there is a profile, and no guard zones are needed.
  std::string device_process;    ///< Counted runs: the program that is the device (device_main.cpp).
  std::string library_folder;    ///< Counted runs: the libraries through which the program talks to it; empty: it has
                                 ///< none (tests), so that it gets and sends arrays itself.
  std::string device = "h200";   ///< Device description of the virtual GPU.
  Sources sources;               ///< Lines and paths in messages.
  std::string source;            ///< The answer's file, from the project's root, in which launches are searched.
  std::string checks;            ///< Checks to run on the virtual GPU: "race,init"; empty: none.
  std::uint64_t step_limit = 0;  ///< Warp instructions after which the virtual GPU stops a launch; 0: none.
  Limits limits;
  Confinement confinement;  ///< For submitted answers, never for the reference.
};

/// The outcome of a run.
struct Outcome {
  enum class Status { completed, not_started, failed };
  /// failed: which limit ended it: of CPU time or warp instructions, of the clock, of memory.
  enum class Broken { nothing, work, clock, memory };
  Status status = Status::failed;
  Broken broken = Broken::nothing;
  double cpu_s = 0;  ///< CPU time of the process and all that it started.
  Finding finding;   ///< failed: what happened, where, what to do.
  Place where;       ///< not_started
  Answer answer;     ///< completed

  /// Ends as failed.
  Outcome& fail(Finding found);
  /// The failure as text.
  std::string message() const { return text_of(finding); }
};

/// Runs the worker program on a case. The poison and the nonce derive from the seed; the process never gets the seed
/// itself.
Outcome run_submission(const std::string& worker, const Case& given, const Environment& environment,
                       std::uint64_t seed);

/// The parts of run_submission(), which TimedWorker uses, too.
/// The case as the worker gets it: with the size of the guard zones and the seed of the poison.
Case prepared_case(Case given, const Environment& environment, Random& secret);
/// How the worker is started, to work in `folder`, and, for counted runs, its device.
ProcessRequest worker_request(const std::string& worker, const Environment& environment, const std::string& folder);
/// Why a process that ended by itself or was ended gave no reply, and what it printed; nothing if it ended well.
/// @param fault what the virtual GPU found, which is then what matters
std::optional<Finding> explain_end(const ProcessRequest& request, const ProcessResult& result,
                                   const std::optional<Finding>& fault);
/// Fills the outcome from the frame that came back, if it is one of this run.
void read_reply(Outcome& outcome, std::span<const std::byte> frame, std::uint64_t nonce, const Environment& environment,
                const ProcessResult& result, const std::optional<Finding>& fault);

/// What is wrong with the returned buffers, apart from the outputs' contents: an input that was changed, a guard zone
/// that was written. Nothing if all is well.
std::optional<Finding> check_buffers(const Answer& answer);

}  // namespace warpbook::grader
