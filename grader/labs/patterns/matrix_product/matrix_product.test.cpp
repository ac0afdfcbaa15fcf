// The tests of lab matrix_product: what the products must be, what they may cost, and why.
#include <cmath>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

struct Sizes {
  int rows, inner, columns;
};

constexpr int kMost = 1024;                        // Of each number: what the contract promises.
constexpr std::int64_t kMostProducts = 1LL << 28;  // Of all three together.

/// Around tiles, blocks and quads; one of everything; nothing.
const std::vector<Sizes> kSizes = {{32, 32, 32},  {64, 16, 64},   {1, 1, 1},    {1, 100, 1},
                                   {31, 33, 65},  {63, 15, 66},   {65, 17, 63}, {100, 1, 3},
                                   {2, 1023, 30}, {129, 48, 127}, {5, 64, 1000}};

int size(int most) { return static_cast<int>(test_random().size(1, most)); }

/// Sizes between those of kSizes, and the largest ones.
std::vector<Sizes> other_sizes() {
  std::vector<Sizes> sizes;
  for (int i = 0; i < 4; ++i) {
    const int rows = size(kMost), columns = size(kMost);
    sizes.push_back(
        {rows, size(static_cast<int>(std::min<std::int64_t>(256, kMostProducts / rows / columns))), columns});
  }
  sizes.push_back({kMost, 1, kMost});
  sizes.push_back({7, kMost, kMost});
  return sizes;
}

/// Whole numbers so small that every sum of products is exact, in any order.
std::vector<float> whole_numbers(Random& random, int count) {
  std::vector<float> values;
  values.reserve(count);
  for (const std::int32_t value : random.array<std::int32_t>(count, -30, 30))
    values.push_back(static_cast<float>(value));
  return values;
}

template <class T>
std::vector<T> product_of(const std::vector<float>& a, const std::vector<float>& b, Sizes s) {
  std::vector<T> c(static_cast<std::size_t>(s.rows) * s.columns);
  for (int row = 0; row < s.rows; ++row)
    for (int k = 0; k < s.inner; ++k) {
      const T factor = a[static_cast<std::size_t>(row) * s.inner + k];
      const float* of_b = &b[static_cast<std::size_t>(k) * s.columns];
      T* of_c = &c[static_cast<std::size_t>(row) * s.columns];
      for (int column = 0; column < s.columns; ++column) of_c[column] += factor * of_b[column];
    }
  return c;
}

Shape shape_of_c(Sizes s) { return {static_cast<std::size_t>(s.rows), static_cast<std::size_t>(s.columns)}; }

constexpr const char* kCauses =
    "Usual causes: the row of B's tile is first + y, not first; an element outside of A or B must count as 0, in both "
    "directions; a barrier is missing between filling a tile and reading it, or between reading it and filling it "
    "anew; C is read although beta is 0 (part 3).";

/// A wrong product is followed by what usually makes it wrong.
void require_product(const Answer& answer, const std::vector<float>& expected, Sizes s, const std::string& name = "c") {
  require_default_stream(answer);
  Comparison comparison = compare_exact(answer, name, expected, shape_of_c(s));
  if (!comparison.passed) comparison.finding.more.push_back(kCauses);
  require_compared(answer, name, comparison);
}

Sizes sizes_of(const Case& given) {
  return {static_cast<int>(given.integer("rows")), static_cast<int>(given.integer("inner")),
          static_cast<int>(given.integer("columns"))};
}

Case tiled_case(Sizes s) {
  return call("product_tiled",
              {input("a", whole_numbers(test_random(), s.rows * s.inner)),
               input("b", whole_numbers(test_random(), s.inner * s.columns)), output<float>("c", s.rows * s.columns),
               number("rows", s.rows), number("inner", s.inner), number("columns", s.columns)});
}

Case plain_case(Random& random, Sizes s) {
  return call("product", {input("a", whole_numbers(random, s.rows * s.inner)),
                          input("b", whole_numbers(random, s.inner * s.columns)),
                          output<float>("c", s.rows * s.columns), number("rows", s.rows), number("inner", s.inner),
                          number("columns", s.columns), number("alpha", 1.0f), number("beta", 0.0f)});
}

Answer check(const Case& given) {
  const Answer answer = grade(given);
  const Sizes s = sizes_of(given);
  require_product(answer, product_of<float>(given.array<float>("a"), given.array<float>("b"), s), s);
  return answer;
}

constexpr Sizes kFew = {70, 50, 68}, kFewWhole = {64, 64, 64};

