// The main function of every lab's test program: arguments, a Catch2 session, records, and checks of the lab itself.
#define CATCH_CONFIG_RUNNER
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
#include <sstream>
#include <utility>

#include "common/testing/catch.h"
#include "grader/judge/source_text.h"
#include "grader/runner/lab_context.h"

// Set by add_lab() for each test program: a path from the program's folder.
extern const char* const kWarpbookManifest;

namespace {

using namespace warpbook::grader;

constexpr int kPassed = 0, kFailed = 1, kUsage = 2, kSkipped = 77;

constexpr const char* kHelp =
    "Tests of a warpbook lab. Usage: %s [options]\n\n"
    "  --answer NAME     student (default), solution, skeleton, right:, wrong: or exploit:<name>, or a path from the\n"
    "                    project's root\n"
    "  --test NAME       only this test, <kind>.<sentence>; 'correctness.*' are all of a kind\n"
    "  --seed N          repeat the run that printed this seed (also: WARPBOOK_SEED)\n"
    "  --ladder FOLDER   run every rung and the answer on the benchmark; ladder.json and profiles go there\n"
    "  --large           with --ladder, on a real GPU: the large benchmark too, if the lab has one\n"
    "  --expect WHAT     check the lab: 'not started', 'full points', 'rejected', 'right results', 'honest points' or\n"
    "                    'listed'\n"
    "  --run-file FILE   the test belongs to the run that the file names (ctest); otherwise to the one that the "
    "variable\n"
    "                    WARPBOOK_RUN names, which goes before the file, or else to one of its own\n"
    "  --record FILE     run the solution, and write what is asked of the reference: times, and what its cases need\n"
    "  --help            this text\n\n"
    "A submitted answer, built elsewhere, is graded by all tests and run on the benchmark:\n"
    "  --program PATH    its program\n"
    "  --source FILE     its source, for the lines that messages show\n"
    "  --root FOLDER     what the compiler saw as the project's root\n"
    "  --records FOLDER  results.json (the record of one lab) and the profile student.json go there\n"
    "  --confine FILE    limits, and how to run the program in a sandbox (warpbook.confinement)\n";

/// A path from the folder that this program lies in: a build folder may have been moved.
std::string beside_this_program(const std::string& path) {
  if (path.empty()) return "";
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / path).lexically_normal().string();
}

struct Options {
  std::string manifest = beside_this_program(kWarpbookManifest), answer = "student", test, expect;
  LadderOptions ladder;
  std::optional<std::uint64_t> seed;
  std::string run_file;                                 ///< Where the run that this test belongs to is named.
  std::string record;                                   ///< Where figures of the reference go.
  std::string program, source, root, records, confine;  ///< Of a submitted answer.
};

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
      if (finding_) {  // A CHECK went before: the first finding is the one that counts.
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
  /// What fail() was called with; of a lab's own FAIL() and CHECK(), what they say and where they stand.
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

std::uint64_t parse_seed(const std::string& text) {
  std::size_t used = 0;
  const std::uint64_t seed = std::stoull(text, &used, 0);
  if (used != text.size()) throw std::invalid_argument(text);
  return seed;
}

Options parse(int argc, char** argv) {
  Options options;
  if (const char* seed = std::getenv("WARPBOOK_SEED"); seed != nullptr && *seed != 0) {
    options.seed = parse_seed(seed);
    unsetenv("WARPBOOK_SEED");
  }
  const std::map<std::string, std::string*> texts = {
      {"--manifest", &options.manifest}, {"--answer", &options.answer},        {"--test", &options.test},
      {"--expect", &options.expect},     {"--ladder", &options.ladder.folder}, {"--record", &options.record},
      {"--program", &options.program},   {"--source", &options.source},        {"--root", &options.root},
      {"--records", &options.records},   {"--confine", &options.confine},      {"--run-file", &options.run_file}};
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::printf(kHelp, argv[0]);
      std::exit(kPassed);
    }
    if (argument == "--large") {
      options.ladder.large = true;
      continue;
    }
    if (i + 1 >= argc) throw std::runtime_error("'" + argument + "' is not an option, or lacks its value; see --help");
    if (argument == "--seed") {
      options.seed = parse_seed(argv[++i]);
    } else if (texts.count(argument) > 0) {
      *texts.at(argument) = argv[++i];
    } else {
      throw std::runtime_error("'" + argument + "' is not an option; see --help");
    }
  }
  return options;
}

