// The tests of lab reduction: what the sums must be, what they may cost, and why.
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

// Around a warp, a block, a group of part 2 and powers of two; primes; many.
const std::vector<int> kCounts = {1,   2,   3,   5,   31,   32,   33,   127,  128,   255,   256,
                                  257, 511, 512, 513, 1000, 1023, 1025, 4099, 65536, 65537, 300007};

constexpr int kMost = 1 << 23,
              kMostInSteps = 1 << 20;  // Elements: what the contract promises, of parts 3, and 1 and 2.

/// Sizes between those that stand in kCounts, and the largest.
std::vector<int> other_counts(int most) {
  std::vector<int> counts = {most};
  for (int i = 0; i < 4; ++i) counts.push_back(static_cast<int>(test_random().size(1, most)));
  return counts;
}

/// As large as they may be, so that @p summed of them are just an int, and in most cases no float.
std::vector<std::int32_t> random_ints(int count, int summed) {
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max() / std::max(1, summed);
  return test_random().array<std::int32_t>(count, -largest, largest);
}

/// Says which call was wrong, what came back and what is right.
template <class T>
void require_predicted(const std::string& call, T found, T expected, const std::string& reason) {
  if (!(found == expected)) WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

/// A wrong sum is followed by what usually makes it wrong.
void require_sum(const Answer& answer, const std::string& name, Comparison comparison, const std::string& causes) {
  if (!comparison.passed) comparison.finding.more.push_back(causes);
  require_compared(answer, name, comparison);
}

// ---- Parts 1 and 2

constexpr const char* kCausesInPlace =
    "Check each: half of an odd count must be rounded up, in the kernel and in the loop alike, or a number is lost; "
    "and the blocks of a launch run in any order: what one of them adds may be read in the next launch only.";

Answer check_sum_in_place(int count, std::int64_t order = 0) {
  const std::vector<std::int32_t> in = random_ints(count, count);
  const Answer answer = grade(call("sum_in_place", {in_out("data", in), number("n", count)}).set(kScheduleSeed, order));
  for (const CopyRecord& copy : answer.profile.copies)
    if (copy.kind == "device_to_host")
      WB_FAIL("copies_to_host",
              "The function copied " << copy.bytes << " bytes to the host. The sum is made in data[0], by kernels.");
  if (count == 0) return answer;
  const std::vector<std::int32_t> expected = {std::accumulate(in.begin(), in.end(), 0)};
  require_default_stream(answer);
  Answer first = answer;  // Only the first element is a result; the others may hold anything.
  first.reply.set("data", std::vector<std::int32_t>{answer.output<std::int32_t>("data").at(0)});
  require_sum(answer, "data", compare_exact(first, "data", expected, {}), kCausesInPlace);
  return answer;
}

constexpr int kFew = 1 << 13;  // Numbers, in other orders.

void check_sum_in_place_in_other_orders(int count = kFew) {
  for (const std::int64_t order : other_orders()) check_sum_in_place(count, order);
}

constexpr int kGroup = 512;
constexpr const char* kCausesGroups =
    "Usual causes: no __syncthreads() between storing into shared memory and reading what another thread stored (one "
    "after the loads, one after each distance); an element that does not exist must count as 0, each of a thread's two "
    "for itself.";

Answer check_sum_groups(int count, std::int64_t order = 0) {
  const std::vector<std::int32_t> in = random_ints(count, std::min(count, kGroup));
  std::vector<std::int32_t> expected((count + kGroup - 1) / kGroup);
  for (int i = 0; i < count; ++i) expected[i / kGroup] += in[i];
  const Answer answer =
      grade(call("sum_groups", {input("in", in), output<std::int32_t>("sums", expected.size()), number("n", count)})
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_sum(answer, "sums", compare_exact(answer, "sums", expected, {}), kCausesGroups);
  return answer;
}

void check_sum_groups_in_other_orders(int count = kFew) {
  for (const std::int64_t order : other_orders()) check_sum_groups(count, order);
}

constexpr double kIdleLanes = 3000;  // In all instructions of a group's block.
constexpr double kSharedRequests = 120;

/// Lanes and banks are idle, too, where a thread fetches all of its group for itself; but then global memory is not.
void require_read_once(const Answer& answer) {
  require_at_most(answer, Quantity::global_load_bytes, 1.2 * 4 * (1 << 20),
                  "2^20 numbers are 4 MiB: each is to be loaded once, neighbours by neighbours.");
}

/// Warps with a thread that adds something, counted thread by thread.
std::int32_t busy_warps(bool modulo, int distance) {
  std::set<int> warps;
  for (int t = 0; t < 256; ++t)
    if (modulo ? t % (2 * distance) == 0 : t < distance) warps.insert(t / 32);
  return static_cast<std::int32_t>(warps.size());
}

// ---- Part 3

/// Whole numbers whose magnitudes add up to at most 2^24: every order of additions then gives the same bits.
std::vector<float> whole_numbers(Random& random, int count) {
  const int largest = std::max(1, std::min(1000, (1 << 24) / std::max(1, count)));
  std::vector<float> values;
  for (const std::int32_t value : random.array<std::int32_t>(count, -largest, largest))
    values.push_back(static_cast<float>(value));
  return values;
}

float exact_sum(const std::vector<float>& values) {
  return static_cast<float>(std::accumulate(values.begin(), values.end(), 0.0));
}

/// The scratch memory holds NaNs: an answer that takes it for zeros is wrong.
Case sum_call(const std::vector<float>& in) {
  return call("sum", {input("in", in), output<float>("out", 1), filled<float>("scratch", in.size() + 1024, 0xff),
                      number("n", in.size())});
}

Case sum_case(Random& random, int count) { return sum_call(whole_numbers(random, count)); }

constexpr const char* kCausesSum =
    "Usual causes: `out` is not set to 0, all sizeof(float) bytes of it, before the launch; the last n % 4 numbers "
    "(from index n / 4 * 4 on) are missing or taken from elsewhere; no __syncthreads() between storing the sums of "
    "warps and reading them.";

void require_exact_sum(const Answer& answer, const std::string& name, const std::vector<float>& in) {
  const std::vector<float> expected = {exact_sum(in)};
  require_sum(answer, name, compare_exact(answer, name, expected, {}), kCausesSum);
}

Answer check_sum(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_exact_sum(answer, "out", given.array<float>("in"));
  return answer;
}

void check_sum_in_other_orders(int count = 2 * kFew) {
  for (const std::int64_t order : other_orders()) check_sum(sum_case(test_random(), count).set(kScheduleSeed, order));
}

/// Real numbers, within 10^-5 of the sum of the magnitudes; the true sum is taken in double precision.
void check_real_sum(const std::vector<float>& in) {
  double sum = 0, magnitudes = 0;
  for (const float value : in) {
    sum += value;
    magnitudes += std::fabs(value);
  }
  const Answer answer = grade(sum_call(in));
  const std::vector<float> expected = {static_cast<float>(sum)};
  require_default_stream(answer);
  require_sum(answer, "out", compare_close(answer, "out", expected, {0, 1e-5 * magnitudes}, {}), kCausesSum);
}

// 2^20 elements are enough to count on; the time is taken on the benchmark, which is larger.
constexpr int kCounted = 1 << 20, kMany = kMost;

constexpr double kOnce = 1.02 * 4;  // Bytes loaded for each number.

Answer counted_sum() {
  check_sum_in_other_orders();
  return check_sum(sum_case(test_random(), kCounted));
}

Answer counted_benchmark() {
  check_sum_in_other_orders();
  return check_sum(benchmark_case(test_random()));
}

Answer counted_sum_groups() {
  check_sum_groups_in_other_orders();
  return check_sum_groups(kCounted);
}

}  // namespace

// ---- Part 1: in global memory

WB_LAB_TEST(correctness, 4, "the predicted number of launches is right") {
  std::vector<std::int32_t> counts = {0, 1, 2, 3, 4, 5, 7, 8, 9, 1000, 1024, 1025, 16777216, 16777217, 1 << 30};
  for (int i = 0; i < 10; ++i) counts.push_back(static_cast<std::int32_t>(test_random().size(10, 1 << 30)));
  const Answer answer = grade(call("predict_launches", {each("counts", counts)}));
  const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    std::int32_t launches = 0;
    while ((std::int64_t{1} << launches) < counts[k]) ++launches;
    require_predicted("predict_launches(" + std::to_string(counts[k]) + ")", found[k], launches,
                      "A launch halves the count; of an odd count, the larger half is left: 5, 3, 2, 1.");
  }
}

