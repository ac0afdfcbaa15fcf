// The tests of lab compaction: which numbers must be kept, where, what that may cost, and why.
#include <algorithm>
#include <limits>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

using Ints = std::vector<std::int32_t>;
constexpr int kMost = 1 << 22;
constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();

/// Numbers, and which of them are kept.
struct Numbers {
  Ints in;
  std::int32_t limit = 0;

  [[nodiscard]] Ints flags() const {
    Ints flags;
    for (const std::int32_t number : in) flags.push_back(number > limit ? 1 : 0);
    return flags;
  }
  [[nodiscard]] Ints kept() const {
    Ints kept;
    std::copy_if(in.begin(), in.end(), std::back_inserter(kept), [&](std::int32_t number) { return number > limit; });
    return kept;
  }
  [[nodiscard]] Ints partitioned() const {
    Ints all = kept();
    std::copy_if(in.begin(), in.end(), std::back_inserter(all), [&](std::int32_t number) { return number <= limit; });
    return all;
  }
};

Ints sums_of(Ints flags) {
  for (std::size_t i = 1; i < flags.size(); ++i) flags[i] += flags[i - 1];
  return flags;
}

/// @param share of the numbers that are kept; of the others, some are equal to the limit
Numbers numbers_of(Random& random, int count, double share) {
  const std::int32_t limit = static_cast<std::int32_t>(kLargest - share * 2.0 * kLargest);
  Numbers numbers{random.array<std::int32_t>(static_cast<std::size_t>(count), -kLargest, kLargest), limit};
  if (share < 1)
    for (std::int32_t& number : numbers.in)
      if (number <= limit && number % 8 == 0) number = limit;
  return numbers;
}

/// None, few, half, most, all; few are negative limits, so that a number that does not exist could be a kept one.
double any_share() { return std::vector<double>{0, 0.05, 0.5, 0.7, 0.97, 1}.at(test_random().integer(0, 5)); }

/// Around a warp, a block, groups of 1024 and parts of several groups; primes.
const std::vector<int> kCounts = {0,    1,    2,    31,   32,   33,   255,  256,  257,   511,   512,
                                  1000, 1023, 1024, 1025, 2049, 4095, 4096, 4097, 10007, 65537, 100003};

std::vector<int> other_counts() {
  std::vector<int> counts = {kMost};
  for (int i = 0; i < 3; ++i) counts.push_back(static_cast<int>(test_random().size(1, 1 << 19)));
  return counts;
}

constexpr const char* kCauses =
    "Usual causes: the sum of flags up to a number has its own flag in it; a number that does not exist counts; a "
    "ballot is asked of some lanes only, or its bits are counted up to the own lane and not below it; numbers are "
    "placed "
    "in the order in which warps or blocks run; a __syncthreads() is missing between storing in shared memory and "
    "reading.";

void require_numbers(const Answer& answer, const std::string& name, const Ints& expected) {
  Comparison comparison = compare_exact(answer, name, expected, {});
  if (!comparison.passed) comparison.finding.more.push_back(kCauses);
  require_compared(answer, name, comparison);
}

std::int32_t count_of(const std::vector<std::int32_t>& numbers) { return static_cast<std::int32_t>(numbers.size()); }

Case call_of(const std::string& function, const Numbers& numbers, const std::string& prefix = "") {
  const std::size_t stored = function == "compact" ? numbers.kept().size() : numbers.in.size();
  return call(function, {input(prefix + "in", numbers.in), number(prefix + "limit", numbers.limit),
                         output<std::int32_t>(prefix + "out", stored), output<std::int32_t>(prefix + "kept", 1),
                         filled<std::int32_t>(prefix + "scratch", numbers.in.size() / 128 + 16, 0xff),
                         number(prefix + "n", count_of(numbers.in))});
}

Answer check_placed(const Case& given, bool others, const std::string& prefix = "") {
  const Answer answer = grade(given);
  require_default_stream(answer);
  const Numbers numbers{given.array<std::int32_t>(prefix + "in"),
                        static_cast<std::int32_t>(given.integer(prefix + "limit"))};
  require_numbers(answer, prefix + "out", others ? numbers.partitioned() : numbers.kept());
  require_numbers(answer, prefix + "kept", {count_of(numbers.kept())});
  return answer;
}

