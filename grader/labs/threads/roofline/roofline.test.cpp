// The tests of lab roofline: what is placed by hand, two kernels at the ceilings, and one that moves.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kMost = 1 << 21, kMostChained = 1 << 14, kMostSteps = 4096, kMostSmoothed = 1 << 20;
constexpr int kCeilingElements = 8192, kCeilingSteps = 1024;
constexpr double kCeiling = 506.0;  // GFLOP/s of one multiprocessor.
constexpr double kNear = 0.01;
constexpr double kRoom = 1.07;

int size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

std::vector<float> reals(Random& random, int n, float most) {
  return random.array(static_cast<std::size_t>(n), -most, most);
}

double any(Random& random, double low, double high) { return random.real(low, high); }

void require_near(const Answer& answer, const std::vector<double>& expected, const std::string& why) {
  const std::vector<double> found = answer.output<double>(kReturned);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::abs(found[i] - expected[i]) <= kNear * expected[i]) continue;
    WB_FAIL_CALL(text_of_call(answer.given, i), found[i], ", but it is " << expected[i] << ". " << why);
  }
}

// ---- Part 1

struct Placed {
  int kernel = 0;
  double flop = 0, flop_for_size = 0, bytes = 0;
  const char* why = "";
};

const std::vector<Placed> kPlaced = {
    {0, 1, 0, 4, "sum: one addition for each float that is read; nothing is written."},
    {1, 2, 0, 12, "saxpy: two FLOP for an element; x and y are read, and y is written."},
    {2, 2, 0, 6, "widen: two FLOP for an element; 2 bytes are read and 4 written."},
    {3, 0, 1, 8,
     "window: size - 1 additions and a multiplication; neighbours come from the cache, so memory moves 8 bytes."},
    {4, 0, 2, 8, "polynomial: an fma for each degree, and an fma counts as two; a float is read, and one written."},
    {5, 0, 2, 8,
     "product: for every two floats that a thread brings into the tiles, it does size fma, each of which is two "
     "FLOP."}};

// ---- The three kernels

Case stream_call(Random& random, int n) {
  return call("stream", {input("in", reals(random, n, 1000)), output<float>("out", static_cast<std::size_t>(n)),
                         number("n", n), number("factor", reals(random, 1, 3)[0])});
}

std::vector<float> streamed(const Case& given) {
  const auto factor = static_cast<float>(given.real("factor"));
  std::vector<float> out = given.array<float>("in");
  for (float& value : out) value *= factor;
  return out;
}

Case chains_call(Random& random, int n, int steps, int threads) {
  const float factor = 1 + reals(random, 1, 0.001f)[0], sign = random.size(0, 1) == 0 ? -1.0f : 1.0f;
  return call("fma_chains", {input("in", reals(random, n, 1)), output<float>("out", static_cast<std::size_t>(n)),
                             number("n", n), number("steps", steps), number("a", sign * factor),
                             number("b", reals(random, 1, 1)[0]), number("threads", threads)});
}

std::vector<float> chained(const Case& given) {
  const auto a = static_cast<float>(given.real("a")), b = static_cast<float>(given.real("b"));
  std::vector<float> out = given.array<float>("in");
  for (float& value : out)
    for (std::int64_t step = 0; step < given.integer("steps"); ++step) value = std::fmaf(a, value, b);
  return out;
}

Case smooth_call(Random& random, int n) {
  const auto count = static_cast<std::size_t>(n);
  return call("smooth",
              {input("in", reals(random, n, 1)), output<float>("scratch", count), output<float>("out", count),
               number("n", n), number("gain", reals(random, 1, 1)[0]), number("offset", reals(random, 1, 1)[0])});
}

std::vector<float> smoothed(const Case& given) {
  const std::vector<float> in = given.array<float>("in");
  const double gain = given.real("gain"), offset = given.real("offset");
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double left = in[i == 0 ? 0 : i - 1], right = in[std::min(i + 1, in.size() - 1)];
    const double v = gain * (left + in[i] + right) / 3 + offset;
    out[i] = static_cast<float>(v * v + v);
  }
  return out;
}

