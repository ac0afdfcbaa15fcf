// The tests of lab mixed_precision: what is rounded where, and how many instructions packed numbers take.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "grader/labs/threads/mixed_precision/small_numbers.h"
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kMost = 1 << 20, kMostOfPolynomial = 1 << 18;
constexpr int kTimed = 1 << 20, kTapsTimed = 64;

/// A wrong result is followed by what usually makes it wrong.
void require(const Answer& answer, const std::string& name, Comparison comparison, const std::string& causes) {
  if (!comparison.passed) comparison.finding.more.push_back(causes);
  require_compared(answer, name, comparison);
}

template <class T>
void require_made(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                  const std::string& causes) {
  require(answer, name, compare_exact(answer, name, expected, {}), causes);
}

/// An output of 16-bit numbers is compared, and shown, as what it stands for.
void require_numbers(const Answer& answer, const std::string& name, const SmallFormat& format,
                     const std::vector<double>& expected, const std::string& causes) {
  std::vector<float> found;
  for (const std::uint16_t word : answer.output<std::uint16_t>(name)) found.push_back(to_float(format, word));
  require(answer, name,
          compare(name, found, std::vector<float>(expected.begin(), expected.end()), {}, {}, std::vector<bool>{}),
          causes);
}

// ---- Part 2

/// Halves of very different sizes, and now and then one of the largest.
std::vector<std::uint16_t> halves(Random& random, std::size_t count) {
  std::vector<std::uint16_t> words(count);
  for (std::uint16_t& word : words) {
    const double size = std::ldexp(random.real(-1, 1), static_cast<int>(random.integer(-8, 8)));
    word = to_bits(kHalf, random.integer(0, 99) == 0 ? 65504 : size);
  }
  return words;
}

constexpr const char* kCausesAxpy =
    "Check each: a product that is rounded before the sum (__hmul2, then __hadd2) is rounded twice; the last element "
    "of an odd number has no partner; y[i] is read before it is written, once.";

Answer check_axpy(int n, std::int64_t order = 0) {
  const double a = to_float(kHalf, to_bits(kHalf, test_random().real(-3, 3)));
  const auto x = halves(test_random(), n), y = halves(test_random(), n);
  std::vector<double> expected;
  for (int i = 0; i < n; ++i)
    expected.push_back(rounded(kHalf, fused(a, to_float(kHalf, x[i]), to_float(kHalf, y[i]))));
  const Answer answer =
      grade(call("axpy", {number("a", a), input("x", x), in_out("y", y), number("n", n)}).set(kScheduleSeed, order));
  require_default_stream(answer);
  require_numbers(answer, "y", kHalf, expected, kCausesAxpy);
  return answer;
}

constexpr const char* kCausesDot =
    "Check each: a product of two halves has 22 bits, and as a half keeps 11 of them; a sum of halves stops growing "
    "and ends at 65504; *sum is set to 0 before anybody adds; the last element of an odd number has no partner.";

/// @param same all products alike, and as a half too small by nearly half of the last bit; otherwise of all sizes
Answer check_dot(int n, bool same, std::int64_t order = 0) {
  std::vector<std::uint16_t> x = halves(test_random(), n), y = halves(test_random(), n);
  if (same) {
    std::fill(x.begin(), x.end(), to_bits(kHalf, 1 + 22.0 / 1024));
    y = x;
  }
  double sum = 0, size = 0;
  for (int i = 0; i < n; ++i) {
    const double product = 1.0 * to_float(kHalf, x[i]) * to_float(kHalf, y[i]);
    sum += product, size += std::abs(product);
  }
  const Answer answer = grade(
      call("dot", {input("x", x), input("y", y), output<float>("sum", 1), number("n", n)}).set(kScheduleSeed, order));
  require_default_stream(answer);
  require(answer, "sum",
          compare_close(answer, "sum", std::vector<float>{static_cast<float>(sum)}, {0, 5e-5 * size + 1e-30}, {}),
          kCausesDot);
  return answer;
}

// ---- Part 3

constexpr const char* kCausesPolynomial =
    "Check each: each step is one __hfma2, rounded once; a step in floats, or a product that is rounded before its "
    "sum, gives other bits; the first number is c[degree], the last to be added is c[0].";

