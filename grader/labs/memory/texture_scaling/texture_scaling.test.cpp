// The tests of lab texture_scaling: predicted places and weights, resized and repeated images, and what they cost.
#include <algorithm>
#include <cmath>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

using Pixels = std::vector<std::uint8_t>;

constexpr int kMost = 1536;                                    // Pixels of a side: what the contract promises.
constexpr int kSteps = 256;                                    // Of a texture, from one centre to the next.
enum Edge : std::uint8_t { kWrap, kClamp, kMirror, kBorder };  // As cudaTextureAddressMode.

int size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

// ---- The oracle

/// The pixel that an index means, or -1: black.
int pixel_of(int index, int count, Edge edge) {
  const auto rest = [index](int period) { return (index % period + period) % period; };
  if (edge == kWrap) return rest(count);
  if (edge == kMirror) return std::min(rest(2 * count), 2 * count - 1 - rest(2 * count));
  if (edge == kBorder) return index >= 0 && index < count ? index : -1;
  return std::clamp(index, 0, count - 1);
}

/// Two neighbouring pixels, and the weight of the later one in 256ths. @param at a place in pixels
struct Pair {
  Pair(double at, int count, Edge edge) {
    auto steps = static_cast<int>(std::floor(kSteps * (at - 0.5) + 0.5));
    if (edge == kClamp) steps = std::clamp(steps, 0, (count - 1) * kSteps);
    weight = (steps % kSteps + kSteps) % kSteps;
    const int first = (steps - weight) / kSteps;
    pixel[0] = pixel_of(first, count, edge);
    pixel[1] = pixel_of(first + 1, count, edge);
  }
  int pixel[2] = {0, 0};
  int weight = 0;
};

struct Plane {
  Pixels pixels;
  int width = 0, height = 0;
  int at(int x, int y) const {
    return x < 0 || y < 0 ? 0 : pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x];
  }
};

/// An image of which a function says where in the input each column and row is.
template <class At>
Pixels filtered(const Plane& in, int width, int height, Edge edge, At at_x, At at_y) {
  Pixels out;
  for (int y = 0; y < height; ++y) {
    const Pair rows(at_y(y), in.height, edge);
    for (int x = 0; x < width; ++x) {
      const Pair columns(at_x(x), in.width, edge);
      int mean = kSteps * kSteps / 2;
      for (int corner = 0; corner < 4; ++corner) {
        const int right = corner & 1, below = corner >> 1;
        mean += (right != 0 ? columns.weight : kSteps - columns.weight) *
                (below != 0 ? rows.weight : kSteps - rows.weight) * in.at(columns.pixel[right], rows.pixel[below]);
      }
      out.push_back(static_cast<std::uint8_t>(mean / (kSteps * kSteps)));
    }
  }
  return out;
}

// ---- Cases

struct Shape2 {
  int width = 0, height = 0;
};

std::size_t area(Shape2 shape) {
  return static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.height);
}

Pixels noise(Random& random, Shape2 shape) { return random.array<std::uint8_t>(area(shape), 0, 255); }

Case image_case(const std::string& function, const Pixels& in, Shape2 from, Shape2 to) {
  if (function == "resize_by_hand")
    return call(function, {input("in", in), number("in_width", from.width), number("in_height", from.height),
                           output<std::uint8_t>("out", area(to)), number("out_width", to.width),
                           number("out_height", to.height)});
  return Case()
      .set("function", function)
      .set("in", in)
      .set("in_width", from.width)
      .set("in_height", from.height)
      .set("out_width", to.width)
      .set("out_height", to.height);
}

Plane input_of(const Case& given, const std::string& name = "in") {
  return {given.array<std::uint8_t>(name), static_cast<int>(given.integer("in_width")),
          static_cast<int>(given.integer("in_height"))};
}

Shape2 output_of(const Case& given) {
  return {static_cast<int>(given.integer("out_width")), static_cast<int>(given.integer("out_height"))};
}

Shape rows_of(Shape2 shape) { return {static_cast<std::size_t>(shape.height), static_cast<std::size_t>(shape.width)}; }

double place(int i, int in, int out) { return (i + 0.5) * in / out; }

Pixels resized(const Case& given, const std::string& name) {
  const Plane in = input_of(given, name);
  const Shape2 to = output_of(given);
  const std::function<double(int)> at_x = [&](int x) { return place(x, in.width, to.width); },
                                   at_y = [&](int y) { return place(y, in.height, to.height); };
  return filtered(in, to.width, to.height, kClamp, at_x, at_y);
}

