// Comparisons in which NaN never passes, and guesses at the mistake behind a difference.
#include "grader/judge/compare.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "common/cuda/random.h"
#include "common/testing/catch.h"
#include "grader/judge/mistakes.h"

using namespace warpbook::grader;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<float> random_floats(std::size_t count) { return warpbook::Random(7).array(count, -100.0f, 100.0f); }

Comparison exact(const std::vector<float>& found, const std::vector<float>& expected, const Shape& shape = {},
                 const std::vector<bool>& untouched = {}) {
  return compare("out", found, expected, {}, shape, untouched);
}

bool guesses(const Comparison& comparison, const std::string& text) {
  INFO(text_of(comparison.finding));
  return !comparison.passed && text_of(comparison.finding).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("equal arrays pass, also empty ones") {
  const auto values = random_floats(100);
  CHECK(exact(values, values).passed);
  CHECK(exact({}, {}).passed);
  CHECK(exact({0.0f}, {-0.0f}).passed);
  CHECK(exact({INFINITY}, {INFINITY}).passed);
}

TEST_CASE("NaN passes nowhere, not even against NaN") {
  const Tolerance loose{1e30, 1e30};
  CHECK_FALSE(exact({NAN}, {1.0f}).passed);
  CHECK_FALSE(exact({NAN}, {NAN}).passed);
  CHECK_FALSE(compare<double>("x", {kNan}, {1.0}, loose, {}, {}).passed);
  CHECK_FALSE(compare<double>("x", {1.0}, {kNan}, loose, {}, {}).passed);
  CHECK_FALSE(compare<double>("x", {kNan}, {kInfinity}, loose, {}, {}).passed);
  CHECK(std::isinf(compare<double>("x", {kNan}, {1.0}, loose, {}, {}).largest_error));
}

TEST_CASE("tolerances are relative and absolute, and infinity is only itself") {
  const Tolerance tolerance{1e-3, 1e-6};
  CHECK(compare<double>("x", {1000.9}, {1000.0}, tolerance, {}, {}).passed);
  CHECK_FALSE(compare<double>("x", {1001.1}, {1000.0}, tolerance, {}, {}).passed);
  CHECK(compare<double>("x", {0.9e-6}, {0.0}, tolerance, {}, {}).passed);
  CHECK_FALSE(compare<double>("x", {1.1e-6}, {0.0}, tolerance, {}, {}).passed);
  CHECK_FALSE(compare<double>("x", {1e300}, {kInfinity}, tolerance, {}, {}).passed);
  CHECK_FALSE(compare<double>("x", {-kInfinity}, {kInfinity}, tolerance, {}, {}).passed);
  CHECK_FALSE(compare<double>("x", {kInfinity}, {1.0}, tolerance, {}, {}).passed);
}

TEST_CASE("whole numbers of 64 bits are compared in full") {
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  CHECK_FALSE(compare<std::int64_t>("x", {large}, {large - 1}, {}, {}, {}).passed);
  CHECK(compare<std::int64_t>("x", {large}, {large}, {}, {}, {}).passed);
}

TEST_CASE("arrays of different sizes differ") {
  const Comparison comparison = exact({1, 2}, {1, 2, 3});
  CHECK_FALSE(comparison.passed);
  CHECK(text_of(comparison.finding).find("2 elements; 3 are expected") != std::string::npos);
}

TEST_CASE("a message counts, shows the first five with their places, and the largest error") {
  auto found = random_floats(60);
  const auto expected = found;
  for (const std::size_t i : {7, 8, 19, 21, 33, 50}) found[i] += 1;
  found[50] += 2;
  const Comparison comparison = exact(found, expected, {6, 10});
  CHECK(comparison.wrong == 6);
  CHECK(comparison.largest_error == Approx(3.0).epsilon(1e-4));
  INFO(text_of(comparison.finding));
  CHECK(text_of(comparison.finding).find("wrong in 6 of 60 elements") != std::string::npos);
  CHECK(text_of(comparison.finding).find("out[0][7]") != std::string::npos);
  CHECK(text_of(comparison.finding).find("out[3][3]") != std::string::npos);
  CHECK(text_of(comparison.finding).find("out[5][0]") == std::string::npos);
}

TEST_CASE("mistakes are guessed from their pattern") {
  const std::size_t rows = 50, columns = 70;
  const auto expected = random_floats(rows * columns);
  const std::vector<bool> touched(expected.size(), false);
  const Shape shape = {rows, columns};

  SECTION("nothing was written") {
    CHECK(guesses(
        exact(std::vector<float>(expected.size(), NAN), expected, shape, std::vector<bool>(expected.size(), true)),
        "Nothing was written at all"));
  }
  SECTION("only one block wrote") {
    std::vector<bool> untouched(expected.size(), true);
    auto found = std::vector<float>(expected.size(), NAN);
    for (std::size_t i = 0; i < 256; ++i) {
      found[i] = expected[i];
      untouched[i] = false;
    }
    CHECK(guesses(exact(found, expected, {}, untouched), "Only the first 256 elements were written"));
  }
  SECTION("the last few, or all but a few, were not written") {
    auto found = expected;
    auto untouched = touched;
    for (std::size_t i = found.size() - 3; i < found.size(); ++i) {
      found[i] = NAN;
      untouched[i] = true;
    }
    CHECK(guesses(exact(found, expected, {}, untouched), "All but the last 3 were written"));
    CHECK_FALSE(guesses(exact(found, expected, {}, untouched), "Largest error"));
    const Comparison one_of_two = exact({expected[0], 7}, {expected[0], expected[1]}, {}, {false, true});
    CHECK(guesses(one_of_two, "Only the first element was written"));
    CHECK_FALSE(guesses(one_of_two, "Largest error"));
    CHECK(guesses(exact({expected[0], 7}, {expected[0], expected[1]}, {}, {false, false}), "Largest error"));
    CHECK(guesses(exact({7}, {expected[0]}), "wrong in 1 of 1 element."));
    const std::vector<float> five(expected.begin(), expected.begin() + 5);
    found = five;
    found[4] = NAN;
    CHECK_FALSE(guesses(exact(found, five, {}, {false, false, false, false, true}), "as many as one block writes"));
  }
  SECTION("the last partial tile was not written") {
    auto found = expected;
    auto untouched = touched;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i / columns >= 32 || i % columns >= 64) {
        found[i] = NAN;
        untouched[i] = true;
      }
    }
    CHECK(guesses(exact(found, expected, shape, untouched), "partial tile"));
  }
  SECTION("transposed") {
    std::vector<float> found(expected.size());
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) found[c * rows + r] = expected[r * columns + c];
    CHECK(guesses(exact(found, expected, shape), "transpose of what it should be"));
  }
  SECTION("shifted by one") {
    std::vector<float> found(expected.begin() + 1, expected.end());
    found.push_back(0);
    CHECK(guesses(exact(found, expected), "shifted by 1 element: element i holds what belongs to element i + 1"));
  }
  SECTION("a sequence that doubles is doubled, not shifted") {
    const std::vector<std::int32_t> doubling = {1, 2, 4, 8, 16, 32, 64}, found = {2, 4, 8, 16, 32, 64, 128};
    CHECK(guesses(compare<std::int32_t>("nodes", found, doubling, {}, {}, {}),
                  "2 times what it should be: do 2 threads each do what one should?"));
  }
  SECTION("a number was kept in a type that is too narrow") {
    std::vector<std::int64_t> right, in_int;
    for (std::int64_t i = 1; i < 40; ++i) {
      right.push_back(i * 300'000'007);
      in_int.push_back(static_cast<std::int32_t>(right.back()));
    }
    CHECK(guesses(compare<std::int64_t>("sums", in_int, right, {}, {}, {}), "modulo 2^32: a number that is too large"));
    CHECK(compare<std::int64_t>("sums", in_int, right, {}, {}, {}).finding.topic == "overflow");
    CHECK(guesses(compare<std::int64_t>("sum", {in_int.back()}, {right.back()}, {}, {}, {}), "modulo 2^32"));
    // A double is treated the same as long as it is whole.
    CHECK(guesses(compare<double>("sum", {705032704.0}, {5e9}, {}, {}, {}), "modulo 2^32"));
    CHECK(guesses(compare<std::int32_t>("indices", {65535, 0, 1}, {65535, 65536, 65537}, {}, {}, {}), "modulo 2^16"));
    const std::vector<std::int32_t> sums = {255, 256, 300, 511, 700, 1000}, bytes = {255, 0, 44, 255, 188, 232};
    CHECK(guesses(compare<std::int32_t>("sums", bytes, sums, {}, {}, {}), "Give it a wider type than char."));
    // Not for a type that has no more bits itself, nor if the result does not fit, or is 0.
    CHECK_FALSE(guesses(compare<std::uint8_t>("bytes", {1, 2, 3, 4}, {2, 4, 6, 7}, {}, {}, {}), "modulo"));
    CHECK_FALSE(guesses(compare<std::int32_t>("sums", {600, 900}, {344, 644}, {}, {}, {}), "modulo"));
    CHECK_FALSE(guesses(compare<std::int32_t>("sums", {0, 0}, {65536, 131072}, {}, {}, {}), "modulo"));
  }
  SECTION("sums that wrap around although they should saturate") {
    const std::vector<std::int32_t> right = {5, INT32_MAX, INT32_MAX, INT32_MIN};
    CHECK(guesses(compare<std::int32_t>("sums", {5, -2147252271, -7, 9}, right, {}, {}, {}),
                  "the operation does not saturate"));
    CHECK_FALSE(guesses(compare<std::int32_t>("sums", {5, -2147252271, 7, 9}, right, {}, {}, {}), "saturate"));
    CHECK_FALSE(guesses(compare<std::int32_t>("sums", {4, -2147252271, -7, 9}, right, {}, {}, {}), "saturate"));
    CHECK(
        guesses(compare<std::int16_t>("sums", {-3, 1}, {INT16_MAX, 1}, {}, {}, {}), "the operation does not saturate"));
  }
  SECTION("a single element was written") {
    std::vector<bool> untouched(255, true);
    untouched[0] = false;
    const std::vector<float> some(expected.begin(), expected.begin() + 255);
    CHECK(
        guesses(exact(some, std::vector<float>(255, -1), {}, untouched), "Only the first element was written. Which"));
  }
  SECTION("scaled, negated, offset") {
    auto found = expected;
    for (float& value : found) value *= 2;
    CHECK(guesses(exact(found, expected), "2 times what it should be"));
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = -expected[i];
    CHECK(guesses(exact(found, expected), "wrong sign"));
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = expected[i] + 3;
    CHECK(guesses(exact(found, expected), "off by the same amount, 3"));
  }
  SECTION("everything after the first block is wrong") {
    auto found = expected;
    for (std::size_t i = 128; i < found.size(); ++i) found[i] = expected[i % 128] + static_cast<float>(i);
    CHECK(guesses(exact(found, expected), "does every block, or every pass of a loop, do the work of the first?"));
  }
  SECTION("one of 32 is wrong") {
    auto found = expected;
    for (std::size_t i = 5; i < found.size(); i += 32) found[i] += static_cast<float>(1 + i % 7);
    CHECK(guesses(exact(found, expected), "32 apart"));
  }
  SECTION("zeros") {
    auto found = expected;
    for (const std::size_t i : {3, 77, 901, 1024}) found[i] = 0;
    CHECK(guesses(exact(found, expected), "Every wrong element is 0"));
  }
  SECTION("reversed") { CHECK(guesses(exact({expected.rbegin(), expected.rend()}, expected), "in the wrong places")); }
  SECTION("rounding") {
    auto found = expected;
    for (float& value : found) value *= 1 + 1e-5f * (value > 0 ? 1 : 2);
    CHECK(guesses(exact(found, expected), "rounding"));
    CHECK_FALSE(guesses(exact({2.79f}, {2.81f}), "rounding"));  // A term is missing.
  }
  SECTION("only the last element") {
    auto found = expected;
    found.back() += 100;
    CHECK(guesses(exact(found, expected), "Only the last element is wrong"));
    // Of two elements one is always the last.
    CHECK_FALSE(guesses(exact({1, 3}, {1, 2}), "Only the last element is wrong"));
  }
  SECTION("whole numbers are not rounded") {
    const std::vector<std::int32_t> whole = {62831, 62832, 62833, 62834}, off = {62831, 62840, 62825, 62834};
    CHECK(compare<std::int32_t>("x", off, whole, {}, {}, {}).finding.topic != "imprecise");
  }
  SECTION("NaN that nobody poisoned") {
    auto found = expected;
    found[9] = NAN;
    CHECK(guesses(exact(found, expected, shape, touched), "1 element is NaN"));
    CHECK(guesses(exact(found, expected, shape, touched), "__syncthreads()"));
  }
  SECTION("a computed NaN that happens to be the poison") {
    auto untouched = touched;
    untouched[9] = true;
    CHECK(guesses(exact(std::vector<float>(expected.size(), NAN), expected, shape, untouched), "elements are NaN"));
  }
  SECTION("a byte that happens to be the poison") {
    Evidence bytes;
    bytes.shape = {256};
    bytes.element_bytes = 1;
    bytes.expected.assign(256, 7);
    for (std::size_t i = 0; i < 256; ++i) bytes.found.push_back(i % 2 == 0 ? static_cast<double>(i * i % 251 + 8) : 7);
    for (std::size_t i = 0; i < 256; ++i) bytes.wrong.push_back(i % 2 == 0);
    bytes.untouched.assign(256, false);
    bytes.untouched[8] = true;
    CHECK(guess_mistake(bytes).text.find("never written") == std::string::npos);
    for (std::size_t i = 0; i < 256; i += 20) bytes.untouched[i] = true;
    CHECK(guess_mistake(bytes).text.find("were never written") != std::string::npos);
    for (std::size_t i = 0; i < 256; ++i) bytes.untouched[i] = i % 4 == 3;  // All of them right.
    CHECK(guess_mistake(bytes).text.find("never written") == std::string::npos);
  }
  SECTION("a NaN has no sign") {
    auto found = expected;
    found[9] = -std::numeric_limits<float>::quiet_NaN();
    CHECK(text_of(exact(found, expected, shape, touched).finding).find("found nan") != std::string::npos);
  }
  SECTION("no pattern, no guess") {
    const Comparison comparison =
        exact(warpbook::Random(8).array(expected.size(), -1.0f, 1.0f), expected, shape, touched);
    CHECK_FALSE(comparison.passed);
    CHECK(comparison.finding.topic.empty());
    CHECK(comparison.finding.why.empty());
  }
}
