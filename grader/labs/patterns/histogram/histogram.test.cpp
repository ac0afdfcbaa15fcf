// The tests of lab histogram: what the counts must be, what they may cost, and why.
#include <algorithm>
#include <set>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kBins = 256, kTile = 32, kMostBytes = 1 << 24;

/// Rows of pixels, and bytes after each row that are none.
struct Image {
  int width = 0, height = 0, pitch = 0;
  std::vector<std::uint8_t> bytes = {};
};

/// @param share of the pixels that have one value, drawn; the others, and what is after a row, have any
/// @param more  times 16 bytes after a row, beyond what fills its last 16
Image image_of(Random& random, int width, int height, double share, int more) {
  Image image{width, height, (width + 15) / 16 * 16 + 16 * more};
  const auto most = static_cast<std::int64_t>(share * 256);
  const auto background = static_cast<std::uint8_t>(random.integer(0, 255));
  image.bytes.resize(static_cast<std::size_t>(image.height) * static_cast<std::size_t>(image.pitch));
  for (std::size_t i = 0; i < image.bytes.size(); i += 4) {
    std::uint64_t bits = random.bits();  // 16 of them for each byte.
    for (std::size_t k = i; k < i + 4; ++k, bits >>= 16) {
      const bool pixel = k % static_cast<std::size_t>(image.pitch) < static_cast<std::size_t>(width);
      const bool common = pixel && static_cast<std::int64_t>(bits >> 8 & 255) < most;
      image.bytes[k] = common ? background : static_cast<std::uint8_t>(bits & 255);
    }
  }
  return image;
}

/// Of any kind: with noise only, one value only, and in between.
Image any_image(int width, int height) {
  Random& random = test_random();
  const double share = std::vector<double>{0, 0.5, 0.9, 1}[static_cast<std::size_t>(random.integer(0, 3))];
  const int room = kMostBytes / std::max(1, height) / 16 - (width + 15) / 16;
  return image_of(random, width, height, share, static_cast<int>(random.integer(0, std::clamp(room, 0, 8))));
}

using Size = std::pair<int, int>;

/// Around 16 pixels, a warp, a tile, a block, and the book's photograph; ends of the ranges.
const std::vector<Size> kSizes = {{0, 5},     {5, 0},    {1, 1},    {15, 3},    {16, 1},
                                  {17, 2},    {31, 31},  {32, 32},  {33, 33},   {64, 65},
                                  {392, 272}, {1, 8192}, {8192, 1}, {1023, 17}, {1025, 130}};

std::vector<Image> awkward_images() {
  std::vector<Image> images;
  for (const auto& [width, height] : kSizes) images.push_back(any_image(width, height));
  for (int i = 0; i < 4; ++i) {
    const auto width = static_cast<int>(test_random().size(1, 2000));
    images.push_back(any_image(width, static_cast<int>(test_random().size(1, 500))));
  }
  return images;
}

Case call_of(const std::string& function, const Image& image, const Argument& counts, const std::string& prefix = "") {
  return call(function, {input(prefix + "image", image.bytes), number(prefix + "width", image.width),
                         number(prefix + "height", image.height), number(prefix + "pitch", image.pitch), counts});
}

/// What holds anything before.
Argument bins() { return filled<std::uint32_t>("bins", kBins, 0xff); }

int tiles_along(int pixels) { return (pixels + kTile - 1) / kTile; }

constexpr const char* kCausesOfTiles =
    "Usual causes: partial tiles, at the right and lower edge, are left out, or threads without a pixel count; the "
    "next row begins "
    "`pitch` bytes on, not `width`; a __syncthreads() is missing between setting counts to 0, counting and storing.";
constexpr const char* kCausesOfImages =
    "Usual causes: bytes after the last pixel of a row are counted; the next row begins `pitch` bytes on, not "
    "`width`; bins are not "
    "set to 0 first; a copy of the counts is not summed, or a __syncthreads() is missing before it is.";

void require_counts(const Answer& answer, const std::string& name, const std::vector<std::uint32_t>& expected,
                    const Shape& shape, const char* causes) {
  Comparison comparison = compare_exact(answer, name, expected, shape);
  if (!comparison.passed) comparison.finding.more.push_back(causes);
  require_compared(answer, name, comparison);
}

