// The tests of lab convolution: what the filtered images must be, what they may cost, and why.
#include <algorithm>
#include <cmath>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr std::int32_t kMostRadius = 15, kMostSide = 4096, kClamp = 0, kZero = 1;
constexpr std::int64_t kMostProducts = 1 << 25, kMostPixels = 1 << 20;

struct Filtered {
  std::int32_t height, width, radius, border;
};

std::int64_t weights_of(const Filtered& f) { return (2LL * f.radius + 1) * (2 * f.radius + 1); }

/// Around warps, tiles and filters larger than the image; one of everything; nothing; one weight.
const std::vector<Filtered> kImages = {
    {1, 1, 0, kZero},    {1, 1, 15, kClamp},  {1, 100, 3, kZero},   {100, 1, 3, kClamp},  {31, 33, 1, kZero},
    {33, 31, 7, kClamp}, {32, 32, 2, kClamp}, {64, 32, 2, kZero},   {8, 9, 13, kZero},    {9, 8, 12, kClamp},
    {65, 41, 5, kZero},  {40, 70, 15, kZero}, {kMostSide, 3, 1, 0}, {3, kMostSide, 1, 1}, {70, 50, 0, kClamp},
    {0, 5, 2, kZero},    {5, 0, 2, kClamp}};

int size(std::int64_t most) { return static_cast<int>(test_random().size(1, static_cast<std::size_t>(most))); }

/// Images between those, and the largest ones. @param products height * width * (2 radius + 1)^2, at most
std::vector<Filtered> other_images(std::int64_t products) {
  std::vector<Filtered> images;
  for (int i = 0; i < 4; ++i) {
    Filtered f = {1, 1, static_cast<std::int32_t>(test_random().integer(0, kMostRadius)), i % 2};
    const std::int64_t pixels = std::min<std::int64_t>(products / weights_of(f), 1 << 16);
    f.height = size(std::min<std::int64_t>(pixels, 300));
    f.width = size(std::min<std::int64_t>(pixels / f.height, kMostSide));
    images.push_back(f);
  }
  const std::int64_t pixels = std::min(products / 961, kMostPixels);
  images.push_back({size(200), 1, kMostRadius, kClamp});
  images.back().width = static_cast<std::int32_t>(std::min<std::int64_t>(pixels / images.back().height, kMostSide));
  return images;
}

/// Whole numbers so small that every sum of products is exact, in any order: 961 * 1000 * 4 * 4 < 2^24.
std::vector<float> whole_numbers(Random& random, std::int64_t count, std::int32_t most) {
  std::vector<float> values;
  values.reserve(count);
  for (const std::int32_t value : random.array<std::int32_t>(count, -most, most))
    values.push_back(static_cast<float>(value));
  return values;
}

/// The image with its halo: height + 2 radius rows of width + 2 radius pixels.
std::vector<float> with_halo(const std::vector<float>& image, const Filtered& f) {
  std::vector<float> all;
  for (int y = -f.radius; y < f.height + f.radius; ++y)
    for (int x = -f.radius; x < f.width + f.radius; ++x) {
      const int row = std::clamp(y, 0, f.height - 1), column = std::clamp(x, 0, f.width - 1);
      const bool is_inside = row == y && column == x;
      all.push_back(is_inside || f.border == kClamp ? image[static_cast<std::size_t>(row) * f.width + column] : 0.0f);
    }
  return all;
}

/// The sums of @p rows x @p columns weights over what with_halo() gives, in @p T.
template <class T>
std::vector<T> convolved(const std::vector<T>& image, std::int64_t height, std::int64_t width,
                         const std::vector<float>& weights, std::int64_t rows, std::int64_t columns) {
  std::vector<T> out(height * width);
  const std::int64_t pitch = width + columns - 1;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        const T weight = weights[i * columns + j], *from = &image[(y + i) * pitch + j];
        T* to = &out[y * width];
        for (std::int64_t x = 0; x < width; ++x) to[x] += weight * from[x];
      }
  return out;
}

/// What must come out: @p weights are those of a whole filter, or of its column and its row.
template <class T>
std::vector<T> expected_of(const std::vector<float>& image, const std::vector<float>& weights, const Filtered& f) {
  if (f.height == 0 || f.width == 0) return {};
  const std::vector<float> halo = with_halo(image, f);
  const std::vector<T> all(halo.begin(), halo.end());
  const std::int64_t side = 2 * f.radius + 1, tall = f.height + 2 * f.radius;
  if (static_cast<std::int64_t>(weights.size()) != 2 * side)
    return convolved(all, f.height, f.width, weights, side, side);
  const std::vector<T> along_rows =
      convolved(all, tall, f.width, std::vector<float>(weights.begin() + side, weights.end()), 1, side);
  return convolved(along_rows, f.height, f.width, std::vector<float>(weights.begin(), weights.begin() + side), side, 1);
}