WB_LAB_TEST(correctness, 8, "the sum in place is exact for every count") {
  for (const int count : kCounts) check_sum_in_place(count);
  for (const int count : other_counts(kMostInSteps)) check_sum_in_place(count);
  for (const int count : {0, 1025, kFew}) check_sum_in_place_in_other_orders(count);
}

WB_LAB_TEST(counters, 7, "the sum in place halves the work with each launch, and stays coalesced") {
  check_sum_in_place_in_other_orders();
  const Answer answer = check_sum_in_place(kCounted);
  require_at_most(answer, Quantity::kernel_launches, 20, "2^20 numbers are halved 20 times.");
  require_at_most(
      answer, Quantity::global_load_bytes, 8.1 * kCounted,
      "The first launch loads all 2^20 numbers (4 MiB), the second one half of them, then a quarter: 8 MiB "
      "in all. Pairs of neighbours would be cheap at first, but the numbers that are left would lie further "
      "and further apart: each launch then loads the sectors of all of them.");
  require_at_most(answer, Quantity::global_store_bytes, 4.1 * kCounted,
                  "Half of the numbers (2 MiB) are stored by the first launch, then a quarter: 4 MiB in all.");
}

// ---- Part 2: in shared memory

WB_LAB_TEST(correctness, 4, "the predicted number of busy warps is right") {
  const std::vector<std::int32_t> distances = {1, 2, 4, 8, 16, 32, 64, 128};
  for (const char* order : {"modulo", "sequential"}) {
    const Answer answer = grade(call(
        "predict_busy_warps", {number("order", order == std::string("modulo") ? 0 : 1), each("distances", distances)}));
    const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
    REQUIRE(found.size() == distances.size());
    for (std::size_t k = 0; k < distances.size(); ++k) {
      require_predicted("predict_busy_warps(Order::" + std::string(order) + ", " + std::to_string(distances[k]) + ")",
                        found[k], busy_warps(order == std::string("modulo"), distances[k]),
                        "Warp 0 is threads 0 to 31, warp 1 is threads 32 to 63, and so on. Write down the threads that "
                        "add something at this distance, and the warps that they are in.");
    }
  }
}