/// Levels: one for weights of 8 bits, one in each direction for a place in float that is rounded the other way.
constexpr Tolerance kGreys{0, 3};

Answer check_filtered(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  Comparison comparison = compare_close(answer, "out", resized(given, "in"), kGreys, rows_of(output_of(given)));
  if (!comparison.passed)
    comparison.finding.more.push_back(
        "Check each: pixel i shows the place (i + 0.5) * in / out, in both directions; by hand, 0.5 less is how far "
        "it is beyond the first centre, but a texture takes the place itself; the fraction is the weight of the later "
        "pixel; a grey level is rounded, not cut off.");
  require_compared(answer, "out", comparison);
  return answer;
}

/// What must not change at all.
void check_same(const std::string& function, const Pixels& in, Shape2 from, Shape2 to) {
  const Case given = image_case(function, in, from, to);
  Pixels expected = in;
  expected.resize(area(to), in[0]);
  require_equal(grade(given), "out", expected, rows_of(to));
}

/// Without a filter. A place near the border of two pixels may show either.
Answer check_nearest(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  const Plane in = input_of(given);
  const Shape2 to = output_of(given);
  const Pixels found = answer.output<std::uint8_t>("out");
  Pixels expected;
  constexpr double kNear = 1e-3;
  const auto pixels_at = [](double at, int count) {
    return std::pair(pixel_of(static_cast<int>(std::floor(at - kNear)), count, kClamp),
                     pixel_of(static_cast<int>(std::floor(at + kNear)), count, kClamp));
  };
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const auto [left, right] = pixels_at(place(x, in.width, to.width), in.width);
      const auto [above, below] = pixels_at(place(y, in.height, to.height), in.height);
      int grey = in.at(right, below);
      for (const int other : {in.at(left, above), in.at(right, above), in.at(left, below)})
        if (expected.size() < found.size() && found[expected.size()] == other) grey = other;
      expected.push_back(static_cast<std::uint8_t>(grey));
    }
  require_equal(answer, "out", expected, rows_of(to));
  return answer;
}

Answer check_size(const std::string& function, Shape2 from, Shape2 to) {
  const Case given = image_case(function, noise(test_random(), from), from, to);
  return function == "resize_nearest" ? check_nearest(given) : check_filtered(given);
}

void check_in_other_orders(const std::string& function) {
  const Shape2 from{29, 21}, to{70, 19};
  for (const std::int64_t order : other_orders()) {
    const Case given = image_case(function, noise(test_random(), from), from, to).set(kScheduleSeed, order);
    if (function == "resize_nearest")
      check_nearest(given);
    else
      check_filtered(given);
  }
}

/// Both ways, around warps and blocks, thin ones, the book's example, and any.
void check_sizes(const std::string& function) {
  check_in_other_orders(function);
  for (const auto& [from, to] : std::initializer_list<std::pair<Shape2, Shape2>>{{{48, 32}, {64, 64}},
                                                                                 {{33, 17}, {100, 50}},
                                                                                 {{100, 60}, {37, 23}},
                                                                                 {{31, 9}, {97, 27}},
                                                                                 {{64, 40}, {66, 33}},
                                                                                 {{1, 1}, {5, 3}},
                                                                                 {{5, 3}, {1, 1}},
                                                                                 {{1, 40}, {33, 7}},
                                                                                 {{392, 272}, {196, 136}},
                                                                                 {{kMost, 3}, {1000, 5}},
                                                                                 {{3, kMost}, {8, 1001}},
                                                                                 {{7, 5}, {kMost, 4}},
                                                                                 {{4, 6}, {2, kMost}}})
    check_size(function, from, to);
  for (const int most : {40, 200, 400})
    check_size(function, {size(1, most), size(1, most)}, {size(1, most), size(1, most)});
}

/// Images that keep their size, or have only one grey.
void check_unchanged(const std::string& function) {
  for (const Shape2 shape : {Shape2{1, 1}, {32, 8}, {75, 41}, {size(1, 300), size(1, 300)}})
    check_same(function, noise(test_random(), shape), shape, shape);
  for (const int grey : {0, 1, 127, 128, 200, 254, 255, size(0, 255)}) {
    const Shape2 from{size(1, 60), size(1, 60)}, to{size(1, 90), size(1, 90)};
    check_same(function, Pixels(area(from), static_cast<std::uint8_t>(grey)), from, to);
  }
}

// ---- Counters

constexpr Shape2 kSmall{512, 384}, kLarge{768, 640};
constexpr double kRoom = 1.02;
constexpr double kPixels = 768.0 * 640;

