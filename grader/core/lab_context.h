// The running test program of a lab: what it grades, and the record of the test that is under way.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/cuda/random.h"
#include "grader/core/lab_test.h"
#include "grader/core/manifest.h"
#include "grader/core/results.h"
#include "grader/core/submission.h"

namespace warpbook::grader {

/// A test as its WB_LAB_TEST declares it.
struct RegisteredTest {
  Kind kind{};
  double points = 0;
  std::string sentence, file;
  int line = 0;
  std::string name() const;  ///< "<kind>.<sentence>"
};

/// "correctness", "counters" or "time"
std::string spelling_of(Kind kind);

/// All tests of this program, in the order of the source text.
std::vector<RegisteredTest>& registered_tests();

/// State of the program: one test is under way at a time.
struct LabContext {
  Manifest manifest;
  std::string answer = "student";
  std::uint64_t seed = 0;
  std::vector<TestRecord> records;  ///< Of the tests that have ended.
  bool store_records = true;        ///< Leave them in the results folder.

  TestRecord current;
  std::unique_ptr<Random> random;
  double credit = 1;      ///< Part of the points that a time earned.
  std::string last_case;  ///< For the message of a failure.

  Environment environment() const;
  /// Begins the record of a test.
  void begin(const RegisteredTest& test);
  /// Ends it, given what failed (empty: nothing did).
  void end(const std::string& failures);
  /// The command that repeats the test that is under way, with its seed.
  std::string repeat_command() const;
};

LabContext& context();

/// Thrown to end a test that cannot be judged: not started, or not on this backend.
struct SkipTest {
  bool not_started = false;
  std::string message;
};

/// Runs the ladder and the answer on the lab's benchmark; profiles go into `folder`. @throws ManifestError
Ladder climb_ladder(const std::string& folder);

}  // namespace warpbook::grader
