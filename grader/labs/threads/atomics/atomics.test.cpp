// The tests of lab atomics: right sums and bookings in every order, and how many turns atomics take.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kMostOfWarps = 1 << 18, kMostOfBlocks = 1 << 21, kMostRepeatable = 1 << 19, kMostGroups = 1 << 15;

/// A wrong result is followed by what usually makes it wrong.
template <class T>
void require_made(const Answer& answer, const std::string& name, const std::vector<T>& expected, const Shape& shape,
                  const std::string& causes) {
  Comparison comparison = compare_exact(answer, name, expected, shape);
  if (!comparison.passed) comparison.finding.more.push_back(causes);
  require_compared(answer, name, comparison);
}

/// Lanes that want the same address take turns: a sector counts once for each turn.
double turns_of_atomics(const Answer& answer) {
  double turns = 0;
  for (const KernelRecord& kernel : answer.profile.kernels)
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "global" && (access.op == "red" || access.op == "atom")) turns += access.sectors;
  return turns;
}

void require_turns(const Answer& answer, double most, const std::string& reason) {
  const double turns = turns_of_atomics(answer);
  if (turns > most)
    WB_FAIL(Requirement("turns").with("found", turns),
            "Atomics on global memory take " << turns << " turns, at most " << most << " are allowed.\n"
                                             << "A turn adds at most once to each address of a sector (32 bytes). "
                                                "Lanes of a warp that add to the "
                                                "same address take turns.\n"
                                             << reason);
}

/// Small whole numbers, so that every order of additions of @p summed of them is exact in a float.
std::vector<float> whole_numbers(Random& random, std::size_t count, std::size_t summed) {
  const auto largest =
      static_cast<std::int32_t>(std::clamp<std::size_t>(((1 << 24) - 1) / std::max<std::size_t>(1, summed), 1, 1000));
  const std::vector<std::int32_t> numbers = random.array<std::int32_t>(count, -largest, largest);
  return {numbers.begin(), numbers.end()};
}

// ---- Part 2

constexpr const char* kCausesSum =
    "Check each: *sum is set to 0 before anybody adds; of a warp, only lane 0 has its sum, and only lane 0 adds; "
    "each "
    "element is added by one thread, and by no other.";

Case sum_case(Random& random, const std::string& function, int n) {
  return call(function, {input("in", whole_numbers(random, n, n)), output<float>("sum", 1), number("n", n)});
}

Answer check_sum(const Case& given) {
  const Answer answer = grade(given);
  const std::vector<float> in = given.array<float>("in");
  const auto sum = static_cast<float>(std::accumulate(in.begin(), in.end(), 0.0));
  require_default_stream(answer);
  require_made<float>(answer, "sum", {sum}, {}, kCausesSum);
  return answer;
}

void check_sums(const std::string& function, int most) {
  check_sum(sum_case(test_random(), function, 0));
  for (const std::size_t n : usual_sizes(1, most)) check_sum(sum_case(test_random(), function, static_cast<int>(n)));
}

void check_sums_in_other_orders(const std::string& function) {
  for (const std::int64_t order : other_orders())
    check_sum(sum_case(test_random(), function, 5000).set(kScheduleSeed, order));
}

// ---- Part 3

constexpr const char* kCausesColumns =
    "Check each: all sums are set to 0 before anybody adds; the last strip may have fewer than 64 rows, and the last "
    "block fewer than 256 columns; element (r, c) is in[r * columns + c].";

