// Bookkeeping of a lab's test program: registration, records, the repeating command, the ladder.
#include "grader/core/lab_context.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace warpbook::grader {

namespace {

constexpr std::uint64_t kLadderSeed = 20;  // Fixed: the ladder shows the same figures every time.

/// Escapes what a regular expression of ctest would read as more than a letter.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string(".+*?()[]^$|\\").find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

/// Quoted for a shell.
std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

constexpr std::size_t kWidth = 100;       // Prose is wrapped here.
constexpr std::size_t kSourceIndent = 6;  // Lines indented this far are source text: left alone.

/// Indents by two, and wraps prose.
std::string indented(const std::string& text) {
  std::string result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.insert(0, "  ");
    while (line.size() > kWidth && indent < kSourceIndent) {
      const std::size_t space = line.rfind(' ', kWidth);
      if (space == std::string::npos || space <= indent + 6) break;
      result += line.substr(0, space) + "\n";
      line = std::string(indent + 4, ' ') + line.substr(space + 1);
    }
    result += line + "\n";
  }
  return result;
}

LadderStep climb(const Manifest& manifest, const Environment& environment, const Case& given, const std::string& source,
                 const std::string& rung, const std::string& title, const std::string& folder) {
  LadderStep step;
  step.rung = rung;
  step.title = title;
  step.source = source;
  const Outcome outcome = run_submission(manifest.worker_of(source), given, environment, kLadderSeed);
  if (outcome.status != Outcome::Status::completed) {
    step.problem = outcome.status == Outcome::Status::not_started ? "not started" : outcome.message;
    return step;
  }
  if (!environment.counted) {
    if (outcome.answer.measured_us > 0) step.measured_us = outcome.answer.measured_us;
    return step;
  }
  const Profile& profile = outcome.answer.profile;
  step.time_us = value_of(profile, manifest.time_with_copies ? Quantity::time_with_copies_us : Quantity::time_us);
  step.profile = folder + "/" + rung + ".json";
  write_file(step.profile, profile.text);
  const auto slowest =
      std::max_element(profile.kernels.begin(), profile.kernels.end(),
                       [](const KernelRecord& a, const KernelRecord& b) { return a.time_us < b.time_us; });
  if (slowest != profile.kernels.end()) step.kernel = static_cast<int>(slowest - profile.kernels.begin());
  return step;
}

}  // namespace

std::string spelling_of(Kind kind) {
  switch (kind) {
    case Kind::correctness:
      return "correctness";
    case Kind::counters:
      return "counters";
    case Kind::time:
      return "time";
  }
  return "unknown";
}

std::string RegisteredTest::name() const { return spelling_of(kind) + "." + sentence; }

std::vector<RegisteredTest>& registered_tests() {
  static std::vector<RegisteredTest> tests;
  return tests;
}

LabContext& context() {
  static LabContext instance;
  return instance;
}

Environment LabContext::environment() const {
  Environment environment;
  environment.counted = manifest.backend == "virtual";
  environment.device = manifest.device;
  environment.project_root = manifest.project_root;
  if (manifest.sanitized) environment.limits.memory_bytes = 0;
  return environment;
}

void LabContext::begin(const RegisteredTest& test) {
  current = TestRecord();
  current.lab = manifest.lab;
  current.answer = answer;
  current.kind = spelling_of(test.kind);
  current.sentence = test.sentence;
  current.max_points = test.points;
  current.seed = seed;
  current.run = getppid();
  // Each test has its own numbers, whichever others run before it.
  std::uint64_t mixed = seed;
  for (const char c : test.name()) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  random = std::make_unique<Random>(mixed);
  credit = 1;
  last_case.clear();
}

std::string LabContext::repeat_command() const {
  const std::string build = relative_to(manifest.build_folder, manifest.project_root);
  std::ostringstream out;
  out << "WARPBOOK_SEED=" << seed << ' ';
  if (answer == "student") {
    std::string pattern = "^";
    pattern.append(escaped(current.name())).append("$");
    out << "ctest --test-dir " << build << " --output-on-failure -R " << shell_quoted(pattern);
  } else {
    out << relative_to(manifest.test_program, manifest.project_root) << " --answer " << shell_quoted(answer)
        << " --test " << shell_quoted(current.kind + "." + current.sentence);
  }
  return out.str();
}

void LabContext::end(const std::string& failures) {
  if (current.status != "skipped") {
    current.status = failures.empty() && credit >= 1 ? "passed" : "failed";
    // A failure counts in full unless it is a time that earned a part.
    current.points = current.status == "passed" ? current.max_points : credit < 1 ? credit * current.max_points : 0;
  }
  if (current.status == "failed") {
    current.message = indented(failures);
    if (!last_case.empty()) current.message += "  The case: " + last_case + "\n";
    current.message += "  Repeat this run: " + repeat_command() + "\n";
  }
  if (store_records) {
    current.program_hash = hash_file(manifest.worker_of(answer));
    write_record(manifest, current);
  }
  records.push_back(current);
}

Ladder climb_ladder(const std::string& folder) {
  const LabContext& lab = context();
  Random random(kLadderSeed);
  const Case given = benchmark_case(random);
  Ladder ladder;
  for (const Rung& rung : lab.manifest.rungs) {
    ladder.rungs.push_back(climb(lab.manifest, lab.environment(), given, rung.source, rung.rung, rung.title, folder));
  }
  const std::string source = lab.manifest.source_of(lab.answer);
  ladder.answer = climb(lab.manifest, lab.environment(), given, source, lab.answer, "the graded answer", folder);
  return ladder;
}

}  // namespace warpbook::grader