Answer counted(const std::string& function) {
  check_in_other_orders(function);
  return check_size(function, kSmall, kLarge);
}

void require_each_stored_once(const Answer& answer) {
  require_at_most(
      answer, Quantity::global_store_bytes, kRoom * kPixels,
      "Each pixel is stored once, and neighbouring lanes store neighbouring bytes: 32 of them are a sector.");
}

/// One request to the texture units for four pixels, and no other way to the image.
void require_fetched_once(const Answer& answer) {
  require_at_most(answer, Quantity::global_load_requests, 0,
                  "The pixels of the input come from the texture, all of them.");
  double requests = 0;
  for (const KernelRecord& kernel : answer.profile.kernels) {
    const auto found = kernel.metrics.find("l1tex__t_requests_pipe_tex_mem_texture.sum");
    if (found != kernel.metrics.end()) requests += found->second;
  }
  if (requests > kRoom * kPixels / 4)
    WB_FAIL("texture_requests", "Too many requests to the texture units: "
                                    << requests << ", where " << kPixels / 4 << " are enough for " << kPixels
                                    << " pixels.\nA unit serves four lanes at a time, and its filter "
                                       "reads all four pixels around a place for each: "
                                       "one fetch for each pixel of the output.");
}

Case scaling_case(Random& random, Shape2 from, Shape2 to) {
  return image_case("resize", noise(random, from), from, to);
}

// ---- Repeated images

Answer check_repeated(Edge edge, Shape2 from, Shape2 to, double across, double down, std::int64_t order = -1) {
  Case given = image_case("repeat", noise(test_random(), from), from, to)
                   .set("edge", static_cast<int>(edge))
                   .set("across", across)
                   .set("down", down);
  if (order >= 0) given.set(kScheduleSeed, order);
  const Answer answer = grade(given);
  require_default_stream(answer);
  const std::function<double(int)> at_x = [&](int x) {
    return (((x + 0.5) / to.width - 0.5) * across + 0.5) * from.width;
  };
  const std::function<double(int)> at_y = [&](int y) {
    return (((y + 0.5) / to.height - 0.5) * down + 0.5) * from.height;
  };
  require_close(answer, "out", filtered(input_of(given), to.width, to.height, edge, at_x, at_y), kGreys, rows_of(to));
  return answer;
}

}  // namespace

// ---- Part 1: places and weights

WB_LAB_TEST(correctness, 4, "the predicted pixels are right") {
  for (const auto& [in, out] : {std::pair{272, 136}, {5, 12}, {7, 3}, {4096, 4093}, {size(1, 4096), size(1, 4096)}}) {
    std::vector<std::int32_t> pixels = {0, out / 2, out - 1}, expected;
    for (int i = 0; i < 60; ++i) pixels.push_back(static_cast<std::int32_t>(test_random().integer(0, out - 1)));
    for (const std::int32_t i : pixels) expected.push_back(static_cast<std::int32_t>((2LL * i + 1) * in / (2LL * out)));
    require_returned(grade(call("predict_pixel", {each("i", pixels), number("in", in), number("out", out)})), expected,
                     {"The centre of pixel i of " + std::to_string(out) + " is at (i + 0.5) * " + std::to_string(in) +
                      " / " + std::to_string(out) + ", in pixels of the input; round down, and compute in double."});
  }
}

WB_LAB_TEST(correctness, 5, "the predicted weights are right") {
  for (const auto& [in, out] : {std::pair{2, 4}, {5, 12}, {7, 3}, {4096, 4093}, {size(1, 4096), size(1, 4096)}}) {
    std::vector<std::int32_t> pixels = {0, out / 2, out - 1}, expected;
    for (int i = 0; i < 60; ++i) pixels.push_back(static_cast<std::int32_t>(test_random().integer(0, out - 1)));
    for (const std::int32_t i : pixels) {
      // 256 * ((i + 0.5) * in / out - 0.5) + 0.5, rounded down, in whole numbers.
      const std::int64_t above = 256 * (2LL * i + 1) * in - 255LL * out, below = 2LL * out;
      const std::int64_t steps = above < 0 ? 0 : std::min<std::int64_t>(above / below, 256LL * (in - 1));
      expected.push_back(static_cast<std::int32_t>(steps % 256));
    }
    require_returned(grade(call("predict_weight", {each("i", pixels), number("in", in), number("out", out)})), expected,
                     {"The place is (i + 0.5) * " + std::to_string(in) + " / " + std::to_string(out) +
                      "; the first centre is at 0.5, the last one at " + std::to_string(in) +
                      " - 0.5. The distance beyond a centre counts in 256ths, to the nearest; 256 of them are the next "
                      "centre, with a weight of 0."});
  }
}