WB_LAB_TEST(correctness, 8, "the sums of groups are exact, cut groups too") {
  for (const int count : kCounts) check_sum_groups(count);
  for (const int count : other_counts(kMostInSteps)) check_sum_groups(count);
  for (const int count : {0, 1025, kFew}) check_sum_groups_in_other_orders(count);
}

WB_LAB_TEST(counters, 5, "the sums of groups need no bank conflicts") {
  const Answer answer = counted_sum_groups();
  require_at_most(answer, Quantity::shared_bank_conflicts, 0,
                  "Neighbouring lanes that add neighbouring elements are in 32 different banks, in every step.");
  require_read_once(answer);
}

WB_LAB_TEST(counters, 6, "the sums of groups let whole warps rest") {
  const Answer answer = counted_sum_groups();
  require_at_most(
      answer, Quantity::idle_lanes, kIdleLanes * kCounted / kGroup,
      "This case has 2048 groups, 3000 for each. Where threads 0 to distance - 1 add, all warps but one work "
      "with 32 lanes or not at all. Only in the last five steps is one warp of eight in part: some 2000 "
      "lanes are idle in all instructions together. By remainder, it is more than 6000.");
  require_at_most(
      answer, Quantity::shared_requests, kSharedRequests * kCounted / kGroup,
      "A warp that rests asks for nothing: 8 + 3 x (4 + 2 + 1 + 1 + 1 + 1 + 1 + 1) requests for a group are "
      "some 50. If all 8 warps load and store at each of 8 distances, it is 200.");
  require_read_once(answer);
}

// ---- Part 3: in one pass

WB_LAB_TEST(correctness, 4, "the least time is bytes over bandwidth") {
  const auto any = static_cast<int>(test_random().size(1 << 20, std::numeric_limits<int>::max() - 1));
  const auto any_rate = static_cast<double>(test_random().integer(200, 9000));
  for (const auto& [count, rate] : {std::pair{1 << 20, 1000.0},
                                    {1 << 29, 4200.0},
                                    {0, 100.0},
                                    {1000, 3350.0},
                                    {std::numeric_limits<int>::max(), 4250.0},
                                    {any, any_rate}}) {
    const Answer answer = grade(call("least_time_us", {number("count", count), number("gb_per_s", rate)}));
    const double found = answer.output<double>(kReturned).at(0), expected = 4.0 * count / (1000 * rate);
    if (!(std::fabs(found - expected) <= 1e-9 * expected))
      WB_FAIL_CALL("least_time_us(" << count << ", " << rate << ")", found,
                   ", but it is " << expected
                                  << ".\nA float has 4 bytes; 1 GB/s is 1000 bytes in a microsecond. The bytes of 2^29 "
                                     "floats are more than an int holds.");
  }
}