Answer check_tiles(const Image& image, std::int64_t order = 0) {
  const auto across = static_cast<std::size_t>(tiles_along(image.width));
  const std::size_t tiles = across * static_cast<std::size_t>(tiles_along(image.height));
  std::vector<std::uint32_t> expected(tiles * kBins);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::size_t tile = static_cast<std::size_t>(y / kTile) * across + static_cast<std::size_t>(x / kTile);
      ++expected[tile * kBins + image.bytes[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.pitch) +
                                            static_cast<std::size_t>(x)]];
    }
  const Answer answer = grade(call_of("histogram_tiles", image, output<std::uint32_t>("histograms", expected.size()))
                                  .set(kScheduleSeed, order));
  require_default_stream(answer);
  require_counts(answer, "histograms", expected, {tiles, kBins}, kCausesOfTiles);
  return answer;
}

std::vector<std::uint32_t> counts_of(const Case& given, const std::string& prefix = "") {
  const auto width = static_cast<std::size_t>(given.integer(prefix + "width"));
  const auto pitch = static_cast<std::size_t>(given.integer(prefix + "pitch"));
  const std::vector<std::uint8_t> bytes = given.array<std::uint8_t>(prefix + "image");
  std::vector<std::uint32_t> counts(kBins);
  for (std::size_t row = 0; row < bytes.size(); row += std::max<std::size_t>(1, pitch))
    for (std::size_t x = 0; x < width; ++x) ++counts[bytes[row + x]];
  return counts;
}

Answer check_image(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_counts(answer, "bins", counts_of(given), {}, kCausesOfImages);
  return answer;
}

Case image_call(const Image& image) { return call_of("histogram", image, bins()); }

void check_tiles_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_tiles(any_image(100, 70), order);
}

void check_image_in_other_orders() {  // Several blocks, and pixels in each that are none.
  for (const std::int64_t order : other_orders())
    check_image(image_call(any_image(100, 700)).set(kScheduleSeed, order));
}

constexpr int kWidth = 2048, kHeight = 2048, kPixels = kWidth * kHeight;

Answer counted(double share) {
  check_image_in_other_orders();
  return check_image(image_call(image_of(test_random(), kWidth, kHeight, share, 0)));
}

/// As large as an image may be.
Case large_image(Random& random, double share) { return image_call(image_of(random, 4096, 4096, share, 0)); }