constexpr const char* kConstant = "convolve_constant";
constexpr const char* kTiled = "convolve_tiled";
constexpr const char* kSeparable = "convolve_separable";

std::int64_t weights_for(const std::string& function, const Filtered& f) {
  return function == kSeparable ? 2 * (2 * f.radius + 1) : weights_of(f);
}

std::string name_of_weights(const std::string& function) { return function == kSeparable ? "weights" : "filter"; }

/// @param before names of arrays and numbers begin with it
std::vector<Argument> arguments(const std::string& function, const Filtered& f, const std::vector<float>& image,
                                const std::vector<float>& weights, const std::string& before = "") {
  return {input(before + "image", image),
          input(before + name_of_weights(function), weights),
          output<float>(before + "out", image.size()),
          number(before + "height", f.height),
          number(before + "width", f.width),
          number(before + "radius", f.radius),
          number(before + "border", f.border)};
}

Case filter_case(Random& random, const std::string& function, const Filtered& f) {
  return call(function, arguments(function, f, whole_numbers(random, 1LL * f.height * f.width, 1000),
                                  whole_numbers(random, weights_for(function, f), 4)));
}

constexpr const char* kCauses =
    "Usual causes: the halo is narrower than the radius on one side, or the border rule holds for it on two sides "
    "only; "
    "weight (i, j) belongs to the pixel i - radius rows and j - radius columns away; a barrier is missing between "
    "filling an array in shared memory and reading it; a thread without a pixel leaves before its part of the tile is "
    "there.";

void require_filtered(const Answer& answer, const std::string& name, const std::vector<float>& expected,
                      const Filtered& f) {
  require_default_stream(answer);
  Comparison comparison =
      compare_exact(answer, name, expected, {static_cast<std::size_t>(f.height), static_cast<std::size_t>(f.width)});
  if (!comparison.passed)
    comparison.finding.more.push_back(std::string("The border rule is ") + (f.border == kClamp ? "clamp" : "zero") +
                                      ". " + kCauses);
  require_compared(answer, name, comparison);
}

Answer check(const Case& given, const std::string& function) {
  const Answer answer = grade(given);
  const Filtered f = {
      static_cast<std::int32_t>(given.integer("height")), static_cast<std::int32_t>(given.integer("width")),
      static_cast<std::int32_t>(given.integer("radius")), static_cast<std::int32_t>(given.integer("border"))};
  require_filtered(answer, "out",
                   expected_of<float>(given.array<float>("image"), given.array<float>(name_of_weights(function)), f),
                   f);
  return answer;
}

Answer check(const std::string& function, const Filtered& f, std::int64_t order = 0) {
  return check(filter_case(test_random(), function, f).set(kScheduleSeed, order), function);
}

void check_in_other_orders(const std::string& function, const Filtered& f = {64, 64, 2, kZero}) {
  for (const std::int64_t order : other_orders()) check(function, f, order);
}

void check_all(const std::string& function, std::int64_t products) {
  for (const Filtered& f : kImages) check(function, f);
  for (const Filtered& f : other_images(products)) check(function, f);
  check_in_other_orders(function, {50, 40, 3, kClamp});
}

/// Two calls in one process: what the first one left in constant memory is wrong for the second.
void check_twice(const std::string& function) {
  const std::vector<std::string> names = {"first_", "second_"};
  const std::vector<Filtered> both = {{size(90) + 30, size(90) + 30, 4, kClamp},
                                      {size(90) + 30, size(90) + 30, 3, kZero}};
  Case given;
  std::vector<std::vector<float>> images, weights;
  for (int k = 0; k < 2; ++k) {
    images.push_back(whole_numbers(test_random(), 1LL * both[k].height * both[k].width, 1000));
    weights.push_back(whole_numbers(test_random(), weights_for(function, both[k]), 4));
    given = then(given, function, arguments(function, both[k], images[k], weights[k], names[k]));
  }
  const Answer answer = grade(given);
  for (int k = 0; k < 2; ++k)
    require_filtered(answer, names[k] + "out", expected_of<float>(images[k], weights[k], both[k]), both[k]);
}

constexpr Filtered kCounted = {256, 256, 3, kZero}, kWide = {256, 256, 7, kClamp};
constexpr double kPixels = 256.0 * 256, kWeights = 49;

