// The tests of lab scan: what the prefix sums must be, what they may cost, and why.
#include <limits>
#include <set>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kGroup = 1024, kMostInGroups = 1 << 20, kMost = 1 << 23;

// Around a quad, a warp, a block, a group and parts of several groups; primes.
const std::vector<int> kCounts = {1,    2,    3,    4,    5,    31,   32,   33,   127,   128,   129,   255,   256,
                                  1000, 1023, 1024, 1025, 2047, 4095, 4096, 4097, 10007, 65536, 65537, 300007};

/// As large as they may be, so that @p summed of them are just an int.
std::vector<std::int32_t> random_ints(Random& random, int count, int summed) {
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max() / std::max(1, summed);
  return random.array<std::int32_t>(count, -largest, largest);
}

std::vector<int> other_counts(int most) {
  std::vector<int> counts = {0, most - 1};
  for (int i = 0; i < 4; ++i) counts.push_back(static_cast<int>(test_random().size(1, most)));
  return counts;
}

/// Sums from the start, or from each multiple of @p group on.
std::vector<std::int32_t> scanned(const std::vector<std::int32_t>& in, std::size_t group) {
  std::vector<std::int32_t> out(in);
  for (std::size_t i = 1; i < out.size(); ++i)
    if (group == 0 || i % group != 0) out[i] += out[i - 1];
  return out;
}

constexpr const char* kCauses =
    "Usual causes: the sum up to a thread already has the thread's own numbers in it; a number that does not exist "
    "must "
    "count as 0; a __syncthreads() is missing between storing in shared memory and reading, or between reading and "
    "storing "
    "anew.";

void require_scanned(const Answer& answer, const std::string& name, const std::vector<std::int32_t>& expected) {
  Comparison comparison = compare_exact(answer, name, expected, {});
  if (!comparison.passed) comparison.finding.more.push_back(kCauses);
  require_compared(answer, name, comparison);
}