/// Runs the named test, or all; their records are the run's afterwards.
void run_tests(LabContext& lab, const std::string& only) {
  const TestsOf the_tests(lab);
  std::vector<std::string> arguments = {"lab", "-o", "/dev/null"};
  std::string name;
  for (const char c : only)
    name += (std::string(",[]~\\\"").find(c) != std::string::npos ? "\\" : "") + std::string(1, c);
  if (!only.empty()) arguments.push_back(name);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  Catch::Session session;
  if (session.applyCommandLine(static_cast<int>(pointers.size()), pointers.data()) != 0) {
    throw std::runtime_error("Catch2 does not take the name of the test '" + only + "'");
  }
  session.run();
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
  std::printf("All %zu tests say that the skeleton is not started.\n", lab.records.size());
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

/// With every run of white space as one space: messages are wrapped.
std::string on_one_line(const std::string& text) {
  std::istringstream in(text);
  std::string result;
  for (std::string word; in >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

int expect_rejected(LabContext& lab) {
  const std::string source = lab.manifest.source_of(lab.answer);
  const KnownAnswer& wrong = lab.manifest.known_answer(lab.answer);
  run_tests(lab, wrong.rejected_by);
  const TestRecord& record = lab.records.front();
  std::printf("%s is %s by %s.\n%s", source.c_str(), record.status.c_str(), record.name().c_str(),
              record.message().c_str());
  if (record.status == "inconclusive") return kSkipped;
  if (record.status != "failed") return complain("It must be rejected: is the test too lenient, or the answer right?");
  for (const std::string& text : wrong.because) {
    if (on_one_line(record.message()).find(on_one_line(text)) == std::string::npos) {
      return complain("It is rejected, but the message does not name the cause: '" + text + "' is not in it.");
    }
  }
  return kPassed;
}

/// Where nobody checks, and in the documented order, what only checkers find gives the right results.
int expect_right_results(LabContext& lab) {
  lab.is_checked = false;
  run_tests(lab, spelling_of(Kind::correctness) + ".*");
  const int status = report(lab);
  if (status == kFailed)
    return complain(
        "A mistake that only checkers find must give right results without them: take away its line "
        "'only-by: checkers' if it does not.");
  return status;
}

/// An exploit earns what its honest part earns: not more, and not less, for another reason. Where it is known to get
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

/// The list that CMake read from the source text must be what the program holds, and lab.json must agree.
int expect_listed(const LabContext& lab) {
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
    std::string message = "CMake reads other tests from the source text than the program holds.\nThe program holds:";
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

/// All tests and the benchmark of a submitted answer; what came of it is in the folder of records. The exit status
/// tells only whether it could be graded.
int grade_submitted(LabContext& lab, const Options& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // Whoever asked for it and is no more reads no records.
  run_tests(lab, "");
  Ladder ladder;
  ladder.answer = step_of_answer(lab, options.records);
  const nlohmann::json results = lab_results(lab.manifest, lab.answer, lab.records, ladder);
  write_file(options.records + "/results.json",
             results.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  return kPassed;
}

/// What a student edition needs in place of the reference's program (reference.h).
int write_run_of_reference(LabContext& lab, const Options& options) {
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

/// A submitted answer is a student's, built elsewhere.
void set_submitted(LabSetup& setup, const Options& options) {
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

/// A test that was started by hand belongs to no other's run.
std::string run_of_its_own() { return "by hand " + std::to_string(fresh_seed()); }

LabSetup setup_of(const Options& options) {
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

int run(const Options& options) {
  LabContext lab(setup_of(options));
  if (!options.record.empty()) return write_run_of_reference(lab, options);
  if (!options.program.empty()) return grade_submitted(lab, options);
  if (!options.ladder.folder.empty()) return write_ladder(lab, options.ladder);
  if (options.expect == "not started") return expect_not_started(lab);
  if (options.expect == "full points") return expect_full_points(lab);
  if (options.expect == "rejected") return expect_rejected(lab);
  if (options.expect == "right results") return expect_right_results(lab);
  if (options.expect == "honest points") return expect_honest_points(lab);
  if (options.expect == "listed") return expect_listed(lab);
  if (!options.expect.empty()) throw std::runtime_error("--expect '" + options.expect + "' is not known; see --help");
  run_tests(lab, options.test);
  return report(lab);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: the seed must be a whole number\n", argv[0]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  }
  return kUsage;
}