void check_tiled_in_other_orders(Sizes s = kFewWhole) {
  for (const std::int64_t order : other_orders()) check(tiled_case(s).set(kScheduleSeed, order));
}

void check_in_other_orders(Sizes s = kFewWhole) {
  for (const std::int64_t order : other_orders()) check(plain_case(test_random(), s).set(kScheduleSeed, order));
}

void check_blended(Sizes s, float alpha, float beta) {
  const std::vector<float> a = whole_numbers(test_random(), s.rows * s.inner),
                           b = whole_numbers(test_random(), s.inner * s.columns),
                           before = whole_numbers(test_random(), s.rows * s.columns);
  std::vector<float> expected = product_of<float>(a, b, s);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = alpha * expected[i] + beta * before[i];
  const Answer answer = grade(call(
      "product", {input("a", a), input("b", b), in_out("c", before), number("rows", s.rows), number("inner", s.inner),
                  number("columns", s.columns), number("alpha", alpha), number("beta", beta)}));
  require_product(answer, expected, s);
}

// Whole tiles, and not square.
constexpr Sizes kCounted = {512, 256, 256};
constexpr double kProducts = 512.0 * 256 * 256;
constexpr double kRoom = 1.1;

// A prediction is exact except for the rounding of doubles: the formulas of the answer and of the test may add in
// another order.
void require_predicted(const std::string& call, double found, double expected, const std::string& reason) {
  if (!(std::fabs(found - expected) <= 1e-9 * std::fabs(expected)))
    WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "the predicted number of loads is right") {
  for (const int tile : {1, 2, 16, 32, 64}) {
    std::vector<std::int32_t> sides = {64, 128, 2048, 4096};
    for (int i = 0; i < 4; ++i) sides.push_back(64 * static_cast<std::int32_t>(test_random().integer(1, 64)));
    const Answer answer = grade(call("predict_loads", {each("sides", sides), number("tile", tile)}));
    const std::vector<std::int64_t> found = answer.output<std::int64_t>(kReturned);
    REQUIRE(found.size() == sides.size());
    for (std::size_t i = 0; i < sides.size(); ++i) {
      std::int64_t expected = 0;  // Block by block of a row of blocks, step by step.
      for (int step = 0; step < sides[i]; step += tile) expected += 2LL * tile * tile;
      expected *= static_cast<std::int64_t>(sides[i] / tile) * (sides[i] / tile);
      if (found[i] != expected)
        WB_FAIL_CALL("predict_loads(" << sides[i] << ", " << tile << ")", found[i],
                     ", but it is " << expected
                                    << ".\nA block brings n / tile tiles of A and as many of B; there are (n / tile)^2 "
                                       "blocks.");
    }
  }
}

WB_LAB_TEST(correctness, 4, "the predicted multiply-adds for each load are right") {
  std::vector<std::int32_t> rows = {1, 2, 4, 8, 64};
  rows.push_back(static_cast<std::int32_t>(test_random().integer(1, 64)));
  for (const int columns : {1, 4, 8, static_cast<int>(test_random().integer(1, 64))}) {
    const Answer answer = grade(call("multiply_adds_per_load", {each("rows", rows), number("columns", columns)}));
    const std::vector<double> found = answer.output<double>(kReturned);
    REQUIRE(found.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      require_predicted("multiply_adds_per_load(" + std::to_string(rows[i]) + ", " + std::to_string(columns) + ")",
                        found[i], 1.0 * rows[i] * columns / (rows[i] + columns),
                        "Each of the numbers of A meets each of the numbers of B: rows * columns multiply-adds for "
                        "rows + columns loads.");
  }
}

WB_LAB_TEST(correctness, 4, "the least time is operations over the peak") {
  const int any = size(kMost);
  for (const auto& [s, peak] : {std::pair{Sizes{1024, 256, 1024}, 60.0},
                                {Sizes{1024, 1024, 1024}, 67.0},
                                {Sizes{0, 5, 7}, 10.0},
                                {Sizes{any, 33, 1000}, 1.5}}) {
    const Answer answer = grade(call("least_time_us", {number("rows", s.rows), number("inner", s.inner),
                                                       number("columns", s.columns), number("tflops", peak)}));
    require_predicted("least_time_us(" + std::to_string(s.rows) + ", " + std::to_string(s.inner) + ", " +
                          std::to_string(s.columns) + ", " + std::to_string(peak) + ")",
                      answer.output<double>(kReturned).at(0), 2.0 * s.rows * s.inner * s.columns / (peak * 1e6),
                      "A multiply and an add for each of rows x inner x columns products; 1 TFLOP/s is 10^6 operations "
                      "in a microsecond. The operations are more than an int holds.");
  }
}

// ---- Part 2: tiles in shared memory

WB_LAB_TEST(correctness, 8, "the tiled product is exact for every shape") {
  for (const Sizes s : kSizes) check(tiled_case(s));
  for (const Sizes s : other_sizes()) check(tiled_case(s));
  for (const Sizes s : {Sizes{0, 5, 7}, {5, 0, 7}, {5, 7, 0}, {0, 0, 0}}) check(tiled_case(s));
  check_tiled_in_other_orders(kFew);
}

WB_LAB_TEST(counters, 8, "the tiled product brings each number once for 32 elements") {
  check_tiled_in_other_orders();
  const Answer answer = check(tiled_case(kCounted));
  require_at_most(
      answer, Quantity::global_load_bytes, kRoom * kProducts * 4 * 2 / 32,
      "A row of A is needed for each of the columns of C; a tile of 32 x 32 elements of C brings it once for "
      "32 of them. That is 2 x 512 x 256 x 256 / 32 floats.");
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0,
                  "Neighbouring threads bring neighbouring numbers, of A and of B.");
}

