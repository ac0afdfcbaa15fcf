// The main function of every lab's test program: a Catch2 session, records, and checks of the lab itself.
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>
#include <vector>

#include "common/testing/catch.h"
#include "common/testing/catch_session.h"
#include "grader/judge/because.h"
#include "grader/judge/source_text.h"
#include "grader/runner/lab_context.h"
#include "grader/runner/lab_options.h"

// Set by add_lab() for each test program: a path from the program's folder.
extern const char* const kWarpbookManifest;

namespace {

using namespace warpbook::grader;

constexpr int kPassed = 0, kFailed = 1, kUsage = 2, kSkipped = 77;

/// A path relative to this program's folder: a build folder may have been moved.
std::string beside_this_program(const std::string& path) {
  if (path.empty()) return "";
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / path).lexically_normal().string();
}

/// Listens to Catch2 and fills the records: Catch2's own report is for its developers, not for a student.
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
#define WB_CATCH_RESULT void
#define WB_CATCH_RETURN
using ListenerBase = Catch::EventListenerBase;
#else
#define WB_CATCH_RESULT bool
#define WB_CATCH_RETURN return true
using ListenerBase = Catch::TestEventListenerBase;
#endif

class Listener : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    finding_.reset();
    const std::string name(info.name);
    const auto& tests = registered_tests();
    const auto found =
        std::find_if(tests.begin(), tests.end(), [&](const RegisteredTest& t) { return t.name() == name; });
    graded_ = found != tests.end();
    if (graded_) lab_of_tests().begin(*found);
  }

  WB_CATCH_RESULT assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    if (!result.isOk()) {
      Finding finding = finding_of(result);
      for (const auto& info : stats.infoMessages)
        if (info.message != std::string(result.getMessage())) finding.before.emplace_back(info.message);
      if (finding_) {  // A CHECK failed before: the first finding counts.
        finding_->more.push_back(finding.headline);
      } else {
        finding_ = std::move(finding);
      }
    }
    WB_CATCH_RETURN;
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (!graded_) return;
    if (!finding_ && !stats.totals.assertions.allOk())
      finding_ = warpbook::grader::finding_of(FindingKind::requirement, "An assertion failed.");
    lab_of_tests().end(std::move(finding_));
  }

 private:
  /// The argument of fail(); for a lab's own FAIL() and CHECK(), their text and line.
  static Finding finding_of(const Catch::AssertionResult& result) {
    if (std::optional<Finding> known = std::exchange(lab_of_tests().failure, std::nullopt)) return *known;
    const auto where = result.getSourceInfo();
    const std::string place = std::filesystem::path(where.file).filename().string() + ":" + std::to_string(where.line),
                      message(result.getMessage());
    Finding finding;
    if (result.hasExpression()) {
      finding.headline = place + ": " + std::string(result.getExpression()) +
                         " is false: " + std::string(result.getExpandedExpression());
      if (!message.empty()) finding.facts.push_back(message);
    } else {
      finding = finding_of_text(FindingKind::requirement, message);
    }
    finding.topic = place;
    return finding;
  }

  bool graded_ = false;
  std::optional<Finding> finding_;
};

CATCH_REGISTER_LISTENER(Listener)

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32 | device()) >> 16;  // Short enough to be typed.
}

