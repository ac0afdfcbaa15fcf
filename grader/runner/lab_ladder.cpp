// Running the ladder: every rung and the answer on the lab's benchmark.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "grader/judge/paired_time.h"
#include "grader/runner/lab_context.h"
#include "grader/runner/timed_worker.h"

namespace warpbook::grader {

namespace {

constexpr std::uint64_t kLadderSeed = 20;  // Fixed: the ladder shows the same figures every time.
constexpr int kLadderWaitingRounds = 3;
constexpr int kLadderRounds = 9;
constexpr double kRungSeconds = 120;  // Rungs end; on a busy machine that may take them long.
constexpr int kLargeRounds = 5;       // Large data take long to prepare, and noise is relatively small.

/// Stores the predicted time of one step, and its profile.
void predict(LadderStep& step, const LabContext& lab, const Outcome& outcome, const std::string& folder) {
  if (outcome.status != Outcome::Status::completed) {
    step.problem = outcome.status == Outcome::Status::not_started ? "not started" : outcome.finding.headline;
    return;
  }
  const Profile& profile = outcome.answer.profile;
  step.time_us = value_of(profile, predicted_time(lab.manifest));
  step.commands = profile.copies.size() + std::count_if(profile.kernels.begin(), profile.kernels.end(),
                                                        [](const KernelRecord& kernel) { return !kernel.parent; });
  step.profile = folder + "/" + step.rung + ".json";
  write_file(step.profile, profile.text);
  const auto slowest =
      std::max_element(profile.kernels.begin(), profile.kernels.end(),
                       [](const KernelRecord& a, const KernelRecord& b) { return a.time_us < b.time_us; });
  if (slowest != profile.kernels.end()) step.kernel = static_cast<int>(slowest - profile.kernels.begin());
}

/// Bytes of the device buffers that came back.
double buffer_bytes(const Reply& reply) {
  double bytes = 0;
  for (const auto& [name, value] : reply.all()) {
    if (value.role == Value::Role::plain) continue;
    bytes += static_cast<double>(value.bytes.size()) - 2.0 * value.guard_bytes;
  }
  return bytes;
}

/// One program among those that take turns.
struct Racer {
  LadderStep* step = nullptr;  ///< None: the copy that the others are compared with.
  std::unique_ptr<TimedWorker> worker;
  std::vector<double> waiting, queued, used;
  double bytes = 0;
  bool early = false;
};

/// Rounds in which all rungs take turns, forwards and backwards, each with new data; or, if `large`, with the same
/// data at new addresses, because sending it takes longest.
class Race {
 public:
  Race(const std::vector<LadderStep*>& steps, const LabContext& lab, bool large)
      : make_(large ? lab_parts().large_benchmark : lab_parts().benchmark), large_(large) {
    Environment environment = lab.real_environment();
    if (large) environment.limits.reply_bytes = 8ull << 30;
    for (LadderStep* step : steps) {
      if (step->problem.empty()) add(step, lab.manifest.worker_of(step->source), environment);
    }
    add(nullptr, lab.manifest.copy_probe, environment);
  }

  /// @returns the GPU's name
  std::string run() {
    warm_up();
    const int rounds = large_ ? kLargeRounds : kLadderRounds;
    for (int round = 0; round < kLadderWaitingRounds; ++round)
      turn(round, [](Racer& r) { return std::pair(Timing::waiting, &r.waiting); });
    for (int round = 0; round < rounds; ++round)
      turn(round, [](Racer& r) { return std::pair(Timing::queued, &r.queued); });
    bool any_early = false;
    for (Racer& racer : racers_) {
      racer.early = !racer.queued.empty() && begins_early(racer.queued, racer.waiting, launching_us(racer));
      any_early = any_early || racer.early;
    }
    for (int round = 0; any_early && round < rounds; ++round) {
      turn(round, [](Racer& r) { return std::pair(Timing::waiting, r.early ? &r.waiting : nullptr); });
    }
    for (Racer& racer : racers_) tell(racer);
    return device_;
  }

 private:
  /// What launching on this machine's idle GPU may add.
  double launching_us(const Racer& racer) const {
    const Racer& copy = racers_.back();
    return commands_us(racer.step == nullptr ? 1 : racer.step->commands, copy.queued, copy.waiting);
  }

  void add(LadderStep* step, const std::string& program, const Environment& environment) {
    Racer racer;
    racer.step = step;
    racer.worker = std::make_unique<TimedWorker>(program, environment, kLadderSeed + racers_.size());
    racers_.push_back(std::move(racer));
  }

  Case case_of(const Racer& racer) const {
    if (racer.step != nullptr) return given_;
    return Case().set("bytes", static_cast<std::int64_t>(copied_bytes_ / 2));
  }

  void draw(int round) {
    Random random(kLadderSeed + static_cast<std::uint64_t>(round));
    given_ = make_(random);
  }

  void drop(Racer& racer, const std::string& problem) {
    racer.worker.reset();
    if (racer.step != nullptr) racer.step->problem = problem;
  }

  /// Loads every program and learns how many bytes the copy must move: as many as the answer's buffers, the last step.
  void warm_up() {
    draw(0);
    for (Racer& racer : racers_) {
      const Outcome outcome = racer.worker->run(case_of(racer), Timing::queued);
      if (outcome.status != Outcome::Status::completed) {
        if (racer.step == nullptr) throw std::runtime_error("copies cannot be measured: " + outcome.message());
        drop(racer, outcome.finding.headline);
        continue;
      }
      racer.bytes = buffer_bytes(outcome.answer.reply);
      if (racer.bytes > 0) copied_bytes_ = racer.bytes;
      if (racer.step == nullptr) device_ = outcome.answer.reply.text("device");
    }
    if (large_) given_ = Case();
  }

