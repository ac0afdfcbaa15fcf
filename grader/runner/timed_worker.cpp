// Sending cases to a live worker and reading what comes back.
#include "grader/runner/timed_worker.h"

#include <filesystem>

#include "grader/runner/protocol.h"

namespace warpbook::grader {

namespace {

constexpr double kCpuSeconds = 3600;  // Of all cases together; each has its own limit of wall-clock time.

const char* spelling_of(Timing timing) { return timing == Timing::waiting ? "waiting" : "queued"; }

}  // namespace

TimedWorker::TimedWorker(const std::string& worker, const Environment& environment, std::uint64_t seed)
    : environment_(environment), secret_(seed ^ 0x2545f4914f6cdd1du) {
  environment_.counted = false;
  environment_.limits.cpu_s = kCpuSeconds;
  const std::string work = folder_.path() + "/work";
  std::filesystem::create_directory(work);
  request_ = worker_request(worker, environment_, work);
  request_.arguments.emplace_back(kServe);
  process_ = std::make_unique<LiveProcess>(request_);
}

Outcome TimedWorker::run(const Case& given, Timing timing) {
  Case message = given;
  message.set(kTiming, spelling_of(timing));
  return exchange(std::move(message), true);
}

Outcome TimedWorker::run_quietly(const Case& given, Timing timing) {
  Case message = given;
  message.set(kTiming, spelling_of(timing)).set(kQuiet, 1);
  return exchange(std::move(message), false);
}

Outcome TimedWorker::run_again(Timing timing) {
  Case message;
  message.set(kTiming, spelling_of(timing)).set(kAgain, 1).set(kQuiet, 1);
  return exchange(std::move(message), false);
}

Outcome TimedWorker::exchange(Case message, bool whole) {
  Outcome outcome;
  outcome.answer.given = prepared_case(std::move(message), environment_, secret_);
  const std::uint64_t nonce = secret_.bits();
  const auto reply = process_->exchange(encode(outcome.answer.given, nonce));
  if (!reply) {
    const auto end = explain_end(request_, process_->finish(), std::nullopt);
    return outcome.fail(
        end ? *end : finding_of(FindingKind::ended_early, "The program ended before it had answered all cases."));
  }
  outcome.answer.wall_us = process_->wall_us();
  read_reply(outcome, *reply, nonce, environment_, {}, std::nullopt);
  if (outcome.status != Outcome::Status::completed) return outcome;
  if (!(outcome.answer.measured_us > 0))
    return outcome.fail(
        finding_of(FindingKind::forged_reply, "The lab's worker measured no time: it must use measure()."));
  if (outcome.answer.measured_us > outcome.answer.wall_us)
    return outcome.fail(finding_of(FindingKind::forged_reply,
                                   "The reported time is longer than the process took: it cannot be right."));
  if (whole)
    if (auto problem = check_buffers(outcome.answer)) outcome.fail(std::move(*problem));
  return outcome;
}

}  // namespace warpbook::grader
