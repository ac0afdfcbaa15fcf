// The functions that a lab's tests call: running answers, and requirements that explain themselves when they fail.
#include "grader/runner/lab_test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "grader/judge/check_finding.h"
#include "grader/judge/detour.h"
#include "grader/judge/expected_fault.h"
#include "grader/judge/explanations.h"
#include "grader/runner/lab_context.h"
#include "grader/runner/protocol.h"
#include "grader/runner/same_results.h"

namespace warpbook::grader {

namespace {

/// Fails a test if the host did the work, however right it is: that is not the exercise, and counters and times do not
/// see it. If functions get host memory, their results are what the device wrote there, which is enough for tests of
/// correctness: OpenACC's runtime gathers small arrays in memory of its own, and workers make copies, too.
bool must_be_by_kernels(const LabContext& lab) {
  const bool asks_result_only = lab.current.kind == spelling_of(Kind::correctness);
  return lab.environment().counted && !(asks_result_only && lab.manifest.host_has_arrays());
}

/// Not checked on a real GPU.
void require_kernels(LabContext& lab, const Answer& answer) {
  if (answer.profile.text.empty()) return;
  const std::optional<Finding> detour = find_detour(answer, lab.manifest);
  if (detour && detour->topic != kPrinted) fail(lab, *detour);
  if (detour && !lab.last) lab.last = detour;
}

Answer done_by_kernels(LabContext& lab, Answer answer) {
  require_kernels(lab, answer);
  return answer;
}

void require_limit(const Answer& answer, Quantity quantity, double limit, bool at_most, const std::string& reason,
                   const std::string& kernel) {
  LabContext& lab = lab_of_tests();
  const CountedAnswer counted(lab, answer);
  const std::optional<double> found = value_of(counted->profile, quantity, kernel);
  if (found && (at_most ? *found <= limit : *found >= limit)) return lab.current.keep(quantity, *found, limit, at_most);
  fail(lab, explain_missed(counted->profile, {quantity, found, limit, at_most, reason, kernel}, lab.sources));
}

/// Says what the device has changed, so that a student knows why numbers that were computed too early do not count.
std::vector<std::string> explain_changes(const Answer& answer) {
  std::map<std::string, std::vector<std::string>> moments;  // By text: the arrays.
  const std::vector<Change> changes = changes_of(answer.given);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!answer.device.has(name_of_made_change(i)) || changes[i].array.starts_with("warpbook.")) continue;
    std::vector<std::string>& arrays = moments[text_of(changes[i].moment)];
    if (std::ranges::find(arrays, changes[i].array) == arrays.end()) arrays.push_back(changes[i].array);
  }
  std::vector<std::string> texts;
  for (const auto& [moment, arrays] : moments) {
    std::string names;
    for (const std::string& array : arrays) names += (names.empty() ? "'" : ", '") + array + "'";
    texts.push_back("To see who does the work, the virtual GPU put other values into " + names + " " + moment +
                    ". The result must be that of these: what was computed before, or elsewhere, does not count.");
  }
  return texts;
}

// The low bits of a schedule's seed say what else is changed beside the order of blocks and warps (Schedule in
// simulator/machine).
constexpr std::int64_t kTurns = 1, kParts = 2, kLate = 4, kKinds = 8;

/// Whether a case may be run in another order: not if it already has one, or if the device changes something within it.
bool may_be_reordered(const Case& given) {
  if (given.has(kScheduleSeed) || given.has(kExpectedFault)) return false;
  const std::vector<Change> changes = changes_of(given);
  return std::ranges::all_of(changes, [](const Change& change) { return change.moment == Moment::arrival(); });
}

/// Another order for a case of a test of correctness: a seed, or 0 if it has none. Counts stay the same: the lanes of a
/// warp are not run separately.
std::int64_t other_order(const LabContext& lab, const Case& given, Random random) {
  const bool asks_result = lab.current.kind == spelling_of(Kind::correctness);
  if (!lab.looks_for_luck() || !asks_result || !lab.environment().counted || !may_be_reordered(given)) return 0;
  return kKinds * random.integer(1, 100000) + (random.integer(0, 1) != 0 ? kTurns : 0) +
         (random.integer(0, 1) != 0 ? kLate : 0);
}

/// For the repetition of a test: what the case, run in the documented order before, returned.
std::optional<Answer> known_answer(LabContext& lab, std::size_t number, const Case& given) {
  const auto known = lab.is_repeated ? lab.documented.find(number) : lab.documented.end();
  if (known == lab.documented.end() || known->second.first != given) return std::nullopt;
  Answer& answer = known->second.second;
  lab.last_case = without_contents(given);
  lab.printed = answer.printed;
  return std::move(answer);
}

