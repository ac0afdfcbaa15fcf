// The tests of lab warp_primitives: what the functions must make, without shared memory and with few instructions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kWarp = 32, kMostColumns = 1000;

/// As large as they may be, so that @p summed of them are just an int.
std::vector<std::int32_t> random_ints(std::size_t count, int summed) {
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max() / std::max(1, summed);
  return test_random().array<std::int32_t>(count, -largest, largest);
}

/// A wrong result is followed by what usually makes it wrong.
template <class T>
void require_made(const Answer& answer, const std::string& name, const std::vector<T>& expected, const Shape& shape,
                  const std::string& causes) {
  Comparison comparison = compare_exact(answer, name, expected, shape);
  if (!comparison.passed) comparison.finding.more.push_back(causes);
  require_compared(answer, name, comparison);
}

void require_no_shared_memory(const Answer& answer) {
  require_at_most(answer, Quantity::shared_requests, 0,
                  "Shuffles, ballots and matches move values between the registers of a warp's lanes.");
}

struct Table {
  int rows, columns;
};

/// Rows and columns around a warp, and drawn from all of their range.
std::vector<Table> tables(int most_rows) {
  std::vector<Table> found = {
      {0, 5}, {1, 1}, {3, 31}, {7, 32}, {8, 33}, {9, 64}, {most_rows, 65}, {17, kMostColumns}, {33, 40}, {100, 997}};
  for (int i = 0; i < 4; ++i) {
    const auto columns = static_cast<int>(test_random().integer(1, kMostColumns >> 2 * i));
    found.push_back({static_cast<int>(test_random().size(1, most_rows)), columns});
  }
  return found;
}

// ---- Part 2

constexpr const char* kCausesSums =
    "Check each: only lane 0 has the sum of all 32 lanes after shuffles down; a lane without an element must bring 0 "
    "and take part all the same; a warp has row blockIdx.x * kWarps + threadIdx.x / 32.";