Answer check_columns(int rows, int columns, std::int64_t order = 0) {
  const std::vector<float> in = whole_numbers(test_random(), std::size_t{1} * rows * columns, rows);
  std::vector<float> expected(columns);
  for (std::size_t i = 0; i < in.size(); ++i) expected[i % columns] += in[i];
  const Answer answer = grade(call("column_sums", {input("in", in), output<float>("sums", expected.size()),
                                                   number("rows", rows), number("columns", columns)})
                                  .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_made(answer, "sums", expected, {}, kCausesColumns);
  return answer;
}

// ---- Part 4

Case repeatable_case(Random& random, int n) {
  std::vector<float> in = random.array<float>(n, -1, 1);
  const bool positive = n % 2 == 1;  // Sums of both signs, and some that cancel.
  for (float& x : in) x = std::abs(x) < 1e-3f ? 0.0f : positive ? std::abs(x) : x;
  return call("sum_repeatable",
              {input("in", in), output<float>("sum", 1), output<std::uint64_t>("scratch", 1024), number("n", n)});
}

Answer check_repeatable(const Case& given) {
  const Answer answer = grade(given);
  double sum = 0, size = 0;
  for (const float x : given.array<float>("in")) sum += x, size += std::abs(static_cast<double>(x));
  require_default_stream(answer);
  Comparison comparison =
      compare_close(answer, "sum", std::vector<float>{static_cast<float>(sum)}, {1e-6 * size + 1e-30, 0}, {});
  if (!comparison.passed)
    comparison.finding.more.push_back(
        "Check each: the total is set to 0 first; its units are so small that little is cut off, and so large that "
        "all elements together fit into 64 bits; a negative total is a long long before it is a double.");
  require_compared(answer, "sum", comparison);
  return answer;
}

// ---- Part 5

struct Groups {
  std::vector<std::int32_t> flights, wanted;
  int count = 0, seats = 0;
};

Groups groups(int n, int count, int seats) {
  return {test_random().array<std::int32_t>(n, 0, count - 1), test_random().array<std::int32_t>(n, 1, 9), count, seats};
}

constexpr const char* kCausesBook =
    "Check each: the check and the addition must be one atomicCAS, as others may book in between; what it returns is "
    "what was there, and the seats are taken only if that was the guess; if not, it is the next guess; what is added "
    "and taken back again is in others' way; no seat is booked at first.";

Answer check_book(const Groups& given, std::int64_t order = 0) {
  const std::size_t n = given.flights.size();
  const Answer answer =
      grade(call("book", {input("flights", given.flights), input("wanted", given.wanted),
                          output<std::int32_t>("booked", given.count), output<std::int32_t>("first", n),
                          number("n", static_cast<int>(n)), number("count", given.count), number("seats", given.seats)})
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  const std::vector<std::int32_t> booked = answer.output<std::int32_t>("booked");
  const std::vector<std::int32_t> first = answer.output<std::int32_t>("first");
  std::vector<std::map<std::int32_t, std::size_t>> begins(given.count);  // Of each flight: groups by their first seat.
  for (std::size_t i = 0; i < n; ++i) {
    if (first[i] == -1) continue;
    const auto [other, is_new] = begins[given.flights[i]].emplace(first[i], i);
    if (!is_new)
      WB_FAIL("seat_taken_twice", "Groups " << other->second << " and " << i << " both got seat " << first[i]
                                            << " of flight " << given.flights[i] << ".\n"
                                            << kCausesBook);
  }
  for (int flight = 0; flight < given.count; ++flight) {
    std::int64_t next = 0;
    for (const auto& [seat, i] : begins[flight]) {
      if (seat != next)
        WB_FAIL("seat_skipped", "first[" << i << "] is " << seat << ": the next seat that is free on flight " << flight
                                         << " is " << next << ".\n"
                                         << kCausesBook);
      next += given.wanted[i];
    }
    if (next > given.seats)
      WB_FAIL("overbooked", "Groups got " << next << " seats of flight " << flight << ", which has " << given.seats
                                          << ".\n"
                                          << kCausesBook);
    if (booked[flight] != next)
      WB_FAIL("number_of_booked", "booked[" << flight << "] is " << booked[flight] << ", but groups got " << next
                                            << " seats of this flight.\n"
                                            << kCausesBook);
  }
  for (std::size_t i = 0; i < n; ++i)
    if (first[i] == -1 && booked[given.flights[i]] + given.wanted[i] <= given.seats)
      WB_FAIL("free_seats_left", "Group " << i << " got none of the " << given.wanted[i]
                                          << " seats that it wanted on flight " << given.flights[i] << ", where "
                                          << given.seats - booked[given.flights[i]] << " are free in the end.\n"
                                          << kCausesBook);
  return answer;
}

void check_book_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_book(groups(1000, 5, 300), order);
}

int share_of(int adds) { return adds == 0 ? 1 : adds == 1 ? 32 : 256; }

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "the number of atomics is predicted") {
  std::vector<std::int32_t> adds, ns, expected;
  for (int i = 0; i < 60; ++i) {
    const auto n = i < 15 ? i / 3 * 64 : static_cast<std::int32_t>(test_random().size(0, 1 << (i % 20 + 1)));
    std::int32_t adding = 0;
    for (std::int32_t first = 0; first < n; first += share_of(i % 3)) ++adding;
    adds.push_back(i % 3), ns.push_back(n), expected.push_back(adding);
  }
  require_returned(grade(call("predict_atomics", {each("adds", adds), each("n", ns)})), expected,
                   {"A warp or a block that is not full adds, too; one without elements does not."});
}