bool has_tests_of(Kind kind) {
  return std::ranges::any_of(registered_tests(), [&](const RegisteredTest& test) { return test.kind == kind; });
}

/// The beginning of the finding on a wrong result, for tests that check how it was computed: the whole finding is for
/// the tests of correctness.
Finding shortened(Finding finding, const std::string& kind) {
  finding.kind = FindingKind::not_right_yet;
  if (finding.examples.size() > 1) finding.examples.resize(1);
  finding.why.clear();
  finding.facts = {
      "First the result must be right: the tests of correctness say more. Only then does this test look at "
      "the " +
      kind + "."};
  return finding;
}

}  // namespace

void fail(LabContext& lab, const Finding& finding) {
  lab.failure = finding;
  FAIL(finding.headline);
  throw std::logic_error("Catch2's FAIL returned");
}

Answer answer_or_end(LabContext& lab, Outcome outcome, bool reference) {
  if (outcome.status == Outcome::Status::not_started) {
    const std::string where = outcome.where.file + ":" + std::to_string(outcome.where.line);
    if (reference)
      fail(lab,
           finding_of(FindingKind::grader_failed, "The reference solution says that it is not started, at " + where));
    Finding finding =
        finding_of(FindingKind::not_started, "Not started: warpbook::not_started() is still called at " + where +
                                                 ". Delete that line when you have written your answer.");
    finding.sites.push_back(outcome.where);
    throw SkipTest{true, std::move(finding)};
  }
  if (outcome.status == Outcome::Status::failed) {
    if (reference) {
      outcome.finding.kind = FindingKind::grader_failed;
      outcome.finding.before.push_back("The reference solution did not finish.");
    }
    fail(lab, outcome.finding);
  }
  return std::move(outcome.answer);
}

void run_lab_test(void (*body)()) {
  LabContext& lab = lab_of_tests();
  try {
    const Random drawn = *lab.random;
    body();
    if (lab.depends_on_order) {  // The results in the other order are right. Are those in the documented one?
      *lab.random = drawn;
      lab.graded = 0;
      lab.is_repeated = true;
      body();
    }
    if (lab.checked) {
      lab.last_case = lab.checked_case;
      fail(lab, *lab.checked);
    }
    if (lab.last) fail(lab, *lab.last);
    if (lab.on_gpu() && lab.current.kind == spelling_of(Kind::correctness)) {
      *lab.random = drawn;
      lab.begin_cases(true);
      body();
    }
  } catch (const SkipTest& skip) {
    TestRecord& record = lab.current;
    record.status = "skipped";
    record.not_started = skip.not_started;
    record.finding = skip.finding;
  } catch (const InconclusiveTest& inconclusive) {
    if (lab.last) fail(lab, *lab.last);
    lab.current.status = "inconclusive";
    lab.current.finding = inconclusive.finding;
    lab.credit = inconclusive.credit;
  }
}

Random& test_random() { return *lab_of_tests().random; }

void fail_requirement(const Requirement& requirement, const std::string& text) {
  Finding finding = finding_of_text(FindingKind::requirement, text);
  finding.topic = requirement.name;
  finding.evidence = requirement.evidence;
  fail(lab_of_tests(), finding);
}

void fail_call(const std::string& call, double returned, const std::string& text, const std::string& why) {
  Finding finding = finding_of_text(FindingKind::requirement, call + " returned " + text + why);
  finding.topic = call.substr(0, call.find('('));
  finding.subject = call;
  finding.evidence.push_back({"returned", returned, ""});
  fail(lab_of_tests(), finding);
}

std::vector<std::size_t> usual_sizes(std::size_t least, std::size_t most) {
  std::vector<std::size_t> sizes;
  for (const std::size_t size :
       {std::size_t{1000}, least, std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, std::size_t{255},
        std::size_t{256}, std::size_t{257}, std::size_t{1023}, std::size_t{1025}, std::size_t{4099}})
    if (size >= least && size <= most && std::find(sizes.begin(), sizes.end(), size) == sizes.end())
      sizes.push_back(size);
  for (int i = 0; i < 5; ++i) sizes.push_back(test_random().size(least, most));
  sizes.push_back(most);
  return sizes;
}

std::vector<std::int64_t> other_orders() {
  std::vector<std::int64_t> seeds;
  for (const std::int64_t kind : {kTurns + kLate, kParts, kTurns + kParts + kLate})
    seeds.push_back(kKinds * test_random().integer(1, 100000) + kind);
  if (lab_of_tests().on_hardware) seeds.erase(seeds.begin(), seeds.end() - 1);  // A GPU chooses its order itself.
  return seeds;
}

std::int64_t worst_order() { return other_orders().back(); }