Case polynomial_case(Random& random, int n, int degree) {
  std::vector<std::uint16_t> in(n), c(degree + 1);
  for (std::uint16_t& word : in) word = to_bits(kBfloat16, random.real(-1, 1));
  for (std::uint16_t& word : c) word = to_bits(kBfloat16, random.real(-1, 1));
  return call("polynomial", {input("in", in), input("c", c), number("degree", degree), output<std::uint16_t>("out", n),
                             number("n", n)});
}

Answer check_polynomial(const Case& given) {
  const auto c = given.array<std::uint16_t>("c");
  std::vector<double> expected;
  for (const std::uint16_t word : given.array<std::uint16_t>("in")) {
    const double x = to_float(kBfloat16, word);
    double result = to_float(kBfloat16, c.back());
    for (std::size_t k = c.size() - 1; k-- > 0;)
      result = rounded(kBfloat16, fused(result, x, to_float(kBfloat16, c[k])));
    expected.push_back(result);
  }
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_numbers(answer, "out", kBfloat16, expected, kCausesPolynomial);
  return answer;
}

// ---- Part 4

constexpr const char* kCausesQuantize =
    "Check each: a conversion to int cuts off, it does not round; 0.5, 1.5 and 2.5 become 0, 2 and 2; numbers that "
    "do "
    "not fit become -127 or 127 before they are made bytes; NaN becomes 0; up to three elements are left over.";

Answer check_quantize(int n, std::int64_t order = 0) {
  const auto scale = static_cast<float>(std::pow(10.0, test_random().real(-6, 6)));
  const bool halfway = n % 2 == 0;  // Multiples of one half, for what is equally near to two.
  std::vector<float> in(n);
  for (float& x : in) {
    const double size = test_random().integer(0, 3) == 0 ? 1000 : 130;
    x = halfway ? static_cast<float>(test_random().integer(-600, 600)) / 2
                : static_cast<float>(test_random().real(-size, size) / scale);
    const std::int64_t kind = test_random().integer(0, 49);
    if (kind == 0) x = std::numeric_limits<float>::quiet_NaN();
    if (kind <= 2 && kind > 0) x = kind == 1 ? INFINITY : -INFINITY;
  }
  const float used = halfway ? 1.0f : scale;
  std::vector<std::int8_t> expected;
  for (const float x : in)
    expected.push_back(std::isnan(x) ? std::int8_t{0}
                                     : static_cast<std::int8_t>(std::clamp(std::nearbyint(x * used), -127.0f, 127.0f)));
  const Answer answer =
      grade(call("quantize", {input("in", in), number("scale", used), output<std::int8_t>("out", n), number("n", n)})
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_made(answer, "out", expected, kCausesQuantize);
  return answer;
}

constexpr const char* kCausesFilter =
    "Check each: out[i] begins at in[i], which is byte i % 4 of a word; the four bytes of a sum come from that "
    "word and from the next one; signed bytes need the __dp4a of int, not that of unsigned; up to three sums are left.";

Case filter_case(Random& random, int n, int taps) {
  return call("filter", {input("in", random.array<std::int8_t>(n + taps + 8, -128, 127)),
                         input("weights", random.array<std::int8_t>(taps, -128, 127)), number("taps", taps),
                         output<std::int32_t>("out", n), number("n", n)});
}

Answer check_filter(const Case& given) {
  const auto in = given.array<std::int8_t>("in"), weights = given.array<std::int8_t>("weights");
  std::vector<std::int32_t> expected(in.size() - weights.size() - 8);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = std::inner_product(weights.begin(), weights.end(), in.begin() + static_cast<std::ptrdiff_t>(i), 0);
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_made(answer, "out", expected, kCausesFilter);
  return answer;
}

void check_filter_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_filter(filter_case(test_random(), 1027, 12).set(kScheduleSeed, order));
}

// ---- Part 5

constexpr const char* kCausesWeigh =
    "Check each: __dp2a_lo takes the two low bytes of the weights, __dp2a_hi the two high ones; columns that are "
    "left "
    "over, at most three, are added one by one; what follows them in the row is not a sample; a row begins at "
    "samples + r * pitch.";

