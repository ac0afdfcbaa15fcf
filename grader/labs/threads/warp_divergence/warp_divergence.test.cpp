// The tests of lab warp_divergence: what the functions must compute, how many lanes must work on it, and why.
#include "labs/threads/warp_divergence/warp_divergence.h"

#include <algorithm>
#include <numeric>

#include "grader/runner/lab_test.h"
#include "grader/runner/protocol.h"
#include "labs/threads/warp_divergence/work.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kWarps = kThreads / 32;
// What the contract promises.
constexpr std::size_t kMostMixed = std::size_t{1} << 21, kMostSummed = std::size_t{1} << 22,
                      kMostJobs = std::size_t{1} << 18;
constexpr int kLongestLoop = 1'000'000;

std::size_t random_size(std::size_t most) { return static_cast<std::size_t>(test_random().size(1, most)); }

std::vector<std::uint32_t> random_words(Random& random, std::size_t count) {
  return random.array<std::uint32_t>(count, 1, 0xffffffffu);
}

constexpr const char* kForItsOwnSake =
    "Lanes are busy, but with several times the work that the results take. Work for its own sake does not count.";

// ---- Part 1: a branch

Answer check_mix(std::size_t count) {
  const std::vector<std::uint32_t> in = random_words(test_random(), count);
  std::vector<std::uint32_t> expected(count);
  for (std::size_t i = 0; i < count; ++i) expected[i] = i % 2 == 0 ? mix_even(in[i]) : mix_odd(in[i]);
  const Answer answer =
      grade(call("mix", {input("in", in), output<std::uint32_t>("out", count), number("count", count)}));
  require_default_stream(answer);
  require_equal(answer, "out", expected);
  return answer;
}

// ---- Part 2: a sum in steps

std::vector<std::int32_t> random_numbers(Random& random, std::size_t count) {
  return random.array<std::int32_t>(count, -8000000, 8000000);  // 256 of them are no float, and just an int.
}

std::vector<std::int32_t> sums_of(const std::vector<std::int32_t>& in) {
  std::vector<std::int32_t> sums((in.size() + kThreads - 1) / kThreads);
  for (std::size_t i = 0; i < in.size(); ++i) sums[i / kThreads] += in[i];
  return sums;
}

Case sum_call(Case given, const std::string& name, const std::vector<std::int32_t>& in, const std::string& sums) {
  return then(
      std::move(given), "sum_groups",
      {input(name, in), output<std::int32_t>(sums, (in.size() + kThreads - 1) / kThreads), number("count", in.size())});
}

Case sum_case(Random& random, std::size_t count) { return sum_call({}, "in", random_numbers(random, count), "sums"); }

Answer check_sums(const Case& given) {
  INFO(
      "Ask first: does every thread reach a __syncthreads() after each step? And what do threads without an element "
      "add?");
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_equal(answer, "sums", sums_of(given.array<std::int32_t>("in")));
  return answer;
}

Answer check_sums(std::size_t count, std::int64_t order = 0) {
  return check_sums(sum_case(test_random(), count).set(kScheduleSeed, order));
}

void check_sums_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_sums(2560, order);
}

// ---- Part 3: a loop

Answer check_jobs(std::size_t count, int shortest = 0, int longest = kMostTurns) {
  const std::vector<std::uint32_t> seeds = random_words(test_random(), count);
  const std::vector<std::int32_t> turns = test_random().array<std::int32_t>(count, shortest, longest);
  std::vector<std::uint32_t> expected = seeds;
  for (std::size_t i = 0; i < count; ++i)
    for (int turn = 0; turn < turns[i]; ++turn) expected[i] = one_turn(expected[i]);
  INFO(
      "job_in_order() holds barriers: does every thread of the block call it, also one without a job of its own? What "
      "it returns is a number within the block, and may be that of no job.");
  const Answer answer =
      grade(call("run_jobs", {input("seeds", seeds), input("turns", turns),
                              output<std::uint32_t>("results", seeds.size()), number("count", seeds.size())}));
  require_default_stream(answer);
  require_equal(answer, "results", expected);
  return answer;
}

const std::size_t kSizes[] = {256, 1, 2, 31, 33, 255, 257, 1000, 4096, 10007, 0};

// Whole blocks, so that every warp is full.
constexpr std::size_t kCountedBlocks = 64, kCounted = kCountedBlocks * kThreads;

/// Shared memory has nothing to do where a thread fetches all of its group for itself; but then global memory has.
void require_read_once(const Answer& answer) {
  require_at_most(answer, Quantity::global_load_bytes, 1.2 * 4 * kCounted,
                  "Every element is to be loaded once, neighbours by neighbours.");
}

}  // namespace

// ---- Predictions

