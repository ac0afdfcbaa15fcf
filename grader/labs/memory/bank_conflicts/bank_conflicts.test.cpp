// The tests of lab bank_conflicts: what the tiles must hold, how many wavefronts they may take, and why.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "grader/runner/lab_test.h"
#include "grader/runner/protocol.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kTile = 32, kTileFloats = kTile * kTile;

// ---- Predictions

/// The wavefronts of one full warp's load, counted bank by bank: lane l reads `bytes` at byte l * stride * bytes. The
/// hardware serves as many lanes at once as make 128 bytes: 32 of 4 bytes, 16 of 8, 8 of 16.
int wavefronts_of_warp(int bytes, int stride) {
  const int words = bytes / 4, at_once = 32 / words;
  std::size_t wavefronts = 0;
  for (int first = 0; first < 32; first += at_once) {
    std::map<int, std::set<int>> words_of_bank;
    for (int lane = first; lane < first + at_once; ++lane)
      for (int word = lane * stride * words; word < (lane * stride + 1) * words; ++word)
        words_of_bank[word % 32].insert(word);
    std::size_t ways = 0;
    for (const auto& [bank, wanted] : words_of_bank) ways = std::max(ways, wanted.size());
    wavefronts += ways;
  }
  return static_cast<int>(wavefronts);
}

/// The smallest aligned pitch from `width` on whose column takes no more wavefronts than lanes side by side.
int best_pitch(int width, int bytes) {
  const int words = bytes / 4;
  int pitch = (width + words - 1) / words * words;
  while (wavefronts_of_warp(bytes, pitch / words) > words) pitch += words;
  return pitch;
}

/// Numbers that an answer gave for cases of (bytes, step).
Answer ask(const char* function, const std::vector<std::pair<int, int>>& cases, bool probe) {
  std::vector<std::int32_t> bytes, steps;
  for (const auto& [b, s] : cases) bytes.push_back(b), steps.push_back(s);
  Answer answer =
      grade(Case().set("function", function).set("bytes", bytes).set("steps", steps).set("probe", probe ? 1 : 0));
  REQUIRE(answer.output<std::int32_t>("found").size() == cases.size());
  return answer;
}

/// What the virtual GPU counted for the loads of these cases must be what this file computes; on a real GPU nothing is
/// counted.
void require_counted(const Answer& answer, const std::vector<std::pair<int, int>>& cases) {
  auto kernel = answer.profile.kernels.begin();
  for (const auto& [bytes, stride] : cases) {
    if ((31 * stride + 1) * bytes > 48 * 1024) continue;
    if (kernel == answer.profile.kernels.end()) break;
    double counted = 0;
    for (const LineCounters& line : kernel->lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "shared" && access.op == "ld") counted += access.wavefronts;
    INFO(bytes << " bytes, stride " << stride);
    REQUIRE(counted == wavefronts_of_warp(bytes, stride));
    ++kernel;
  }
}

void check_wavefronts(const std::vector<std::pair<int, int>>& cases) {
  const Answer answer = ask("predict_wavefronts", cases, true);
  require_counted(answer, cases);
  const std::vector<std::int32_t> found = answer.output<std::int32_t>("found");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto [bytes, stride] = cases[i];
    const int expected = wavefronts_of_warp(bytes, stride);
    if (found[i] == expected) continue;
    WB_FAIL_CALL("predict_wavefronts(" << bytes << ", " << stride << ")", found[i],
                 ", but this load takes "
                     << expected << (expected == 1 ? " wavefront" : " wavefronts") << ".\nLane l reads its " << bytes
                     << " bytes from word " << (bytes == 4 ? "" : std::to_string(bytes / 4) + " * ")
                     << "stride * l on; word w is in bank w % 32. "
                     << (found[i] > 32 ? "No load takes more than 32: then each lane has one to itself. " : "")
                     << (bytes == 4 ? "Which lanes meet in bank 0? "
                                    : "Lanes are served in groups that ask for 128 bytes together. ")
                     << "Draw the first lanes of this case on paper and count.");
  }
}

// ---- Tiles

constexpr int kCounted = 64;  // Tiles where counters are read: every tile counts the same. A message names the number.
constexpr int kMost = 4096;   // Tiles: what the contract promises.
constexpr int kMostStep = 1'000'000;  // Of strides and widths.