Answer check_sums(Table table, std::int64_t order = 0) {
  const std::vector<std::int32_t> in = random_ints(table.rows * table.columns, table.columns);
  std::vector<std::int32_t> expected(table.rows);
  for (std::size_t i = 0; i < in.size(); ++i) expected[i / table.columns] += in[i];
  const Answer answer = grade(call("sum_rows", {input("in", in), output<std::int32_t>("sums", expected.size()),
                                                number("rows", table.rows), number("columns", table.columns)})
                                  .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_made(answer, "sums", expected, {}, kCausesSums);
  return answer;
}

constexpr const char* kCausesScan =
    "Check each: lanes below the distance get their own value back from __shfl_up_sync, and must not add it; the sum "
    "of what came before is that of lane 31, for all lanes; all 32 lanes call the shuffles, those without an element "
    "too.";

Answer check_scan(Table table, std::int64_t order = 0) {
  const std::vector<std::int32_t> in = random_ints(table.rows * table.columns, table.columns);
  std::vector<std::int32_t> expected(in);
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i % table.columns != 0) expected[i] += expected[i - 1];
  const Answer answer = grade(call("scan_rows", {input("in", in), output<std::int32_t>("out", in.size()),
                                                 number("rows", table.rows), number("columns", table.columns)})
                                  .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_made(answer, "out", expected, {static_cast<std::size_t>(table.columns), static_cast<std::size_t>(table.rows)},
               kCausesScan);
  return answer;
}

constexpr int kRow = 128, kMostRows = 1 << 15;

/// Rows of different magnitudes, one of zeros among them.
Case normalise_case(Random& random, int rows) {
  std::vector<float> in = random.array<float>(std::size_t{kRow} * rows, -1, 1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] *= i / kRow % 7 == 3 ? 0.0f : i / kRow % 3 == 1 ? 1000.0f : 1.0f;
  return call("normalise", {input("in", in), output<float>("out", in.size()), number("rows", rows)});
}

std::vector<float> normalised(const std::vector<float>& in) {
  std::vector<float> out(in.size());
  for (std::size_t first = 0; first < in.size(); first += kRow) {
    double squares = 0;
    for (std::size_t i = first; i < first + kRow; ++i) squares += static_cast<double>(in[i]) * in[i];
    const double scale = 1 / std::sqrt(squares / kRow + 1e-6);
    for (std::size_t i = first; i < first + kRow; ++i) out[i] = static_cast<float>(in[i] * scale);
  }
  return out;
}

Answer check_normalised(const Case& given) {
  const Answer answer = grade(given);
  const std::vector<float> expected = normalised(given.array<float>("in"));
  require_default_stream(answer);
  Comparison comparison = compare_close(answer, "out", expected, {1e-9, 1e-5}, {kRow, expected.size() / kRow});
  if (!comparison.passed)
    comparison.finding.more.push_back(
        "Check each: all lanes need the sum of the row, but only lane 0 has it after shuffles down; the mean is "
        "the sum of the squares divided by 128; 1e-6 is added to the mean, not to its root.");
  require_compared(answer, "out", comparison);
  return answer;
}

// ---- Part 3

/// About half of them above 0. Each kept one tells where it was: it is first + its index.
struct ToCompact {
  std::vector<std::int32_t> in;
  std::int32_t first = 0;
};

ToCompact numbers_to_compact(int n) {
  ToCompact made{test_random().array<std::int32_t>(n, -1000, 0),
                 static_cast<std::int32_t>(test_random().integer(1, 1 << 30))};
  const auto most = test_random().integer(1, 8);  // Of 8.
  for (int i = 0; i < n; ++i)
    if (test_random().integer(1, 8) <= most) made.in[i] = made.first + i;
  return made;
}

constexpr const char* kCausesCompact =
    "Check each: the lanes below one's own are the bits (1u << lane) - 1 of the ballot; the place that atomicAdd "
    "returned is known to the lane that called it, others get it by __shfl_sync; lanes without an element take part in "
    "the ballot, and keep nothing.";

Answer check_compact(int n, std::int64_t order = 0) {
  const ToCompact given = numbers_to_compact(n);
  const Answer answer = grade(call("compact", {input("in", given.in), output<std::int32_t>("out", given.in.size()),
                                               output<std::int32_t>("count", 1), number("n", n)})
                                  .set(kScheduleSeed, order));
  require_default_stream(answer);
  std::vector<std::vector<std::int32_t>> pieces((n + kWarp - 1) / kWarp);
  std::int32_t count = 0;
  for (int i = 0; i < n; ++i)
    if (given.in[i] > 0) pieces[i / kWarp].push_back(given.in[i]), ++count;
  require_made<std::int32_t>(answer, "count", {count}, {}, kCausesCompact);
  const std::vector<std::int32_t> out = answer.output<std::int32_t>("out");
  for (std::int32_t at = 0; at < count;) {
    const std::int64_t index = std::int64_t{out[at]} - given.first;
    const bool known = index >= 0 && index < n && given.in[index] == out[at];
    if (!known)
      WB_FAIL("no_such_element", "out[" << at << "] is " << out[at] << ", which is not an element of in above 0.\n"
                                        << kCausesCompact);
    std::vector<std::int32_t>& piece = pieces[index / kWarp];
    for (std::size_t k = 0; k < piece.size(); ++k)
      if (at + static_cast<std::int32_t>(k) >= count || out[at + k] != piece[k])
        WB_FAIL("not_together",
                "The elements above 0 of in["
                    << index / kWarp * kWarp << "] and the 31 after it should stay together, in "
                    << "their order. out[" << at + k << "] is "
                    << (at + static_cast<std::int32_t>(k) < count ? std::to_string(out[at + k]) : "beyond the count")
                    << ", and not " << piece[k] << ".\n"
                    << kCausesCompact);
    if (piece.empty())
      WB_FAIL("element_left", "out[" << at << "] is " << out[at] << ", which was there before.\n" << kCausesCompact);
    at += static_cast<std::int32_t>(piece.size());
    piece.clear();
  }
  return answer;
}

/// Most of the keys are one of @p hot.
std::vector<std::int32_t> skewed_keys(int n, int bins, int hot) {
  std::vector<std::int32_t> keys = test_random().array<std::int32_t>(n, 0, bins - 1);
  for (std::int32_t& key : keys)
    if (test_random().integer(1, 4) > 1) key %= hot;
  return keys;
}

constexpr const char* kCausesHistogram =
    "Check each: of lanes with the same key only one adds, and it adds how many they are; the mask of "
    "__match_any_sync names the lanes that have a key, and exactly those call it; all counts are set to 0 before.";

Answer check_histogram(int n, int bins, std::int64_t order = 0) {
  const std::vector<std::int32_t> keys = skewed_keys(n, bins, std::min(3, bins));
  std::vector<std::int32_t> expected(bins);
  for (const std::int32_t key : keys) ++expected[key];
  const Answer answer = grade(call("histogram", {input("keys", keys), output<std::int32_t>("counts", bins),
                                                 number("n", n), number("bins", bins)})
                                  .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_made(answer, "counts", expected, {}, kCausesHistogram);
  return answer;
}

/// Lanes that want the same address take turns: a sector counts once for each turn.
double turns_of_atomics(const Answer& answer) {
  double turns = 0;
  for (const KernelRecord& kernel : answer.profile.kernels)
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.op == "red" || access.op == "atom") turns += access.sectors;
  return turns;
}

// ---- Part 4

constexpr const char* kCausesTranspose =
    "Check each: lanes with the distance's bit send register i and keep register i + distance, the others the "
    "reverse; "
    "what comes takes the place of what was sent; all five distances are done.";

Answer check_transpose(int tiles, std::int64_t order = 0) {
  const auto in = test_random().array<std::int32_t>(1024 * tiles, -1000000, 1000000);
  std::vector<std::int32_t> expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) expected[i / 1024 * 1024 + i % 32 * 32 + i / 32 % 32] = in[i];
  const Answer answer =
      grade(call("transpose_tiles", {input("in", in), output<std::int32_t>("out", in.size()), number("tiles", tiles)})
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_made(answer, "out", expected, {static_cast<std::size_t>(tiles), 32, 32}, kCausesTranspose);
  return answer;
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "what shuffles down leave in each lane is predicted") {
  std::vector<std::int32_t> lanes, values;
  for (int lane = 0; lane < kWarp; ++lane) lanes.push_back(lane), values.push_back(lane);
  for (int distance = 16; distance > 0; distance /= 2) {
    const std::vector<std::int32_t> before = values;
    for (int lane = 0; lane < kWarp; ++lane) values[lane] += before[lane + distance < kWarp ? lane + distance : lane];
  }
  require_returned(grade(call("predict_down", {each("lanes", lanes)})), values,
                   {"A lane gets the value that the lane d further up has before this step, or, where there is no such "
                    "lane, its own."});
}

WB_LAB_TEST(correctness, 4, "the number of additions is predicted") {
  std::vector<std::int32_t> adds, ns, bins, expected;
  for (int i = 0; i < 60; ++i) {
    const std::int32_t n = i < 6 ? i * 16 : static_cast<std::int32_t>(test_random().size(0, 1 << (i % 20 + 1)));
    const std::int32_t keys = i % 3 == 0 ? test_random().integer(1, 40) : test_random().integer(1, 1000);
    std::int32_t different = 0;
    for (std::int32_t first = 0; first < n; first += kWarp) {
      std::set<std::int32_t> found;
      for (std::int32_t k = first; k < std::min(n, first + kWarp); ++k) found.insert(k % keys);
      different += static_cast<std::int32_t>(found.size());
    }
    adds.push_back(i % 4 == 0 ? 0 : 1), ns.push_back(n), bins.push_back(keys);
    expected.push_back(i % 4 == 0 ? n : different);
  }
  require_returned(grade(call("predict_adds", {each("adds", adds), each("n", ns), each("bins", bins)})), expected,
                   {"32 neighbouring threads have 32 different keys, or as many as there are bins. The last warp may "
                    "have fewer threads."});
}

WB_LAB_TEST(correctness, 4, "where elements are between the exchanges is predicted") {
  std::vector<std::int32_t> lanes, registers, exchanges, expected;
  for (int done = 0; done <= 5; ++done) {
    std::vector<std::int32_t> held(1024);  // held[32 * i + lane]
    for (int k = 0; k < 1024; ++k) held[k] = k;
    for (int step = 0, distance = 16; step < done; ++step, distance /= 2)
      for (int lane = 0; lane < kWarp; ++lane)
        for (int i = 0; i < kWarp; ++i)
          if ((lane & distance) != 0 && (i & distance) == 0)
            std::swap(held[32 * i + lane], held[32 * (i + distance) + lane - distance]);
    for (int k = 0; k < 1024; k += 1 + test_random().integer(0, 4)) {
      lanes.push_back(k % 32), registers.push_back(k / 32), exchanges.push_back(done);
      expected.push_back(held[k]);
    }
  }
  require_returned(
      grade(call("predict_element", {each("lane", lanes), each("i", registers), each("exchanges", exchanges)})),
      expected,
      {"At first it is 32 * i + lane, at last 32 * lane + i. An exchange at distance d puts the bit d of the lane in "
       "place of that of the register, and the reverse."});
}

// ---- Part 2: shuffles

WB_LAB_TEST(correctness, 7, "the sums of rows are exact") {
  for (const Table table : tables(4096)) check_sums(table);
  for (const std::int64_t order : other_orders()) check_sums({19, 70}, order);
}

WB_LAB_TEST(counters, 4, "the sums of rows load once and shuffle five times") {
  for (const std::int64_t order : other_orders()) check_sums({9, 33}, order);
  const Answer answer = check_sums({2048, 256});
  require_no_shared_memory(answer);
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * 2048 * 256,
                  "2 MiB: neighbouring lanes take neighbouring elements, and each is loaded once.");
  require_at_most(answer, Quantity::warp_instructions, 2048 * 90,
                  "90 for a row of 256: eight loads and additions, and a loop around them, then five shuffles and "
                  "additions. A step for each lane would be 31 shuffles.");
  require_at_most(answer, Quantity::global_atomic_requests, 0, "A warp has all of its row; it needs no atomics.");
}

