// The running test program of a lab: what it grades, and the record of the current test.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/random.h"
#include "grader/judge/checked_cases.h"
#include "grader/judge/finding.h"
#include "grader/judge/ladder.h"
#include "grader/judge/machine_free.h"
#include "grader/judge/manifest.h"
#include "grader/judge/reference.h"
#include "grader/judge/results.h"
#include "grader/runner/lab_test.h"
#include "grader/runner/patience.h"
#include "grader/runner/submission.h"

namespace warpbook::grader {

/// A test as its WB_LAB_TEST declares it.
struct RegisteredTest {
  Kind kind{};
  double points = 0;
  std::string sentence;
  std::string name() const;  ///< "<kind>.<sentence>"
};

/// "correctness", "counters" or "time"
std::string spelling_of(Kind kind);

/// All tests of this program, in the order of the source text. They are registered before main() begins.
const std::vector<RegisteredTest>& registered_tests();

/// The options of the program's main function: what is graded, and how.
struct LabSetup {
  Manifest manifest;
  std::string answer = "student";
  std::uint64_t seed = 0;
  std::string run;                            ///< Names the run that records belong to (docs/formats.md).
  bool store_records = true;                  ///< Write them into the results folder.
  std::optional<Confinement> confinement;     ///< Of a submitted answer's program, with its limits.
  std::optional<RecordedReference> recorded;  ///< In a student edition: figures instead of the reference's program.
  bool records_reference = false;             ///< The answer is the reference, and its figures are recorded.
  Sources sources;                            ///< The files whose lines messages show.
};

/// A run of the lab's tests: the setup, which does not change, and the state of the current test, of which
/// there is one at a time. main() makes it and passes it on.
class LabContext {
 public:
  explicit LabContext(LabSetup setup);
  LabContext(const LabContext&) = delete;
  LabContext& operator=(const LabContext&) = delete;

  const Manifest manifest;
  const std::string answer;
  const std::uint64_t seed;
  const std::string run;
  const bool store_records;
  const std::optional<Confinement> confinement;
  const std::optional<RecordedReference> recorded;
  const Sources sources;

  std::vector<TestRecord> records;               ///< Of the tests that have ended.
  std::optional<ReferenceRun> run_of_reference;  ///< While the reference's figures are recorded.

  TestRecord current;
  bool is_running = false;  ///< Between begin() and end().
  std::unique_ptr<Random> random;
  double credit = 1;               ///< Fraction of the points that a time earned.
  double spent_s = 0;              ///< Wall-clock time of all cases of a submitted answer so far.
  std::size_t times_compared = 0;  ///< Comparisons with recorded times so far.
  std::optional<Finding> note;     ///< Something worth knowing about a test that passed.
  std::optional<Finding> failure;  ///< The argument of fail().
  std::optional<Finding> checked;  ///< The first finding of checkers: it fails the test at its end.
  Case checked_case;               ///< The case in which they found it.
  std::size_t graded = 0;          ///< Cases of the test so far.
  bool depends_on_order = false;   ///< A result in another order was not the one in the documented order:
  bool is_repeated = false;        ///< then the test is run again, in the documented order.
  /// By number, cases that it need not run, because they were in that order, and what they returned.
  std::map<std::size_t, std::pair<Case, Answer>> documented;
  CheckedCases checked_cases;   ///< Which of them run under checkers.
  bool is_checked = true;       ///< Otherwise no checkers run, and all cases run in the documented order.
  Case last_case;               ///< The case that a failure belongs to.
  std::optional<Finding> last;  ///< What fails the test if nothing else does.
  /// If the last case ran in another order alone: with all its arrays, and the seed of its processes.
  std::optional<std::pair<Case, std::uint64_t>> reordered;
  std::vector<Printed> printed;  ///< What it printed.

  std::optional<Strikes> strikes;  ///< Of the answer, including those of earlier tests of the same program.

  /// A timed run: until it is reset, grade() returns this answer for this case.
  const Case* timed_case = nullptr;
  const Answer* timed_answer = nullptr;

  /// With the preset gpu: whether the cases of the current test run on the GPU. Those of time tests do; correctness
  /// tests run on the virtual GPU, which checks more, and then, if they pass, on the GPU.
  bool on_hardware = false;