std::vector<float> random_tiles(Random& random, int count) {
  std::vector<float> tiles(static_cast<std::size_t>(count) * kTileFloats);
  for (float& value : tiles) switch (random.integer(0, 15)) {
      case 0:
        value = random.any_float();
        break;
      case 1:
        value = -random.tiny_float();
        break;
      default:
        value = static_cast<float>(random.real(-1000, 1000));
    }
  return tiles;
}

/// Multiples of @p unit, a power of two. Where the largest of both factors, @p most, multiply to 2^24 / 32 at most, the
/// products of a row and a column can be summed in any order without rounding.
std::vector<float> random_factors(Random& random, int count, int most, float unit) {
  std::vector<float> tiles(static_cast<std::size_t>(count) * kTileFloats);
  for (float& value : tiles) value = static_cast<float>(random.integer(-most, most)) * unit;
  return tiles;
}

std::vector<float> transposed(const std::vector<float>& in) {
  std::vector<float> out(in.size());
  for (std::size_t first = 0; first < in.size(); first += kTileFloats)
    for (int row = 0; row < kTile; ++row)
      for (int column = 0; column < kTile; ++column)
        out[first + column * kTile + row] = in[first + row * kTile + column];
  return out;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(a.size());
  for (std::size_t first = 0; first < a.size(); first += kTileFloats) {
    for (int row = 0; row < kTile; ++row) {
      for (int column = 0; column < kTile; ++column) {
        float sum = 0;
        for (int k = 0; k < kTile; ++k) sum += a[first + row * kTile + k] * b[first + column * kTile + k];
        c[first + row * kTile + column] = sum;
      }
    }
  }
  return c;
}

/// The last two dimensions are what the guess at the mistake needs; tiles lie one below the other.
Shape shape_of(const std::vector<float>& tiles) { return {tiles.size() / kTile, kTile}; }

Case transpose_call(Case given, const std::string& name, const std::vector<float>& in, const std::string& out) {
  return then(std::move(given), "transpose_tiles",
              {input(name, in), output<float>(out, in.size()), number("count", in.size() / (32 * 32))});
}

Case product_call(Case given, const Argument& a, const Argument& b, const std::string& c) {
  return then(std::move(given), "multiply_transposed",
              {a, b, output<float>(c, a.count), number("count", a.count / (32 * 32))});
}

/// @param order of blocks and warps; 0: the documented one
Answer check_transpose(int count, std::int64_t order = 0) {
  const std::vector<float> in = random_tiles(test_random(), count);
  const Answer answer = grade(transpose_call({}, "in", in, "out").set(kScheduleSeed, order));
  require_default_stream(answer);
  require_moved(answer, "out", transposed(in), shape_of(in));
  return answer;
}

constexpr int kFew = 8;  // Tiles, in another order.

void check_transpose_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_transpose(kFew, order);
}

Answer counted_transpose() {
  check_transpose_in_other_orders();
  return check_transpose(kCounted);
}

/// @param unit of the factors' values; 0: any
Case product_case(Random& random, int count, float unit = 0) {
  // One of the two has 14 bits: too many for half precision and for the tensor cores' short floats. Their unit makes
  // them no whole numbers.
  const bool wide_a = random.integer(0, 1) != 0;
  if (unit == 0) unit = std::ldexp(1.0f, -static_cast<int>(random.integer(1, 20)));
  const std::vector<float> a = random_factors(random, count, wide_a ? 16000 : 32, unit),
                           b = random_factors(random, count, wide_a ? 32 : 16000, unit);
  return product_call({}, input("a", a), input("b", b), "c");
}

Answer check_product(const Case& given) {
  const std::vector<float> a = given.array<float>("a"), b = given.array<float>("b");
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_equal(answer, "c", product(a, b), shape_of(a));
  return answer;
}

Answer check_product(int count, std::int64_t order = 0) {
  return check_product(product_case(test_random(), count).set(kScheduleSeed, order));
}

void check_product_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_product(kFew, order);
}

Answer counted_product() {
  check_product_in_other_orders();
  return check_product(kCounted);
}

// A mean over requests can be made small by requests that move nothing; so there are sums beside the means.
constexpr double kRoom = 1.2;
const char* const kNothingElse = "The mean over all requests is right, but nothing except the tiles may move.";

/// The limits on what is moved: each of @p read tiles and each written one once.
void require_moved_once(const Answer& answer, int read) {
  require_at_most(answer, Quantity::global_load_bytes, kRoom * 4 * read * kTileFloats, kNothingElse);
  require_at_most(answer, Quantity::global_store_bytes, kRoom * 4 * kCounted * kTileFloats, kNothingElse);
}