void require_predicted(const std::string& call, std::int64_t found, std::int64_t expected, const std::string& reason) {
  if (found != expected) WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

/// Counted, tile by tile.
std::int32_t additions(int plan, int width, int height) {
  if (plan == 0) return width * height;
  if (plan == 2) return 264 * kBins;
  std::int32_t all = 0;
  for (int y = 0; y < height; y += kTile)
    for (int x = 0; x < width; x += kTile) all += kBins;
  return all;
}

/// The most words that the lanes of a warp want from one bank.
std::int32_t wavefronts(int copies, int distance) {
  std::vector<std::set<int>> words(32);
  for (int lane = 0; lane < 32; ++lane) {
    const int word = distance * lane % kBins * copies + lane % copies;
    words[static_cast<std::size_t>(word % 32)].insert(word);
  }
  std::size_t most = 0;
  for (const std::set<int>& of_bank : words) most = std::max(most, of_bank.size());
  return static_cast<std::int32_t>(most);
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 5, "the predicted number of additions is right") {
  const std::vector<std::string> plans = {"pixels", "tiles", "blocks"};
  for (const std::int32_t width : {0, 1, 32, 392, static_cast<std::int32_t>(test_random().size(1, 8192)), 8192})
    for (std::int32_t plan = 0; plan < 3; ++plan) {
      const std::vector<std::int32_t> heights = {
          0, 1, 31, 32, 33, 272, static_cast<std::int32_t>(test_random().size(1, 8192)), 8192};
      const Answer answer =
          grade(call("predict_additions", {number("plan", plan), number("width", width), each("heights", heights)}));
      const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
      REQUIRE(found.size() == heights.size());
      for (std::size_t i = 0; i < heights.size(); ++i)
        require_predicted("predict_additions(Plan::" + plans[static_cast<std::size_t>(plan)] + ", " +
                              std::to_string(width) + ", " + std::to_string(heights[i]) + ")",
                          found[i], additions(plan, width, heights[i]),
                          "A partial tile is a tile: 392 x 272 pixels have 13 x 9 of them, not 12 x 8. A block adds "
                          "all its 256 counts.");
    }
}

WB_LAB_TEST(correctness, 5, "the predicted number of wavefronts is right") {
  std::vector<std::int32_t> distances = {0, 1, 2, 3, 8, 16, 31, 32, 33, 64, 96, 128, 255};
  for (int i = 0; i < 8; ++i) distances.push_back(static_cast<std::int32_t>(test_random().integer(0, 255)));
  for (const std::int32_t copies : {1, 2, 4, 8, 16, 32}) {
    const Answer answer = grade(call("predict_wavefronts", {number("copies", copies), each("distances", distances)}));
    const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
    REQUIRE(found.size() == distances.size());
    for (std::size_t i = 0; i < distances.size(); ++i)
      require_predicted("predict_wavefronts(" + std::to_string(copies) + ", " + std::to_string(distances[i]) + ")",
                        found[i], wavefronts(copies, distances[i]),
                        "Each bank delivers one word in a wavefront, to all lanes that want it: count the different "
                        "words of a bank.");
  }
}

// ---- Part 2: each tile

WB_LAB_TEST(correctness, 16, "the histogram of every tile is exact, partial tiles too") {
  for (const Image& image : awkward_images()) check_tiles(image);
  check_tiles_in_other_orders();
}

WB_LAB_TEST(counters, 6, "the histograms of tiles need no atomics in global memory") {
  check_tiles_in_other_orders();
  const Answer answer = check_tiles(image_of(test_random(), 1024, 512, 0.5, 0));
  require_at_most(
      answer, Quantity::global_atomic_requests, 0,
      "Only the threads of one block count a tile, so its counts can be in shared memory until they are complete.");
  require_at_most(answer, Quantity::global_store_bytes, 1.05 * 512 * kBins * 4,
                  "512 tiles have 256 counts of 4 bytes, each stored once.");
  require_at_most(answer, Quantity::global_load_bytes, 1.05 * 1024 * 512, "Each pixel is to be loaded once.");
}

// ---- Part 3: all of the image

WB_LAB_TEST(correctness, 20, "the histogram of every image is exact") {
  for (const Image& image : awkward_images()) check_image(image_call(image));
  check_image(image_call(any_image(4095, 4096)));
  check_image_in_other_orders();
}

WB_LAB_TEST(correctness, 4, "the histogram is computed anew each time") {
  Case given = call_of("histogram", any_image(500, 300), bins(), "first_");
  const Image second = any_image(300, 200);
  given = then(given, "histogram",
               {input("image", second.bytes), number("width", second.width), number("height", second.height),
                number("pitch", second.pitch), bins()});
  check_image(given);
}

WB_LAB_TEST(counters, 8, "the histogram adds little in global memory") {
  require_at_most(counted(0.5), Quantity::global_atomic_requests, 12000,
                  "264 blocks of 32 warps, each with one addition of 8 lanes, are 8448. A block for each tile would "
                  "add 32,768 times; a "
                  "request for each count of a block is 67,584.");
}

WB_LAB_TEST(counters, 8, "the histogram loads 16 bytes for each lane") {
  const Answer answer = counted(0.5);
  require_at_most(answer, Quantity::global_load_requests, 1.1 * kPixels / 512,
                  "32 lanes that load 16 pixels each ask for 512 with one instruction.");
  require_at_most(answer, Quantity::global_load_bytes, 1.1 * kPixels, "Each pixel is to be loaded once.");
}

WB_LAB_TEST(counters, 8, "the histogram has hardly any bank conflicts") {
  for (const double share : {0.0, 0.5})
    require_at_most(counted(share), Quantity::shared_bank_conflicts, 0.1 * kPixels / 32,
                    "A tenth of an extra wavefront for 32 pixels. Lanes that count in one histogram have two or three, "
                    "as they want "
                    "different words of a bank; where each lane has a copy in a bank of its own there is none.");
}

WB_LAB_TEST(counters, 6, "the histogram needs few instructions") {
  require_at_most(
      counted(0.5), Quantity::warp_instructions, 18.0 * kPixels / 32,
      "For 32 pixels: shift, mask, address, comparison, addition, and what is done once for 16 pixels. Setting "
      "32 KiB to 0 and summing them is as much again, in blocks that count 16 pixels for each thread only.");
}

WB_LAB_TEST(time, 8, "the histogram of noise is as fast as the reference") {
  check_image_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_image(given); }, 1.25, 4.0);
}

WB_LAB_TEST(time, 6, "the histogram of a single colour is as fast as the reference") {
  check_image_in_other_orders();
  require_time([](Random& random) { return large_image(random, 1); }, [](const Case& given) { check_image(given); },
               1.25, 4.0);
}

WB_LAB_BENCHMARK { return large_image(random, 0); }

// 256 MiB: more than the contract promises, for the bandwidth that the rungs reach on a real GPU.
WB_LAB_LARGE_BENCHMARK { return image_call(image_of(random, 16384, 16384, 0, 0)); }