WB_LAB_TEST(correctness, 8, "rows are normalised") {
  for (const int rows : {0, 1, 2, 7, 8, 9, 31, 33, 1000, kMostRows})
    check_normalised(normalise_case(test_random(), rows));
  for (int i = 0; i < 3; ++i)
    check_normalised(normalise_case(test_random(), static_cast<int>(test_random().size(1, kMostRows >> 2 * i))));
  for (const std::int64_t order : other_orders())
    check_normalised(normalise_case(test_random(), 21).set(kScheduleSeed, order));
}

WB_LAB_TEST(counters, 5, "normalised rows move once, 16 bytes for each lane") {
  for (const std::int64_t order : other_orders())
    check_normalised(normalise_case(test_random(), 9).set(kScheduleSeed, order));
  constexpr int kRows = 4096;
  const Answer answer = check_normalised(normalise_case(test_random(), kRows));
  require_no_shared_memory(answer);
  require_at_most(answer, Quantity::global_load_requests, 1.1 * kRows,
                  "A row is 512 bytes: a load of 16 bytes for each lane, and each element is loaded once.");
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * kRow * kRows, "Each element is loaded once.");
  require_at_most(answer, Quantity::global_store_requests, 1.1 * kRows, "A row is stored by one store of 16 bytes.");
}