constexpr int kFew = 20000;  // Numbers, in other orders: several parts, and a partial one.

void check_in_other_orders(bool others) {
  for (const std::int64_t order : other_orders()) {
    const Numbers numbers = numbers_of(test_random(), kFew, 0.7);
    check_placed(call_of(others ? "partition" : "compact", numbers).set(kScheduleSeed, order), others);
  }
}

constexpr int kCounted = 1 << 20;

/// Half of the numbers are kept.
Answer counted(bool others) {
  check_in_other_orders(others);
  return check_placed(call_of(others ? "partition" : "compact", numbers_of(test_random(), kCounted, 0.5)), others);
}

template <class T>
void require_predicted(const std::string& call, T found, T expected, const std::string& reason) {
  if (found != expected) WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "the predicted number of bytes is right") {
  const std::vector<std::string> plans = {"flags", "counts_first", "single_pass"};
  const std::vector<std::int64_t> of_number = {20, 8, 4}, of_kept = {12, 4, 4};
  for (const std::int32_t n : {0, 1000, static_cast<std::int32_t>(test_random().size(1, 1 << 30)), 1 << 30})
    for (std::int32_t plan = 0; plan < 3; ++plan) {
      const std::vector<std::int32_t> kept = {0, n / 3, n / 2, n};
      const Answer answer = grade(call("predict_bytes", {number("plan", plan), number("n", n), each("kept", kept)}));
      const std::vector<std::int64_t> found = answer.output<std::int64_t>(kReturned);
      REQUIRE(found.size() == kept.size());
      for (std::size_t i = 0; i < kept.size(); ++i)
        require_predicted(
            "predict_bytes(Plan::" + plans.at(plan) + ", " + std::to_string(n) + ", " + std::to_string(kept[i]) + ")",
            found[i], of_number.at(plan) * n + of_kept.at(plan) * kept[i],
            "With flags, five ints are read or written for each number, and three more for each kept "
            "one. An int has 4 bytes; those of 2^30 ints are more than an int can hold.");
    }
}

WB_LAB_TEST(correctness, 4, "the predicted number of sectors is right") {
  std::vector<std::int32_t> counts;
  for (std::int32_t kept = 0; kept <= 32; ++kept) counts.push_back(kept);
  for (const std::int32_t first : {0, 1, 5, 7, 8, 100, static_cast<std::int32_t>(test_random().size(1, kMost))}) {
    const Answer answer = grade(call("predict_sectors", {number("first", first), each("kept", counts)}));
    const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
    REQUIRE(found.size() == counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      std::int32_t sectors = 0;  // Counted: a sector begins where an index is a multiple of 8.
      for (std::int32_t k = first; k < first + counts[i]; ++k) sectors += k == first || k % 8 == 0 ? 1 : 0;
      require_predicted("predict_sectors(" + std::to_string(first) + ", " + std::to_string(counts[i]) + ")", found[i],
                        sectors, "8 ints are a sector, and few places begin one.");
    }
  }
}

// ---- Part 2: flags, sums, addresses

WB_LAB_TEST(correctness, 6, "every number is marked correctly") {
  for (const int count : kCounts) {
    const Numbers numbers = numbers_of(test_random(), count, any_share());
    const Answer answer = grade(call("mark", {input("in", numbers.in), number("limit", numbers.limit),
                                              output<std::int32_t>("flags", numbers.in.size()), number("n", count)}));
    require_default_stream(answer);
    require_numbers(answer, "flags", numbers.flags());
  }
}

WB_LAB_TEST(correctness, 8, "the marked numbers are gathered in their order") {
  for (const int count : kCounts) {
    const Numbers numbers = numbers_of(test_random(), count, any_share());
    const Ints flags = numbers.flags(), kept = numbers.kept();
    const Answer answer =
        grade(call("gather", {input("in", numbers.in), input("flags", flags), input("sums", sums_of(flags)),
                              output<std::int32_t>("out", kept.size()), number("n", count)}));
    require_default_stream(answer);
    require_numbers(answer, "out", kept);
  }
}