/// The limit on conflicts of all that accesses shared memory. What changes no order, and moves along columns instead,
/// meets none either: @p read tiles must be read along rows, and as many as there are results written.
void require_conflict_free(const Answer& answer, int read, const std::string& reason) {
  const double loaded = value_of(answer.profile, Quantity::global_load_bytes).value_or(0),
               stored = value_of(answer.profile, Quantity::global_store_bytes).value_or(0);
  if (loaded > kRoom * 4 * read * kTileFloats || stored > kRoom * 4 * kCounted * kTileFloats)
    WB_FAIL(
        "tiles_not_moved_along_rows",
        "This limit counts where tiles are moved along rows on both sides, each once: the order changes in between, in "
        "shared memory. Get the global accesses right first. "
            << reason);
  require_at_most(answer, Quantity::shared_bank_conflicts, 0, reason);
}

const char* const kTransposeReason =
    "Rows go into the tile and columns come out. Where all 32 words that a warp wants lie in different banks, they "
    "come in 1 wavefront.";

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 8, "the prediction for 4 bytes is what is counted") {
  std::vector<std::pair<int, int>> cases;
  for (int stride = 1; stride <= 34; ++stride) cases.emplace_back(4, stride);
  for (const int stride : {48, 63, 64, 96, 1000, 1024, kMostStep}) cases.emplace_back(4, stride);
  for (int i = 0; i < 8; ++i) cases.emplace_back(4, static_cast<int>(test_random().size(35, kMostStep)));
  check_wavefronts(cases);
}

WB_LAB_TEST(correctness, 8, "the prediction for 8 and 16 bytes is what is counted") {
  std::vector<std::pair<int, int>> cases;
  for (const int bytes : {8, 16})
    for (const int stride : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 40, 100, 1024, kMostStep})
      cases.emplace_back(bytes, stride);
  for (int i = 0; i < 8; ++i)
    cases.emplace_back(i % 2 == 0 ? 8 : 16, static_cast<int>(test_random().size(10, kMostStep)));
  check_wavefronts(cases);
}

WB_LAB_TEST(correctness, 9, "the pitch is the smallest without conflicts") {
  std::vector<std::pair<int, int>> cases;
  for (const int bytes : {4, 8, 16})
    for (const int width : {32, 33, 1, 2, 3, 4, 5, 7, 8, 16, 20, 24, 31, 36, 64, 65, 100, 128, kMostStep})
      cases.emplace_back(bytes, width);
  for (int i = 0; i < 9; ++i) cases.emplace_back(4 << i % 3, static_cast<int>(test_random().size(6, kMostStep)));
  const std::vector<std::int32_t> found = ask("choose_pitch", cases, false).output<std::int32_t>("found");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto [bytes, width] = cases[i];
    const int pitch = found[i], words = bytes / 4, expected = best_pitch(width, bytes);
    if (pitch == expected) continue;
    std::string why;
    if (pitch < width)
      why = "a row of " + std::to_string(width) + " words does not fit in it";
    else if (pitch % words != 0)
      why = "then row 1 begins where no element of " + std::to_string(bytes) +
            " bytes may begin: an address must be a multiple of the element's size";
    else if (wavefronts_of_warp(bytes, pitch / words) > words)
      why = "32 lanes, each at the start of a row, then take " +
            std::to_string(wavefronts_of_warp(bytes, pitch / words)) + " wavefronts where " + std::to_string(words) +
            " would do";
    else
      why = "it is free of conflicts, but so is " + std::to_string(expected) + ", which is less memory";
    WB_FAIL_CALL("choose_pitch(" << width << ", " << bytes << ")", pitch, ": " << why << ".");
  }
}

// ---- Part 2: the transpose

WB_LAB_TEST(correctness, 10, "every tile is transposed exactly") {
  for (const int count : {1, 2, 31, 133, 0, kMost}) check_transpose(count);
  for (int i = 0; i < 3; ++i) check_transpose(static_cast<int>(test_random().size(1, kMost)));
  check_transpose_in_other_orders();
}

WB_LAB_TEST(counters, 5, "the transpose loads and stores along rows") {
  const Answer answer = counted_transpose();
  const char* const reason = "32 lanes that move along a row of a tile touch 128 bytes side by side: 4 sectors.";
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0, reason);
  require_at_most(answer, Quantity::global_store_sectors_ratio, 1.0, reason);
  require_moved_once(answer, kCounted);
}