WB_LAB_TEST(correctness, 4, "the predicted requests are right") {
  std::vector<std::int32_t> widths = {1, 4, 5, 31, 32, 33, 36, 768, 770, kMost};
  for (int i = 0; i < 6; ++i) widths.push_back(size(1, kMost));
  for (const int height : {1, 9, size(1, kMost)}) {
    std::vector<std::int32_t> expected;
    for (const std::int32_t width : widths) expected.push_back((width + 3) / 4 * height);
    require_returned(
        grade(call("predict_requests", {each("width", widths), number("height", height)})), expected,
        {"A warp is 32 pixels of a row. Its lanes 0 to 3 are one request, lanes 4 to 7 the next, and so on; "
         "a group of which one lane has a pixel counts, too."});
  }
}

// ---- Part 2: global loads

WB_LAB_TEST(correctness, 14, "images filtered by hand are right") {
  check_sizes("resize_by_hand");
  check_unchanged("resize_by_hand");
}

WB_LAB_TEST(counters, 6, "by hand, four loads make a pixel") {
  const Answer answer = counted("resize_by_hand");
  require_at_most(answer, Quantity::global_load_requests, kRoom * 4 * kPixels / 32,
                  "A warp makes 32 pixels with four loads.");
  require_each_stored_once(answer);
}

// ---- Part 3: an image in a texture

WB_LAB_TEST(correctness, 12, "images without a filter are right") {
  check_sizes("resize_nearest");
  check_unchanged("resize_nearest");
}

WB_LAB_TEST(counters, 5, "without a filter, each pixel is fetched once") {
  const Answer answer = counted("resize_nearest");
  require_fetched_once(answer);
  require_each_stored_once(answer);
}

// ---- Part 4: the filter of the texture

WB_LAB_TEST(correctness, 14, "filtered images of any size are right") {
  check_sizes("resize");
  check_unchanged("resize");
}

WB_LAB_TEST(correctness, 4, "two images live side by side") {
  const Shape2 from{size(20, 100), size(20, 100)}, to{size(20, 150), size(20, 150)};
  const Case given =
      image_case("two_images", noise(test_random(), from), from, to).set("other", noise(test_random(), from));
  const Answer answer = grade(given);
  require_close(answer, "out", resized(given, "in"), kGreys, rows_of(to));
  require_close(answer, "other_out", resized(given, "other"), kGreys, rows_of(to));
  check_in_other_orders("resize");
}

WB_LAB_TEST(counters, 8, "filtered, four pixels are fetched by a thread and stored at once") {
  const Answer answer = counted("resize");
  require_fetched_once(answer);
  require_each_stored_once(answer);
  require_at_most(answer, Quantity::global_store_requests, kRoom * kPixels / 128,
                  "A warp stores a uchar4 in each lane: 128 pixels with one instruction.");
}

WB_LAB_TEST(time, 12, "the filter is as fast as the reference") {
  check_in_other_orders("resize");
  require_time(
      benchmark_case, [](const Case& given) { check_filtered(given); }, 1.15, 1.8);
}

// ---- Part 5: beyond the edges

WB_LAB_TEST(correctness, 12, "repeated images are right with every edge") {
  for (const std::int64_t order : other_orders()) check_repeated(kMirror, {11, 9}, {70, 19}, 2.5, 1.5, order);
  for (const Edge edge : {kWrap, kClamp, kMirror, kBorder}) {
    check_repeated(edge, {32, 32}, {96, 96}, 3, 3);
    check_repeated(edge, {57, 40}, {131, 77}, 2.5, 4.25);
    check_repeated(edge, {1, 7}, {45, 33}, 8, 0.25);
    check_repeated(edge, {size(1, 100), size(1, 100)}, {size(1, 200), size(1, 200)},
                   test_random().array(1, 0.25f, 8.0f)[0], test_random().array(1, 0.25f, 8.0f)[0]);
  }
  check_repeated(kWrap, {kMost, 2}, {60, kMost}, 1.5, 8);
}

WB_LAB_BENCHMARK { return scaling_case(random, {512, 512}, {kMost, kMost}); }

// More than the contract promises, for the reference and the rungs on a real GPU: 16 and 256 MiB.
WB_LAB_LARGE_BENCHMARK { return scaling_case(random, {4096, 4096}, {16384, 16384}); }