/// Runs the named test, or all; their records are the run's afterwards.
void run_tests(LabContext& lab, const std::string& only) {
  const TestsOf the_tests(lab);
  std::vector<std::string> arguments = {"lab", "-o", "/dev/null"};
  std::string name;
  for (const char c : only)
    name += (std::string(",[]~\\\"").find(c) != std::string::npos ? "\\" : "") + std::string(1, c);
  if (!only.empty()) arguments.push_back(name);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  warpbook_run_catch2(static_cast<int>(arguments.size()), pointers.data());
  lab.end_run();
  if (lab.is_running) throw std::runtime_error("'" + lab.current.name() + "' ended early, for the reason above");
  if (lab.records.empty()) {
    std::string known;
    for (const RegisteredTest& test : registered_tests()) known += "\n  " + test.name();
    throw std::runtime_error("no test is called '" + only + "'; there are:" + known);
  }
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

int report(const LabContext& lab) {
  bool failed = false, skipped = false;
  for (const TestRecord& record : lab.records) {
    std::printf("%s: %s", record.name().c_str(), record.status.c_str());
    if (record.status != "skipped") {
      std::printf(", %s of %s points", number(record.points).c_str(), number(record.max_points).c_str());
    }
    std::printf("\n%s", record.finding ? terminal_text(*record.finding).c_str() : "");
    failed = failed || record.status == "failed";
    skipped = skipped || record.status == "skipped" || record.status == "inconclusive";
  }
  return failed ? kFailed : skipped ? kSkipped : kPassed;
}

int complain(const std::string& message) {
  std::printf("%s\n", message.c_str());
  return kFailed;
}

int expect_not_started(LabContext& lab) {
  run_tests(lab, "");
  for (const TestRecord& record : lab.records) {
    if (!record.not_started) {
      return complain("The skeleton must be 'not started' in every test, but " + record.name() + " is " +
                      record.status + ".\n" + record.message() +
                      "Each function that a test calls needs '// SKELETON: " +
                      "warpbook::not_started();' in its region of the tagged solution.");
    }
  }
  std::printf("In all %zu tests the skeleton is not started.\n", lab.records.size());
  return kPassed;
}

int expect_full_points(LabContext& lab) {
  run_tests(lab, "");
  double points = 0, max_points = 0;
  const int status = report(lab);
  for (const TestRecord& record : lab.records) {
    points += record.points;
    max_points += record.max_points;
    if (record.status == "skipped") return complain(record.name() + " was skipped.");
  }
  std::printf("%s of %s points.\n", number(points).c_str(), number(max_points).c_str());
  return status;
}

int expect_rejected(LabContext& lab) {
  const std::string source = lab.manifest.source_of(lab.answer);
  const KnownAnswer& wrong = lab.manifest.known_answer(lab.answer);
  run_tests(lab, wrong.rejected_by);
  const TestRecord& record = lab.records.front();
  const std::string has = record.finding ? "The verdict has:\n" + because_of(*record.finding) : "";
  std::printf("%s is %s by %s.\n%s%s", source.c_str(), record.status.c_str(), record.name().c_str(),
              record.message().c_str(), has.c_str());
  if (record.status == "inconclusive") return kSkipped;
  if (record.status != "failed") return complain("It must be rejected: is the test too lenient, or the answer right?");
  if (!record.finding) return complain("It is rejected, but nothing says why.");
  for (const std::string& text : wrong.because) {
    try {
      if (!holds(parse_because(text), *record.finding))
        return complain("It is rejected, but not with 'because: " + text + "'.");
    } catch (const BecauseError& error) {
      return complain("'because: " + text + "': " + error.what() + ".");
    }
  }
  return kPassed;
}

/// A mistake that only checkers find must give right results without checkers, in the documented order: it must pass
/// the test that rejects it.
int expect_right_results(LabContext& lab) {
  lab.is_checked = false;
  const bool wrong = lab.answer.starts_with("wrong:");
  run_tests(lab, wrong ? lab.manifest.known_answer(lab.answer).rejected_by : spelling_of(Kind::correctness) + ".*");
  const int status = report(lab);
  if (status == kFailed)
    return complain(
        "A mistake that only checkers find must give right results without them: remove its line "
        "'only-by: checkers' if it does not.");
  return status;
}

/// An exploit must earn what its honest part earns: not more, and not less for some other reason. If it is known to get
/// more, it must be exactly that, so that a fix is not missed.
int expect_honest_points(LabContext& lab) {
  const KnownAnswer& known = lab.manifest.known_answer(lab.answer);
  run_tests(lab, "");
  double points = 0;
  for (const TestRecord& record : lab.records) points += record.points;
  report(lab);
  std::printf("%s points; its honest part earns %s.\n", number(points).c_str(), number(*known.earns).c_str());
  constexpr double kRounded = 0.05;
  if (std::abs(points - known.gets.value_or(*known.earns)) <= kRounded) return kPassed;
  return complain(known.gets
                      ? "It is known to get " + number(*known.gets) + ": correct its line '// gets:', or delete it."
                      : "An exploit must earn what its honest part earns.");
}

/// The list that CMake read from the source text must match the tests in the program, and lab.json must agree.
int expect_listed(LabContext& lab) {
  const Manifest& manifest = lab.manifest;
  std::map<std::string, double> listed, held;
  double points = 0;
  for (const ListedTest& test : manifest.tests) listed[test.kind + "." + test.sentence] = test.points;
  for (const RegisteredTest& test : registered_tests()) {
    if (!held.emplace(test.name(), test.points).second) return complain("Two tests are called '" + test.name() + "'.");
    points += test.points;
  }
  if (held.empty()) return complain("The lab has no tests.");
  if (listed != held) {
    std::string message =
        "The tests that CMake read from the source text are not those of the program.\nThe program has:";
    for (const auto& [name, value] : held) message += "\n  " + name + " (" + number(value) + ")";
    message += "\nCMake read:";
    for (const auto& [name, value] : listed) message += "\n  " + name + " (" + number(value) + ")";
    return complain(message + "\nWrite kind, points and sentence of WB_LAB_TEST as literals, and configure again.");
  }
  if (points != manifest.points) {
    return complain("lab.json says " + number(manifest.points) + " points, but the tests add up to " + number(points) +
                    ".");
  }
  std::printf("%zu tests, %s points.\n", held.size(), number(points).c_str());
  return kPassed;
}

int write_ladder(LabContext& lab, const LadderOptions& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // Whoever asked for it and is no more reads no ladder.
  write_file(options.folder + "/ladder.json", to_json(climb_ladder(lab, options)).dump(2) + "\n");
  return kPassed;
}

/// All tests and the benchmark of a submitted answer; the results go to the folder of records. The exit status
/// only says whether it could be graded.
int grade_submitted(LabContext& lab, const LabOptions& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // Whoever asked for it and is no more reads no records.
  run_tests(lab, "");
  Ladder ladder;
  ladder.answer = step_of_answer(lab, options.records);
  const nlohmann::json results = lab_results(lab.manifest, lab.answer, lab.records, ladder);
  write_file(options.records + "/results.json",
             results.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  return kPassed;
}

/// Records what a student edition needs instead of the reference's program (reference.h).
int write_run_of_reference(LabContext& lab, const LabOptions& options) {
  if (lab.on_gpu()) throw std::runtime_error("--record: times on a real GPU cannot be recorded; use the preset sim");
  run_tests(lab, options.test);
  for (const TestRecord& record : lab.records)
    if (record.status != "passed") {
      std::printf("%s", record.message().c_str());
      return complain("--record: the reference itself does not pass " + record.name() + ".");
    }
  write_file(options.record, lab.run_of_reference->text());
  return kPassed;
}

/// Options of a submitted answer: a student's, built elsewhere.
void set_submitted(LabSetup& setup, const LabOptions& options) {
  for (const auto& [name, value] : {std::pair("--source", &options.source),
                                    {"--root", &options.root},
                                    {"--records", &options.records},
                                    {"--confine", &options.confine}}) {
    if (value->empty()) throw std::runtime_error(std::string("--program needs ") + name + " too; see --help");
  }
  setup.answer = "student";
  const std::string name = setup.manifest.source_of(setup.answer);
  setup.manifest.results_folder = options.records + "/tests";
  setup.manifest.workers[name] = options.program;
  setup.confinement = read_confinement(options.confine);
  setup.sources = Sources(setup.manifest.project_root, {options.root, name, options.source});
}

/// A test that is started by hand is a run of its own.
std::string run_of_its_own() { return "by hand " + std::to_string(fresh_seed()); }

LabSetup setup_of(const LabOptions& options) {
  LabSetup setup;
  setup.manifest = read_manifest(options.manifest);
  setup.answer = options.answer;
  setup.seed = options.seed ? *options.seed : fresh_seed();
  setup.run = named_run(options.run_file).value_or(run_of_its_own());
  setup.store_records = options.expect.empty();
  setup.sources = Sources(setup.manifest.project_root);
  if (!setup.manifest.reference.empty()) setup.recorded = read_reference(setup.manifest.reference);
  if (!options.record.empty()) {
    setup.answer = "solution";
    setup.store_records = false;
    setup.records_reference = true;
  } else if (!options.program.empty()) {
    set_submitted(setup, options);
  }
  return setup;
}

/// The values of --expect.
const std::map<std::string, int (*)(LabContext&)> kExpectations = {
    {"not started", expect_not_started},     {"full points", expect_full_points},     {"rejected", expect_rejected},
    {"right results", expect_right_results}, {"honest points", expect_honest_points}, {"listed", expect_listed}};

int run(const LabOptions& options) {
  LabContext lab(setup_of(options));
  if (!options.record.empty()) return write_run_of_reference(lab, options);
  if (!options.program.empty()) return grade_submitted(lab, options);
  if (!options.ladder.folder.empty()) return write_ladder(lab, options.ladder);
  if (!options.expect.empty()) return kExpectations.at(options.expect)(lab);
  run_tests(lab, options.test);
  return report(lab);
}

int run(int argc, char** argv) {
  LabOptions options;
  options.manifest = beside_this_program(kWarpbookManifest);
  std::vector<std::string> expectations;
  for (const auto& [name, expectation] : kExpectations) expectations.push_back(name);
  const auto read = read_lab_options(argc, argv, options, expectations, kUsage);
  if (const int* const status = std::get_if<int>(&read)) return *status;
  return run(std::get<LabOptions>(read));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  }
  return kUsage;
}