WB_LAB_TEST(counters, 10, "the transpose has no bank conflicts") {
  const Answer answer = counted_transpose();
  require_conflict_free(answer, kCounted, kTransposeReason);
}

WB_LAB_TEST(counters, 10, "the transpose without conflicts needs no padding") {
  const Answer answer = counted_transpose();
  require_conflict_free(
      answer, kCounted,
      std::string(kTransposeReason) + " Get there with padding first, as the test before this one asks; then without.");
  require_at_most(answer, Quantity::shared_bytes_per_block, 4.0 * kTileFloats,
                  "A tile has 32 x 32 floats, 4096 bytes. Rows with their elements in different orders (a swizzle) "
                  "spread a column over all banks without a byte more.");
}

// ---- Part 3: the product

WB_LAB_TEST(correctness, 10, "every product of tiles is exact") {
  check_product(product_case(test_random(), 1, 0.25f));  // No value is too small for any precision.
  for (const int count : {1, 2, 31, 133, 0, kMost}) check_product(count);
  for (int i = 0; i < 4; ++i) check_product(static_cast<int>(test_random().size(1, 1000)));
  check_product_in_other_orders();
}

WB_LAB_TEST(correctness, 5, "all answers are computed anew, large ones too") {
  check_transpose(static_cast<int>(test_random().integer(1000, 1100)));
  check_product(static_cast<int>(test_random().integer(500, 600)));
  check_transpose_in_other_orders();
  check_product_in_other_orders();
  const int count = static_cast<int>(test_random().integer(20, 40));
  const std::vector<float> first = random_factors(test_random(), count, 700, 0.25f),
                           second = random_factors(test_random(), count, 700, 0.25f);
  Case given = transpose_call({}, "first", first, "first_out");
  given = transpose_call(given, "second", second, "second_out");
  given = product_call(given, input("first", first), input("second", second), "product");
  const Answer answer = grade(product_call(given, input("second", second), input("first", first), "product_again"));
  require_moved(answer, "first_out", transposed(first), shape_of(first));
  require_moved(answer, "second_out", transposed(second), shape_of(first));
  require_equal(answer, "product", product(first, second), shape_of(first));
  require_equal(answer, "product_again", product(second, first), shape_of(first));
}

WB_LAB_TEST(counters, 5, "the product loads and stores along rows") {
  const Answer answer = counted_product();
  const char* const reason = "Lanes that move along rows use all 32 bytes of every sector they touch.";
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0, reason);
  require_at_most(answer, Quantity::global_store_sectors_ratio, 1.0, reason);
  require_moved_once(answer, 2 * kCounted);
}

WB_LAB_TEST(counters, 5, "the product has no bank conflicts") {
  require_conflict_free(counted_product(), 2 * kCounted,
                        "No load or store needs more wavefronts than its bytes do: 1 for each 128 bytes that differ.");
}

WB_LAB_TEST(counters, 5, "the product reads 16 bytes at a time") {
  // A warp computes 4 rows. For each chunk of k: one load of b, 4 wavefronts; 4 loads of a, where all lanes want the
  // same 16 bytes, 2 wavefronts each.
  const double loads = 8 * 8 * (4 + 4 * 2), stores = 2.0 * kTileFloats / 32;
  const Answer answer = counted_product();
  require_at_most(answer, Quantity::shared_wavefronts, kCounted * (loads + stores),
                  "This case has 64 tiles, 832 wavefronts for each. For each chunk of 16 bytes, a warp of 4 rows needs "
                  "4 wavefronts for b and 4 x 2 for a: 768 for a "
                  "tile's 8 warps and 8 chunks, and 64 to fill both tiles. Read 4 bytes at a time, it is 1280 + 64.");
  require_moved_once(answer, 2 * kCounted);
}

WB_LAB_TEST(time, 10, "the product is as fast as the reference") {
  counted_product();
  require_time(
      benchmark_case, [](const Case& given) { check_product(given); }, 1.15, 1.8);
}

WB_LAB_BENCHMARK { return product_case(random, 2112); }

// More than the contract promises, for the reference and the rungs on a real GPU. Three arrays of 256 MiB: far more
// than a cache holds, so that the memory's bandwidth decides.
WB_LAB_LARGE_BENCHMARK { return product_case(random, 65536); }