WB_LAB_TEST(counters, 4, "the tiled product has no bank conflicts") {
  check_tiled_in_other_orders();
  const Answer answer = check(tiled_case(kCounted));
  require_at_most(answer, Quantity::shared_bank_conflicts, 0,
                  "A warp is a row of threads: it reads one number of A's tile, all lanes the same, and a row of B's "
                  "tile, which lies in 32 banks.");
  require_at_most(answer, Quantity::global_load_bytes, kRoom * kProducts * 4 * 2 / 32,
                  "Without tiles there are no conflicts to avoid.");
}

// ---- Part 3: tiles in registers

WB_LAB_TEST(correctness, 12, "the product is exact for every shape") {
  for (const Sizes s : kSizes) check(plain_case(test_random(), s));
  for (const Sizes s : other_sizes()) check(plain_case(test_random(), s));
  for (const Sizes s : {Sizes{0, 5, 7}, {5, 0, 7}, {5, 7, 0}, {0, 0, 0}}) check(plain_case(test_random(), s));
  check_in_other_orders(kFew);
}

WB_LAB_TEST(correctness, 8, "alpha and beta are factors of the product and of what C held") {
  const Sizes any = {size(100), size(100), size(100)};
  for (const auto& [alpha, beta] : {std::pair{2.0f, 1.0f}, {1.0f, -3.0f}, {0.0f, 2.0f}, {-4.0f, 0.0f}, {0.0f, 0.0f}}) {
    check_blended(any, alpha, beta);
    check_blended({65, 20, 64}, alpha, beta);
  }
  check_blended({9, 0, 8}, 1, 5);
  // C holds NaNs that nobody has written; with beta = 0 they are nobody's business.
  check(plain_case(test_random(), {40, 30, 64}));
  check(plain_case(test_random(), {41, 31, 61}));
}

WB_LAB_TEST(correctness, 6, "the product of real numbers is as exact as single precision allows") {
  for (const Sizes s : {Sizes{100, 256, 64}, {33, 1000, 65}}) {
    const std::vector<float> a = test_random().array(s.rows * s.inner, -1.0f, 1.0f),
                             b = test_random().array(s.inner * s.columns, -1.0f, 1.0f);
    const std::vector<double> exact = product_of<double>(a, b, s);
    const Answer answer =
        grade(call("product", {input("a", a), input("b", b), output<float>("c", exact.size()), number("rows", s.rows),
                               number("inner", s.inner), number("columns", s.columns), number("alpha", 1.0f),
                               number("beta", 0.0f)}));
    require_default_stream(answer);
    Comparison comparison =
        compare_close(answer, "c", std::vector<float>(exact.begin(), exact.end()), {0, 1e-4}, shape_of_c(s));
    if (!comparison.passed)
      comparison.finding.more.push_back(
          "Sums of 1000 products in single precision are off by some 10^-6 here. Factors that are rounded to fewer "
          "bits "
          "(half, TF32) are off by a hundred times as much.");
    require_compared(answer, "c", comparison);
  }
  check_in_other_orders();
}

