// require_time(): predicted on the virtual GPU, measured in rounds on a real one.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "grader/judge/paired_time.h"
#include "grader/judge/slow.h"
#include "grader/runner/lab_context.h"
#include "grader/runner/timed_worker.h"

namespace warpbook::grader {

namespace {

constexpr int kWarmUp = 1;           // Rounds that load the programs and wake the GPU; their times are dropped.
constexpr int kWaitingRounds = 3;    // Rounds that begin on an idle device, to see whether work begins early.
constexpr int kRounds = 9;           // Rounds that are judged.
constexpr int kTries = 3;            // Times that kRounds are added, or measured again where the control was off.
constexpr double kSuspicious = 0.5;  // A smaller ratio deserves a look: the reference is close to the GPU's limits.
constexpr double kAsReference = 1e-3;

using MakeCase = std::function<Case(Random&)>;
using CheckCase = std::function<void(const Case&)>;

/// Calls the lab's check, with grade() returning this answer.
void check_timed(LabContext& lab, const CheckCase& check, const Case& given, const Answer& answer) {
  lab.timed_case = &given;
  lab.timed_answer = &answer;
  check(given);
  lab.timed_case = nullptr;
  lab.timed_answer = nullptr;
}

/// The answer between two processes of the reference.
class Contest {
 public:
  Contest(LabContext& lab, const MakeCase& make, const CheckCase& check) : lab_(lab), make_(make), check_(check) {
    const Environment environment = lab.real_environment();
    const auto start = [&](const std::string& answer) {
      return std::make_unique<TimedWorker>(lab.manifest.worker_of(answer),
                                           answer == lab.answer ? lab.of_answer(environment) : environment,
                                           lab.random->bits());
    };
    reference_ = start("solution");
    answer_ = start(lab.answer);
    control_ = start("solution");
  }

  /// One round on a new case, in the order of its number.
  Round run(Timing timing) {
    const Case given = make_(*lab_.random);
    lab_.last_case = without_contents(given);
    Round round;
    const bool reverse = number_++ % 2 == 1;
    TimedWorker& first = reverse ? *control_ : *reference_;
    TimedWorker& last = reverse ? *reference_ : *control_;
    // The reference's results are needed only if the answer is compared with them.
    const Answer before =
        answer_or_end(lab_, check_ ? first.run_quietly(given, timing) : first.run(given, timing), true);
    const Answer mine = answer_or_end(lab_, answer_->run(given, timing), false);
    const Answer after = answer_or_end(lab_, last.run_quietly(given, timing), true);
    if (check_) {
      check_timed(lab_, check_, given, mine);
    } else {
      require_as_reference(mine, before);
    }
    round.reference_us = (reverse ? after : before).measured_us;
    round.answer_us = mine.measured_us;
    round.control_us = (reverse ? before : after).measured_us;
    return round;
  }

  std::vector<Round> run(int count, Timing timing) {
    std::vector<Round> rounds;
    for (int i = 0; i < count; ++i) rounds.push_back(run(timing));
    return rounds;
  }

 private:
  /// Every buffer and array that came back must be the reference's.
  void require_as_reference(const Answer& mine, const Answer& reference) const {
    for (const auto& [name, value] : reference.reply.all()) {
      if (value.role != Value::Role::output_buffer) continue;
      if (!mine.reply.has(name))
        fail(lab_, finding_of(FindingKind::missing_output, "The answer did not send '" + name + "' back."));
      switch (value.element) {
        case Element::f32:
          require_floats(mine, name, reference.output<float>(name));
          break;
        case Element::f64:
          require_floats(mine, name, reference.output<double>(name));
          break;
        default:
          if (!std::ranges::equal(contents(mine.reply.value(name)), contents(value)))
            fail(lab_,
                 finding_of(FindingKind::wrong_result,
                            "In a timed run, '" + name + "' is not what the reference computes from the same input."));
      }
    }
  }

  template <class T>
  static void require_floats(const Answer& mine, const std::string& name, const std::vector<T>& expected) {
    double largest = 0;
    for (const T value : expected) largest = std::max(largest, std::fabs(static_cast<double>(value)));
    require_close(mine, name, expected, {kAsReference, kAsReference * largest});
  }

  static std::span<const std::byte> contents(const Value& value) {
    return std::span(value.bytes).subspan(value.guard_bytes, value.bytes.size() - 2 * std::size_t{value.guard_bytes});
  }

