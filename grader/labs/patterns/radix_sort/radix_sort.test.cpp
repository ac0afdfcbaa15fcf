// The tests of lab radix_sort: in which order keys and values must be, what that may cost, and why.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

using Keys = std::vector<std::uint32_t>;
constexpr int kWarp = 32, kBlock = 1024, kMostInBlocks = 1 << 16, kMost = 1 << 20;
constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();

/// Around a warp, a block, a group of 1024 and parts of several groups; primes.
const std::vector<int> kCounts = {0, 1, 2, 31, 33, 255, 257, 1000, 1023, 1024, 1025, 4096, 4097, 10007};
/// Of sorts in passes, which take several times as long.
const std::vector<int> kLengths = {0, 1, 33, 1023, 1025, 4096, 4097, 10007};

std::int32_t count_of(const Keys& keys) { return static_cast<std::int32_t>(keys.size()); }

enum class Pattern { any, few, equal, upper_half, high_byte, ascending, descending };
const std::vector<Pattern> kPatterns = {Pattern::any,       Pattern::few,       Pattern::equal,     Pattern::upper_half,
                                        Pattern::high_byte, Pattern::ascending, Pattern::descending};

/// The first keys of `any` are the largest and the smallest one, and 2^31.
Keys keys_of(Random& random, int count, Pattern pattern) {
  const auto size = static_cast<std::size_t>(count);
  if (pattern == Pattern::few) return random.array<std::uint32_t>(size, 0, 6);
  if (pattern == Pattern::equal) return Keys(size, static_cast<std::uint32_t>(random.bits()));
  if (pattern == Pattern::upper_half) return random.array<std::uint32_t>(size, 1U << 31, kLargest);
  Keys keys = random.array<std::uint32_t>(size, 0, kLargest);
  const std::array<std::uint32_t, 3> ends = {kLargest, 0, 1U << 31};
  std::copy_n(ends.begin(), std::min(ends.size(), size), keys.begin());
  if (pattern == Pattern::high_byte)
    for (std::uint32_t& key : keys) key &= 0xff000000;
  if (pattern == Pattern::ascending) std::sort(keys.begin(), keys.end());
  if (pattern == Pattern::descending) std::sort(keys.rbegin(), keys.rend());
  return keys;
}

Keys any_keys(int count) { return keys_of(test_random(), count, Pattern::any); }
Keys keys_of_any_pattern(int count) {
  return keys_of(test_random(), count, kPatterns.at(static_cast<std::size_t>(test_random().integer(0, 6))));
}

/// As many keys as each count says, in one pattern after the other: the last seven counts have one each.
std::vector<Keys> keys_of_each_pattern(const std::vector<int>& counts) {
  std::vector<Keys> all;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t pattern = (i + kPatterns.size() - counts.size() % kPatterns.size()) % kPatterns.size();
    all.push_back(keys_of(test_random(), counts[i], kPatterns[pattern]));
  }
  return all;
}

std::vector<int> other_counts(int most) {
  std::vector<int> counts = {most};
  counts.push_back(static_cast<int>(test_random().size(1, most / 4)));
  return counts;
}

/// Sorted in groups of so many.
Keys sorted(Keys keys, std::size_t group) {
  for (std::size_t first = 0; first < keys.size(); first += group)
    std::sort(keys.begin() + static_cast<std::ptrdiff_t>(first),
              keys.begin() + static_cast<std::ptrdiff_t>(std::min(first + group, keys.size())));
  return keys;
}

/// What is wrong: an order, or keys that are not those that were given.
template <class T>
std::string what_is_wrong(std::vector<T> found, std::vector<T> expected) {
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  if (found == expected)
    return "All keys are there, but not in order. Usual causes: a bit or a digit is left out; a pass does not keep the "
           "order of keys whose digits are equal; keys of a digit begin at the wrong place; a pass reads what the one "
           "before it did not write.";
  return "It is not a permutation: some keys are lost, and others are there twice or were never given. Usual causes: "
         "keys that do not exist take places of others; two keys go to one place; a barrier is missing.";
}

template <class T>
void require_sorted(const Answer& answer, const std::string& name, const std::vector<T>& expected) {
  Comparison comparison = compare_exact(answer, name, expected, {});
  if (!comparison.passed) comparison.finding.more.push_back(what_is_wrong(answer.output<T>(name), expected));
  require_compared(answer, name, comparison);
}