template <class Sample, class Weight, class Sum>
Answer check_weigh(const std::string& function, int rows, int columns, int pitch, std::int64_t order) {
  const auto samples = test_random().array<Sample>(
      static_cast<std::size_t>(rows) * pitch, std::numeric_limits<Sample>::min(), std::numeric_limits<Sample>::max());
  const auto weights =
      test_random().array<Weight>(columns, std::numeric_limits<Weight>::min(), std::numeric_limits<Weight>::max());
  std::vector<Sum> expected(rows);
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < columns; ++k)
      expected[row] +=
          static_cast<Sum>(samples[static_cast<std::size_t>(row) * pitch + k]) * static_cast<Sum>(weights[k]);
  const Answer answer =
      grade(call(function, {input("samples", samples), input("weights", weights), output<Sum>("sums", rows),
                            number("rows", rows), number("columns", columns), number("pitch", pitch)})
                .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_made(answer, "sums", expected, kCausesWeigh);
  return answer;
}

Answer check_rows(bool is_signed, int rows, int columns, int more, std::int64_t order = 0) {
  const int pitch = (columns + 3) / 4 * 4 + 4 * more;
  return is_signed
             ? check_weigh<std::int16_t, std::int8_t, std::int32_t>("weigh", rows, columns, pitch, order)
             : check_weigh<std::uint16_t, std::uint8_t, std::uint32_t>("weigh_unsigned", rows, columns, pitch, order);
}

void check_all_rows(bool is_signed) {
  for (const int columns : {1, 2, 3, 4, 5, 7, 127, 128, 129, 131, 255, 256})
    check_rows(is_signed, 9, columns, columns % 3);
  for (int i = 0; i < 4; ++i)
    check_rows(is_signed, static_cast<int>(test_random().size(1, 10000 >> 2 * i)),
               static_cast<int>(test_random().size(1, 256 >> (6 - 2 * i))),
               static_cast<int>(test_random().integer(0, 5)));
  check_rows(is_signed, 0, 5, 0);
  for (const std::int64_t order : other_orders()) check_rows(is_signed, 21, 70, 1, order);
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 5, "what rounding leaves of a sum is predicted") {
  std::vector<std::int32_t> formats, eachs, ns, expected;
  for (int i = 0; i < 60; ++i) {
    const int format = i % 3;
    const auto one = i < 12 ? 1 : static_cast<std::int32_t>(test_random().size(1, 256));
    const auto most = format == 0 ? std::min(10000, 65000 / one) : 10000;
    auto n = i < 3 ? 0 : i < 12 ? 1 + i * 250 : static_cast<std::int32_t>(test_random().size(1, most));
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      const double next = rounded(format == 0 ? kHalf : format == 1 ? kBfloat16 : kFloat, sum + one);
      if (std::isinf(next))
        n = k;  // So few that no half becomes infinite: rounding up can take it there before 65000.
      else
        sum = next;
    }
    formats.push_back(format), eachs.push_back(one), ns.push_back(n);
    expected.push_back(static_cast<std::int32_t>(sum));
  }
  require_returned(
      grade(call("predict_sum", {each("format", formats), each("each", eachs), each("n", ns)})), expected,
      {"A half has 11 bits, so from 2048 on halves are 2 apart; a bfloat16 has 8, so from 256 on they are 2 "
       "apart, from 512 on 4. What is equally near to two becomes the one whose last bit is 0."});
}

