// The tests of lab nbody: what accelerations and moved bodies must be, what they may cost, and why.
#include <algorithm>
#include <cmath>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr std::int32_t kMost = 4096, kMostMoved = 1024, kCounted = 1024;
constexpr double kSoftening = 0.01f;
constexpr const char* kTiled = "accelerate_tiled";
constexpr const char* kFast = "accelerate";

/// Bodies in a cube from -1 to 1, whose masses add up to about 1. The last one is where the first one is.
std::vector<float> random_bodies(Random& random, std::size_t n) {
  std::vector<float> bodies = random.array(4 * n, -1.0f, 1.0f);
  for (std::size_t i = 0; i < n; ++i) bodies[4 * i + 3] = (1 + bodies[4 * i + 3] / 2) / static_cast<float>(n);
  if (n > 1) std::copy_n(bodies.begin(), 3, bodies.end() - 4);
  return bodies;
}

using Numbers = std::vector<double>;

/// Adds the pull of all bodies on body i to sum[0..2]. @return the sum of the sizes of all pulls
double add_pulls(const Numbers& bodies, std::size_t i, double* sum) {
  double sizes = 0;
  for (std::size_t j = 0; j < bodies.size(); j += 4) {
    const double x = bodies[j] - bodies[4 * i], y = bodies[j + 1] - bodies[4 * i + 1],
                 z = bodies[j + 2] - bodies[4 * i + 2], square = x * x + y * y + z * z + kSoftening;
    const double strength = bodies[j + 3] / (square * std::sqrt(square));
    sum[0] += strength * x;
    sum[1] += strength * y;
    sum[2] += strength * z;
    sizes += strength * std::sqrt(square);
  }
  return sizes;
}

struct Accelerations {
  Numbers values;      ///< Four for each body.
  double largest = 0;  ///< The largest sum of the sizes of all pulls on a body.
};

Accelerations accelerations_of(const Numbers& bodies) {
  Accelerations all = {Numbers(bodies.size()), 0};
  for (std::size_t i = 0; i < bodies.size() / 4; ++i)
    all.largest = std::max(all.largest, add_pulls(bodies, i, &all.values[4 * i]));
  return all;
}

Numbers exactly(const std::vector<float>& values) { return Numbers(values.begin(), values.end()); }
std::vector<float> rounded(const Numbers& values) { return std::vector<float>(values.begin(), values.end()); }

Case pulls_case(Random& random, const std::string& function, std::size_t n) {
  return call(function, {input("bodies", random_bodies(random, n)), output<float>("accelerations", 4 * n),
                         number("n", static_cast<std::int32_t>(n))});
}

constexpr const char* kCausesOfPulls =
    "Usual causes: the last tile is not full, and what lies past the last body is taken for bodies; a thread leaves "
    "before it has brought its part of all tiles; a barrier is missing before a tile is read, or before it is filled "
    "anew; the pull goes to the wrong side, as the difference is other - own; kSoftening, the mass or the third power "
    "is left out.";

Answer check(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  const Accelerations expected = accelerations_of(exactly(given.array<float>("bodies")));
  Comparison comparison = compare_close(answer, "accelerations", rounded(expected.values), {0, 1e-5 * expected.largest},
                                        {expected.values.size() / 4, 4});
  if (!comparison.passed) comparison.finding.more.push_back(kCausesOfPulls);
  require_compared(answer, "accelerations", comparison);
  return answer;
}

Answer check(const std::string& function, std::size_t n, std::int64_t order = 0) {
  return check(pulls_case(test_random(), function, n).set(kScheduleSeed, order));
}

void check_in_other_orders(const std::string& function) {
  for (const std::int64_t order : other_orders()) check(function, 300, order);
}

void check_all(const std::string& function) {
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 257, 601}) check(function, n);
  for (int i = 0; i < 3; ++i) check(function, test_random().size(1, 1500));
  check(function, kMost - test_random().size(0, 1) * 31);
  check_in_other_orders(function);
}

Answer counted(const std::string& function, std::size_t n) {
  check_in_other_orders(function);
  return check(function, n);
}

// ---- time steps

struct Steps {
  std::int32_t n, steps;
  float dt;
};

Case steps_case(const std::vector<float>& bodies, const std::vector<float>& velocities, const Steps& s) {
  return call("simulate", {in_out("bodies", bodies), in_out("velocities", velocities),
                           output<float>("accelerations", bodies.size()), number("n", s.n), number("steps", s.steps),
                           number("dt", s.dt)});
}

std::vector<float> random_velocities(std::size_t n) { return test_random().array(4 * n, -0.5f, 0.5f); }

/// Adds @p factor times x, y and z of all of @p from.
void add(Numbers& to, const Numbers& from, double factor) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (i % 4 != 3) to[i] += factor * from[i];
}

