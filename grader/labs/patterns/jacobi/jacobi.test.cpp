// The tests of lab jacobi: the same bits as a loop on a CPU, few bytes and launches, and an end at the right time.
#include <algorithm>
#include <cmath>
#include <string>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kSweeps = 4, kBatch = 32, kMostSide = 2048, kMostSweeps = 64, kMostSolved = 256, kMostBatches = 12;
constexpr double kPi = 3.14159265358979323846;

struct Plate {
  int rows, columns, sweeps;
};

/// Nothing but edges; around tiles and what blocks keep; sweeps that are and are not whole launches.
const std::vector<Plate> kPlates = {{1, 1, 3},   {1, 90, 2},   {90, 1, 5},   {2, 70, 1},        {3, 3, 6},
                                    {34, 33, 0}, {32, 32, 1},  {33, 65, 2},  {40, 64, 4},       {32, 56, 8},
                                    {65, 57, 7}, {64, 112, 5}, {20, 30, 64}, {3, kMostSide, 3}, {kMostSide, 3, 6}};
constexpr Plate kSmall = {40, 70, 5}, kCounted = {256, 256, 8}, kLargest = {512, 512, 1};

int size(int least, int most) {
  return static_cast<int>(test_random().size(static_cast<std::size_t>(least), static_cast<std::size_t>(most)));
}

/// Sweeps as the contract says, on the CPU. @returns the largest change of the last one
float sweep(std::vector<float>& plate, const std::vector<float>& source, int rows, int columns, int sweeps) {
  std::vector<float> next = plate;
  float change = 0;
  for (int s = 0; s < sweeps; ++s) {
    change = 0;
    for (int row = 1; row + 1 < rows; ++row)
      for (int column = 1; column + 1 < columns; ++column) {
        const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                              static_cast<std::size_t>(column),
                          wide = static_cast<std::size_t>(columns);
        next[i] = ((plate[i - wide] + plate[i + wide]) + (plate[i - 1] + plate[i + 1]) + source[i]) * 0.25f;
        change = std::max(change, std::fabs(next[i] - plate[i]));
      }
    plate.swap(next);
  }
  return change;
}

Case case_of(Random& random, const std::string& function, const Plate& p, std::int64_t order = 0) {
  const std::size_t count = static_cast<std::size_t>(p.rows) * static_cast<std::size_t>(p.columns);
  return call(function, {in_out("a", random.array(count, -1.0f, 1.0f)), output<float>("b", count),
                         input("source", random.array(count, -0.1f, 0.1f)), number("rows", p.rows),
                         number("columns", p.columns), number("sweeps", p.sweeps)})
      .set(kScheduleSeed, order);
}