Answer check_stream(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_equal(answer, "out", streamed(given));
  return answer;
}

Answer check_chains(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_equal(answer, "out", chained(given));
  return answer;
}

Answer check_smooth(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_close(answer, "out", smoothed(given), Tolerance{1e-5, 1e-5});
  return answer;
}

// ---- Small cases in other orders

void stream_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_stream(stream_call(test_random(), 4099).set(kScheduleSeed, order));
}

void chains_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_chains(chains_call(test_random(), 2048, 5, 128).set(kScheduleSeed, order));
}

void smooth_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_smooth(smooth_call(test_random(), 3 * 1024).set(kScheduleSeed, order));
}

void require_moved_once(const Answer& answer, int n) {
  const std::string reason = "Each element is to be loaded once and stored once, neighbours by neighbours.";
  require_at_most(answer, Quantity::global_load_bytes, kRoom * 4 * n, reason);
  require_at_most(answer, Quantity::global_store_bytes, kRoom * 4 * n, reason);
  require_at_most(answer, Quantity::kernel_launches, 1, "One kernel does all of the work.");
}

}  // namespace

// ---- Part 1: the roofline by hand

WB_LAB_TEST(correctness, 12, "the predicted intensities are right") {
  const std::vector<std::int32_t> sizes = {1, 3, 8, 16, 32, 64, size(1, 64)};
  for (const Placed& placed : kPlaced) {
    std::vector<double> expected;
    for (const std::int32_t one : sizes) expected.push_back((placed.flop + placed.flop_for_size * one) / placed.bytes);
    require_near(grade(call("predict_intensity", {number("kernel", placed.kernel), each("size", sizes)})), expected,
                 placed.why);
  }
}

WB_LAB_TEST(correctness, 5, "the predicted ridge points are right") {
  Random& random = test_random();
  for (const double rate : {66900.0, 14000.0, any(random, 1000, 100000)}) {
    const std::vector<double> bandwidths = {4250, 900, 100, 10000, any(random, 100, 10000)};
    std::vector<double> expected;
    for (const double one : bandwidths) expected.push_back(rate / one);
    require_near(grade(call("predict_ridge", {each("gb_per_s", bandwidths), number("gflop_per_s", rate)})), expected,
                 "Moving one byte takes 1 / gb_per_s ns. So much can be computed in that time.");
  }
}

WB_LAB_TEST(correctness, 5, "the predicted rates are right") {
  Random& random = test_random();
  for (const auto& [bandwidth, rate] :
       {std::pair{4250.0, 66900.0}, {900.0, 14000.0}, {any(random, 100, 10000), any(random, 1000, 100000)}}) {
    const std::vector<double> intensities = {0.01, 0.25, 1, 8, 15, 16, 100, 1000, any(random, 0.01, 100)};
    std::vector<double> expected;
    for (const double one : intensities) expected.push_back(std::min(one * bandwidth, rate));
    require_near(grade(call("predict_rate", {each("intensity", intensities), number("gb_per_s", bandwidth),
                                             number("gflop_per_s", rate)})),
                 expected,
                 "In each ns gb_per_s bytes arrive, each with its FLOP, and no more than gflop_per_s can be done: the "
                 "lower one counts.");
  }
}

WB_LAB_TEST(correctness, 8, "the predicted gains are right") {
  Random& random = test_random();
  const std::vector<std::int32_t> passes = {1, 2, 3, 10, 64, size(1, 64)};
  for (const double flop : {1.0, 2.0, 20.0, 100.0, 1000.0, any(random, 1, 200)}) {
    const double bandwidth = any(random, 3000, 5000), rate = any(random, 40000, 70000);
    std::vector<double> expected;
    for (const std::int32_t one : passes)
      expected.push_back(one * std::max(8 / bandwidth, flop / rate) / std::max(8 / bandwidth, one * flop / rate));
    require_near(
        grade(call("predict_gain", {each("passes", passes), number("flop", flop), number("gb_per_s", bandwidth),
                                    number("gflop_per_s", rate)})),
        expected,
        "Each pass moves 8 bytes for an element, and so does one that does all; the FLOP stay as many. Left of "
        "the ridge point bytes count, beyond the ridge point FLOP do.");
  }
}

