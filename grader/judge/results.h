// Results: the record that each test leaves, and results.json made of them (docs/formats.md).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/finding.h"
#include "grader/judge/ladder.h"
#include "grader/judge/manifest.h"
#include "grader/judge/quantity.h"

namespace warpbook::grader {

/// A threshold that an answer kept.
struct KeptLimit {
  std::string quantity, words, unit;  ///< key_of(), name_of(), unit_of()
  double found = 0, limit = 0;
  bool at_most = true;
};

/// What one test of one answer came to.
struct TestRecord {
  std::string lab, answer;  ///< "student", "solution", ...
  std::string kind, sentence;
  std::string status;        ///< passed, failed, inconclusive, skipped
  bool not_started = false;  ///< Why it is skipped.
  double points = 0, max_points = 0;
  std::optional<Finding> finding;  ///< What the student reads, and all views are made of; nothing if there is no more
                                   ///< to say than the status.
  std::vector<KeptLimit> kept;     ///< Each quantity once: that of its last case.
  std::vector<std::string> functions;  ///< That its cases call; a lab's own runners count as functions.
  std::vector<std::string> unsound;    ///< Those in which checkers found what makes the result a matter of luck.
  std::vector<std::string> leaking;    ///< Those that leak.
  std::string broken;  ///< "time" or "memory" if a case did not end, or ran out of memory (patience.h); else empty.
  std::uint64_t seed = 0;
  std::string program_hash;  ///< Of the answer's program: a record of another program is out of date.
  std::string run;           ///< The run that the test was in: all tests of one ctest share it (named_run()).

  /// The finding as text.
  std::string message() const { return finding ? text_of(*finding) : ""; }
  std::string name() const { return lab + "." + kind + "." + sentence; }
  /// Notes a threshold that was kept.
  void keep(Quantity quantity, double found, double limit, bool at_most);
};

/// The name of the run that is under way, by which its records are told from older ones: what the variable WARPBOOK_RUN
/// says, by which `warpbook check` names the run that it starts; else what @p file holds, which ctest's first step
/// writes. Nothing if neither names one: then a test was started by hand, and is a run of its own.
std::optional<std::string> named_run(const std::string& file);

/// Writes a record into the lab's results folder, over that of an earlier run.
void write_record(const Manifest& manifest, const TestRecord& record);

/// The records of an answer, in the order in which the tests are listed, then those of tests that are listed no more.
std::vector<TestRecord> read_records(const Manifest& manifest, const std::string& answer);

/// A hash of a file's contents as hexadecimal digits; empty if it cannot be read.
std::string hash_file(const std::string& path);

/// What went wrong when an answer was built last; empty if it was built. Left by the build fixture.
std::string build_failure(const Manifest& manifest, const std::string& answer);

/// The same, only if that was in the run of ctest that is under way or was the last.
std::string build_failure_of_this_run(const Manifest& manifest);

/// The record of a lab for results.json, from the records of its tests and its ladder.
nlohmann::json lab_results(const Manifest& manifest, const std::string& answer, const std::vector<TestRecord>& records,
                           const Ladder& ladder);

/// results.json around the records of labs. All manifests have one backend. @param gpu name of the real GPU, or empty
nlohmann::json all_results(const std::vector<Manifest>& manifests, const std::vector<nlohmann::json>& labs,
                           const std::string& gpu = "");

/// Writes text over a file in one step, creating its folder. @throws std::runtime_error
void write_file(const std::string& path, const std::string& text);

}  // namespace warpbook::grader