Answer check_groups(int count, std::int64_t order = 0) {
  const std::vector<std::int32_t> in = random_ints(test_random(), count, std::min(count, kGroup));
  const std::vector<std::int32_t> out = scanned(in, kGroup);
  std::vector<std::int32_t> sums;
  for (int i = 0; i < count; i += kGroup) sums.push_back(out[std::min(count, i + kGroup) - 1]);
  const Answer answer = grade(call("scan_groups", {input("in", in), output<std::int32_t>("out", in.size()),
                                                   output<std::int32_t>("sums", sums.size()), number("n", count)})
                                  .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_scanned(answer, "out", out);
  require_scanned(answer, "sums", sums);
  return answer;
}

Case scan_call(const std::vector<std::int32_t>& in, const std::string& prefix = "") {
  return call("scan", {input(prefix + "in", in), output<std::int32_t>(prefix + "out", in.size()),
                       filled<std::uint64_t>(prefix + "scratch", in.size() / 512 + 16, 0xff),
                       number("n", static_cast<std::int32_t>(in.size()))});
}

Case scan_case(Random& random, int count) { return scan_call(random_ints(random, count, count)); }

Answer check_scan(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_scanned(answer, "out", scanned(given.array<std::int32_t>("in"), 0));
  return answer;
}

constexpr int kFew = 20000;  // Numbers, in other orders: several parts, and a partial one.

void check_groups_in_other_orders(int count = 4000) {
  for (const std::int64_t order : other_orders()) check_groups(count, order);
}

void check_scan_in_other_orders(int count = kFew) {
  for (const std::int64_t order : other_orders()) check_scan(scan_case(test_random(), count).set(kScheduleSeed, order));
}

constexpr int kCounted = 1 << 20, kCountedInRounds = 1 << 22;

Answer counted_groups() {
  check_groups_in_other_orders();
  return check_groups(kCounted);
}

Answer counted_scan() {
  check_scan_in_other_orders();
  return check_scan(scan_case(test_random(), kCountedInRounds));
}

void require_groups_read_once(const Answer& answer) {
  require_at_most(answer, Quantity::global_load_bytes, 1.1 * 4 * kCounted, "Each number is to be loaded once.");
}

template <class T>
void require_predicted(const std::string& call, T found, T expected, const std::string& reason) {
  if (found != expected) WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

/// Counted, step by step.
std::int32_t additions(bool trees, std::int32_t n) {
  std::int32_t all = 0;
  for (std::int32_t s = 1; s < n; s *= 2)
    for (std::int32_t i = 0; i < n; ++i) {
      if (!trees) all += i >= s ? 1 : 0;
      if (trees) all += (i + 1) % (2 * s) == 0 ? 1 : 0;                   // Up.
      if (trees) all += (i + 1) % (2 * s) == s && i + 1 > 2 * s ? 1 : 0;  // Down: the last one at s = n / 4.
    }
  return all;
}

/// The words that lanes of warp 0 want, bank by bank.
std::int32_t wavefronts(std::int32_t distance) {
  std::vector<std::int32_t> banks(32);
  for (int k = 0; k < 32; ++k)
    if (2 * distance * (k + 1) - 1 < kGroup) ++banks[(2 * distance * (k + 1) - 1) % 32];
  return *std::max_element(banks.begin(), banks.end());
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "the predicted number of additions is right") {
  std::vector<std::int32_t> counts;
  for (int bits = 1; bits <= 20; ++bits) counts.push_back(1 << bits);
  for (const bool trees : {false, true}) {
    const Answer answer = grade(call("predict_additions", {number("method", trees ? 1 : 0), each("counts", counts)}));
    const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
    REQUIRE(found.size() == counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      require_predicted("predict_additions(Method::" + std::string(trees ? "two_trees" : "doubling") + ", " +
                            std::to_string(counts[i]) + ")",
                        found[i], additions(trees, counts[i]),
                        "Write down for 8 numbers which elements get something added, for each distance s.");
  }
}

WB_LAB_TEST(correctness, 4, "the predicted number of wavefronts is right") {
  const std::vector<std::int32_t> distances = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  const Answer answer = grade(call("predict_wavefronts", {each("distances", distances)}));
  const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i)
    require_predicted(
        "predict_wavefronts(" + std::to_string(distances[i]) + ")", found[i], wavefronts(distances[i]),
        "Neighbouring lanes want words 2s apart; word w lies in bank w % 32, and lanes without an element "
        "want nothing.");
}

WB_LAB_TEST(correctness, 4, "the predicted number of bytes is right") {
  std::vector<std::int32_t> counts = {0, 1, 1000, 1 << 22, 1 << 30};
  for (int i = 0; i < 5; ++i) counts.push_back(static_cast<std::int32_t>(test_random().size(1, 1 << 30)));
  const std::vector<std::string> plans = {"three_phases", "sums_first", "single_pass"};
  for (std::int32_t plan = 0; plan < 3; ++plan) {
    const Answer answer = grade(call("predict_bytes", {number("plan", plan), each("counts", counts)}));
    const std::vector<std::int64_t> found = answer.output<std::int64_t>(kReturned);
    REQUIRE(found.size() == counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      require_predicted(
          "predict_bytes(Plan::" + plans[plan] + ", " + std::to_string(counts[i]) + ")", found[i],
          std::int64_t{4} * (4 - plan) * counts[i],
          "Three phases read and write each element twice; with the sums first, the first reading writes "
          "nothing; a single pass reads and writes once. An int has 4 bytes; 2^30 of them are more than an "
          "int can hold.");
  }
}

// ---- Part 2: in a block

WB_LAB_TEST(correctness, 12, "the scans of groups are exact, cut groups too") {
  for (const int count : kCounts) check_groups(count);
  for (const int count : other_counts(kMostInGroups)) check_groups(count);
  check_groups(kMostInGroups);
  for (const int count : {1025, 4000}) check_groups_in_other_orders(count);
}

WB_LAB_TEST(counters, 6, "the scans of groups need hardly any bank conflicts") {
  const Answer answer = counted_groups();
  require_at_most(
      answer, Quantity::shared_bank_conflicts, 64.0 * kCounted / kGroup,
      "64 for a group. Shuffles meet no bank. In a tree, places a power of two apart lie in few banks, some "
      "900 conflicts for a group; where a word in 33 is left free, some 50.");
  require_groups_read_once(answer);
}

WB_LAB_TEST(counters, 6, "the scans of groups hardly use shared memory") {
  const Answer answer = counted_groups();
  require_at_most(answer, Quantity::shared_requests, 32.0 * kCounted / kGroup,
                  "8 warps store a sum, one warp loads and stores all of them, 7 load one: 17 requests for a group. "
                  "Trees in shared memory need more than 200.");
  require_groups_read_once(answer);
}

WB_LAB_TEST(counters, 6, "the scans of groups need few instructions") {
  const Answer answer = counted_groups();
  require_at_most(answer, Quantity::warp_instructions, 30.0 * kCounted / 32,
                  "A warp has 128 numbers, four for each lane: three additions for each quad, then 5 steps of three "
                  "instructions for 32 sums. With one number a lane it is four times as many.");
  require_groups_read_once(answer);
}

// ---- Part 3: any length

WB_LAB_TEST(correctness, 18, "the scan is exact for every length") {
  for (const int count : kCounts) check_scan(scan_case(test_random(), count));
  for (const int count : other_counts(kMost / 8)) check_scan(scan_case(test_random(), count));
  for (const int count : {1025, kFew}) check_scan_in_other_orders(count);
  // More tiles than blocks run at a time. A block that waits for one not begun waits forever.
  check_scan(scan_case(test_random(), kMost / 8).set(kMultiprocessors, 8).set(kScheduleSeed, worst_order()));
  check_scan(scan_case(test_random(), kMost));
}

WB_LAB_TEST(correctness, 4, "the scan is computed anew each time") {
  const int count = static_cast<int>(test_random().integer(20000, 40000));
  Case given;
  for (const std::string name : {"first_", "second_"}) {
    const std::vector<std::int32_t> in = random_ints(test_random(), count, count);
    given = then(given, "scan",
                 {input(name + "in", in), output<std::int32_t>(name + "out", in.size()),
                  filled<std::uint64_t>("scratch", in.size() / 512 + 16, 0xff), number("n", count)});
  }
  const Answer answer = grade(given);
  for (const std::string name : {"first_", "second_"})
    require_scanned(answer, name + "out", scanned(given.array<std::int32_t>(name + "in"), 0));
  check_scan_in_other_orders();
}

WB_LAB_TEST(counters, 10, "the scan reads and writes each number once") {
  const Answer answer = counted_scan();
  require_at_most(answer, Quantity::global_load_bytes, 1.1 * 4 * kCountedInRounds,
                  "2^22 ints are 16 MiB. A tenth is left for what blocks tell each other.");
  require_at_most(answer, Quantity::global_store_bytes, 1.1 * 4 * kCountedInRounds,
                  "Each sum is stored once, when all before it is known.");
}

WB_LAB_TEST(counters, 6, "the scan moves 16 bytes for each lane") {
  const Answer answer = counted_scan();
  require_at_most(answer, Quantity::global_load_requests, 1.5 * kCountedInRounds / 128,
                  "32 lanes that load four ints each ask for 128 with one instruction. Half as many again are left for "
                  "what blocks tell each other.");
  require_at_most(answer, Quantity::global_store_requests, 1.5 * kCountedInRounds / 128,
                  "32 lanes that store four ints each store 128 with one instruction.");
}

WB_LAB_TEST(counters, 6, "the scan needs few instructions") {
  const Answer answer = counted_scan();
  require_at_most(
      answer, Quantity::warp_instructions, 26.0 * kCountedInRounds / 32,
      "The scan of a warp's 128 numbers is some 70 instructions; what blocks do together comes once for each "
      "tile.");
}

WB_LAB_TEST(time, 14, "the scan is as fast as the reference") {
  check_scan_in_other_orders();
  // Blocks that look back need a fill before the kernel: with it they take 1.2 times as long (an H200 measures 1.15).
  require_time(
      benchmark_case, [](const Case& given) { check_scan(given); }, 1.25, 4.0);
}

WB_LAB_BENCHMARK { return scan_case(random, 1 << 22); }

// 256 MiB in, 256 MiB out: more than the contract promises, for the bandwidth that the rungs reach on a real GPU.
WB_LAB_LARGE_BENCHMARK { return scan_case(random, 1 << 26); }