Answer counted(const std::string& function, const Filtered& f) {
  check_in_other_orders(function);
  return check(function, f);
}

template <class T>
void require_predicted(const std::string& call, T found, T expected, const std::string& reason) {
  if (!(std::fabs(static_cast<double>(found - expected)) <= 1e-9 * static_cast<double>(expected)))
    WB_FAIL_CALL(call, found, ", but it is " << expected << ".\n" << reason);
}

const std::vector<std::string> kWays = {"direct", "separable"};

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 4, "the predicted number of multiply-adds is right") {
  for (std::int32_t way = 0; way < 2; ++way)
    for (const std::int32_t radius : {0, 1, 3, kMostRadius}) {
      std::vector<std::int32_t> heights = {0, 1, 1 << 15, size(1 << 15), size(1 << 15)};
      const std::int32_t width = radius == kMostRadius ? 1 << 15 : size(1 << 15);
      const Answer answer = grade(call("predict_multiply_adds", {number("way", way), each("heights", heights),
                                                                 number("width", width), number("radius", radius)}));
      const std::vector<std::int64_t> found = answer.output<std::int64_t>(kReturned);
      REQUIRE(found.size() == heights.size());
      const std::int64_t for_each = way == 0 ? (2 * radius + 1) * (2 * radius + 1) : 2 * (2 * radius + 1);
      for (std::size_t i = 0; i < heights.size(); ++i)
        require_predicted(
            "predict_multiply_adds(Way::" + kWays[way] + ", " + std::to_string(heights[i]) + ", " +
                std::to_string(width) + ", " + std::to_string(radius) + ")",
            found[i], for_each * heights[i] * width,
            "A filter of radius r has 2r + 1 rows of 2r + 1 weights, and each weight is multiplied once "
            "for a pixel; in two passes, the 2r + 1 of a row and the 2r + 1 of a column are. Large images "
            "take more multiply-adds than an int can hold.");
    }
}

WB_LAB_TEST(correctness, 4, "the predicted loads for a pixel are right") {
  std::vector<std::int32_t> tiles = {1, 16, 32, 64, 1024, size(1024)};
  for (const std::int32_t radius : {0, 1, 7, kMostRadius}) {
    const Answer answer = grade(call("predict_loads_per_pixel", {each("tiles", tiles), number("radius", radius)}));
    const std::vector<double> found = answer.output<double>(kReturned);
    REQUIRE(found.size() == tiles.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const double side = tiles[i] + 2.0 * radius;
      require_predicted("predict_loads_per_pixel(" + std::to_string(tiles[i]) + ", " + std::to_string(radius) + ")",
                        found[i], side * side / tiles[i] / tiles[i],
                        "The block brings its pixels and `radius` more on each of the four sides, corners too.");
    }
  }
}

WB_LAB_TEST(correctness, 4, "the predicted radius that costs nothing is right") {
  for (std::int32_t way = 0; way < 2; ++way)
    for (const double tflops : {66.9, 15.7, 19.5, 5.3}) {
      std::vector<double> speeds = {4250, 900, 1555, 2000, 615};
      if (way == 1) speeds.push_back(300.7);
      const Answer answer =
          grade(call("predict_free_radius", {number("way", way), number("tflops", tflops), each("speeds", speeds)}));
      const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
      REQUIRE(found.size() == speeds.size());
      for (std::size_t i = 0; i < speeds.size(); ++i) {
        const double products = 8 / (speeds[i] * 1e9) * tflops * 1e12 / 2;  // In the time of 8 bytes.
        const double side = way == 0 ? std::sqrt(products) : products / 2;
        require_predicted("predict_free_radius(Way::" + kWays[way] + ", " + std::to_string(tflops) + ", " +
                              std::to_string(speeds[i]) + ")",
                          found[i], static_cast<std::int32_t>((side - 1) / 2),
                          "8 bytes take 8 / (gb_per_s * 10^9) seconds; in that time the GPU does tflops * 10^12 times "
                          "as many operations, and a multiply-add is two of them.");
      }
    }
}

// ---- Part 2: weights in constant memory

WB_LAB_TEST(correctness, 12, "the filter with constant weights is exact, at both borders") {
  check_all(kConstant, kMostProducts / 4);
  check_twice(kConstant);
}

WB_LAB_TEST(counters, 6, "the weights do not come from global memory") {
  const Answer answer = counted(kConstant, kCounted);
  require_at_most(answer, Quantity::global_load_requests, 1.1 * kWeights * kPixels / 32,
                  "32 neighbouring pixels need a load of 32 pixels for each of the 49 weights. Weights from global "
                  "memory are as many loads again; constant memory is another path, made for a warp whose lanes all "
                  "want the same word.");
}