WB_LAB_TEST(correctness, 4, "the product is computed anew each time") {
  const Sizes s = {size(200) + 60, size(60), size(200) + 60};
  Case given;
  std::vector<std::vector<float>> as, bs;
  for (int k = 0; k < 2; ++k) {
    as.push_back(whole_numbers(test_random(), s.rows * s.inner));
    bs.push_back(whole_numbers(test_random(), s.inner * s.columns));
  }
  const std::vector<std::string> names = {"first", "second"};
  for (int k = 0; k < 2; ++k)
    given = then(given, "product",
                 {input(names[k] + "_a", as[k]), input(names[k] + "_b", bs[k]),
                  output<float>(names[k] + "_c", s.rows * s.columns), number("rows", s.rows), number("inner", s.inner),
                  number("columns", s.columns), number("alpha", 1.0f), number("beta", 0.0f)});
  const Answer answer = grade(given);
  for (int k = 0; k < 2; ++k) require_product(answer, product_of<float>(as[k], bs[k], s), s, names[k] + "_c");
  check_in_other_orders();
}

Answer counted_product() {
  check_in_other_orders();
  return check(plain_case(test_random(), kCounted));
}

constexpr const char* kTiles =
    "A block with a square of 64 x 64 elements of C brings each number of A and B once for 64 of them.";

WB_LAB_TEST(counters, 6, "the product brings each number once for 64 elements") {
  const Answer answer = counted_product();
  require_at_most(answer, Quantity::global_load_bytes, kRoom * kProducts * 4 * 2 / 64, kTiles);
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0, "Neighbouring threads bring neighbouring numbers.");
}

WB_LAB_TEST(counters, 6, "the product brings and stores 16 bytes for each lane") {
  const Answer answer = counted_product();
  require_at_most(answer, Quantity::global_load_requests, kRoom * kProducts * 2 / 64 / 128,
                  "32 lanes that copy 16 bytes each move 128 floats with one instruction.");
  require_at_most(answer, Quantity::global_store_requests, 1.1 * 512 * 256 / 128,
                  "C has 512 x 256 elements here: 1024 stores of 128 floats each.");
}

WB_LAB_TEST(counters, 8, "the product reads little from shared memory") {
  const Answer answer = counted_product();
  require_at_most(answer, Quantity::shared_wavefronts, 0.5 * kProducts / 32,
                  "A wavefront brings 32 words. 4 x 4 sums of a thread need 8 numbers for 16 multiply-adds, and half "
                  "of these are the same for 16 lanes: 0.375 wavefronts for 32 multiply-adds, and a few to fill the "
                  "tiles. One element for each thread needs 1.5 or 2.");
  require_at_most(answer, Quantity::shared_bank_conflicts, 0,
                  "Rows y and y + 1 of A's tile, 16 words apart, and 16 lanes with 16 bytes side by side.");
  require_at_most(answer, Quantity::global_load_bytes, kRoom * kProducts * 4 * 2 / 64, kTiles);
}

WB_LAB_TEST(counters, 6, "the product needs few instructions") {
  const Answer answer = counted_product();
  require_at_most(answer, Quantity::warp_instructions, 1.7 * kProducts / 32,
                  "32 multiply-adds are one instruction. 16 bytes a load leave 8 loads for 64 of them; copies, indices "
                  "and the loop are some 20 more for 256 where it is unrolled.");
}

WB_LAB_TEST(time, 12, "the product is as fast as the reference") {
  check_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check(given); }, 1.15, 3.0);
}

WB_LAB_BENCHMARK { return plain_case(random, {1024, 256, 1024}); }

// More than the contract promises, for the reference and the rungs on a real GPU: 2 x 4096^3 operations, so that the
// launch and the edges do not count.
WB_LAB_LARGE_BENCHMARK { return plain_case(random, {4096, 4096, 4096}); }

WB_LAB_PLOTS {
  Plot plot{.name = "shapes",
            .kind = PlotKind::heat_map,
            .title = "Shapes",
            .caption = "How fast product() is, by the shape of the matrices.",
            .x = "rows and columns of C",
            .y = "columns of A, rows of B",
            .value = "TFLOP/s"};
  for (const int inner : {16, 64, 256}) {
    Curve row{.label = std::to_string(inner)};
    for (const int side : {64, 128, 256, 512}) {
      const std::optional<Answer> answer = run(plain_case(random, {side, inner, side}));
      if (!answer) continue;
      double us = answer->measured_us;
      if (!answer->profile.text.empty()) us = value_of(answer->profile, Quantity::time_us).value_or(0);
      row.points.emplace_back(side, 2e-6 * side * side * inner / us);
    }
    plot.curves.push_back(row);
  }
  return {plot};
}