WB_LAB_TEST(correctness, 4, "the number of turns is predicted") {
  std::vector<std::int32_t> addresses, strides, expected;
  for (int of = 1; of <= 32; ++of)
    for (const int stride : {1, 2, static_cast<int>(test_random().integer(3, 9)), 8, 32}) {
      std::map<int, std::map<int, int>> sectors;
      for (int lane = 0; lane < 32; ++lane) ++sectors[lane % of * stride / 8][lane % of * stride];
      std::int32_t turns = 0;
      for (const auto& [sector, words] : sectors) {
        int most = 0;
        for (const auto& [word, lanes] : words) most = std::max(most, lanes);
        turns += most;
      }
      addresses.push_back(of), strides.push_back(stride), expected.push_back(turns);
    }
  require_returned(grade(call("predict_turns", {each("addresses", addresses), each("stride", strides)})), expected,
                   {"Different addresses of a sector are added to in one turn; the lanes on one address take a turn "
                    "each. Sectors do not share turns."});
}

WB_LAB_TEST(correctness, 4, "what rounding leaves of a sum is predicted") {
  std::vector<std::int32_t> adds, ns, expected;
  for (int i = 0; i < 60; ++i) {
    const auto n = i < 21 ? i / 3 + 60 : static_cast<std::int32_t>(test_random().size(0, 1 << (i % 20 + 1)));
    float sum = 1 << 24;
    for (std::int32_t k = 0; k < n; k += share_of(i % 3)) sum += static_cast<float>(std::min(share_of(i % 3), n - k));
    adds.push_back(i % 3), ns.push_back(n), expected.push_back(static_cast<std::int32_t>(sum));
  }
  require_returned(grade(call("predict_sum", {each("adds", adds), each("n", ns)})), expected,
                   {"From 2^24 on, floats are 2 apart: a sum between two of them is rounded to the one that is a "
                    "multiple of 4. So 2^24 + 1 is 2^24."});
}

// ---- Part 2: one sum

WB_LAB_TEST(correctness, 7, "the sum by warps is exact") {
  check_sums("sum_by_warps", kMostOfWarps);
  check_sums_in_other_orders("sum_by_warps");
}

WB_LAB_TEST(counters, 6, "one lane adds for its warp") {
  check_sums_in_other_orders("sum_by_warps");
  constexpr int kCounted = 1 << 16;
  const Answer answer = check_sum(sum_case(test_random(), "sum_by_warps", kCounted));
  require_turns(answer, kCounted / 32.0,
                "One for each warp. If all lanes add, their warp asks as often, but takes 32 turns each time.");
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * kCounted, "Each element is loaded once.");
}

WB_LAB_TEST(correctness, 8, "the sum by blocks is exact") {
  check_sums("sum_by_blocks", kMostOfBlocks);
  check_sums_in_other_orders("sum_by_blocks");
}

WB_LAB_TEST(counters, 6, "264 blocks add once each") {
  check_sums_in_other_orders("sum_by_blocks");
  constexpr int kCounted = 1 << 20;
  const Answer answer = check_sum(sum_case(test_random(), "sum_by_blocks", kCounted));
  require_turns(answer, 264,
                "One for each block, and as many blocks as the GPU has room for, each of which goes through the array. "
                "A block for each 1024 elements would be 1024 of them here, and more for larger arrays.");
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * kCounted, "Each element is loaded once.");
}

WB_LAB_TEST(time, 10, "the sum is as fast as by the reference") {
  check_sums_in_other_orders("sum_by_blocks");
  require_time(
      benchmark_case, [](const Case& given) { check_sum(given); }, 1.4, 4.0);
}

// ---- Part 3: many sums

WB_LAB_TEST(correctness, 9, "the sums of columns are exact") {
  for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{
           {0, 5}, {1, 1}, {63, 31}, {64, 32}, {65, 33}, {127, 256}, {128, 257}, {8192, 3}, {1000, 1000}, {8191, 100}})
    check_columns(rows, columns);
  for (int i = 0; i < 4; ++i)
    check_columns(static_cast<int>(test_random().size(1, 8192 >> 2 * i)),
                  static_cast<int>(test_random().size(1, 1000 >> (6 - 2 * i))));
  for (const std::int64_t order : other_orders()) check_columns(300, 70, order);
}