WB_LAB_TEST(correctness, 5, "dp4a and dp2a are predicted") {
  std::vector<std::int32_t> pairs, highs, sign, as, bs, expected;
  for (int i = 0; i < 64; ++i) {
    const auto a = static_cast<std::uint32_t>(test_random().bits()),
               b = static_cast<std::uint32_t>(test_random().bits());
    const bool two = i % 2 == 1, high = i / 2 % 2 == 1, is_signed = i / 4 % 2 == 1;
    std::int64_t sum = 0;
    for (int k = 0; k < (two ? 2 : 4); ++k) {
      const std::uint32_t of_a = two ? a >> 16 * k & 0xffff : a >> 8 * k & 0xff;
      const std::uint32_t of_b = b >> 8 * (two && high ? k + 2 : k) & 0xff;
      const std::int64_t signed_a = two ? static_cast<std::int16_t>(of_a) : static_cast<std::int8_t>(of_a);
      sum += is_signed ? signed_a * static_cast<std::int8_t>(of_b) : std::int64_t{of_a} * of_b;
    }
    pairs.push_back(two ? 1 : 0), highs.push_back(high ? 1 : 0), sign.push_back(is_signed ? 1 : 0);
    as.push_back(static_cast<std::int32_t>(a)), bs.push_back(static_cast<std::int32_t>(b));
    expected.push_back(static_cast<std::int32_t>(sum));
  }
  require_returned(
      grade(call("predict_products",
                 {each("pairs", pairs), each("high", highs), each("is_signed", sign), each("a", as), each("b", bs)})),
      expected,
      {"dp4a: the sum of four products of bytes. dp2a: of two, of a 16-bit number and a byte each; _lo takes "
       "bytes 0 and 1 of b, _hi bytes 2 and 3. Signed numbers of 8 bits are -128 to 127."});
}

// ---- Part 2: two halves in a register

WB_LAB_TEST(correctness, 7, "axpy is rounded once") {
  check_axpy(0);
  for (const std::size_t n : usual_sizes(1, kMost)) check_axpy(static_cast<int>(n));
  for (const std::int64_t order : other_orders()) check_axpy(3001, order);
}

WB_LAB_TEST(counters, 6, "axpy handles two elements at a time") {
  for (const std::int64_t order : other_orders()) check_axpy(3001, order);
  constexpr int kCounted = 1 << 17;
  const Answer answer = check_axpy(kCounted);
  require_at_most(answer, Quantity::global_load_requests, 1.05 * 2 * kCounted / 64,
                  "A warp loads 64 halves at a time: 128 bytes. Lanes that load one half each ask twice as often.");
  require_at_most(answer, Quantity::global_store_requests, 1.05 * kCounted / 64, "The same of stores.");
  require_at_most(answer, Quantity::warp_instructions, 25.0 * kCounted / 64,
                  "25 for 64 elements: what a thread needs to find its place serves two elements.");
}

WB_LAB_TEST(correctness, 8, "a sum of halves is a float") {
  check_dot(0, false);
  for (const std::size_t n : usual_sizes(1, kMost)) check_dot(static_cast<int>(n), n % 2 == 0);
  check_dot(40001, false), check_dot(65536, true), check_dot(kMost, true);
  for (const std::int64_t order : other_orders()) check_dot(3001, true, order);
}

WB_LAB_TEST(counters, 6, "the sum loads two halves at a time") {
  for (const std::int64_t order : other_orders()) check_dot(3001, true, order);
  constexpr int kCounted = 1 << 18;
  const Answer answer = check_dot(kCounted, true);
  require_at_most(answer, Quantity::global_load_requests, 1.05 * 2 * kCounted / 64,
                  "A warp loads 64 halves at a time: 128 bytes. Lanes that load one half each ask twice as often.");
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 4 * kCounted, "Each element is loaded once.");
}

// ---- Part 3: bfloat16

WB_LAB_TEST(correctness, 8, "each step of the polynomial is rounded once") {
  check_polynomial(polynomial_case(test_random(), 0, 3));
  for (const std::size_t n : usual_sizes(1, kMostOfPolynomial))
    check_polynomial(
        polynomial_case(test_random(), static_cast<int>(n), static_cast<int>(test_random().integer(1, 12))));
  check_polynomial(polynomial_case(test_random(), 5000, 40)), check_polynomial(polynomial_case(test_random(), 999, 1));
  for (const std::int64_t order : other_orders())
    check_polynomial(polynomial_case(test_random(), 3003, 5).set(kScheduleSeed, order));
}