/// Kick, drift, kick, in double precision.
void move(Numbers& bodies, Numbers& velocities, const Steps& s) {
  for (int step = 0; step < s.steps; ++step) {
    add(velocities, accelerations_of(bodies).values, s.dt / 2.0);
    add(bodies, velocities, s.dt);
    add(velocities, accelerations_of(bodies).values, s.dt / 2.0);
  }
}

/// Half of mass times speed squared, less what all pairs gain by being together.
double energy_of(const Numbers& bodies, const Numbers& velocities) {
  double energy = 0;
  for (std::size_t i = 0; i < bodies.size(); i += 4) {
    for (std::size_t k = 0; k < 3; ++k) energy += bodies[i + 3] * velocities[i + k] * velocities[i + k] / 2;
    for (std::size_t j = 0; j < i; j += 4) {
      double square = kSoftening;
      for (std::size_t k = 0; k < 3; ++k) square += std::pow(bodies[i + k] - bodies[j + k], 2);
      energy -= bodies[i + 3] * bodies[j + 3] / std::sqrt(square);
    }
  }
  return energy;
}

constexpr const char* kCausesOfSteps =
    "Usual causes: a kick of a whole step in place of half of one; positions that move before their velocities do; the "
    "second kick takes accelerations of the old positions; the fourth number, a mass, is moved like a coordinate.";

void require_moved_to(const Answer& answer, const std::string& name, const std::vector<float>& expected,
                      const std::string& causes) {
  Comparison comparison = compare_close(answer, name, expected, {0, 1e-4}, {expected.size() / 4, 4});
  if (!comparison.passed) comparison.finding.more.push_back(causes);
  require_compared(answer, name, comparison);
}

void check_steps(const Steps& s, std::int64_t order = 0) {
  const std::vector<float> start = random_bodies(test_random(), s.n), speeds = random_velocities(s.n);
  const Answer answer = grade(steps_case(start, speeds, s).set(kScheduleSeed, order));
  require_default_stream(answer);
  Numbers bodies = exactly(start), velocities = exactly(speeds);
  move(bodies, velocities, s);
  require_moved_to(answer, "bodies", rounded(bodies), kCausesOfSteps);
  require_moved_to(answer, "velocities", rounded(velocities), kCausesOfSteps);
}

void check_steps_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_steps({200, 2, 0.05f}, order);
}