Answer grade(const Case& given) {
  LabContext& lab = lab_of_tests();
  if (lab.timed_case != nullptr && *lab.timed_case == given) return *lab.timed_answer;
  const std::uint64_t seed = lab.random->bits();
  const auto run = [&lab, seed](const Case& one, const Environment& environment) {
    lab.last_case = without_contents(one);
    return answer_or_end(lab, run_answer(lab, one, environment, seed), false);
  };
  const Environment plain = lab.environment(), checked = lab.checked_environment(given);
  const std::int64_t order = other_order(lab, given, Random(seed));
  Case reordered = given;
  if (order != 0 || (!lab.looks_for_luck() && given.has(kScheduleSeed))) reordered.set(kScheduleSeed, order);
  const std::size_t number = lab.graded++;
  lab.reordered.reset();
  std::optional<Answer> answer = known_answer(lab, number, given);
  if (!answer) {
    const bool in_both = number == 0 && order != 0;
    answer = run(in_both ? given : reordered, checked);
    lab.note_checks(*answer);
    // The first case runs in both orders. If their results differ, the test sees the second one, and is repeated for
    // the first (run_lab_test).
    if (in_both) {
      Answer other = run(reordered, plain);
      if (same_results(*answer, other)) {
        lab.last_case = without_contents(given);
      } else {
        lab.depends_on_order = true;
        lab.documented[number] = {given, std::exchange(*answer, std::move(other))};
      }
    } else if (lab.depends_on_order && order == 0 && !given.has(kScheduleSeed)) {
      lab.documented[number] = {given, *answer};
    }
    if (!in_both && reordered.has(kScheduleSeed) && reordered.integer(kScheduleSeed) != 0)
      lab.reordered.emplace(std::move(reordered), seed);
  }
  // Of a device that has failed the host gets nothing but the text of an assertion, which counts as a copy.
  return must_be_by_kernels(lab) && !given.has(kExpectedFault) ? done_by_kernels(lab, std::move(*answer))
                                                               : std::move(*answer);
}

void require_done_by_kernels(const Answer& answer) { require_kernels(lab_of_tests(), answer); }

void require_shares(std::vector<double> moved, std::vector<double> shares, double most, double more,
                    const std::string& what) {
  std::sort(moved.rbegin(), moved.rend());
  std::sort(shares.rbegin(), shares.rend());
  // If there are more or fewer grids than shares (other tests check that), still none may do all the work.
  const bool each = moved.size() == shares.size();
  for (std::size_t i = 0; i < std::min(each ? moved.size() : 1, std::min(moved.size(), shares.size())); ++i) {
    if ((!each || moved[i] >= shares[i]) && moved[i] <= most * shares[i] + more) continue;
    std::ostringstream text;
    text << what << " " << static_cast<long long>(moved[i]) << " bytes in one grid (number " << i + 1
         << " by that), where its share is " << static_cast<long long>(shares[i])
         << ": each does the work that it was launched for, and no other one's.";
    Finding finding = finding_of(FindingKind::uneven_shares, text.str());
    finding.evidence = {{"found", moved[i], "bytes"}, {"share", shares[i], "bytes"}};
    fail(lab_of_tests(), finding);
  }
}

bool was_changed(const Answer& answer, Moment moment) {
  const std::vector<Change> changes = changes_of(answer.given);
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i].moment == moment) return answer.device.has(name_of_made_change(i));
  return false;
}

void require_same_signs(const std::string& name, const std::vector<float>& found, const std::vector<float>& expected) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::signbit(found[i]) == std::signbit(expected[i])) continue;
    Finding finding =
        finding_of(FindingKind::wrong_result,
                   "'" + name + "' has " + (std::signbit(found[i]) ? "-0" : "0") + " where " +
                       (std::signbit(found[i]) ? "0" : "-0") + " belongs, at element " + std::to_string(i) + ".",
                   "Data that is only moved keeps all its bits. What was computed with it on the way?");
    finding.topic = "sign_of_zero";
    finding.subject = name;
    fail(lab_of_tests(), finding);
  }
}

Answer grade_counted(LabContext& lab, const Case& given) {
  return done_by_kernels(
      lab, answer_or_end(lab, run_answer(lab, given, lab.counted_environment(), lab.random->bits()), false));
}

Answer grade_reference(const Case& given) {
  LabContext& lab = lab_of_tests();
  return answer_or_end(
      lab, run_submission(lab.manifest.worker_of("solution"), given, lab.environment(), lab.random->bits()), true);
}