Answer check(const Case& given) {
  const Answer answer = grade(given);
  const int rows = static_cast<int>(given.integer("rows")), columns = static_cast<int>(given.integer("columns")),
            sweeps = static_cast<int>(given.integer("sweeps"));
  const std::vector<std::int32_t> where = answer.output<std::int32_t>(kReturned);
  REQUIRE(where.size() == 1);
  if (where[0] != 0 && where[0] != 1)
    WB_FAIL("where",
            "The function returned " << where[0] << ", but 0 says that the result is in 'a', and 1 that it is in 'b'.");
  std::vector<float> expected = given.array<float>("a");
  sweep(expected, given.array<float>("source"), rows, columns, sweeps);
  INFO("After " << sweeps << (sweeps == 1 ? " sweep" : " sweeps") << " of " << rows << " x " << columns
                << " points, the function says that the result is in '" << (where[0] == 0 ? "a" : "b")
                << "'. Does each sweep read what the whole sweep before it wrote, and nothing newer? Do points of the "
                << "edge keep their values, and no others? Is the halo wide enough for all sweeps of a launch?");
  require_equal(answer, where[0] == 0 ? "a" : "b", expected,
                {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
  require_default_stream(answer);
  return answer;
}

void check_in_other_orders(const std::string& function) {
  for (const std::int64_t order : other_orders()) check(case_of(test_random(), function, kSmall, order));
}

void check_all(const std::string& function) {
  for (const Plate& p : kPlates) check(case_of(test_random(), function, p));
  for (int i = 0; i < 3; ++i) check(case_of(test_random(), function, {size(3, 150), size(3, 150), size(1, 9)}));
  check(case_of(test_random(), function, kLargest));
  check_in_other_orders(function);
}

Answer counted(const std::string& function) {
  check_in_other_orders(function);
  return check(case_of(test_random(), function, kCounted));
}

constexpr double kCountedPoints = 256.0 * 256 * 8;  // Points times sweeps.

template <class T>
void require_predicted(const std::string& call, T found, double expected, const std::string& reason) {
  if (!(std::fabs(static_cast<double>(found) - expected) <= 1e-6 * expected))
    WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

/// A plate to be solved. @p batch: the tolerance is the largest change after so many batches, or 0 for a tolerance of 0
Case solve_case(Random& random, int rows, int columns, int batch, int most, std::int64_t order = 0) {
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  const std::vector<float> plate = random.array(count, -1.0f, 1.0f), source = random.array(count, -0.1f, 0.1f);
  std::vector<float> swept = plate;
  const float tolerance = batch == 0 ? 0.0f : sweep(swept, source, rows, columns, batch * kBatch);
  return call("solve", {in_out("a", plate), output<float>("b", count), input("source", source), number("rows", rows),
                        number("columns", columns), number("tolerance", static_cast<double>(tolerance)),
                        number("most", most), output<float>("change", 1)})
      .set(kScheduleSeed, order);
}

Answer check_solved(const Case& given, int* batches_done = nullptr) {
  const Answer answer = grade(given);
  const int rows = static_cast<int>(given.integer("rows")), columns = static_cast<int>(given.integer("columns")),
            most = static_cast<int>(given.integer("most"));
  const auto tolerance = static_cast<float>(given.real("tolerance"));
  std::vector<float> expected = given.array<float>("a");
  float change = 0;
  int batches = 0;
  do {
    change = sweep(expected, given.array<float>("source"), rows, columns, kBatch);
    ++batches;
  } while (change > tolerance && batches < most);
  const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == 1);
  if (found[0] != batches)
    WB_FAIL("number_of_batches",
            "solve() returned " << found[0] << ", but it takes " << batches << (batches == 1 ? " batch" : " batches")
                                << " of " << kBatch << " sweeps until the last one changes no point by more than "
                                << tolerance << ", at most " << most << ".\nDoes each launch begin where the last one "
                                << "ended? Is the change that of all points, without its sign, of this batch only?");
  {
    INFO("This is the largest change |new - old| of the very last sweep, over all points.");
    require_equal(answer, "change", std::vector<float>{change});
  }
  INFO("After the last batch, the plate must be in 'a'.");
  require_equal(answer, "a", expected, {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
  if (batches_done != nullptr) *batches_done = batches;
  return answer;
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "the predicted operations for a byte are right") {
  for (const int bytes : {4, 8}) {
    const std::vector<std::int32_t> sweeps = {1, 2, 4, 8, 64, size(1, 64)};
    const Answer answer = grade(call("predict_intensity", {number("bytes", bytes), each("sweeps", sweeps)}));
    const std::vector<double> found = answer.output<double>(kReturned);
    REQUIRE(found.size() == sweeps.size());
    for (std::size_t i = 0; i < sweeps.size(); ++i)
      require_predicted(
          "predict_intensity(" + std::to_string(bytes) + ", " + std::to_string(sweeps[i]) + ")", found[i],
          5.0 * sweeps[i] / bytes / 3,
          "Three numbers move for a point: it is loaded and stored, and its source is loaded. What is stored need not "
          "be loaded before. Each sweep is five operations on it: four additions and a multiplication.");
  }
}

WB_LAB_TEST(correctness, 4, "the predicted points that a block brings are right") {
  for (const int halo : {0, 1, 4, 64}) {
    const std::vector<std::int32_t> rows = {1, 32, 1024, size(1, 1024)}, columns = {1, 56, 1024, size(1, 1024)};
    const Answer answer =
        grade(call("predict_brought", {each("rows", rows), each("columns", columns), number("halo", halo)}));
    const std::vector<double> found = answer.output<double>(kReturned);
    REQUIRE(found.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      require_predicted("predict_brought(" + std::to_string(rows[i]) + ", " + std::to_string(columns[i]) + ", " +
                            std::to_string(halo) + ")",
                        found[i], (1 + 2.0 * halo / rows[i]) * (1 + 2.0 * halo / columns[i]),
                        "The halo is on all four sides, and its corners belong to it.");
  }
}

WB_LAB_TEST(correctness, 4, "the predicted number of sweeps is right") {
  for (const double factor : {0.5, 0.1, 1e-6}) {
    const std::vector<std::int32_t> rows = {4, 17, 129, 4096, size(4, 4096)},
                                    columns = {4, 33, 129, 4096, size(4, 4096)};
    const Answer answer =
        grade(call("predict_sweeps", {each("rows", rows), each("columns", columns), number("factor", factor)}));
    const std::vector<double> found = answer.output<double>(kReturned);
    REQUIRE(found.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      require_predicted("predict_sweeps(" + std::to_string(rows[i]) + ", " + std::to_string(columns[i]) + ", " +
                            std::to_string(factor) + ")",
                        found[i],
                        std::log(factor) / std::log1p(-std::pow(std::sin(kPi / 2 / (rows[i] - 1)), 2) -
                                                      std::pow(std::sin(kPi / 2 / (columns[i] - 1)), 2)),
                        "After n sweeps, the error is what a sweep makes of it to the power of n.");
  }
}

// ---- Part 2: a launch for each sweep

WB_LAB_TEST(correctness, 12, "sweeps of single launches have the bits of a CPU's") { check_all("relax"); }

WB_LAB_TEST(counters, 6, "a sweep is one launch with few sectors") {
  const Answer answer = counted("relax");
  require_at_most(answer, Quantity::kernel_launches, kCounted.sweeps, "One launch for each sweep, and no copies.");
  require_at_least(answer, Quantity::kernel_launches, kCounted.sweeps, "One launch for each sweep.");
  require_at_most(answer, Quantity::global_load_bytes, 25 * kCountedPoints,
                  "32 points of a row take 4 sectors of the row above, 4 of the one below, 5 to the left, 5 to the "
                  "right, 4 of the source: 22 bytes for each point. Threads along a column take eight times as many.");
  require_at_most(answer, Quantity::global_store_bytes, 4.2 * kCountedPoints, "Each point is stored once a sweep.");
}

// ---- Part 3: tiles with a halo of one

WB_LAB_TEST(correctness, 12, "sweeps by tiles have the bits of a CPU's") { check_all("relax_tiled"); }

WB_LAB_TEST(counters, 6, "tiles bring each point once a sweep") {
  const Answer answer = counted("relax_tiled");
  require_at_most(answer, Quantity::kernel_launches, kCounted.sweeps, "One launch for each sweep, and no copies.");
  require_at_most(
      answer, Quantity::global_load_bytes, 13.5 * kCountedPoints,
      "A tile of 32 x 32 points brings 34 rows of 34, which take 7 sectors each, and 4 sectors for each row "
      "of the source: 11.4 bytes for each point.");
  require_at_most(answer, Quantity::global_store_bytes, 4.2 * kCountedPoints, "Each point is stored once a sweep.");
  require_at_most(answer, Quantity::shared_bank_conflicts, 0, "A warp reads 32 words side by side.");
}

// ---- Part 4: several sweeps a launch

WB_LAB_TEST(correctness, 16, "several sweeps a launch have the bits of a CPU's") { check_all("relax_blocked"); }

WB_LAB_TEST(counters, 8, "a launch does four sweeps of what it brings once") {
  const Answer answer = counted("relax_blocked");
  require_at_most(answer, Quantity::kernel_launches, 1.0 * kCounted.sweeps / kSweeps, "A launch per four sweeps.");
  require_at_most(
      answer, Quantity::global_load_bytes, 4.5 * kCountedPoints,
      "A block brings 64 x 40 points and as many sources, and keeps 56 x 32 of them for four sweeps: 3 to 4 "
      "bytes for each point and sweep.");
  require_at_most(answer, Quantity::global_store_bytes, 1.5 * kCountedPoints,
                  "Points are stored once in four sweeps: 4 bytes, and a little more for rows that begin within a "
                  "sector.");
  require_at_most(answer, Quantity::shared_bank_conflicts, 0, "A warp reads 32 words side by side.");
}

WB_LAB_TEST(time, 8, "several sweeps a launch are as fast as the reference's") {
  check_in_other_orders("relax_blocked");
  require_time(
      benchmark_case, [](const Case& given) { check(given); }, 1.25, 1.9);
}

// ---- Part 5: until nothing changes

WB_LAB_TEST(correctness, 12, "the plate is solved, and the sweeps end when they should") {
  check_solved(solve_case(test_random(), 33, 40, 3, kMostBatches));
  check_solved(solve_case(test_random(), 70, 65, 1, kMostBatches));
  check_solved(solve_case(test_random(), 1, 5, 0, 3));
  check_solved(solve_case(test_random(), 50, 40, 0, 2));
  check_solved(solve_case(test_random(), 20, 30, 0, kMostBatches));
  check_solved(solve_case(test_random(), kMostSolved, 4, 1, 3));
  check_solved(solve_case(test_random(), 5, kMostSolved, size(1, 2), 3));
  check_solved(solve_case(test_random(), size(3, 60), size(3, 60), size(1, 2), 3));
  for (const std::int64_t order : other_orders()) check_solved(solve_case(test_random(), 40, 30, 1, 2, order));
}

WB_LAB_TEST(counters, 4, "a batch is few launches, and the host reads one number") {
  check_solved(solve_case(test_random(), 40, 30, 1, 2, worst_order()));
  int batches = 0;
  const Answer answer = check_solved(solve_case(test_random(), 90, 100, 2, 3), &batches);
  require_at_most(answer, Quantity::kernel_launches, 10 * batches,
                  "32 sweeps are 8 launches of four; one or two more may see to the largest change.");
  require_at_most(answer, Quantity::bytes_copied_to_host, 4 * batches,
                  "The host reads one number after each batch; the maximum is found on the device.");
  require_at_most(answer, Quantity::global_atomic_requests, 90.0 * 100 / 500 * batches,
                  "A block tells its largest change once, in the last launch of a batch: threads and warps of a block "
                  "agree on it first.");
}

WB_LAB_TEST(time, 4, "batches follow each other as fast as the reference's") {
  check_solved(solve_case(test_random(), 40, 30, 1, 2, worst_order()));
  const auto make = [](Random& random) { return solve_case(random, 60, 100, 0, kMostBatches); };
  require_time(
      make, [](const Case& given) { check_solved(given); }, 1.15, 1.5);
}

WB_LAB_BENCHMARK { return case_of(random, "relax_blocked", {512, 512, 8}); }

// 256 MiB of points, three arrays: more than the contract promises, for the rungs on a real GPU.
WB_LAB_LARGE_BENCHMARK { return case_of(random, "relax_blocked", {8192, 8192, 8}); }