WB_LAB_TEST(correctness, 8, "what was gathered comes back to its place, among zeros") {
  for (const int count : kCounts) {
    const Numbers numbers = numbers_of(test_random(), count, any_share());
    const Ints flags = numbers.flags();
    Ints expected = numbers.in;
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= flags[i];
    const Answer answer = grade(
        call("scatter_back", {input("packed", numbers.kept()), input("flags", flags), input("sums", sums_of(flags)),
                              output<std::int32_t>("out", numbers.in.size()), number("n", count)}));
    require_default_stream(answer);
    require_numbers(answer, "out", expected);
  }
}

// ---- Part 3: counts first, then ballots

WB_LAB_TEST(correctness, 18, "the compaction is exact for every length") {
  for (const int count : kCounts)
    check_placed(call_of("compact", numbers_of(test_random(), count, any_share())), false);
  for (const int count : other_counts())
    check_placed(call_of("compact", numbers_of(test_random(), count, any_share())), false);
  for (const double share : {0.0, 0.5, 1.0})
    check_placed(call_of("compact", numbers_of(test_random(), kFew, share)), false);
  check_in_other_orders(false);
}

WB_LAB_TEST(correctness, 4, "the compaction is computed anew each time") {
  Case given = call_of("compact", numbers_of(test_random(), kFew, 0.5), "first_");
  const Numbers second = numbers_of(test_random(), static_cast<int>(test_random().integer(10000, 40000)), 0.7);
  given = then(given, "compact",
               {input("in", second.in), number("limit", second.limit),
                output<std::int32_t>("out", second.kept().size()), output<std::int32_t>("kept", 1),
                filled<std::int32_t>("scratch", second.in.size() / 128 + 16, 0xff), number("n", count_of(second.in))});
  check_placed(given, false);
}

WB_LAB_TEST(counters, 8, "the compaction reads numbers twice and keeps nothing else in memory") {
  const Answer answer = counted(false);
  require_at_most(answer, Quantity::global_load_bytes, 1.1 * 8 * kCounted,
                  "2^20 ints are 4 MiB, once to count and once to place. A tenth is left for the counts of blocks.");
}

WB_LAB_TEST(counters, 8, "the compaction stores kept numbers side by side") {
  const Answer answer = counted(false);
  require_at_most(answer, Quantity::global_store_bytes, 1.7 * 2 * kCounted,
                  "Half of 2^20 ints are 2 MiB. The kept ones of 32 numbers are some 16 ints side by side; as they "
                  "rarely begin with a sector, they take 2.9 sectors instead of 2. Lanes that store what is "
                  "further apart take one for every number or two.");
}

WB_LAB_TEST(counters, 6, "the compaction needs few instructions") {
  require_at_most(counted(false), Quantity::warp_instructions, 42.0 * kCounted / 32,
                  "For 32 numbers: a load, two comparisons and an addition to count; a load, a comparison, a ballot, "
                  "two counts of bits and a store to place.");
}

WB_LAB_TEST(time, 12, "the compaction is as fast as the reference") {
  check_in_other_orders(false);
  require_time(
      benchmark_case, [](const Case& given) { check_placed(given, false); }, 1.3, 4.0);
}

// ---- Part 4: the others, too

WB_LAB_TEST(correctness, 10, "the partition is exact and stable for every length") {
  for (const int count : kCounts)
    check_placed(call_of("partition", numbers_of(test_random(), count, any_share())), true);
  for (const int count : other_counts())
    check_placed(call_of("partition", numbers_of(test_random(), count, any_share())), true);
  check_in_other_orders(true);
}

WB_LAB_TEST(counters, 4, "the partition reads numbers twice and writes them once") {
  const Answer answer = counted(true);
  require_at_most(answer, Quantity::global_load_bytes, 1.1 * 8 * kCounted,
                  "2^20 ints are 4 MiB, once to count and once to place. A tenth is left for the counts of blocks.");
  require_at_most(answer, Quantity::global_store_bytes, 1.7 * 4 * kCounted,
                  "Each number is stored once, beside others: 32 numbers take some 5.8 sectors instead of 4.");
}

WB_LAB_BENCHMARK { return call_of("compact", numbers_of(random, kMost, 0.5)); }