WB_LAB_TEST(counters, 8, "most instructions of the polynomial are products") {
  for (const std::int64_t order : other_orders())
    check_polynomial(polynomial_case(test_random(), 3003, 5).set(kScheduleSeed, order));
  constexpr int kCounted = 1 << 15, kDegree = 40;
  require_at_most(check_polynomial(polynomial_case(test_random(), kCounted, kDegree)), Quantity::warp_instructions,
                  2.8 * kCounted / 64 * kDegree,
                  "2.8 for a step of 64 elements, one of which is the product and sum: a coefficient that is loaded "
                  "serves the eight elements of a thread. One element at a time takes twice as many products, and one "
                  "pair for a thread a load for each of them.");
}

// ---- Part 4: bytes

WB_LAB_TEST(correctness, 7, "numbers are rounded and limited") {
  check_quantize(0);
  for (const std::size_t n : usual_sizes(1, kMost)) check_quantize(static_cast<int>(n));
  check_quantize(5001), check_quantize(4002);
  for (const std::int64_t order : other_orders()) check_quantize(3001, order);
}

WB_LAB_TEST(counters, 6, "four bytes are stored at a time") {
  for (const std::int64_t order : other_orders()) check_quantize(3001, order);
  constexpr int kCounted = 1 << 17;
  const Answer answer = check_quantize(kCounted);
  require_at_most(answer, Quantity::global_store_requests, 1.05 * kCounted / 128,
                  "A warp stores 128 bytes at a time, four to a lane. One byte to a lane is a sector for a store.");
  require_at_most(answer, Quantity::global_load_requests, 1.05 * kCounted / 128, "Lanes load four floats at a time.");
}

WB_LAB_TEST(correctness, 9, "the filter is exact") {
  check_filter(filter_case(test_random(), 0, 4));
  for (const std::size_t n : usual_sizes(1, kMost)) {
    const std::int64_t most = std::clamp<std::int64_t>((1 << 22) / (4 * static_cast<std::int64_t>(n)), 1, 64);
    check_filter(filter_case(test_random(), static_cast<int>(n), 4 * static_cast<int>(test_random().size(1, most))));
  }
  check_filter(filter_case(test_random(), 1001, 256));
  check_filter_in_other_orders();
}

WB_LAB_TEST(counters, 5, "a word of four bytes is multiplied at a time") {
  check_filter_in_other_orders();
  constexpr int kCounted = 1 << 15;
  const Answer answer = check_filter(filter_case(test_random(), kCounted, kTapsTimed));
  require_at_most(answer, Quantity::warp_instructions, 16.0 * kCounted / 128 * kTapsTimed / 4,
                  "16 for four taps of 128 sums: four __dp4a, three __byte_perm, two loads, and the loop. Byte by byte "
                  "it would be 16 multiplications, with two loads for each.");
  require_at_most(answer, Quantity::global_load_requests, 2.3 * kCounted / 128 * kTapsTimed / 4,
                  "Two loads for four taps of 128 sums: a word of weights, and the next word of the input. The word "
                  "before is still in a register.");
}

WB_LAB_TEST(time, 8, "the filter is as fast as the reference") {
  check_filter_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_filter(given); }, 1.5, 3.0);
}

// ---- Part 5: 16 times 8 bits

WB_LAB_TEST(correctness, 4, "signed rows are exact") { check_all_rows(true); }

WB_LAB_TEST(correctness, 4, "rows of numbers without a sign are exact") { check_all_rows(false); }

WB_LAB_TEST(counters, 4, "two products of a row are one instruction") {
  for (const std::int64_t order : other_orders()) check_rows(true, 21, 70, 1, order);
  constexpr int kRows = 2000;
  const Answer answer = check_rows(true, kRows, 256, 0);
  require_at_most(answer, Quantity::warp_instructions, 125.0 * kRows,
                  "125 for a row of 256 columns: four dp2a for each lane, a sum of the warp, and what finds the row. "
                  "Column by column it would be eight loads of samples and eight of weights.");
  require_at_most(answer, Quantity::global_load_requests, 8.0 * kRows,
                  "Two loads of four samples and two of four weights, with room for pairs.");
}

WB_LAB_BENCHMARK { return filter_case(random, kTimed, kTapsTimed); }

// More than the contract promises, for what the rungs reach on a real GPU.
WB_LAB_LARGE_BENCHMARK { return filter_case(random, 1 << 26, 256); }