WB_LAB_TEST(correctness, 9, "the sum of whole numbers is exact for every count") {
  for (const int count : kCounts) check_sum(sum_case(test_random(), count));
  for (const int count : {0, 1025, 2 * kFew}) check_sum_in_other_orders(count);
  for (const int count : other_counts(kMost)) check_sum(sum_case(test_random(), count));
}

WB_LAB_TEST(correctness, 6, "the sum of real numbers is as exact as floats in any order allow") {
  const int any = static_cast<int>(test_random().size(100, kMost));
  for (const int count : {1, 2, 7, 100, 1000003, any}) {
    check_real_sum(test_random().array(count, 0.0f, 1.0f));
    check_real_sum(test_random().array(count, -1000.0f, 1000.0f));
  }
  check_sum_in_other_orders();
}

WB_LAB_TEST(correctness, 5, "the sum is computed anew each time") {
  const int count = static_cast<int>(test_random().integer(100000, 200000));
  const std::vector<float> first = whole_numbers(test_random(), count), second = whole_numbers(test_random(), count);
  const Answer answer = grade(Case().set("function", "sum twice").set("first", first).set("second", second));
  require_exact_sum(answer, "first_out", first);
  require_exact_sum(answer, "second_out", second);
  check_sum_in_other_orders();
}

WB_LAB_TEST(counters, 6, "the sum reads every number once, in one launch") {
  const Answer answer = counted_sum();
  require_at_least(answer, Quantity::global_load_bytes, 4.0 * kCounted, "Every number must be read on the GPU.");
  require_at_most(answer, Quantity::global_load_bytes, kOnce * kCounted,
                  "2^20 floats are 4 MiB; 2 % is left for sums of parts.");
  require_at_most(answer, Quantity::kernel_launches, 1,
                  "A second launch begins when the first has ended, and costs as long as it takes to read 8 MiB.");
}

WB_LAB_TEST(counters, 6, "the sum loads 16 bytes for each lane") {
  const Answer answer = counted_sum();
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0, "Neighbouring lanes read neighbouring bytes.");
  require_at_most(answer, Quantity::global_load_requests, 1.25 * kCounted / 128,
                  "32 lanes that load a float4 each ask for 128 floats with one instruction. 2^20 floats are 8192 such "
                  "loads; a quarter more is left for sums of parts.");
  require_at_most(answer, Quantity::global_load_bytes, kOnce * kCounted, "Every number is to be loaded once.");
}

WB_LAB_TEST(counters, 4, "the sum needs at most one atomic for each block") {
  const Answer answer = counted_sum();
  require_at_most(
      answer, Quantity::global_atomic_requests, 2048,
      "2^20 numbers are 1024 blocks of 256 threads with four numbers each; there is room for twice as many.");
}

WB_LAB_TEST(counters, 4, "the sum needs few instructions") {
  const Answer answer = counted_benchmark();
  require_at_most(
      answer, Quantity::warp_instructions, 5.0 * kMany / 32,
      "At most 5 instructions for 32 numbers: with float4, about ten serve 128 numbers (the loop, a load, four "
      "additions). What warps and blocks do together must come once for each thread, not once for each number.");
}

WB_LAB_TEST(counters, 4, "the sum reads with more than half of the memory's bandwidth") {
  const Answer answer = counted_benchmark();
  require_at_most(answer, Quantity::global_load_bytes, kOnce * kMany,
                  "Every number is to be loaded once: bytes that nobody needs are no bandwidth.");
  require_at_least(answer, Quantity::global_load_gb_per_s, 0.5 * 4250,
                   "The memory of an H200 delivers 4250 GB/s to a kernel that only reads. 32 MiB take 8 us at that "
                   "rate, and a launch takes 2 to 3 us more.");
}

WB_LAB_TEST(time, 10, "the sum is as fast as the reference") {
  check_sum_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_sum(given); }, 1.3, 3.0);
}

WB_LAB_BENCHMARK { return sum_case(random, kMany); }

// More than the contract promises, for the reference and the rungs on a real GPU. 256 MiB: far more than a cache holds,
// so that the memory's bandwidth decides.
WB_LAB_LARGE_BENCHMARK { return sum_case(random, 1 << 26); }