  /// Where the next case runs.
  Environment environment() const { return on_hardware ? real_environment() : counted_environment(); }
  /// The same for the test's next case: cases of correctness tests run under the checkers, too.
  Environment checked_environment(const Case& given);
  /// The same for the answer: confined, if it is a submitted one.
  Environment of_answer(Environment environment) const;
  Strikes known_strikes();                  ///< Those in the records of other tests of this program.
  Environment counted_environment() const;  ///< On the virtual GPU.
  Environment real_environment() const;     ///< On the GPU. Only with the preset gpu.
  /// Whether cases of correctness tests run under checkers, and in another order, too.
  bool looks_for_luck() const { return is_checked && !is_repeated; }
  bool on_gpu() const { return manifest.backend == "gpu"; }
  /// Begins the record of a test.
  void begin(const RegisteredTest& test);
  /// Before the test's cases are run, or run on another device.
  void begin_cases(bool on_hardware);
  /// Predicted time of the reference on a case, in us: of its program, or recorded.
  std::optional<double> reference_time_us(const Case& given);
  /// Records what checkers found in a case.
  void note_checks(const Answer& answer);
  /// The last case failed in another order: finds out whether it does in the documented one, too. If not, a wrong
  /// result is a matter of luck, which is recorded; otherwise the order is no part of the case's description.
  void look_at_order(const Finding& failed);
  /// Ends the record. @param failed what failed; nothing: the test passed
  void end(std::optional<Finding> failed);
  /// After the last test: takes away the points that tests of the same run, in other processes too, got by luck.
  void end_run();
  /// Folders of this machine, and their names for students.
  std::vector<Root> machine_roots() const;
  /// The command that repeats the current test, with its seed.
  std::string repeat_command() const;

 private:
  /// Takes away the points that tests of a run got by luck (soundness.h), here and in their records.
  void withhold_lucky_points(std::vector<TestRecord> of_run);

  /// Of the answer's program.
  const std::string& program_hash();
  std::string program_hash_;
};

/// Makes a run the current one, for as long as this object lives.
///
/// Tests are registered before main() begins, and Catch2 calls their bodies and its listeners without arguments; a
/// lab's tests call grade() from functions of their own, to which nothing is passed. So there is one place where
/// the functions of lab_test.h, and the listener, find the run. It is set once, before any test is run, and never to
/// another run. Everything else gets the run as an argument.
class TestsOf {
 public:
  /// @throws std::logic_error if there is such a run already
  explicit TestsOf(LabContext& lab);
  ~TestsOf();
  TestsOf(const TestsOf&) = delete;
  TestsOf& operator=(const TestsOf&) = delete;
};

/// The current run. @throws std::logic_error before there is one
LabContext& lab_of_tests();

/// Thrown to end a test that cannot be judged: not started, or not on this backend.
struct SkipTest {
  bool not_started = false;
  Finding finding;
};

/// Thrown to end a test whose measurements are inconclusive.
struct InconclusiveTest {
  Finding finding;
  double credit = 0;  ///< Fraction of the points that the measurements prove.
};

/// Ends the test as failed. @throws always
[[noreturn]] void fail(LabContext& lab, const Finding& finding);

/// The answer, if the run completed; ends the test otherwise.
Answer answer_or_end(LabContext& lab, Outcome outcome, bool reference);

/// Runs the answer under test on a case, with patience (patience.h). @param seed as for run_submission()
Outcome run_answer(LabContext& lab, const Case& given, const Environment& environment, std::uint64_t seed);

/// Runs the answer under test on the virtual GPU, whatever the preset is.
Answer grade_counted(LabContext& lab, const Case& given);

/// An answer as the virtual GPU counted it. A real GPU counts nothing: where one ran it, the case runs once more.
class CountedAnswer {
 public:
  /// @param answer must live longer
  CountedAnswer(LabContext& lab, const Answer& answer)
      : again_(answer.profile.text.empty() ? std::optional(grade_counted(lab, answer.given)) : std::nullopt),
        counted_(again_ ? *again_ : answer) {}
  CountedAnswer(const CountedAnswer&) = delete;
  CountedAnswer& operator=(const CountedAnswer&) = delete;

  const Answer& operator*() const { return counted_; }
  const Answer* operator->() const { return &counted_; }

 private:
  std::optional<Answer> again_;
  const Answer& counted_;
};

/// What to do with the ladder.
struct LadderOptions {
  std::string folder;  ///< Where profiles go.
  std::string rungs;   ///< A ladder.json with the rungs' times, which are then not run again; empty: none.
  bool large = false;  ///< On a real GPU: the large benchmark too.
  bool plots = false;  ///< Also run the lab's plots.
};

/// Runs the answer on the lab's benchmark; its profile goes to FOLDER/ANSWER.json. Predicted, whatever the preset is.
LadderStep step_of_answer(LabContext& lab, const std::string& folder);

/// Runs the ladder and the answer on the lab's benchmark. @throws ManifestError
Ladder climb_ladder(LabContext& lab, const LadderOptions& options);

}  // namespace warpbook::grader