// ---- Part 3: a tile with its halo

WB_LAB_TEST(correctness, 14, "the filter by tiles is exact, at both borders") {
  check_all(kTiled, kMostProducts);
  check_twice(kTiled);
}

constexpr const char* kHalo =
    "A tile of 32 x 32 pixels with a halo of 3 on each side has 38 x 38: 1.4 for each pixel, and 1.8 as the ends of a "
    "row of 38 share sectors with pixels that nobody wants.";

WB_LAB_TEST(counters, 6, "tiles bring each pixel once") {
  const Answer answer = counted(kTiled, kCounted);
  require_at_most(answer, Quantity::global_load_bytes, 2.2 * 4 * kPixels, kHalo);
}

WB_LAB_TEST(counters, 6, "the filter by tiles reads shared memory without conflicts") {
  const Answer answer = counted(kTiled, kCounted);
  require_at_most(answer, Quantity::shared_bank_conflicts, 0,
                  "A warp is a row of 32 threads and reads 32 words side by side, wherever they begin.");
  require_at_most(answer, Quantity::shared_wavefronts, 1.15 * kWeights * kPixels / 32,
                  "One wavefront brings 32 pixels, one for each weight. Weights that lie in shared memory as well "
                  "come on top.");
  require_at_most(answer, Quantity::global_load_bytes, 2.2 * 4 * kPixels, kHalo);
}

WB_LAB_TEST(counters, 6, "the filter by tiles needs few instructions") {
  const Answer answer = counted(kTiled, kWide);
  require_at_most(answer, Quantity::warp_instructions, 4.0 * 225 * kPixels / 32,
                  "32 multiply-adds take one load of a pixel and one multiply-add; the weight, its index and the loop "
                  "are shared by four pixels. Apply the border rule while the tile is filled.");
}

// ---- Part 4: along rows, then along columns

WB_LAB_TEST(correctness, 14, "the separable filter is exact, at both borders") {
  check_all(kSeparable, kMostPixels * 961);
  check(kSeparable, {1 << 8, 1 << 12, 1, kClamp});
}

WB_LAB_TEST(correctness, 4, "the separable filter is applied anew each time") {
  check_twice(kSeparable);
  check_in_other_orders(kSeparable);
}

WB_LAB_TEST(correctness, 4, "the separable filter of real numbers is as exact as single precision allows") {
  for (const Filtered& f : {Filtered{70, 60, 15, kClamp}, {33, 100, 9, kZero}}) {
    const std::vector<float> image = test_random().array(f.height * f.width, -1.0f, 1.0f),
                             weights = test_random().array(weights_for(kSeparable, f), -1.0f, 1.0f);
    const std::vector<double> exact = expected_of<double>(image, weights, f);
    const Answer answer = grade(call(kSeparable, arguments(kSeparable, f, image, weights)));
    Comparison comparison = compare_close(answer, "out", std::vector<float>(exact.begin(), exact.end()), {0, 2e-4},
                                          {static_cast<std::size_t>(f.height), static_cast<std::size_t>(f.width)});
    if (!comparison.passed)
      comparison.finding.more.push_back(
          "Sums of 31 sums of 31 products in single precision are off by some 10^-5 here. Sums that are rounded to "
          "fewer bits (half) are off by a hundred times as much.");
    require_compared(answer, "out", comparison);
  }
  check_in_other_orders(kSeparable);
}

WB_LAB_TEST(counters, 6, "the separable filter reads and writes the image once") {
  const Answer answer = counted(kSeparable, kWide);
  require_at_most(answer, Quantity::global_load_bytes, 2.5 * 4 * kPixels,
                  "A tile of 32 x 32 pixels with a halo of 7 on each side has 46 x 46: 2.1 for each pixel.");
  require_at_most(answer, Quantity::global_store_bytes, 1.1 * 4 * kPixels,
                  "The sums along rows stay in shared memory; only what comes out is stored.");
}

WB_LAB_TEST(time, 10, "the separable filter is as fast as the reference") {
  check_in_other_orders(kSeparable);
  require_time(
      benchmark_case, [](const Case& given) { check(given, kSeparable); }, 1.3, 4.0);
}

WB_LAB_BENCHMARK { return filter_case(random, kSeparable, {1024, 1024, 7, kClamp}); }

// 256 MiB in, 256 MiB out: more than the contract promises, for the rungs on a real GPU.
WB_LAB_LARGE_BENCHMARK { return filter_case(random, kSeparable, {8192, 8192, 7, kClamp}); }