WB_LAB_TEST(correctness, 5, "the prediction of parted warps is right") {
  std::vector<std::int32_t> numbers(kThreads + 1);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Answer answer = grade(Case().set("function", "predict_parted_warps").set("numbers", numbers));
  const std::vector<std::int32_t> found = answer.output<std::int32_t>("found");
  REQUIRE(found.size() == numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    int parted = 0;
    for (int warp = 0; warp < kWarps; ++warp) parted += numbers[i] > 32 * warp && numbers[i] < 32 * (warp + 1) ? 1 : 0;
    if (!answer.profile.kernels.empty()) {
      double counted = 0;
      for (const LineCounters& line : answer.profile.kernels.at(i).lines) counted += line.divergent_branches;
      REQUIRE(counted == parted);
    }
    if (found[i] != parted)
      WB_FAIL_CALL("predict_parted_warps(" << numbers[i] << ")", found[i],
                   ", but " << parted << (parted == 1 ? " warp diverges" : " warps diverge")
                            << ".\nA warp whose lanes all go in, or all go past, does not diverge. Warp w has the "
                               "threads 32 * w to 32 * w + 31.");
  }
}

WB_LAB_TEST(correctness, 6, "the prediction of busy warps is right") {
  std::vector<std::int32_t> schemes, strides;
  for (const Scheme scheme : {Scheme::by_remainder, Scheme::packed})
    for (int stride = 1; stride < kThreads; stride *= 2)
      schemes.push_back(static_cast<std::int32_t>(scheme)), strides.push_back(stride);
  const std::vector<std::int32_t> found =
      grade(call("predict_busy_warps", {each("schemes", schemes), each("strides", strides)}))
          .output<std::int32_t>(kReturned);
  std::size_t next = 0;
  for (const bool packed : {false, true}) {
    for (int stride = 1; stride < kThreads; stride *= 2) {
      int busy = 0;
      for (int warp = 0; warp < kWarps; ++warp) {
        bool any = false;
        for (int thread = 32 * warp; thread < 32 * (warp + 1); ++thread)
          any = any || (packed ? thread < kThreads / (2 * stride) : thread % (2 * stride) == 0);
        busy += any ? 1 : 0;
      }
      REQUIRE(next < found.size());
      if (found[next] != busy)
        WB_FAIL_CALL(
            "predict_busy_warps(Scheme::" << (packed ? "packed" : "by_remainder") << ", " << stride << ")", found[next],
            ", but " << busy << (busy == 1 ? " warp has" : " warps have") << " a busy lane.\nBusy are "
                     << kThreads / (2 * stride) << " threads"
                     << (packed ? ", side by side from thread 0 on." : ", " + std::to_string(2 * stride) + " apart.")
                     << " Warp w has the threads 32 * w to 32 * w + 31.");
      ++next;
    }
  }
}

WB_LAB_TEST(correctness, 5, "the prediction of turns is right") {
  std::vector<std::int32_t> turns(32, 7);                       // All alike.
  turns.resize(64, 0);                                          // None at all.
  for (int lane = 0; lane < 32; ++lane) turns.push_back(lane);  // The last lane's is the longest.
  turns.resize(127, 1);
  turns.insert(turns.begin() + 96 + static_cast<int>(test_random().integer(0, 30)), 1000);  // One is long.
  for (int i = 0; i < 10 * 32; ++i)
    turns.push_back(static_cast<std::int32_t>(test_random().integer(0, i < 5 * 32 ? 5000 : kLongestLoop)));
  const std::vector<std::int32_t> found =
      grade(Case().set("function", "predict_turns").set("turns", turns)).output<std::int32_t>("found");
  REQUIRE(found.size() == turns.size() / 32);
  for (std::size_t warp = 0; warp < found.size(); ++warp) {
    const int expected = *std::max_element(turns.begin() + 32 * warp, turns.begin() + 32 * (warp + 1));
    std::string lanes;
    for (int lane = 0; lane < 32; ++lane) lanes += (lane == 0 ? "" : ", ") + std::to_string(turns[32 * warp + lane]);
    if (found[warp] != expected)
      WB_FAIL_CALL("predict_turns()", found[warp],
                   " for a warp whose lanes need "
                       << lanes << " turns; it does " << expected
                       << ".\nThe warp goes on until its last lane is done; lanes that are done wait.");
  }
}

// ---- Part 1: a branch

WB_LAB_TEST(correctness, 7, "mix is right for every element") {
  for (const std::size_t count : kSizes) check_mix(count);
  for (int i = 0; i < 3; ++i) check_mix(random_size(kMostMixed));
  check_mix(kMostMixed);
}

// 24 rounds of 3 operations, a load and a store, and 36 for the thread's index and its check, or a loop over the grid.
constexpr double kMixSteps = 24 * 3 + 2 + 36;

WB_LAB_TEST(counters, 7, "mix keeps the lanes of a warp together") {
  const Answer answer = check_mix(kCounted);
  const char* const reason =
      "Where all lanes of a warp have elements of one kind, all 32 work on every instruction. A little room for checks "
      "at the end of the array.";
  require_at_least(answer, Quantity::active_threads_per_instruction, 31, reason);
  require_at_least(answer, Quantity::active_threads_predicated_on, 30, reason);
  require_at_most(answer, Quantity::warp_instructions, 4 * kMixSteps * kCountedBlocks * kWarps, kForItsOwnSake);
}