WB_LAB_TEST(time, 10, "rows are normalised as fast as by the reference") {
  for (const std::int64_t order : other_orders())
    check_normalised(normalise_case(test_random(), 9).set(kScheduleSeed, order));
  require_time(
      benchmark_case, [](const Case& given) { check_normalised(given); }, 1.2, 2.5);
}

WB_LAB_TEST(correctness, 8, "the scans of rows are exact") {
  for (const Table table : tables(2048)) check_scan(table);
  for (const std::int64_t order : other_orders()) check_scan({11, 70}, order);
}

WB_LAB_TEST(counters, 6, "the scans of rows take five steps for 32 elements") {
  for (const std::int64_t order : other_orders()) check_scan({9, 33}, order);
  const Answer answer = check_scan({1024, 256});
  require_no_shared_memory(answer);
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * 1024 * 256, "Each element is loaded once.");
  require_at_most(answer, Quantity::global_store_bytes, 1.05 * 4 * 1024 * 256, "Each sum is stored once.");
  require_at_most(
      answer, Quantity::warp_instructions, 1024 * 8 * 45,
      "45 for 32 elements: five steps of a shuffle, a comparison and an addition, and what is around them.");
}

// ---- Part 3: ballots and matches

WB_LAB_TEST(correctness, 10, "the elements above 0 stay together by warps") {
  check_compact(0);
  for (const std::size_t n : usual_sizes(1, 1 << 18)) check_compact(static_cast<int>(n));
  for (const std::int64_t order : other_orders()) check_compact(1000, order);
}

