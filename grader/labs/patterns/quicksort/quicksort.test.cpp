// The tests of lab quicksort: what is sorted, by which grids, and what the worst keys and pivots may cost.
#include <algorithm>
#include <numeric>
#include <set>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kSmall = 1024, kRounds = 24, kMost = 32768;
enum Pivot : std::int32_t { kFirst, kSampled, kSmallest };
using Keys = std::vector<std::uint32_t>;

// ---- Keys

/// Of the whole range, with its ends among them.
Keys any_keys(Random& random, std::size_t count) {
  Keys keys;
  for (std::size_t i = 0; i < count; ++i) keys.push_back(static_cast<std::uint32_t>(random.integer(0, 0xffffffff)));
  if (count > 2) keys[count / 2] = ~0U, keys[count / 3] = 0;
  return keys;
}

/// 1, 3, 5, ... in random order: all different.
Keys different_keys(Random& random, int count) {
  Keys keys;
  for (int i = 0; i < count; ++i) keys.push_back(2 * i + 1);
  for (std::size_t i = keys.size(); i > 1; --i)
    std::swap(keys[i - 1], keys[static_cast<std::size_t>(random.integer(0, i - 1))]);
  return keys;
}

/// Against which the median of the first, middle and last key is the second smallest, again and again.
Keys killer_of_three(int count) {
  Keys keys(static_cast<std::size_t>(count));
  std::vector<int> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  std::uint32_t next = 0;
  while (places.size() > 2) {
    keys[places[0]] = next++;
    keys[places[places.size() / 2]] = next++;
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(places.size() / 2));
    places.erase(places.begin());
  }
  for (const int place : places) keys[place] = next++;
  return keys;
}

struct Adversary {
  const char* name;
  Keys keys;
};

std::vector<Adversary> adversaries(int count) {
  Keys up = different_keys(test_random(), count), two;
  std::sort(up.begin(), up.end());
  const Keys down(up.rbegin(), up.rend());
  Keys pipe(up.size()), teeth(up.size());
  for (int i = 0; i < count; ++i) {
    pipe[i] = std::min(i, count - 1 - i);
    teeth[i] = i % 10;
    two.push_back(test_random().integer(0, 1) == 0 ? 7 : ~0U);
  }
  return {
      {"sorted keys", up},
      {"falling keys", down},
      {"keys that are all equal", Keys(up.size(), static_cast<std::uint32_t>(test_random().integer(0, 0xffffffff)))},
      {"keys of two values", two},
      {"organ pipes", pipe},
      {"saw teeth", teeth},
      {"keys against the median of the first, middle and last", killer_of_three(count)}};
}

// ---- Oracles

