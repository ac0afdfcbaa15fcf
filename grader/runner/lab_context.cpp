// Bookkeeping of a lab's test program: registration, records, environments, the repeating command.
#include "grader/runner/lab_context.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "grader/judge/call.h"
#include "grader/judge/check_finding.h"
#include "grader/judge/expected_fault.h"
#include "grader/judge/machine_free.h"
#include "grader/judge/plain_text.h"
#include "grader/judge/soundness.h"
#include "grader/runner/same_results.h"

namespace warpbook::grader {

namespace {

/// Escapes the special characters of ctest's regular expressions.
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

constexpr double kBusySeconds = 5, kSleepSeconds = 10;  // For answers that are not submitted ones (patience.h).
// All cases of a submitted answer together may take as long as
// so many cases that sleep to their limit.
constexpr double kCasesAtTheLimit = 60;
constexpr std::size_t kLongestMessage = 20000;  // It may contain names and texts of an answer.

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

namespace {

/// Filled by Registration before main() begins; not changed afterwards.
std::vector<RegisteredTest>& tests_of_program() {
  static std::vector<RegisteredTest> tests;
  return tests;
}

LabContext*& place_of_lab() {
  static LabContext* lab = nullptr;
  return lab;
}

}  // namespace

Registration::Registration(Kind kind, double points, const char* sentence) {
  tests_of_program().push_back({kind, points, sentence});
}

LabParts& lab_parts() {
  static LabParts parts;
  return parts;
}

const std::vector<RegisteredTest>& registered_tests() { return tests_of_program(); }

TestsOf::TestsOf(LabContext& lab) {
  if (place_of_lab() != nullptr) throw std::logic_error("the tests already belong to another run: it is set once");
  place_of_lab() = &lab;
}

TestsOf::~TestsOf() { place_of_lab() = nullptr; }

LabContext& lab_of_tests() {
  if (place_of_lab() == nullptr)
    throw std::logic_error("a lab's test was run before main() set what is graded: run tests with run_tests()");
  return *place_of_lab();
}

LabContext::LabContext(LabSetup setup)
    : manifest(std::move(setup.manifest)),
      answer(std::move(setup.answer)),
      seed(setup.seed),
      run(std::move(setup.run)),
      store_records(setup.store_records),
      confinement(std::move(setup.confinement)),
      recorded(std::move(setup.recorded)),
      sources(std::move(setup.sources)) {
  if (setup.records_reference) run_of_reference.emplace();
}

namespace {

/// The lab's answers; the others are OpenACC.
bool is_cuda(const LabContext& lab) { return lab.manifest.source_of(lab.answer).ends_with(".cu"); }

}  // namespace

Environment LabContext::checked_environment(const Case& given) {
  Environment environment = this->environment();
  const bool correctness = current.kind == spelling_of(Kind::correctness);
  if (!looks_for_luck() || !environment.counted || !correctness || given.has(kExpectedFault)) return environment;
  if (!checked_cases.includes(given)) return environment;
  environment.checks = is_cuda(*this) ? "memory,init,race,sync,leak" : "memory,init,race,leak";
  return environment;
}

Environment LabContext::of_answer(Environment environment) const {
  if (!confinement) {
    if (!environment.counted) return environment;
    environment.limits.busy_s = kBusySeconds;
    environment.limits.wall_s = kSleepSeconds;
    return environment;
  }
  environment.confinement = *confinement;
  environment.limits = confinement->limits;
  if (manifest.sanitized || !environment.counted) environment.limits.memory_bytes = 0;
  if (!environment.counted) environment.limits.busy_s = 0;
  return environment;
}

const std::string& LabContext::program_hash() {
  if (program_hash_.empty()) program_hash_ = hash_file(manifest.worker_of(answer));
  return program_hash_;
}

Strikes LabContext::known_strikes() {
  Strikes known;
  if (!store_records) return known;
  for (const TestRecord& record : read_records(manifest, answer)) {
    if (record.program_hash != program_hash() || record.sentence == current.sentence) continue;
    known.time += record.broken == "time" ? 1 : 0;
    known.memory += record.broken == "memory" ? 1 : 0;
  }
  return known;
}

namespace {

/// A run of the reference to record its figures: with little memory, if that is enough.
Outcome run_of_reference(ReferenceRun& run, const std::string& worker, const Case& given,
                         const Environment& environment, std::uint64_t seed) {
  if (run.needs_little_memory) {
    Environment little = environment;
    little.limits.memory_bytes = kLittleMemory;
    const Outcome outcome = run_submission(worker, given, little, seed);
    if (const std::optional<Need> need = need_of(outcome)) {
      run.add(*need);
      return outcome;
    }
    run.needs_little_memory = false;
  }
  const Outcome outcome = run_submission(worker, given, environment, seed);
  if (const std::optional<Need> need = need_of(outcome)) run.add(*need);
  return outcome;
}

/// The most that the reference needs for any case of the lab: this case was not known when the figures were recorded.
NeedOfReference recorded_need(const RecordedReference& recorded) {
  return [&recorded](bool in_little_memory) {
    return in_little_memory && !recorded.needs_little_memory ? std::nullopt : std::optional(recorded.most);
  };
}

}  // namespace

namespace {

/// Adds those that are missing.
void add(std::vector<std::string>& functions, const std::vector<std::string>& more) {
  for (const std::string& function : more)
    if (std::ranges::find(functions, function) == functions.end()) functions.push_back(function);
}

}  // namespace

void LabContext::note_checks(const Answer& answer) {
  std::set<std::string> kept;
  if (manifest.device_heap) kept.insert("device_heap");
  // GCC's library for OpenACC leaves events behind.
  if (!is_cuda(*this)) kept.insert("event");
  const std::optional<Finding> found = explain_check(answer.profile, sources, kept);
  if (!found) return;
  const bool leaks = found->kind == FindingKind::leak;
  add(leaks ? current.leaking : current.unsound, functions_of(answer.given));
  if (checked && (checked->kind != FindingKind::leak || leaks)) return;
  checked = found;
  checked_case = last_case;
}

Outcome run_answer(LabContext& lab, const Case& given, const Environment& environment, std::uint64_t seed) {
  add(lab.current.functions, functions_of(given));
  if (!lab.strikes) lab.strikes = lab.known_strikes();
  const double most_s = lab.confinement ? kCasesAtTheLimit * lab.confinement->limits.wall_s : 0;
  if (lab.confinement && lab.spent_s >= most_s) {
    Finding finding = finding_of(FindingKind::time_out, "Not run: the cases before this one took " +
                                                            std::to_string(std::lround(most_s)) +
                                                            " s together, more than all cases may take.");
    finding.topic = "all_cases";
    return Outcome().fail(std::move(finding));
  }
  const auto started = std::chrono::steady_clock::now();
  const Strikes before = *lab.strikes;
  const std::string& worker = lab.manifest.worker_of(lab.answer);
  if (lab.run_of_reference) return run_of_reference(*lab.run_of_reference, worker, given, environment, seed);
  const NeedOfReference reference =
      lab.recorded ? recorded_need(*lab.recorded)
                   : ask_program(lab.manifest.worker_of("solution"), given, lab.counted_environment(), seed);
  Outcome outcome = run_with_patience(worker, given, lab.of_answer(environment), seed, reference, *lab.strikes);
  lab.spent_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (lab.strikes->time > before.time) lab.current.broken = "time";
  if (lab.strikes->memory > before.memory) lab.current.broken = "memory";
  lab.printed = outcome.answer.printed;
  return outcome;
}

Environment LabContext::counted_environment() const {
  Environment environment;
  environment.device = manifest.device;
  environment.sources = sources;
  environment.source = manifest.source_of(answer);
  environment.device_process = manifest.device_process;
  environment.library_folder = manifest.front_folder;
  if (manifest.sanitized) environment.limits.memory_bytes = 0;
  return environment;
}

Environment LabContext::real_environment() const {
  Environment environment;
  environment.counted = false;
  environment.sources = sources;
  environment.limits.memory_bytes = 0;  // The driver maps the GPU's memory into the process.
  return environment;
}

void LabContext::begin(const RegisteredTest& test) {
  current = TestRecord();
  is_running = true;
  current.lab = manifest.lab;
  current.answer = answer;
  current.kind = spelling_of(test.kind);
  current.sentence = test.sentence;
  current.max_points = test.points;
  current.seed = seed;
  current.run = run;
  if (store_records) {
    current.program_hash = program_hash();
    remove_record(manifest, current);
  }
  // Each test draws its own numbers, whichever tests run before it.
  std::uint64_t mixed = seed;
  if (const auto draw = recorded ? recorded->draw_of(test.name(), seed) : std::nullopt) mixed = recorded->draws[*draw];
  for (const char c : test.name()) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  random = std::make_unique<Random>(mixed);
  credit = 1;
  times_compared = 0;
  note.reset();
  failure.reset();
  last.reset();
  checked.reset();
  checked_cases = CheckedCases();
  timed_case = nullptr;
  timed_answer = nullptr;
  begin_cases(on_gpu() && test.kind == Kind::time);
}

void LabContext::begin_cases(bool hardware) {
  on_hardware = hardware;
  graded = 0;
  depends_on_order = is_repeated = false;
  documented.clear();
  reordered.reset();
  last_case = Case();
  printed.clear();
}

std::optional<double> LabContext::reference_time_us(const Case& given) {
  const std::string test = current.kind + "." + current.sentence;
  if (!recorded) {
    const std::optional<double> time = value_of(grade_reference(given).profile, predicted_time(manifest));
    if (run_of_reference && time) run_of_reference->times[test].push_back(*time);
    return time;
  }
  random->bits();  // As much as the reference's run would draw.
  const std::optional<std::size_t> draw = recorded->draw_of(test, seed);
  const std::vector<double> times = draw ? recorded->times.at(test)[*draw] : std::vector<double>();
  if (times_compared >= times.size())
    throw std::runtime_error(manifest.reference + " has " + std::to_string(times.size()) + " times for " + test +
                             ", which asks for more. Unpack the student edition again, or tell whoever published it.");
  return times[times_compared++];
}

std::string LabContext::repeat_command() const {
  // The instructor who repeats a test of a submitted answer does so in a clone of their own.
  const std::string build = sources.is_submitted() ? "build/sim" : sources.relative(manifest.build_folder);
  std::ostringstream out;
  out << "WARPBOOK_SEED=" << seed << ' ';
  if (recorded) {
    out << sources.relative(manifest.test_program) << " --test " << shell_quoted(current.kind + "." + current.sentence);
  } else if (answer == "student") {
    std::string pattern = "^";
    pattern.append(escaped(current.name())).append("$");
    out << "ctest --test-dir " << build << " --output-on-failure -R " << shell_quoted(pattern);
  } else {
    out << sources.relative(manifest.test_program) << " --answer " << shell_quoted(answer) << " --test "
        << shell_quoted(current.kind + "." + current.sentence);
  }
  return out.str();
}

void LabContext::look_at_order(const Finding& failed) {
  const bool is_expensive = failed.kind == FindingKind::time_out || failed.kind == FindingKind::memory_limit ||
                            failed.kind == FindingKind::step_limit;
  if (!reordered || is_expensive) return;
  auto [given, seed_of_case] = *std::exchange(reordered, std::nullopt);
  const std::vector<Printed> shown = printed;
  const Outcome other = run_answer(*this, given, environment(), seed_of_case);
  const Outcome documented = run_answer(*this, given.set(kScheduleSeed, 0), environment(), seed_of_case);
  printed = shown;
  const bool completed = other.status == Outcome::Status::completed;
  if (documented.status == other.status && (completed ? nearly_same_results(documented.answer, other.answer)
                                                      : documented.finding.kind == other.finding.kind)) {
    last_case.set(kScheduleSeed, 0);
  } else if (completed && documented.status == other.status && failed.kind == FindingKind::wrong_result &&
             current.kind == spelling_of(Kind::correctness)) {
    add(current.unsound, functions_of(given));
  }
}

void LabContext::end(std::optional<Finding> failed) {
  if (failed) {
    try {
      look_at_order(*failed);
    } catch (const std::exception& error) {
      failed->more.push_back(std::string("The case cannot run in another order: ") + error.what());
    }
  }
  if (failed && on_gpu() && current.kind == spelling_of(Kind::correctness))
    failed->more.emplace_back(on_hardware ? "So it is on your GPU. On the virtual GPU, this test passed."
                                          : "So it is on the virtual GPU, where correctness is tested first.");
  // The failure comes first; the checkers' finding may be its cause.
  if (failed && checked && !is_of_check(failed->kind)) {
    failed->more.push_back(in_brief(*checked));
    failed->also.push_back(*checked);
  }
  if (current.status == "inconclusive") {
    current.points = credit * current.max_points;
  } else if (current.status != "skipped") {
    current.status = !failed && credit >= 1 ? "passed" : "failed";
    // A failure earns nothing, except a time that earned part of the points.
    current.points = current.status == "passed" ? current.max_points : credit < 1 ? credit * current.max_points : 0;
    current.finding = current.status == "passed" ? note : std::move(failed);
  }
  if (current.finding) {
    Finding& finding = *current.finding;
    if (current.status == "failed") {
      finding.the_case = last_case.describe();
      finding.values = last_case.scalars();
      if (finding.printed.empty()) finding.printed = printed;
    }
    if (current.status == "failed" || current.status == "inconclusive") finding.command = repeat_command();
    const std::vector<Root> roots = machine_roots();
    for_each_text(finding,
                  [&](const std::string& text) { return plain_text(without_machine(text, roots), kLongestMessage); });
  }
  if (store_records) write_record(manifest, current);
  records.push_back(current);
  withhold_lucky_points(records);
  is_running = false;
}

void LabContext::end_run() {
  if (!store_records || records.empty()) return;
  std::vector<TestRecord> of_run = read_records(manifest, answer);
  const std::string& program = records.back().program_hash;
  std::erase_if(of_run, [&](const TestRecord& record) { return record.program_hash != program || record.run != run; });
  withhold_lucky_points(std::move(of_run));
}

void LabContext::withhold_lucky_points(std::vector<TestRecord> of_run) {
  for (const std::size_t changed : grader::withhold_lucky_points(of_run)) {
    const TestRecord& record = of_run[changed];
    if (store_records) write_record(manifest, record);
    const auto known = std::ranges::find(records, record.name(), &TestRecord::name);
    if (known != records.end()) *known = record;
  }
}

std::vector<Root> LabContext::machine_roots() const {
  std::vector<Root> roots = {{manifest.project_root, ""},
                             {manifest.build_folder, sources.relative(manifest.build_folder)}};
  if (sources.is_submitted()) roots.emplace_back(sources.submitted_root(), "");
  return roots;
}

}  // namespace warpbook::grader
