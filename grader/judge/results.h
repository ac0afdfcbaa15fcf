// Results: the record that each test writes, the verdict of all, and results.json, made from them (docs/formats.md).
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

/// A threshold that an answer met.
struct KeptLimit {
  std::string quantity, words, unit;  ///< key_of(), name_of(), unit_of()
  double found = 0, limit = 0;
  bool at_most = true;
};

/// The outcome of one test of one answer.
struct TestRecord {
  std::string lab, answer;  ///< "student", "solution", ...
  std::string kind, sentence;
  std::string status;        ///< passed, failed, inconclusive, skipped
  bool not_started = false;  ///< Why it is skipped.
  double points = 0, max_points = 0;
  std::optional<Finding> finding;      ///< What the student reads, and all views are made from; nothing if the status
                                       ///< is enough.
  std::vector<KeptLimit> kept;         ///< Each quantity once: the limit of its last case.
  std::vector<std::string> functions;  ///< That its cases call; a lab's own runners count as functions.
  std::vector<std::string> unsound;    ///< Those whose result is a matter of luck, by checkers or another order.
  std::vector<std::string> leaking;    ///< Those that leak.
  std::string broken;  ///< "time" or "memory" if a case did not end, or ran out of memory (patience.h); else empty.
  std::uint64_t seed = 0;
  std::string program_hash;  ///< Of the answer's program: a record of another program is out of date.
  std::string run;           ///< The run that the test was in: all tests of one ctest share it (named_run()).

  /// The finding as text.
  std::string message() const { return finding ? text_of(*finding) : ""; }
  std::string name() const { return lab + "." + kind + "." + sentence; }
  /// Records a threshold that was met.
  void keep(Quantity quantity, double found, double limit, bool at_most);
};

/// The name of the current run, which distinguishes its records from older ones: the value of the variable
/// WARPBOOK_RUN, which `warpbook check` sets for the run that it starts; else the contents of @p file, which ctest's
/// first step writes. Nothing if neither names one: then a test was started by hand, and is a run of its own.
std::optional<std::string> named_run(const std::string& file);

/// Writes a record into the lab's results folder, replacing that of an earlier run, and the verdict anew: what all
/// records of this program say together.
void write_record(const Manifest& manifest, const TestRecord& record);

/// Removes the record of an earlier run of a test that begins now, so that it does not count if the test is ended.
void remove_record(const Manifest& manifest, const TestRecord& begun);

/// The records of an answer, in the order in which the tests are listed, then those of tests that are no longer listed.
std::vector<TestRecord> read_records(const Manifest& manifest, const std::string& answer);

/// A hash of a file's contents as hexadecimal digits; empty if it cannot be read.
std::string hash_file(const std::string& path);

/// Why the last build of an answer failed; empty if it succeeded. Written by the build fixture.
std::string build_failure(const Manifest& manifest, const std::string& answer);

/// The same, but only if it was in the current or last run of ctest.
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
