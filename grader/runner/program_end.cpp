// What a student is told of a program that ended by itself, or was ended by a limit.
#include "grader/runner/program_end.h"

#include <signal.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/judge/libgomp.h"
#include "grader/judge/plain_text.h"
#include "grader/runner/protocol.h"

namespace warpbook::grader {

namespace {

std::string seconds(double value) { return number_text(value) + " s"; }

Finding ended(FindingKind kind, const char* topic, std::string headline) {
  Finding finding = finding_of(kind, std::move(headline));
  finding.topic = topic;
  return finding;
}

constexpr const char* kEndless =
    ": an endless loop, recursion or chain of launches, threads that wait for each other, or far too much work.";

Finding ended_by_signal(int number, const Limits& limits) {
  const std::string name = std::string("signal ") + std::to_string(number) + ", " + strsignal(number);
  const char* const abbreviation = sigabbrev_np(number);
  const auto crashed = [&](const std::string& headline) {
    return ended(FindingKind::crashed, abbreviation == nullptr ? "" : abbreviation, headline);
  };
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
      return crashed("The program crashed (" + name +
                     "): host code used an invalid pointer. A pointer to device memory cannot be dereferenced on the "
                     "host.");
    case SIGABRT:
      return crashed("The program aborted (" + name + "): an uncaught exception, a failed assert() or abort().");
    case SIGFPE:
      return crashed("The program crashed (" + name + "): host code divided a whole number by zero.");
    case SIGXCPU:
      return ended(FindingKind::time_out, "cpu",
                   "The program was ended: it used more than " + seconds(limits.cpu_s) + " of CPU time.");
    case SIGXFSZ:
      return ended(FindingKind::output_limit, "file",
                   "The program was ended: it wrote to a file beyond " + std::to_string(limits.file_bytes >> 20) +
                       " MiB, the most that is allowed. An answer needs no files.");
    case SIGKILL:
      return crashed("The program was killed (" + name + "): the machine ran out of memory, or it killed itself.");
    default:
      return crashed("The program was ended by a signal (" + name + ").");
  }
}

Finding with_limit(Finding finding, double most, const char* unit) {
  finding.limit = Limit{most, true};
  finding.evidence.push_back({"allowed", most, unit});
  return finding;
}

/// What a worker sent if it was ended before it had a reply: for messages only.
std::vector<ArrayPlace> places_of_arrays(const std::vector<std::byte>& sent) {
  try {
    return places_in(decode(sent).values);
  } catch (const std::runtime_error&) {
    return {};
  }
}

Finding ended_early(int code) {
  Finding finding = ended(FindingKind::ended_early, "",
                          "The program ended early (exit status " + std::to_string(code) +
                              "), before the function under test returned. An answer must return to its caller: "
                              "no exit().");
  finding.evidence.push_back({"exit_status", static_cast<double>(code), ""});
  return finding;
}

/// Such a process could rewrite what the virtual GPU counted, after the virtual GPU wrote it.
Finding left_processes(std::size_t count) {
  Finding finding = ended(FindingKind::left_processes, "",
                          "The answer left processes running when it ended: " + std::to_string(count) +
                              ". An answer must not start processes.");
  finding.evidence.push_back({"left_processes", static_cast<double>(count), "processes"});
  return finding;
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

std::string allowed_work(const Limits& limits) {
  if (!limits.patience) return seconds(limits.busy_s) + " of CPU time";
  return seconds(limits.patience->least_s) + " of CPU time, nor within " +
         number_text(limits.patience->times_reference) + " times what the reference needs for this case";
}

void add_allowed_work(Finding& finding, const Limits& limits) {
  finding.evidence.push_back({"allowed", limits.patience ? limits.patience->least_s : limits.busy_s, "s"});
  if (limits.patience) finding.evidence.push_back({"times_reference", limits.patience->times_reference, ""});
}

std::optional<Finding> reason_of_end(const std::string& worker, const ProcessResult& result, const Limits& limits) {
  switch (result.end) {
    case End::exited:
      if (result.left_behind > 0) return left_processes(result.left_behind);
      if (result.code == 0 && !result.reply.empty()) return std::nullopt;
      // The library has no other way to report it.
      if (auto finding = explain_libgomp(result.error, places_of_arrays(result.reply))) return finding;
      return ended_early(result.code);
    case End::signalled:
      return ended_by_signal(result.code, limits);
    case End::timed_out:
      return with_limit(ended(FindingKind::time_out, "clock",
                              "The answer did not finish within " + seconds(limits.wall_s) + kEndless),
                        limits.wall_s, "s");
    case End::machine_busy:
      return with_limit(ended(FindingKind::time_out, "clock",
                              "The answer did not finish within " + seconds(limits.most_s()) +
                                  " by the clock. It had computed for less than " + seconds(limits.busy_s) +
                                  ", as it had to wait for other work on the machine: try again when there is less."),
                        limits.most_s(), "s");
    case End::too_much_work: {
      Finding finding =
          ended(FindingKind::time_out, "work", "The answer did not finish within " + allowed_work(limits) + kEndless);
      add_allowed_work(finding, limits);
      return finding;
    }
    case End::too_much_output:
      return with_limit(ended(FindingKind::output_limit, "printed",
                              "The program was ended: it printed more than " + mebibytes(limits.output_bytes) + "."),
                        static_cast<double>(limits.output_bytes), "bytes");
    case End::reply_too_large:
      return with_limit(ended(FindingKind::output_limit, "reply",
                              "The program was ended: it sent back more than " + mebibytes(limits.reply_bytes) + "."),
                        static_cast<double>(limits.reply_bytes), "bytes");
    case End::too_many_processes:
      return with_limit(
          ended(FindingKind::process_limit, "",
                "The program was ended: it started more than " + std::to_string(limits.processes) + " processes."),
          static_cast<double>(limits.processes), "processes");
    case End::too_much_memory: {
      // Without a limit of its own, the device was full: it may hold as much as the program.
      const std::uint64_t most = limits.resident_bytes != 0 ? limits.resident_bytes : limits.memory_bytes;
      return with_limit(
          ended(FindingKind::memory_limit, "",
                "The program was ended: its processes held more than " + mebibytes(most) + " of memory together."),
          static_cast<double>(most), "bytes");
    }
    case End::cannot_start:
      return ended(FindingKind::grader_failed, "cannot_start",
                   "The program " + worker + " cannot be started: " + std::strerror(result.code) +
                       ". Build it first: cmake --build <build folder>.");
  }
  return ended(FindingKind::crashed, "", "The program ended in an unknown way.");
}

}  // namespace warpbook::grader