void require_compared(const Answer& answer, const std::string&, const Comparison& comparison) {
  if (comparison.passed) return;
  LabContext& lab = lab_of_tests();
  const std::string& kind = lab.current.kind;
  Finding finding = comparison.finding;
  const std::vector<std::string> changes = explain_changes(answer);
  finding.more.insert(finding.more.end(), changes.begin(), changes.end());
  if (kind != spelling_of(Kind::correctness) && has_tests_of(Kind::correctness))
    fail(lab, shortened(std::move(finding), kind));
  // Before the guess at the mistake: a launch that was refused looks like a grid that is too small.
  for (const std::string& complaint : answer.complaints)
    finding.before.push_back("The virtual GPU complained: " + complaint);
  fail(lab, finding);
}

void require_returned(const Answer& answer, const std::vector<std::int32_t>& expected,
                      const std::vector<std::string>& why) {
  const auto found = answer.output<std::int32_t>(kReturned);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i < found.size() && found[i] == expected[i]) continue;
    Finding finding =
        finding_of(FindingKind::requirement, text_of_call(answer.given, i) + " returned " +
                                                 (i < found.size() ? std::to_string(found[i]) : "nothing") +
                                                 ", but it is " + std::to_string(expected[i]) + ".");
    finding.topic = calls_of(answer.given).back().function;
    finding.subject = text_of_call(answer.given, i);
    if (i < found.size()) finding.evidence.push_back({"returned", static_cast<double>(found[i]), ""});
    finding.evidence.push_back({"expected", static_cast<double>(expected[i]), ""});
    finding.why = why.at(why.size() == 1 ? 0 : i);
    fail(lab_of_tests(), finding);
  }
}

void require_predicted(const std::string& function, const std::vector<std::int32_t>& expected,
                       const std::vector<std::string>& why) {
  std::vector<std::int32_t> statements(expected.size());
  std::iota(statements.begin(), statements.end(), 1);
  require_returned(grade(call(function, {each("statements", statements)})), expected, why);
}

namespace {

/// The outcome of a question to machine.cu that is asked `turns` times.
Outcome ask_machine(const std::string& function, std::vector<Argument> arguments, std::size_t turns) {
  std::vector<std::int32_t> numbers(turns);
  std::iota(numbers.begin(), numbers.end(), 0);
  arguments.push_back(each("turns", numbers));
  arguments.push_back(filled<std::int32_t>("answers", turns, 0));
  LabContext& lab = lab_of_tests();
  // Without checkers: a question may do what they report, and the answer is not to blame.
  return run_answer(lab, call("machine." + lab.manifest.lab + "." + function, std::move(arguments)), lab.environment(),
                    lab.random->bits());
}

}  // namespace

void require_machine_agrees(const std::string& function, std::vector<Argument> arguments,
                            const std::vector<std::string>& why) {
  const Answer predicted = grade(call(function, arguments));
  const std::size_t turns = predicted.output<std::int32_t>(kReturned).size();
  Outcome found = ask_machine(function, std::move(arguments), turns);
  require_returned(predicted, answer_or_end(lab_of_tests(), std::move(found), false).output<std::int32_t>("answers"),
                   why);
}

bool machine_fails(const std::string& error, const std::string& function, std::vector<Argument> arguments) {
  const Outcome found = ask_machine(function, std::move(arguments), 1);
  return found.status == Outcome::Status::failed && found.message().find(error) != std::string::npos;
}

std::int32_t machine_prints(const std::string& text, const std::string& function, std::vector<Argument> arguments) {
  std::int32_t times = 0;
  for (const Printed& printed : ask_machine(function, std::move(arguments), 1).answer.printed)
    for (std::size_t at = 0; (at = printed.text.find(text, at)) != std::string::npos; at += text.size()) ++times;
  return times;
}

Compiled compile_program(const std::string& program, CompileFor pass) {
  LabContext& lab = lab_of_tests();
  try {
    return compile_program(lab.manifest.toolkit + "/bin/nvcc", program, pass);
  } catch (const std::runtime_error& error) {
    fail(lab, finding_of(FindingKind::grader_failed, error.what()));
  }
}

void require_predicted(const std::string& function, const Compiled& compiled) {
  std::vector<std::int32_t> verdicts;
  std::vector<std::string> messages;
  for (std::int32_t line = 1; line <= compiled.lines(); ++line) {
    verdicts.push_back(compiled.verdict(line));
    messages.push_back(compiled.message(line));
  }
  require_predicted(function, verdicts, messages);
}

void require_at_most(const Answer& answer, Quantity quantity, double limit, const std::string& reason,
                     const std::string& kernel) {
  require_limit(answer, quantity, limit, true, reason, kernel);
}

void require_at_least(const Answer& answer, Quantity quantity, double limit, const std::string& reason,
                      const std::string& kernel) {
  require_limit(answer, quantity, limit, false, reason, kernel);
}

}  // namespace warpbook::grader