Keys sorted(Keys keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

int depth_of(int count, int small) { return count <= small ? 0 : 1 + depth_of((count - 1) / 2, small); }
int launches_of(int count, int small) {
  return count <= small ? 0 : 1 + launches_of((count - 1) / 2, small) + launches_of(count / 2, small);
}

// ---- Checks

/// What is wrong with keys that should be sorted.
std::string mistake_in(const Keys& found, const Keys& given) {
  if (sorted(found) != sorted(given))
    return "The keys are not those from before: some are missing, others are there twice. Does every key get a place "
           "of its "
           "own, are all of them in scratch before the first goes back, and does each grid use its own piece of "
           "scratch?";
  return "The keys are those that were given, but not in order. Was every part sorted to its end: the smaller side of "
         "each split by a grid of its own, the larger one by the block that split?";
}

void require_sorted(const Answer& answer, const Keys& given, const std::string& more = "") {
  Comparison comparison = compare_exact(answer, "keys", sorted(given), {});
  if (!comparison.passed)
    comparison.finding.more.push_back(more.empty() ? mistake_in(answer.output<std::uint32_t>("keys"), given) : more);
  require_compared(answer, "keys", comparison);
}

Answer check_small(const Keys& keys, std::int64_t order = 0) {
  const Answer answer =
      grade(call("sort_small", {in_out("keys", keys), number("count", static_cast<std::int32_t>(keys.size()))})
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_sorted(
      answer, keys,
      "Usual causes: a barrier is missing between two steps, or between bringing the keys and the first step; the "
      "partner of the first distance of a width is not the mirrored one; a partner beyond the last key is taken.");
  return answer;
}

Answer check_partition(const Keys& keys, std::uint32_t pivot, std::int64_t order = 0) {
  const Answer answer =
      grade(call("partition", {in_out("keys", keys), filled<std::uint32_t>("scratch", keys.size(), 0xff),
                               number("count", static_cast<std::int32_t>(keys.size())),
                               number("pivot", static_cast<std::int64_t>(pivot)), output<std::int32_t>("counts", 2)})
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  const auto side = [pivot](std::uint32_t key) { return key < pivot ? 0 : key == pivot ? 1 : 2; };
  const auto is_on = [&](int wanted) { return [=](std::uint32_t key) { return side(key) == wanted; }; };
  const auto less = static_cast<int>(std::count_if(keys.begin(), keys.end(), is_on(0)));
  const auto greater = static_cast<int>(std::count_if(keys.begin(), keys.end(), is_on(2)));
  const auto counts = answer.output<std::int32_t>("counts");
  if (counts != std::vector<std::int32_t>{less, greater})
    WB_FAIL("counts", "counts is " << counts[0] << ", " << counts[1] << ", but of " << keys.size() << " keys " << less
                                   << " are less than " << pivot << ", and " << greater
                                   << " are greater.\n  Do both begin at 0, and does no thread count "
                                   << "before they do? Lanes without a key want no place.");
  const auto found = answer.output<std::uint32_t>("keys");
  if (sorted(found) != sorted(keys))
    WB_FAIL(
        "keys_lost",
        "keys does not hold the keys that were given: some are missing, and others are there twice.\n  Does each key "
        "get a "
        "place of its own, and does every thread wait until all are in scratch before it brings them back?");
  for (std::size_t i = 0; i < found.size(); ++i) {
    const int wanted = i < static_cast<std::size_t>(less) ? 0 : i + greater < found.size() ? 1 : 2;
    if (side(found[i]) != wanted)
      WB_FAIL("wrong_side", "keys[" << i << "] is " << found[i] << ", and the pivot is " << pivot << ": places 0 to "
                                    << less - 1 << " are for those less than it, " << less << " to "
                                    << static_cast<long>(found.size()) - greater - 1
                                    << " for those equal to it, the others for those greater.");
  }
  return answer;
}

Case sort_case(const Keys& keys, Pivot pivot) {
  constexpr std::size_t kSplits = 8;  // Of each key, until its part is small.
  return call("quicksort", {in_out("keys", keys), filled<std::uint32_t>("scratch", keys.size(), 0xff),
                            number("count", static_cast<std::int32_t>(keys.size())),
                            number("pivot", static_cast<std::int32_t>(pivot))})
      .set(kWork, kSplits * keys.size());
}

/// In every case: no grid is too deep, however bad its pivots are.
void require_depth(const Answer& answer, std::size_t count) {
  require_default_stream(answer);
  const int most = depth_of(static_cast<int>(count), kSmall);
  require_at_most(
      answer, Quantity::launch_depth, most,
      "A grid is launched for the smaller of two sides, at most half of the keys of the part. That goes on " +
          std::to_string(most) + " times in a row until at most 1024 of " + std::to_string(count) +
          " keys are left, whatever the pivots are.");
}

Answer check_sort(const Case& given) {
  const Answer answer = grade(given);
  const Keys keys = given.array<std::uint32_t>("keys");
  require_sorted(answer, keys);
  require_depth(answer, keys.size());
  return answer;
}

Answer check_sort(const Keys& keys, Pivot pivot = kSampled) { return check_sort(sort_case(keys, pivot)); }

constexpr int kFew = 6000;  // Keys, in other orders: grids in a row, and at the same time.

void check_other_orders() {
  for (const std::int64_t order : other_orders())
    check_sort(sort_case(any_keys(test_random(), kFew), kSampled).set(kScheduleSeed, order));
}

constexpr int kCounted = kMost;

/// A part that is small ends in a grid of its own, so that most of the work is that of children.
void require_children(const Answer& answer, int count) {
  if (answer.profile.text.empty()) return;
  require_at_least(answer, Quantity::launches_by_kernels, static_cast<double>(count - kSmall) / (kSmall + 1),
                   "Each block ends with one part of at most 1024 keys, and all keys are different.");
  require_at_most(answer, Quantity::launches_by_kernels, 4.0 * count / kSmall,
                  "A split launches one grid, and the parts that are left have 500 keys and more as a rule.");
  require_at_most(answer, Quantity::launches_by_host, 1, "The host launches the grid for all keys.");
  require_at_most(answer, Quantity::tail_launches, 0, "A tail launch waits for its whole parent: no part needs that.");
  require_at_least(answer, Quantity::children_at_a_time, 4, "The parts have nothing to do with each other.");
  const double all = value_of(answer.profile, Quantity::warp_instructions).value_or(0);
  require_at_most(
      answer, Quantity::busiest_block_instructions, all / 2,
      "The first block splits some 2.2 times as many keys as there are, and sorts a small part. The rest, more than "
      "half of all instructions, is for its children and theirs.");
}

void check_predictions(const std::vector<std::int32_t>& counts, std::int32_t small, int children) {
  const bool depth = children >= 0;
  const Answer answer =
      depth
          ? grade(call("predict_depth", {each("counts", counts), number("small", small), number("children", children)}))
          : grade(call("predict_launches", {each("counts", counts), number("small", small)}));
  std::vector<std::int32_t> expected;
  for (const std::int32_t count : counts)
    expected.push_back(!depth          ? launches_of(count, small)
                       : children == 1 ? depth_of(count, small)
                                       : std::max(0, count - small));
  require_returned(
      answer, expected,
      {!depth ? "A part of c > small keys is split once, for which one grid is launched, and leaves two parts of "
                "(c - 1) / 2 and c / 2 keys."
       : children == 1 ? "The smaller of two sides has at most (c - 1) / 2 of c keys: when is it small?"
                       : "In the worst order, the pivot is the smallest key of c: c - 1 keys are on one side."});
}

std::vector<std::int32_t> counts_to_predict(std::int32_t small) {
  std::vector<std::int32_t> counts = {0,        1, small - 1, small, small + 1, 2 * small, 2 * small + 1, 2 * small + 2,
                                      1'000'000};
  for (int i = 0; i < 6; ++i) counts.push_back(static_cast<std::int32_t>(test_random().size(1, 1'000'000)));
  return counts;
}

void check_count(const Keys& keys, std::int64_t order = 0) {
  const Answer answer =
      grade(call("quicksort_and_count",
                 {in_out("keys", keys), filled<std::uint32_t>("scratch", keys.size(), 0xff),
                  number("count", static_cast<std::int32_t>(keys.size())), output<std::int32_t>("distinct", 1)})
                .set(kScheduleSeed, order));
  require_sorted(answer, keys);
  const auto expected = static_cast<std::int32_t>(std::set<std::uint32_t>(keys.begin(), keys.end()).size());
  const std::int32_t found = answer.output<std::int32_t>("distinct")[0];
  if (found != expected)
    WB_FAIL("number_of_distinct",
            "*distinct is " << found << ", but there are " << expected
                            << " different keys.\n  Does count_distinct start when "
                            << "every key is sorted, by all grids below? Only a tail launch waits for all of them.");
  require_default_stream(answer);
  if (answer.profile.text.empty()) return;
  require_at_most(answer, Quantity::launches_by_host, 1, "The host launches one grid, which launches all others.");
  require_at_least(answer, Quantity::tail_launches, 1, "What runs after all children is a tail launch.");
  require_at_most(answer, Quantity::tail_launches, 1,
                  "One tail launch is enough, and each starts after the one before.");
}

}  // namespace

// ---- Predictions

WB_LAB_TEST(correctness, 6, "the deepest launch is predicted, for one child and for two") {
  for (const std::int32_t small : {4, 32, 1000, kSmall})
    for (const int children : {0, 1}) check_predictions(counts_to_predict(small), small, children);
}

WB_LAB_TEST(correctness, 4, "the number of launches is predicted") {
  for (const std::int32_t small : {4, 100, kSmall}) check_predictions(counts_to_predict(small), small, -1);
}

// ---- Part 1

WB_LAB_TEST(correctness, 10, "small parts of every size are sorted") {
  for (const int count : {0, 1, 2, 3, 5, 31, 32, 33, 511, 512, 513, 1000, kSmall - 1, kSmall})
    check_small(any_keys(test_random(), count));
  for (int i = 0; i < 4; ++i) check_small(any_keys(test_random(), test_random().size(1, kSmall)));
  check_small(Keys(700, ~0U));
  for (const std::int64_t order : other_orders()) check_small(any_keys(test_random(), 777), order);
}

WB_LAB_TEST(counters, 4, "a small part goes through global memory once") {
  const Answer answer = check_small(any_keys(test_random(), kSmall));
  const char* const reason = "1024 keys of 4 bytes are loaded once and stored once; all between is in shared memory.";
  require_at_most(answer, Quantity::global_load_bytes, 1.1 * 4 * kSmall, reason);
  require_at_most(answer, Quantity::global_store_bytes, 1.1 * 4 * kSmall, reason);
}

// ---- Part 2

WB_LAB_TEST(correctness, 12, "a split has three parts, whatever the pivot is") {
  for (const int count :
       {1, 2, 31, 32, 33, 511, 512, 513, 1025, 4099, static_cast<int>(test_random().size(100, kMost))}) {
    const Keys keys = any_keys(test_random(), count);
    check_partition(keys, keys[test_random().size(0, keys.size() - 1)]);
  }
  check_partition({}, 5);
  for (const std::uint32_t pivot : {0U, 1U, 5U, 9U, 10U, ~0U}) {
    Keys keys;
    for (int i = 0; i < 3000; ++i) keys.push_back(static_cast<std::uint32_t>(test_random().integer(0, 9)));
    check_partition(keys, pivot);
  }
  check_partition(any_keys(test_random(), 2000), 0), check_partition(any_keys(test_random(), 2000), ~0U);
  for (const std::int64_t order : other_orders()) check_partition(any_keys(test_random(), 1500), 1U << 31, order);
}

WB_LAB_TEST(counters, 6, "a split moves each key twice, side by side") {
  const Answer answer = check_partition(any_keys(test_random(), 1 << 16), 1U << 31);
  require_at_most(
      answer, Quantity::global_load_sectors_ratio, 1.25,
      "32 keys side by side are 128 bytes, 4 sectors; a warp that loads from scratch may begin in the middle of one.");
  require_at_most(answer, Quantity::global_load_bytes, 2.5 * 4 * (1 << 16),
                  "Each key is loaded from keys once, to be compared, and from scratch once, to go back.");
  require_at_most(
      answer, Quantity::global_store_bytes, 4.0 * 4 * (1 << 16),
      "Each key is stored to scratch once and back once. The lanes of a warp store to two pieces of scratch, so a "
      "little more than twice the bytes goes by.");
}

// ---- Part 3

WB_LAB_TEST(correctness, 16, "keys in any number are sorted") {
  for (const int count : {0, 1, 2, 33, kSmall - 1, kSmall, kSmall + 1, 2 * kSmall + 1, 5003, kMost})
    check_sort(any_keys(test_random(), count));
  for (int i = 0; i < 3; ++i) check_sort(any_keys(test_random(), test_random().size(kSmall, 12000)));
  check_other_orders();
}

WB_LAB_TEST(correctness, 10, "no order of the keys is too deep or takes too long") {
  constexpr int kCount = 5000;
  for (const auto& [name, keys] : adversaries(kCount)) {
    const Answer answer = check_sort(keys);
    require_at_most(answer, Quantity::global_store_bytes, 18.0 * 4 * kCount,
                    std::string("The keys are ") + name +
                        ". Random ones take some 10 stores of each: keys equal to the "
                        "pivot are done with their first split, and the sampled pivot halves all other parts, in "
                        "whatever order they are.");
  }
  for (const auto& [name, keys] : adversaries(2500)) check_sort(keys, kFirst);
}

WB_LAB_TEST(correctness, 8, "the worst pivots are given up after some rounds") {
  constexpr int kCount = 2000;
  const Answer answer = check_sort(different_keys(test_random(), kCount), kSmallest);
  require_at_most(answer, Quantity::launches_by_kernels, 0,
                  "No key is less than the smallest one: the smaller side has no keys at all.");
  const std::string reason = "The smallest key is the pivot, so each split takes one key away: after " +
                             std::to_string(kRounds) +
                             " of them the block has to give up, and to sort what is left without pivots. That stores "
                             "every key some 110 times, "
                             "where 1000 splits would store it 1500 times.";
  require_at_most(answer, Quantity::global_store_bytes, 300.0 * 4 * kCount, reason);
  const Keys few(kCount, 3);
  check_sort(few, kSmallest);
}

WB_LAB_TEST(counters, 6, "one grid for each split, and all of them at the same time") {
  check_other_orders();
  for (const int count : {kCounted, 20000}) {
    const Answer answer = check_sort(different_keys(test_random(), count));
    require_children(answer, count);
  }
}

WB_LAB_TEST(time, 10, "is as fast as the reference") {
  check_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { require_children(check_sort(given), kCounted); }, 1.4, 3.0);
}

// ---- Part 4

WB_LAB_TEST(correctness, 8, "keys are counted after all are sorted, without the host") {
  for (const int count : {0, 1, 1000, 5000, 9000}) {
    Keys keys;
    for (int i = 0; i < count; ++i) keys.push_back(static_cast<std::uint32_t>(test_random().integer(0, count)));
    check_count(keys);
  }
  check_count(Keys(3000, 8));
  for (const std::int64_t order : other_orders()) check_count(any_keys(test_random(), 3000), order);
}

WB_LAB_BENCHMARK { return sort_case(different_keys(random, kCounted), kSampled); }