WB_LAB_TEST(counters, 4, "one atomic reserves the places of a warp") {
  for (const std::int64_t order : other_orders()) check_compact(500, order);
  constexpr int kCounted = 1 << 16, kWarps = kCounted / kWarp;
  const Answer answer = check_compact(kCounted);
  require_no_shared_memory(answer);
  require_at_most(answer, Quantity::global_atomic_requests, kWarps, "One for each warp.");
  require_at_most(answer, Quantity::warp_instructions, 45.0 * kWarps,
                  "45 for a warp: a ballot tells each lane of all 32 at once, so there is no loop.");
}

WB_LAB_TEST(correctness, 8, "the keys are counted") {
  check_histogram(0, 7);
  for (const std::size_t n : usual_sizes(1, 1 << 18))
    check_histogram(static_cast<int>(n), static_cast<int>(test_random().size(1, 1000)));
  check_histogram(5000, 1), check_histogram(5000, 1000);
  for (const std::int64_t order : other_orders()) check_histogram(1000, 50, order);
}

WB_LAB_TEST(counters, 4, "one of the lanes with the same key adds for all") {
  for (const std::int64_t order : other_orders()) check_histogram(500, 50, order);
  constexpr int kCounted = 1 << 16, kWarps = kCounted / kWarp;
  const Answer answer = check_histogram(kCounted, 1000);
  require_no_shared_memory(answer);
  const double turns = turns_of_atomics(answer) / kWarps;
  if (turns > 14)
    WB_FAIL(
        "turns",
        "Atomic additions take "
            << turns
            << " turns for a warp, at most 14 are allowed.\nLanes that want the same "
               "address take turns. Here three of four keys are 0, 1 or 2, some eight lanes for each, and the eight "
               "others "
               "are alone. If one of the equal lanes adds for all, no lane waits for another one of its warp: it takes "
               "some 10 "
               "turns, one for each sector. __match_any_sync() says who is equal.");
  require_at_most(answer, Quantity::warp_instructions, 45.0 * kWarps,
                  "45 for a warp: one match tells each lane which others have its key, so there is no loop.");
}

// ---- Part 4: a transpose in registers

WB_LAB_TEST(correctness, 9, "tiles are transposed") {
  for (const int tiles : {0, 1, 2, 7, 8, 9, 1024}) check_transpose(tiles);
  for (int i = 0; i < 2; ++i) check_transpose(static_cast<int>(test_random().size(1, 1024)));
  for (const std::int64_t order : other_orders()) check_transpose(11, order);
}

WB_LAB_TEST(counters, 5, "tiles stay in registers") {
  for (const std::int64_t order : other_orders()) check_transpose(9, order);
  constexpr int kTiles = 256;
  const Answer answer = check_transpose(kTiles);
  require_no_shared_memory(answer);
  for (const KernelRecord& kernel : answer.profile.kernels)
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "local")
          WB_FAIL("local_memory", "Line " << line.line << " has " << access.requests
                                          << " accesses of warps to local memory.\n"
                                          << "Local memory is that of the device. An array is in registers only if "
                                             "each index is a constant when "
                                          << "the kernel is compiled: unroll both loops (#pragma unroll), and choose "
                                             "by ?: and not by an index.");
  require_at_most(answer, Quantity::global_load_bytes, 1.02 * 4096 * kTiles, "Each element is loaded once, by rows.");
  require_at_most(answer, Quantity::global_store_bytes, 1.02 * 4096 * kTiles,
                  "Each is stored once, by rows: 32 neighbouring elements are 4 sectors. By columns it is 32 sectors.");
  require_at_most(
      answer, Quantity::warp_instructions, 800.0 * kTiles,
      "800 for a tile: 80 shuffles, a few instructions around each, 64 loads and stores. A shuffle for each "
      "register and each lane would be 1024.");
}

WB_LAB_BENCHMARK { return normalise_case(random, kMostRows); }

// 256 MiB in, 256 MiB out: more than the contract promises, for the bandwidth that the rungs reach on a real GPU.
WB_LAB_LARGE_BENCHMARK { return normalise_case(random, 1 << 19); }