  LabContext& lab_;
  const MakeCase& make_;
  const CheckCase& check_;
  std::unique_ptr<TimedWorker> reference_, answer_, control_;
  int number_ = 0;
};

std::vector<double> times(const std::vector<Round>& rounds, double Round::*which) {
  std::vector<double> result;
  for (const Round& round : rounds) result.push_back(round.*which);
  return result;
}

bool begin_early(const std::vector<Round>& queued, const std::vector<Round>& waiting) {
  return begins_early(times(queued, &Round::reference_us), times(waiting, &Round::reference_us)) ||
         begins_early(times(queued, &Round::answer_us), times(waiting, &Round::answer_us));
}

/// Rounds with new processes, as many as are judged at a time.
std::vector<Round> measured_rounds(LabContext& lab, const MakeCase& make, const CheckCase& check) {
  Contest contest(lab, make, check);
  contest.run(kWarmUp, Timing::queued);
  const std::vector<Round> waiting = contest.run(kWaitingRounds, Timing::waiting);
  std::vector<Round> rounds = contest.run(kRounds, Timing::queued);
  return begin_early(rounds, waiting) ? contest.run(kRounds, Timing::waiting) : rounds;
}

/// Measures until the verdict is pass or fail, or the tries are used up.
Judgement measure(LabContext& lab, const MakeCase& make, const CheckCase& check, double full) {
  std::vector<Round> rounds;
  Judgement judgement;
  for (int i = 0; i < kTries && judgement.verdict == Verdict::inconclusive; ++i) {
    for (const Round& round : measured_rounds(lab, make, check)) rounds.push_back(round);
    judgement = judge(rounds, full);
  }
  return judgement;
}

std::string told(const Judgement& judgement) {
  return "measured " + number_text(judgement.answer_us) + " us, " + number_text(judgement.ratio.median) +
         " times the reference's " + number_text(judgement.reference_us) + " us (95 % interval " +
         number_text(judgement.ratio.low) + " to " + number_text(judgement.ratio.high) +
         "; reference against itself: " + number_text(judgement.control.median) + ", " +
         number_text(judgement.control.low) + " to " + number_text(judgement.control.high) + ")";
}

std::vector<Figure> evidence_of(const Judgement& judgement) {
  return {{"found", judgement.answer_us, "us"},
          {"reference", judgement.reference_us, "us"},
          {"measured_ratio", judgement.ratio.median, ""},
          {"measured_ratio_low", judgement.ratio.low, ""},
          {"measured_ratio_high", judgement.ratio.high, ""}};
}

void require_measured(LabContext& lab, const MakeCase& make, const CheckCase& check, double full, double zero) {
  const Judgement judgement = measure(lab, make, check, full);
  if (judgement.verdict == Verdict::inconclusive) {
    Finding finding = finding_of(FindingKind::inconclusive_time, "Inconclusive: " + told(judgement) + ".");
    finding.topic = judgement.control_strayed ? "control" : "limit";
    finding.evidence = evidence_of(judgement);
    finding.limit = Limit{judgement.limit, true};
    finding.facts.push_back(
        judgement.control_strayed
            ? "The reference's own times vary too much for a verdict on the answer. Measure again when "
              "nothing else uses the GPU."
            : "The limit of " + number_text(judgement.limit) +
                  " lies inside the interval: nothing shows that the answer is slower than it may be, so it keeps the "
                  "points, but nothing shows the opposite either.");
    throw InconclusiveTest{std::move(finding),
                           judgement.control_strayed ? 0.0 : time_credit(judgement.ratio.low, judgement.limit, zero)};
  }
  lab.note = finding_of(FindingKind::note, "The answer " + told(judgement) + ".");
  lab.note->evidence = evidence_of(judgement);
  if (judgement.ratio.high < kSuspicious) {
    lab.note->topic = "very_fast";
    lab.note->facts.push_back(
        "That is less than half of the reference's time. The results are right; look at how it is done.");
  }
  const double credit =
      judgement.verdict == Verdict::pass ? 1 : time_credit(judgement.ratio.median, judgement.limit, zero);
  if (credit >= 1) return;
  lab.credit = credit;
  Slow slow;
  slow.full = judgement.limit;
  slow.zero = zero;
  slow.predicted = false;
  slow.with_copies = predicted_time(lab.manifest) == Quantity::time_with_copies_us;
  slow.found_us = judgement.answer_us;
  slow.reference_us = judgement.reference_us;
  // The counters show which line costs what.
  const Answer counted = grade_counted(lab, make(*lab.random));
  Finding finding = explain_slow(counted.profile, slow, lab.sources);
  finding.before.push_back("The answer " + told(judgement) + ".");
  for (Figure& figure : evidence_of(judgement))
    if (figure.name != "found" && figure.name != "reference") finding.evidence.push_back(std::move(figure));
  fail(lab, finding);
}

void require_predicted(LabContext& lab, const MakeCase& make, const CheckCase& check, double full, double zero) {
  const Case given = make(*lab.random);
  const Answer mine = grade(given);
  const std::optional<double> wanted = lab.reference_time_us(given);
  if (check) check_timed(lab, check, given, mine);
  const Quantity time = predicted_time(lab.manifest);
  const auto found = value_of(mine.profile, time);
  if (!wanted)
    fail(lab,
         finding_of(FindingKind::grader_failed,
                    "The reference solution launches no kernel on this case, so there is no time to compare with."));
  if (!found)
    fail(lab, finding_of(FindingKind::nothing_counted, "No kernel was launched: the work must be done on the GPU."));
  Slow slow;
  slow.full = full;
  slow.zero = zero;
  slow.with_copies = time == Quantity::time_with_copies_us;
  slow.found_us = *found;
  slow.reference_us = *wanted;
  const double credit = time_credit(*found / *wanted, full, zero);
  if (credit >= 1) return lab.current.keep(time, *found, full * *wanted, true);
  lab.credit = credit;
  fail(lab, explain_slow(mine.profile, slow, lab.sources));
}

}  // namespace

void require_time(const MakeCase& make, const CheckCase& check, double full, double zero) {
  LabContext& lab = lab_of_tests();
  if (lab.on_gpu()) {
    require_measured(lab, make, check, full, zero);
  } else {
    require_predicted(lab, make, check, full, zero);
  }
}

void require_time(const Case& given, double full, double zero) {
  require_time([&given](Random&) { return given; }, nullptr, full, zero);
}

}  // namespace warpbook::grader