  template <class Choose>
  void turn(int round, Choose&& choose) {
    if (!large_) draw(round + 1);
    for (std::size_t i = 0; i < racers_.size(); ++i) {
      Racer& racer = racers_[round % 2 == 0 ? i : racers_.size() - 1 - i];
      const auto [timing, samples] = choose(racer);
      if (!racer.worker || samples == nullptr) continue;
      const Outcome outcome =
          large_ ? racer.worker->run_again(timing) : racer.worker->run_quietly(case_of(racer), timing);
      if (outcome.status != Outcome::Status::completed) {
        drop(racer, outcome.finding.headline);
      } else {
        samples->push_back(outcome.answer.measured_us);
      }
    }
  }

  void tell(Racer& racer) {
    if (!racer.worker || racer.step == nullptr) return;
    const std::vector<double>& samples = racer.early ? racer.waiting : racer.queued;
    const Interval interval = interval_of(samples);
    MeasuredTime time;
    time.us = interval.median;
    time.low_us = interval.low;
    time.high_us = interval.high;
    time.rounds = static_cast<int>(samples.size());
    time.timing = racer.early ? "waiting" : "queued";
    time.bytes = racer.bytes;
    const Racer& copy = racers_.back();
    if (racer.bytes > 0 && !copy.queued.empty()) {
      time.copy_us = interval_of(racer.early ? copy.waiting : copy.queued).median;
    }
    (large_ ? racer.step->large : racer.step->measured) = time;
  }

  Case (*make_)(Random&);
  bool large_;
  std::vector<Racer> racers_;
  Case given_;
  double copied_bytes_ = 256.0 * (1 << 20);
  std::string device_;
};

/// The lab's plots of the answer that have at least one point.
std::vector<Plot> plots_of(LabContext& lab) {
  if (lab_parts().plots == nullptr) return {};
  Random random(kLadderSeed);
  const Environment environment = lab.on_gpu() ? lab.real_environment() : lab.counted_environment();
  std::vector<Plot> plots = lab_parts().plots(random, [&](const Case& given) -> std::optional<Answer> {
    Outcome outcome = run_answer(lab, given, environment, kLadderSeed);
    if (outcome.status != Outcome::Status::completed) return std::nullopt;
    return std::move(outcome.answer);
  });
  for (Plot& plot : plots) {
    for (Curve& curve : plot.curves)
      std::erase_if(curve.points, [](const auto& point) { return !std::isfinite(point.first + point.second); });
    std::erase_if(plot.curves, [](const Curve& curve) { return curve.points.empty(); });
  }
  std::erase_if(plots, [](const Plot& plot) { return plot.curves.empty(); });
  return plots;
}

/// The rungs that need not be run: an edition's, or those of an earlier run.
std::optional<std::vector<LadderStep>> known_rungs(const LabContext& lab, const LadderOptions& options) {
  if (lab.recorded) return lab.recorded->rungs;
  if (options.rungs.empty()) return std::nullopt;
  std::ifstream in(options.rungs);
  if (!in) throw std::runtime_error("--rungs: " + options.rungs + " cannot be read");
  return ladder_from_json(nlohmann::json::parse(in)).rungs;
}

}  // namespace

LadderStep step_of_answer(LabContext& lab, const std::string& folder) {
  Random random(kLadderSeed);
  LadderStep step;
  step.rung = lab.answer;
  step.title = "the graded answer";
  step.source = lab.manifest.source_of(lab.answer);
  if (lab_parts().benchmark != nullptr)
    predict(step, lab, run_answer(lab, benchmark_case(random), lab.counted_environment(), kLadderSeed), folder);
  return step;
}

Ladder climb_ladder(LabContext& lab, const LadderOptions& options) {
  Random random(kLadderSeed);
  Ladder ladder;
  for (const Rung& rung : lab.manifest.rungs) {
    LadderStep step;
    step.rung = rung.rung;
    step.title = rung.title;
    step.source = rung.source;
    step.library = rung.library;
    ladder.rungs.push_back(step);
  }
  ladder.answer.rung = lab.answer;
  ladder.answer.title = "the graded answer";
  ladder.answer.source = lab.manifest.source_of(lab.answer);
  if (lab_parts().benchmark == nullptr) return ladder;
  const Case given = benchmark_case(random);

  const Environment counted = lab.counted_environment();
  const std::optional<std::vector<LadderStep>> known = known_rungs(lab, options);
  if (known) ladder.rungs = *known;
  Environment of_rungs = counted;
  of_rungs.limits.wall_s = kRungSeconds;
  for (LadderStep& step : ladder.rungs) {
    if (known) break;
    predict(step, lab, run_submission(lab.manifest.worker_of(step.source), given, of_rungs, kLadderSeed),
            options.folder);
  }
  predict(ladder.answer, lab, run_answer(lab, given, counted, kLadderSeed), options.folder);
  if (options.plots) ladder.plots = plots_of(lab);
  if (lab.on_gpu() && !known) {
    std::vector<LadderStep*> steps;
    for (LadderStep& step : ladder.rungs) steps.push_back(&step);
    steps.push_back(&ladder.answer);
    ladder.device = Race(steps, lab, false).run();
    if (options.large && lab_parts().large_benchmark != nullptr) Race(steps, lab, true).run();
  }
  return ladder;
}

}  // namespace warpbook::grader