// ---- Part 2: the ceiling of bandwidth

WB_LAB_TEST(correctness, 7, "streams scale every element") {
  for (const int n : {4, 1024, 4096, 0, 1, 2, 3, 5, 127, 1023, 1025, size(1, 1 << 16), size(1, 1 << 18), kMost})
    check_stream(stream_call(test_random(), n));
  stream_in_other_orders();
}

WB_LAB_TEST(counters, 5, "a stream moves each byte once") {
  stream_in_other_orders();
  constexpr int kCounted = 1 << 18;
  require_moved_once(check_stream(stream_call(test_random(), kCounted)), kCounted);
}

WB_LAB_TEST(time, 10, "streams are as fast as the reference") {
  stream_in_other_orders();
  require_time([](Random& random) { return stream_call(random, kMost); },
               [](const Case& given) { check_stream(given); }, 1.25, 2.5);
}

// ---- Part 3: the ceiling of arithmetic

WB_LAB_TEST(correctness, 8, "chains do every step") {
  for (const int n : {1024, 2048, 0, 1, 127, 129, 1000, 1025, size(1, kMostChained), kMostChained})
    check_chains(chains_call(test_random(), n, size(1, 60), 128));
  for (const int threads : {256, 512, 1024})
    check_chains(chains_call(test_random(), size(1, kMostChained), size(1, 60), threads));
  for (const int steps : {0, 1, 3, 4, 5, size(1, kMostSteps), kMostSteps})
    check_chains(chains_call(test_random(), size(1, 1024), steps, 128));
  chains_in_other_orders();
}

WB_LAB_TEST(counters, 5, "chains need no more threads than they are given") {
  chains_in_other_orders();
  const Answer answer = check_chains(chains_call(test_random(), kMostChained, 16, 128));
  require_at_most(answer, Quantity::launched_threads, kMostChained / 8.0,
                  "A launch has a thread for each 8 elements, in blocks of as many threads as the argument says.");
  require_moved_once(answer, kMostChained);
}

WB_LAB_TEST(counters, 4, "chains of many warps reach the ceiling") {
  chains_in_other_orders();
  constexpr double kLimitUs = 2 * kCeilingElements * kCeilingSteps / (0.7 * kCeiling * 1000);
  require_at_most(check_chains(chains_call(test_random(), kCeilingElements, kCeilingSteps, 1024)), Quantity::time_us,
                  kLimitUs,
                  "One multiprocessor does 128 fma in a cycle, 506 GFLOP in a second. Of these, 70 % are asked for, "
                  "launch included: little else than fma may be in the loop over the steps, and no fma may need the "
                  "one before it: the chains of a thread take turns.");
}

WB_LAB_TEST(time, 8, "chains are as fast as the reference") {
  chains_in_other_orders();
  require_time([](Random& random) { return chains_call(random, 1024, kMostSteps, 128); },
               [](const Case& given) { check_chains(given); }, 1.25, 2.5);
}

// ---- Part 4: a kernel moved to the right

WB_LAB_TEST(correctness, 8, "one pass smooths every element") {
  for (const int n : {1024, 2048, 0, 1, 2, 3, 255, 257, 1023, 1025, 3073, size(1, 1 << 15), size(1, 1 << 17)})
    check_smooth(smooth_call(test_random(), n));
  check_smooth(smooth_call(test_random(), kMostSmoothed));
  smooth_in_other_orders();
}

WB_LAB_TEST(counters, 7, "one pass moves each element once") {
  smooth_in_other_orders();
  constexpr int kCounted = 1 << 18;
  require_moved_once(check_smooth(smooth_call(test_random(), kCounted)), kCounted);
}

WB_LAB_TEST(time, 8, "the moved kernel is as fast as the reference") {
  smooth_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_smooth(given); }, 1.25, 2.0);
}

WB_LAB_BENCHMARK { return smooth_call(random, kMostSmoothed); }

// More than the contract promises, for the reference and the rungs on a real GPU: three arrays of 256 MiB.
WB_LAB_LARGE_BENCHMARK { return smooth_call(random, 1 << 26); }