Answer check_groups(const std::string& function, std::size_t group, const Keys& keys, std::int64_t order = 0) {
  constexpr std::size_t kRounds = 32;  // One for each bit, or for each step of a network.
  const Answer answer =
      grade(call(function, {input("in", keys), output<std::uint32_t>("out", keys.size()), number("n", count_of(keys))})
                .set(kWork, kRounds / 4 * keys.size())
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_sorted(answer, "out", sorted(keys, group));
  return answer;
}

Argument scratch_for(const std::string& name, std::size_t count) {
  return filled<std::uint32_t>(name, 2 * count + count / 8 + 1024, 0xff);
}

Case keys_call(const Keys& keys, const std::string& prefix = "") {
  return call("sort_keys", {input(prefix + "in", keys), output<std::uint32_t>(prefix + "out", keys.size()),
                            scratch_for(prefix + "scratch", keys.size()), number(prefix + "n", count_of(keys))});
}

Answer check_keys(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_sorted(answer, "out", sorted(given.array<std::uint32_t>("in"), kMost));
  return answer;
}

/// What values must be where @p keys are sorted and equal ones keep their order.
Keys values_in_order(const Keys& keys, const Keys& values) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  Keys out;
  for (const std::size_t i : order) out.push_back(values[i]);
  return out;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const Keys& keys, const Keys& values) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < keys.size(); ++i) pairs.emplace_back(keys[i], values[i]);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Answer check_pairs(const Keys& keys, std::int64_t order = 0) {
  const Keys values = test_random().array<std::uint32_t>(keys.size(), 0, kLargest);
  const Answer answer = grade(
      call("sort_pairs", {input("keys", keys), input("values", values), output<std::uint32_t>("keys_out", keys.size()),
                          output<std::uint32_t>("values_out", keys.size()), scratch_for("scratch", keys.size()),
                          number("n", count_of(keys))})
          .set(kScheduleSeed, order));
  require_default_stream(answer);
  const Keys sorted_keys = sorted(keys, kMost);
  require_sorted(answer, "keys_out", sorted_keys);
  Comparison comparison = compare_exact(answer, "values_out", values_in_order(keys, values), {});
  if (!comparison.passed)
    comparison.finding.more.push_back(
        pairs_of(sorted_keys, answer.output<std::uint32_t>("values_out")) == pairs_of(keys, values)
            ? "Every value is with its key, but the sort is not stable: values of equal keys changed their order."
            : "Values are not with their keys: a value must go to the place of its key, in each pass.");
  require_compared(answer, "values_out", comparison);
  return answer;
}

void check_ints(int count) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::vector<std::int32_t> in =
      test_random().array<std::int32_t>(static_cast<std::size_t>(count), Limits::min(), Limits::max());
  const Answer answer = grade(call("sort_ints", {input("in", in), output<std::int32_t>("out", in.size()),
                                                 scratch_for("scratch", in.size()), number("n", count)}));
  require_default_stream(answer);
  std::sort(in.begin(), in.end());
  require_sorted(answer, "out", in);
}