WB_LAB_TEST(counters, 8, "neighbouring lanes add to neighbouring columns") {
  for (const std::int64_t order : other_orders()) check_columns(200, 40, order);
  constexpr int kRows = 2048, kColumns = 512;
  const Answer answer = check_columns(kRows, kColumns);
  require_turns(answer, 1.05 * kRows / 64 * kColumns / 8,
                "32 strips of 64 rows, each with 512 columns, which are 64 sectors. Lanes that have one column would "
                "take a turn each, and if each element is added by itself, there are 64 times as many.");
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * kRows * kColumns,
                  "Each element is loaded once, and neighbouring lanes load neighbouring elements: eight to a sector.");
}

// ---- Part 4: the same bits every time

WB_LAB_TEST(correctness, 6, "the repeatable sum is right") {
  check_repeatable(repeatable_case(test_random(), 0));
  for (const std::size_t n : usual_sizes(1, kMostRepeatable))
    check_repeatable(repeatable_case(test_random(), static_cast<int>(n)));
}

WB_LAB_TEST(correctness, 10, "the repeatable sum has the same bits in every order") {
  for (int i = 0; i < 2; ++i) {
    Case given = repeatable_case(test_random(), 20000 + static_cast<int>(test_random().size(0, 20000)));
    const float before = check_repeatable(given).output<float>("sum")[0];
    for (const std::int64_t order : other_orders()) {
      const float sum = check_repeatable(given.set(kScheduleSeed, order)).output<float>("sum")[0];
      if (std::bit_cast<std::uint32_t>(sum) != std::bit_cast<std::uint32_t>(before))
        WB_FAIL("depends_on_order", "The sum of the same elements was "
                                        << before << " in one order of blocks and warps, and differs by "
                                        << sum - before
                                        << " in another one.\n"
                                           "A float is rounded after each addition, so it matters what is "
                                           "added first. Integers are not rounded; sums that are kept "
                                           "apart can be added in one order.");
    }
  }
}

WB_LAB_TEST(counters, 4, "the repeatable sum takes few atomics") {
  for (const std::int64_t order : other_orders())
    check_repeatable(repeatable_case(test_random(), 5000).set(kScheduleSeed, order));
  const Answer answer = check_repeatable(repeatable_case(test_random(), kMostRepeatable));
  require_turns(answer, 264 * 8, "264 blocks add once each; once for each of their eight warps is allowed.");
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * kMostRepeatable, "Each element is loaded once.");
}

// ---- Part 5: an atomic of your own

WB_LAB_TEST(correctness, 9, "seats are booked all or none") {
  check_book(groups(0, 3, 10));
  for (const std::size_t n : usual_sizes(1, kMostGroups)) {
    const int count = static_cast<int>(test_random().size(1, 1000));
    check_book(groups(static_cast<int>(n), count, static_cast<int>(test_random().size(0, 8 * n / count + 9))));
  }
  check_book(groups(3000, 1, 0)), check_book(groups(3000, 1, 1000)), check_book(groups(3000, 1000, 1000000));
  check_book_in_other_orders();
}

WB_LAB_TEST(counters, 5, "a failed guess costs one atomic") {
  check_book_in_other_orders();
  constexpr int kGroups = 1 << 14;
  require_at_most(check_book(groups(kGroups, 10, 1000000)), Quantity::global_atomic_requests, 9.0 * kGroups / 32,
                  "9 for a warp whose lanes want 10 flights: some seven lanes want the same one, and one of them gets "
                  "its seats with each guess. What atomicCAS returns is the next guess: it need not be read again.");
  require_at_most(check_book(groups(kGroups, 100, 3)), Quantity::global_atomic_requests, 1.5 * kGroups / 32,
                  "1.5 for a warp: nearly all flights are full, so the guess of 0 fails, and no other is needed.");
}

WB_LAB_BENCHMARK { return sum_case(random, "sum_by_blocks", kMostOfBlocks); }

// 256 MiB: more than the contract promises, for the bandwidth that the rungs reach on a real GPU.
WB_LAB_LARGE_BENCHMARK { return sum_case(random, "sum_by_blocks", 1 << 26); }