template <class T>
void require_predicted(const std::string& call, T found, T expected, const std::string& reason) {
  if (!(std::fabs(static_cast<double>(found - expected)) <= 1e-9 * static_cast<double>(expected)))
    WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

int size(std::int64_t most) { return static_cast<int>(test_random().size(1, static_cast<std::size_t>(most))); }

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "the predicted operations a second are right") {
  for (const double microseconds : {1.0, 12.5, 1e6}) {
    const std::vector<std::int32_t> bodies = {1, 4096, 1 << 20, size(1 << 20)};
    const Answer answer = grade(call("predict_gflops", {each("bodies", bodies), number("microseconds", microseconds)}));
    const std::vector<double> found = answer.output<double>(kReturned);
    REQUIRE(found.size() == bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      require_predicted("predict_gflops(" + std::to_string(bodies[i]) + ", " + std::to_string(microseconds) + ")",
                        found[i], 20.0 * bodies[i] * bodies[i] / (microseconds * 1e-6) / 1e9,
                        "n bodies are n * n pairs of kOperations each; a microsecond is 10^-6 seconds. Pairs of 2^20 "
                        "bodies are more than an int can hold.");
  }
}

WB_LAB_TEST(correctness, 4, "the predicted bytes are right") {
  for (const std::int32_t block : {1, 32, 128, 1024}) {
    const std::vector<std::int32_t> bodies = {block, 1 << 20, block * size((1 << 20) / block)};
    const Answer answer = grade(call("predict_bytes", {each("bodies", bodies), number("block", block)}));
    const std::vector<std::int64_t> found = answer.output<std::int64_t>(kReturned);
    REQUIRE(found.size() == bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      require_predicted("predict_bytes(" + std::to_string(bodies[i]) + ", " + std::to_string(block) + ")", found[i],
                        std::int64_t{16} * bodies[i] * (bodies[i] / block),
                        "There are n / block blocks, and each of them loads all n bodies of 16 bytes. That may be more "
                        "than an int can hold.");
  }
}

WB_LAB_TEST(correctness, 4, "the predicted instructions for a pair are right") {
  const std::vector<std::int32_t> bodies = {1, 2, 4, 32, size(32)};
  const Answer answer = grade(call("predict_instructions", {each("bodies", bodies)}));
  const std::vector<double> found = answer.output<double>(kReturned);
  REQUIRE(found.size() == bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    require_predicted(
        "predict_instructions(" + std::to_string(bodies[i]) + ")", found[i], 13 + 1.0 / bodies[i],
        "One load serves as many pairs as the thread has bodies; the other 13 instructions are for a pair "
        "each.");
}

// ---- Part 2: tiles

WB_LAB_TEST(correctness, 16, "accelerations by tiles are right") { check_all(kTiled); }

constexpr double kPairs = 1.0 * kCounted * kCounted, kMostPairs = 1.0 * kMost * kMost;

WB_LAB_TEST(counters, 6, "each block brings each body once") {
  const Answer answer = counted(kTiled, kCounted);
  require_at_most(answer, Quantity::global_load_bytes, 1.1 * 16 * kPairs / 128 + 16 * kCounted,
                  "A block of 128 threads brings 1024 bodies of 16 bytes once, in 8 tiles, and the bodies of its own "
                  "threads. Without tiles, every warp loads every body.");
  require_at_most(answer, Quantity::barriers_per_warp, 16,
                  "Two barriers for each of the 8 tiles: one when it is full, one when everybody has read it. Within a "
                  "tile nobody has to wait.");
}

WB_LAB_TEST(counters, 6, "tiles need few instructions") {
  const Answer answer = counted(kTiled, kCounted);
  require_at_most(
      answer, Quantity::warp_instructions, 16.5 * kPairs / 32,
      "A pair takes a load of 16 bytes, 3 subtractions, 3 multiply-adds for the square of the distance, "
      "rsqrtf(), 3 multiplications, 3 multiply-adds: 14. A loop over a tile whose length the compiler knows "
      "is unrolled, and then hardly adds to that.");
}

// ---- Part 3: several bodies a thread, several threads a body

WB_LAB_TEST(correctness, 18, "accelerations by several bodies a thread are right") { check_all(kFast); }

WB_LAB_TEST(counters, 8, "a load from shared memory serves several bodies") {
  const Answer answer = counted(kFast, kMost);
  require_at_most(answer, Quantity::shared_requests, 0.4 * kMostPairs / 32,
                  "A warp reads a body once for four pairs of each lane: 0.25 loads for 32 pairs, and a few to fill "
                  "tiles and to add up.");
  require_at_most(answer, Quantity::warp_instructions, 16.5 * kMostPairs / 32,
                  "13 instructions for a pair, a quarter of a load, and some for tiles and for adding up.");
}

WB_LAB_TEST(time, 12, "accelerations are as fast as the reference") {
  check_in_other_orders(kFast);
  require_time(
      benchmark_case, [](const Case& given) { check(given); }, 1.2, 4.0);
}

// ---- Part 4: time steps

WB_LAB_TEST(correctness, 14, "bodies move to the right places") {
  for (const Steps& s : {Steps{0, 3, 0.1f},
                         {1, 5, 0.25f},
                         {2, 64, 0.02f},
                         {33, 1, 0.1f},
                         {129, 0, 0.1f},
                         {257, 16, 0.04f},
                         {300, 7, -0.05f},
                         {kMostMoved, 3, 0.05f}})
    check_steps(s);
  check_steps({size(400), 5, 0.05f});
  check_steps_in_other_orders();
}

WB_LAB_TEST(correctness, 4, "the steps keep the energy") {
  const Steps s = {256, 63, 0.03f};
  const std::vector<float> start = random_bodies(test_random(), s.n), speeds = random_velocities(s.n);
  const Answer answer = grade(steps_case(start, speeds, s));
  const double before = energy_of(exactly(start), exactly(speeds)),
               after = energy_of(exactly(answer.output<float>("bodies")), exactly(answer.output<float>("velocities")));
  const double drift = std::fabs(after - before) / std::fabs(before);
  if (!(drift <= 0.002))
    WB_FAIL("energy",
            "The energy of "
                << s.n << " bodies changed from " << before << " to " << after << " in " << s.steps << " steps of "
                << s.dt << ": by " << 100 * drift << " %, but at most 0.2 % is allowed.\n"
                << "Half a kick, a drift, half a kick stay below 0.05 %. A whole kick before the drift changes "
                   "it by some 1 %, positions that move with the old velocities by 5 % and more.");
  check_steps_in_other_orders();
}

WB_LAB_TEST(correctness, 4, "steps back lead to the start") {
  const Steps s = {300, 40, 0.03f};
  const std::vector<float> start = random_bodies(test_random(), s.n), speeds = random_velocities(s.n);
  const Answer forth = grade(steps_case(start, speeds, s));
  const std::vector<float> bodies = forth.output<float>("bodies"), velocities = forth.output<float>("velocities");
  double farthest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) farthest = std::max(farthest, std::fabs(1.0 * bodies[i] - start[i]));
  if (!(farthest >= 0.1))
    WB_FAIL("stands_still", "After 40 steps of 0.03, no body is farther than " << farthest << " from its start.");
  const Answer back = grade(steps_case(bodies, velocities, {s.n, s.steps, -s.dt}));
  const std::string why =
      "40 steps of 0.03 and as many of -0.03 cancel out where each step is the same seen from both of its ends: half a "
      "kick, a drift, half a kick.";
  require_moved_to(back, "bodies", start, why);
  require_moved_to(back, "velocities", speeds, why);
  check_steps_in_other_orders();
}

WB_LAB_BENCHMARK { return pulls_case(random, kFast, kMost); }