bool float_before(float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

void check_floats(int count) {
  std::vector<float> in;
  for (int i = 0; i < count; ++i) in.push_back(i % 4 == 0 ? test_random().tiny_float() : test_random().any_float());
  const std::array<float, 4> special = {0.0F, -0.0F, std::numeric_limits<float>::infinity(),
                                        -std::numeric_limits<float>::infinity()};
  std::copy_n(special.begin(), std::min<std::size_t>(special.size(), in.size()), in.begin());
  const Answer answer = grade(call("sort_floats", {input("in", in), output<float>("out", in.size()),
                                                   scratch_for("scratch", in.size()), number("n", count)}));
  require_default_stream(answer);
  std::sort(in.begin(), in.end(), float_before);
  require_sorted(answer, "out", in);
  const std::vector<float> out = answer.output<float>("out");
  for (std::size_t i = 0; i < in.size(); ++i)
    if (std::signbit(out[i]) != std::signbit(in[i]))
      WB_FAIL("sign_of_zero", "out[" << i << "] is a zero of the wrong sign: -0.0f comes first.");
}

constexpr int kFew = 5000;  // Keys, in other orders: several parts, and a partial one.

void check_groups_in_other_orders(const std::string& function, std::size_t group) {
  for (const std::int64_t order : other_orders()) check_groups(function, group, any_keys(2500), order);
}

void check_keys_in_order(std::int64_t order) {
  check_keys(keys_call(keys_of_any_pattern(kFew)).set(kScheduleSeed, order));
}

void check_pairs_in_order(std::int64_t order) { check_pairs(keys_of(test_random(), kFew, Pattern::few), order); }

constexpr int kCounted = 1 << 16;

Answer counted_groups(const std::string& function, std::size_t group) {
  check_groups_in_other_orders(function, group);
  return check_groups(function, group, any_keys(kCounted));
}

Answer counted_keys() {
  check_keys_in_order(worst_order());
  return check_keys(keys_call(any_keys(kCounted)));
}

template <class T>
void require_predicted(const std::string& call, T found, T expected, const std::string& reason) {
  if (found != expected) WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 3, "the predicted keys after each pass are right") {
  std::vector<std::int32_t> keys = {7, 14, 4, 1};
  for (std::int32_t passes = 0; passes <= 4; ++passes) {
    if (passes > 0)
      std::stable_partition(keys.begin(), keys.end(), [&](std::int32_t key) { return (key >> (passes - 1)) % 2 == 0; });
    const Answer answer =
        grade(call("predict_key", {number("passes", passes), each("places", std::vector<std::int32_t>{0, 1, 2, 3})}));
    const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
    REQUIRE(found.size() == keys.size());
    for (std::size_t place = 0; place < keys.size(); ++place)
      require_predicted("predict_key(" + std::to_string(passes) + ", " + std::to_string(place) + ")", found[place],
                        keys[place],
                        "7, 14, 4, 1 are 0111, 1110, 0100, 0001. Begin with the lowest bit: 14 and 4, whose bit is 0, "
                        "go in front, 14 first, as it stood first. The next pass begins with what that one left.");
  }
}

WB_LAB_TEST(correctness, 4, "the predicted number of bytes is right") {
  std::vector<std::int32_t> digits(16);
  std::iota(digits.begin(), digits.end(), 1);
  for (const std::int32_t n : {0, 1000, static_cast<std::int32_t>(test_random().size(1, 1 << 28)), 1 << 28})
    for (const std::int32_t bytes : {0, 4, 16}) {
      const Answer answer =
          grade(call("predict_bytes", {number("n", n), each("digit_bits", digits), number("value_bytes", bytes)}));
      const std::vector<std::int64_t> found = answer.output<std::int64_t>(kReturned);
      REQUIRE(found.size() == digits.size());
      for (std::size_t i = 0; i < digits.size(); ++i) {
        std::int64_t expected = 0;
        for (std::int32_t bit = 0; bit < 32; bit += digits[i]) expected += std::int64_t{n} * (4 + 2 * (4 + bytes));
        require_predicted("predict_bytes(" + std::to_string(n) + ", " + std::to_string(digits[i]) + ", " +
                              std::to_string(bytes) + ")",
                          found[i], expected,
                          "A pass reads each key twice and writes it once, and reads and writes each value once. "
                          "Digits of 5 bits take seven passes. The bytes of 2^28 keys are more than an int can hold.");
      }
    }
}

WB_LAB_TEST(correctness, 4, "the predicted number of sectors is right") {
  for (std::int32_t keys = 32; keys <= 8192; keys *= 2) {
    std::vector<std::int32_t> digits;
    for (std::int32_t values = 2; values <= std::min(256, keys); values *= 2) digits.push_back(values);
    const Answer answer = grade(call("predict_sectors", {number("keys", keys), each("digits", digits)}));
    const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
    REQUIRE(found.size() == digits.size());
    for (std::size_t i = 0; i < digits.size(); ++i) {
      const std::int32_t of_digit = keys / digits[i];
      std::int32_t sectors = 0;  // Counted: key k of a digit begins a sector if k is a multiple of 8.
      for (std::int32_t key = 0; key < kWarp; ++key) sectors += key % of_digit % 8 == 0 ? 1 : 0;
      require_predicted("predict_sectors(" + std::to_string(keys) + ", " + std::to_string(digits[i]) + ")", found[i],
                        sectors,
                        "A digit is in keys / digits keys. If these are 8 or more, they fill sectors of 8 keys; if "
                        "they are fewer, each digit takes a sector of its own.");
    }
  }
}

// ---- Part 2: in a warp

WB_LAB_TEST(correctness, 8, "the 32 keys of each warp are sorted") {
  for (const Keys& keys : keys_of_each_pattern(kCounts)) check_groups("sort_warps", kWarp, keys);
  for (const int count : other_counts(kMostInBlocks)) check_groups("sort_warps", kWarp, any_keys(count));
  check_groups_in_other_orders("sort_warps", kWarp);
}

WB_LAB_TEST(counters, 5, "the sort of a warp needs few instructions") {
  require_at_most(counted_groups("sort_warps", kWarp), Quantity::warp_instructions, 640.0 * kCounted / kWarp,
                  "20 for each of 32 bits: a ballot, two counts of bits, a place, a store and a load. A scan by "
                  "shuffles alone takes 15.");
}

// ---- Part 3: in a block

WB_LAB_TEST(correctness, 9, "the 1024 keys of each block are sorted") {
  for (const Keys& keys : keys_of_each_pattern(kCounts)) check_groups("sort_blocks", kBlock, keys);
  for (const int count : other_counts(kMostInBlocks)) check_groups("sort_blocks", kBlock, any_keys(count));
  check_groups_in_other_orders("sort_blocks", kBlock);
}

WB_LAB_TEST(counters, 4, "the sort of a block waits twice for each bit") {
  require_at_most(counted_groups("sort_blocks", kBlock), Quantity::barriers_per_warp, 66,
                  "A warp waits until all have told how many ones they have, and until all keys are at their new "
                  "places. What it loads then is its own, and the next counts go elsewhere. Two are left for a start.");
}

WB_LAB_TEST(counters, 3, "the sort of a block needs few bank conflicts") {
  require_at_most(counted_groups("sort_blocks", kBlock), Quantity::shared_bank_conflicts, 40.0 * kCounted / kWarp,
                  "For 32 keys and 32 bits. Keys with 0 go to neighbouring places, and so do those with 1: two runs, "
                  "at most two wavefronts.");
}

// ---- Part 4: any number of keys

WB_LAB_TEST(correctness, 14, "keys are sorted for every length") {
  for (const Keys& keys : keys_of_each_pattern(kLengths)) check_keys(keys_call(keys));
  for (const int count : other_counts(kMost / 16)) check_keys(keys_call(keys_of_any_pattern(count)));
  for (const std::int64_t order : other_orders()) check_keys_in_order(order);
}

WB_LAB_TEST(correctness, 4, "keys are sorted anew each time") {
  const Keys second = any_keys(static_cast<int>(test_random().integer(5000, 15000)));
  const Case given = then(keys_call(any_keys(kFew), "first_"), "sort_keys",
                          {input("in", second), output<std::uint32_t>("out", second.size()),
                           scratch_for("scratch", second.size()), number("n", count_of(second))});
  check_keys(given);
}

WB_LAB_TEST(counters, 6, "the sort reads keys twice in each of four passes") {
  require_at_most(counted_keys(), Quantity::global_load_bytes, 1.6 * 32 * kCounted,
                  "Four passes of 8 bits read each key twice: 32 bytes. What is left is for counts, which a block "
                  "loads one by one, each from another sector. Eight passes of 4 bits read twice as much.");
}

WB_LAB_TEST(counters, 7, "the sort stores keys of a digit side by side") {
  require_at_most(counted_keys(), Quantity::global_store_bytes, 2.6 * 16 * kCounted,
                  "Four passes store each key: 16 bytes. Sorted in its part, a digit has some 16 keys, which touch "
                  "three sectors where two would hold them, and counts come on top. Keys that go straight from a "
                  "thread to their places take a sector of 32 bytes each.");
}

WB_LAB_TEST(counters, 4, "the sort needs few bank conflicts") {
  require_at_most(counted_keys(), Quantity::shared_bank_conflicts, 80.0 * kCounted / kWarp,
                  "For 32 keys in four passes. Lanes with any digits meet two or three others at a bank, and so do "
                  "keys on the way to their places. If the counts of a digit lie side by side, one for each warp, "
                  "lanes find their digits in four banks.");
}

WB_LAB_TEST(time, 9, "the sort is as fast as the reference") {
  check_keys_in_order(worst_order());
  require_time(
      benchmark_case, [](const Case& given) { check_keys(given); }, 1.3, 4.0);
}

// ---- Part 5: values

WB_LAB_TEST(correctness, 8, "pairs are sorted, and the sort is stable") {
  for (const Keys& keys : keys_of_each_pattern(kLengths)) check_pairs(keys);
  check_pairs(any_keys(static_cast<int>(test_random().size(1, 1 << 15))));
  for (const std::int64_t order : other_orders()) check_pairs_in_order(order);
}

WB_LAB_TEST(counters, 3, "values are read once in each pass") {
  check_pairs_in_order(worst_order());
  const Answer answer = check_pairs(any_keys(kCounted));
  require_at_most(answer, Quantity::global_load_bytes, 1.4 * 48 * kCounted,
                  "Four passes read each key twice and each value once: 48 bytes.");
  require_at_most(answer, Quantity::global_store_bytes, 2.2 * 32 * kCounted,
                  "Four passes store each key and each value: 32 bytes, in sectors that are not all full.");
}

// ---- Part 6: other kinds of keys

WB_LAB_TEST(correctness, 2, "ints are sorted, negative ones first") {
  for (const int count : {0, 1, 1000, 4097}) check_ints(count);
  check_ints(static_cast<int>(test_random().size(1, 1 << 14)));
}

WB_LAB_TEST(correctness, 3, "floats are sorted, with zeros of both signs and infinities") {
  for (const int count : {0, 1, 4, 1000, 4097}) check_floats(count);
  check_floats(static_cast<int>(test_random().size(1, 1 << 14)));
}

WB_LAB_BENCHMARK { return keys_call(keys_of(random, kMost, Pattern::any)); }