WB_LAB_TEST(counters, 7, "mix takes no more steps than it has work") {
  require_at_most(check_mix(kCounted), Quantity::warp_instructions, kMixSteps * kCountedBlocks * kWarps,
                  "This case has 512 warps, 110 instructions for each: 24 rounds of 3, a load and a store for each 32 "
                  "elements, and 36 more for the index. "
                  "A warp that diverges, or computes both results for each element, needs 130 and more.");
}

// ---- Part 2: a sum in steps

WB_LAB_TEST(correctness, 10, "every group is summed exactly") {
  for (const std::size_t count : kSizes) check_sums(count);
  for (int i = 0; i < 4; ++i) check_sums(random_size(kMostSummed));
  check_sums(kMostSummed);
  check_sums_in_other_orders();
}

WB_LAB_TEST(counters, 10, "the sum keeps only the warps busy that have work") {
  // 8 warps fill the array; steps of 4, 2, 1, 1, 1, 1, 1, 1 busy warps, each with two loads and a store; one load.
  const double accesses = 8 + (4 + 2 + 6 * 1) * 3 + 1;
  check_sums_in_other_orders();
  const Answer answer = check_sums(kCounted);
  require_at_most(answer, Quantity::shared_requests, accesses * kCountedBlocks,
                  "This case has 64 blocks, 45 requests for each. Packed, the busy threads of the 8 steps fill 4 + 2 + "
                  "1 + 1 + 1 + 1 + 1 + 1 = 12 warps; by remainder, "
                  "they are spread over 47. Each has two loads and a store: 36, with 8 to fill the array and 1 to read "
                  "the sum.");
  require_read_once(answer);
}

WB_LAB_TEST(counters, 5, "the sum has no bank conflicts") {
  check_sums_in_other_orders();
  const Answer answer = check_sums(kCounted);
  require_at_most(answer, Quantity::shared_bank_conflicts, 0,
                  "Lanes that add elements side by side find them in 32 different banks.");
  require_read_once(answer);
}

WB_LAB_TEST(counters, 5, "the sum leaves few lanes idle") {
  check_sums_in_other_orders();
  const Answer answer = check_sums(kCounted);
  require_at_most(answer, Quantity::idle_lanes, 3000 * kCountedBlocks,
                  "This case has 64 blocks, 3000 for each. Only the last five steps, with 16, 8, 4, 2 and 1 additions, "
                  "cannot fill a warp: some 2000. By remainder, it is more than 8000.");
}

WB_LAB_TEST(time, 10, "the sum is as fast as the reference") {
  check_sums_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_sums(given); }, 1.15, 1.60);
}

// ---- Part 3: a loop

WB_LAB_TEST(correctness, 8, "every job gives its result") {
  for (const std::size_t count : kSizes) check_jobs(count);
  for (int i = 0; i < 3; ++i) check_jobs(random_size(kMostJobs));
  check_jobs(kMostJobs);
  check_jobs(1000, 0, 0);
  check_jobs(1000, kMostTurns, kMostTurns);
}

WB_LAB_TEST(counters, 10, "jobs of one length share a warp") {
  const Answer answer = check_jobs(kCounted);
  require_at_most(
      answer, Quantity::idle_lanes, 7000.0 * kCountedBlocks * kWarps,
      "This case has 512 warps, 7000 for each: 6 lanes in each of the 1176 instructions that are allowed. The "
      "32 jobs of a sorted block's warp differ by about an eighth of the longest, so some 28 lanes work; as "
      "the jobs come, 16, and 26,000 are idle.");
  // A warp of a sorted block does 9/16 of the longest job's turns on average, of 6 operations and a little for the
  // loop.
  require_at_most(answer, Quantity::warp_instructions, (0.5625 * kMostTurns * 7.5 + 100) * kCountedBlocks * kWarps,
                  "This case has 512 warps, 1176 instructions for each. Sorted, the warps of a block do 1/8, 2/8, ... "
                  "8/8 of the longest job's 255 turns, 143 on average, of "
                  "7 or 8 instructions each, and 100 to sort. As the jobs come, nearly all do 255 turns.");
}

WB_LAB_TEST(correctness, 5, "all answers are computed anew, large ones too") {
  const auto between = [](int low, int high) { return static_cast<std::size_t>(test_random().integer(low, high)); };
  check_mix(between(1000000, 1100000));
  check_sums(between(1000000, 1100000));
  check_sums_in_other_orders();
  check_jobs(between(100000, 110000));
  const std::size_t count = between(5000, 6000);
  const std::vector<std::int32_t> first = random_numbers(test_random(), count),
                                  second = random_numbers(test_random(), count);
  const Answer answer = grade(sum_call(sum_call({}, "first", first, "first_sums"), "second", second, "second_sums"));
  require_equal(answer, "first_sums", sums_of(first));
  require_equal(answer, "second_sums", sums_of(second));
}

WB_LAB_BENCHMARK { return sum_case(random, std::size_t{1} << 22); }

// More than the contract promises, for the reference and the rungs on a real GPU. 256 MiB: far more than a cache holds.
WB_LAB_LARGE_BENCHMARK { return sum_case(random, std::size_t{1} << 26); }
