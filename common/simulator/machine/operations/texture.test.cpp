// Textures: filtering against formulas in double precision, levels of detail, cubemaps, gathers, counters.
#include <bit>
#include <cmath>

#include "common/simulator/machine/operations/image_bench.h"
#include "common/simulator/machine/operations/image_reference.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::testing;

namespace {

std::vector<Four> sampled(const std::string& instruction, const Texels& texels, const Sampler& sampler,
                          const std::vector<Lane>& lanes) {
  Machine machine(instruction, false, texels, &sampler, lanes);
  const LaunchResult result = machine.run();
  INFO(result.fault.message);
  REQUIRE_FALSE(result.fault);
  return machine.bench.read<Four>(machine.output, 32);
}

std::vector<Lane> random_lanes(unsigned seed, float low, float high) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(low, high);
  std::vector<Lane> lanes(32);
  for (Lane& lane : lanes)
    for (float& x : lane.at) x = any(random);
  return lanes;
}

bool close(double got, double wanted) { return std::abs(got - wanted) <= 2e-6 * std::max(1.0, std::abs(wanted)); }

/// In several dimensions weights are multiples of 1/256, as an H200's results show (runtime/tests/texture_answers.cu):
/// this is the maximum deviation from the programming guide's plain formula.
double weight_error(const Texels& texels, unsigned dimensions, bool linear) {
  if (!linear || dimensions == 1) return 0;
  double least = 3.25, most = 3.25;  // The border's colour
  const ImageLevel& size = texels.image.levels[0];
  for (long z = 0; z < static_cast<long>(size.depth); ++z)
    for (long y = 0; y < static_cast<long>(size.height); ++y)
      for (long x = 0; x < static_cast<long>(size.width); ++x) {
        const auto value = static_cast<double>(texel_at<float>(texels, 0, x, y, z));
        least = std::min(least, value);
        most = std::max(most, value);
      }
  return (most - least) * (dimensions == 2 ? 1.0 : 3.0) / 256;
}

ReferenceTexture reference_of(const Texels& texels, const Sampler& sampler, std::size_t level = 0) {
  const ImageLevel& size = texels.image.levels[level];
  ReferenceTexture reference;
  reference.dimensions = texels.image.dimensions;
  reference.size = {size.width, size.height, size.depth};
  reference.mode = sampler.address[0];
  reference.linear = sampler.linear;
  reference.normalized = sampler.normalized_coordinates;
  reference.border = static_cast<double>(sampler.border[0]);
  reference.texel = [&texels, level](long x, long y, long z) {
    return static_cast<double>(texel_at<float>(texels, level, x, y, z));
  };
  return reference;
}

const char* const kPlain[] = {"", "tex.1d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0}]",
                              "tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1}]",
                              "tex.3d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1, %f2, %f2}]"};

Sampler linear_sampler() {
  Sampler sampler;
  sampler.linear = true;
  return sampler;
}

}  // namespace

TEST_CASE("textures of 1, 2 and 3 dimensions are filtered as the programming guide says") {
  for (unsigned dimensions = 1; dimensions <= 3; ++dimensions)
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border})
      for (const bool linear : {false, true})
        for (const bool normalized : {false, true}) {
          CAPTURE(dimensions, static_cast<int>(mode), linear, normalized);
          const Texels texels = floats(dimensions, 13, dimensions > 1 ? 7 : 1, dimensions > 2 ? 5 : 1);
          Sampler sampler;
          for (AddressMode& m : sampler.address) m = mode;
          sampler.linear = linear;
          sampler.normalized_coordinates = normalized;
          for (float& part : sampler.border) part = 3.25f;
          const std::vector<Lane> lanes =
              random_lanes(dimensions, normalized ? -2.5f : -4.0f, normalized ? 3.5f : 18.0f);
          const std::vector<Four> got = sampled(kPlain[dimensions], texels, sampler, lanes);
          const ReferenceTexture reference = reference_of(texels, sampler);
          for (unsigned lane = 0; lane < 32; ++lane) {
            const auto& at = lanes[lane].at;
            const double wanted = reference_sample(
                reference, {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
            CAPTURE(lane, at[0], at[1], at[2], wanted, got[lane][0]);
            const double error = std::abs(static_cast<double>(got[lane][0]) - wanted);
            CHECK((close(static_cast<double>(got[lane][0]), wanted) ||
                   error <= weight_error(texels, dimensions, linear)));
          }
        }
}

TEST_CASE("the fraction of a linear filter has 8 bits, rounded to nearest, as on an H200") {
  Texels texels = floats(1, 4, 1, 1);
  const float values[4] = {0, 1, 10, 100};
  std::memcpy(texels.bytes.data(), values, sizeof values);
  std::vector<Lane> lanes(32);
  for (unsigned k = 0; k < 32; ++k) lanes[k].at[0] = 0.5f + static_cast<float>(k) / 1024 + 1.0f / 4096;
  const std::vector<Four> got = sampled(kPlain[1], texels, linear_sampler(), lanes);
  for (unsigned k = 0; k < 32; ++k) CHECK(static_cast<double>(got[k][0]) == std::floor((k + 0.25) / 4 + 0.5) / 256);
}

TEST_CASE("integers are read unchanged, or normalised to their range") {
  struct Case {
    TexelKind kind;
    unsigned bits, channels;
  };
  for (const Case& c : {Case{TexelKind::unsigned_integer, 8, 1}, Case{TexelKind::signed_integer, 8, 4},
                        Case{TexelKind::unsigned_integer, 16, 2}, Case{TexelKind::signed_integer, 16, 4},
                        Case{TexelKind::unsigned_integer, 32, 1}, Case{TexelKind::signed_integer, 32, 4}}) {
    CAPTURE(static_cast<int>(c.kind), c.bits, c.channels);
    const Texels texels = texels_of(
        {c.kind, static_cast<std::uint8_t>(c.bits), static_cast<std::uint8_t>(c.channels), false}, 2, 8, 4, 1);
    std::vector<Lane> lanes(32);
    for (unsigned k = 0; k < 32; ++k) {
      lanes[k].at[0] = static_cast<float>(k % 8) + 0.5f;
      const unsigned row = k / 8;
      lanes[k].at[1] = static_cast<float>(row) + 0.5f;
    }
    const auto raw = [&](unsigned k, unsigned channel) -> std::int64_t {
      std::uint32_t bits = 0;
      const auto& level = texels.image.levels[0];
      std::memcpy(&bits,
                  &texels.bytes[texels.image.offset_of(level, k % 8 * texels.image.format.bytes(), k / 8, 0) +
                                channel * c.bits / 8],
                  c.bits / 8);
      const std::int64_t value = bits;
      const bool negative = c.kind == TexelKind::signed_integer && (bits >> (c.bits - 1) & 1) != 0;
      return negative ? value - (std::int64_t{1} << c.bits) : value;
    };
    Sampler sampler;
    const auto words = [&] {  // Destroyed before the next one is made: only one memory at a time.
      Machine plain("tex.2d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd3, {%f0, %f1}]", true, texels, &sampler, lanes);
      REQUIRE_FALSE(plain.run().fault);
      return plain.bench.read<FourWords>(plain.output, 32);
    }();
    for (unsigned k = 0; k < 32; ++k)
      for (unsigned channel = 0; channel < c.channels; ++channel)
        CHECK(words[k][channel] == static_cast<std::uint32_t>(raw(k, channel)));
    if (c.bits == 32) continue;
    sampler.normalized_values = true;
    const std::vector<Four> fractions = sampled(kPlain[2], texels, sampler, lanes);
    const double most = c.kind == TexelKind::signed_integer ? std::exp2(c.bits - 1) - 1 : std::exp2(c.bits) - 1;
    for (unsigned k = 0; k < 32; ++k)
      for (unsigned channel = 0; channel < c.channels; ++channel)
        CHECK(fractions[k][channel] == static_cast<float>(std::max(-1.0, static_cast<double>(raw(k, channel)) / most)));
  }
}

TEST_CASE("halves become floats, and sRGB bytes become linear") {
  const Texels halves = texels_of({TexelKind::floating, 16, 1, false}, 1, 32, 1, 1);
  Texels known = halves;
  const std::uint16_t bits[4] = {0x3c00, 0xc100, 0x0001, 0x7bff};
  std::memcpy(known.bytes.data(), bits, sizeof bits);
  std::vector<Lane> lanes(32);
  for (unsigned k = 0; k < 32; ++k) lanes[k].at[0] = static_cast<float>(k) + 0.5f;
  const std::vector<Four> got = sampled(kPlain[1], known, Sampler(), lanes);
  CHECK(got[0][0] == 1.0f);
  CHECK(got[1][0] == -2.5f);
  CHECK(got[2][0] == std::exp2(-24.0f));
  CHECK(got[3][0] == 65504.0f);

  Texels colours = texels_of({TexelKind::unsigned_integer, 8, 4, false}, 1, 32, 1, 1);
  Sampler sampler;
  sampler.normalized_values = sampler.srgb = true;
  const std::vector<Four> linear = sampled(kPlain[1], colours, sampler, lanes);
  for (unsigned k = 0; k < 32; ++k)
    for (unsigned channel = 0; channel < 4; ++channel) {
      const double x = texel_at<std::uint8_t>(colours, 0, k, 0, 0, channel) / 255.0;
      const double wanted = channel == 3 ? x : x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
      CHECK(close(static_cast<double>(linear[k][channel]), wanted));
    }
}

TEST_CASE("layers are read one by one, and clamped") {
  const Texels texels = floats(2, 6, 5, 1, 1, 4);
  const Texels rows = floats(1, 6, 1, 1, 1, 4);
  std::vector<Lane> lanes = random_lanes(3, 0, 5);
  for (unsigned k = 0; k < 32; ++k) lanes[k].layer = static_cast<std::int32_t>(k % 6);
  const auto got = sampled("tex.a2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%r4, %f0, %f1, %f1}]", texels,
                           linear_sampler(), lanes);
  const auto flat =
      sampled("tex.a1d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%r4, %f0}]", rows, linear_sampler(), lanes);
  for (unsigned k = 0; k < 32; ++k) {
    const long layer = std::min<long>(lanes[k].layer, 3);
    ReferenceTexture reference = reference_of(texels, linear_sampler());
    reference.texel = [&](long x, long y, long) {
      return static_cast<double>(texel_at<float>(texels, 0, x, y, layer));
    };
    const std::array<double, 3> at = {static_cast<double>(lanes[k].at[0]), static_cast<double>(lanes[k].at[1]), 0};
    CHECK(std::abs(static_cast<double>(got[k][0]) - reference_sample(reference, at)) <= weight_error(texels, 2, true));
    reference = reference_of(rows, linear_sampler());
    reference.texel = [&](long x, long, long) { return static_cast<double>(texel_at<float>(rows, 0, x, 0, layer)); };
    CHECK(close(static_cast<double>(flat[k][0]), reference_sample(reference, at)));
  }
}

TEST_CASE("levels of detail are chosen, mixed, biased and clamped") {
  const Texels texels = floats(2, 32, 16, 1, 6);
  std::vector<Lane> lanes = random_lanes(5, -0.5f, 1.5f);
  for (unsigned k = 0; k < 32; ++k) lanes[k].level = static_cast<float>(k) * 0.21f - 0.6f;
  for (const bool mixed : {false, true})
    for (const float bias : {0.0f, 1.25f}) {
      CAPTURE(mixed, bias);
      Sampler sampler = linear_sampler();
      sampler.normalized_coordinates = true;
      sampler.linear_levels = mixed;
      sampler.level_bias = bias;
      sampler.least_level = 0.5f;
      sampler.greatest_level = 4.25f;
      const auto got =
          sampled("tex.level.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1}], %f3", texels, sampler, lanes);
      for (unsigned k = 0; k < 32; ++k) {
        const std::array<double, 3> at = {static_cast<double>(lanes[k].at[0]), static_cast<double>(lanes[k].at[1]), 0};
        const double level = std::clamp(static_cast<double>(lanes[k].level) + static_cast<double>(bias), 0.5, 4.25);
        const auto value = [&](double n) {
          return reference_sample(reference_of(texels, sampler, static_cast<std::size_t>(n)), at);
        };
        const double steps = std::floor(level * 256) / 256, low = std::floor(steps), part = steps - low;
        const double wanted =
            mixed ? (1 - part) * value(low) + (part > 0 ? part * value(low + 1) : 0) : value(std::floor(level + 0.5));
        CAPTURE(k, level, wanted);
        CHECK(std::abs(static_cast<double>(got[k][0]) - wanted) <= 2 * weight_error(texels, 2, true));
      }
    }
}

TEST_CASE("gradients give the level of the longer one") {
  const Texels texels = floats(2, 64, 64, 1, 7);
  std::vector<Lane> lanes = random_lanes(6, 0.1f, 0.9f);
  for (unsigned k = 0; k < 32; ++k) {
    lanes[k].dx[0] = static_cast<float>(k + 1) / 64 * (k % 2 != 0 ? 1.0f : -0.75f);
    lanes[k].dx[1] = static_cast<float>(k % 5) / 128;
  }
  Sampler sampler;
  sampler.normalized_coordinates = true;
  sampler.greatest_level = 9;
  const auto got = sampled("tex.grad.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1}], {%f4, %f5}, {%f5, %f5}",
                           texels, sampler, lanes);
  for (unsigned k = 0; k < 32; ++k) {
    const auto dx = lanes[k].dx;
    const double x = static_cast<double>(dx[0]) * 64, y = static_cast<double>(dx[1]) * 64;
    const double level = std::clamp(reference_level({x, y, 0}, {y, y, 0}), 0.0, 6.0);
    if (std::abs(level - std::floor(level) - 0.5) < 1e-3) continue;
    const auto reference = reference_of(texels, sampler, static_cast<std::size_t>(std::floor(level + 0.5)));
    CAPTURE(k, level);
    CHECK(static_cast<double>(got[k][0]) ==
          reference_sample(reference, {static_cast<double>(lanes[k].at[0]), static_cast<double>(lanes[k].at[1]), 0}));
  }
}

TEST_CASE("anisotropy takes the mean along the longer gradient") {
  Texels texels = floats(2, 64, 64, 1, 7);
  for (std::uint32_t y = 0; y < 64; ++y)
    for (std::uint32_t x = 0; x < 64; ++x) {
      const float value = static_cast<float>(x);
      std::memcpy(&texels.bytes[texels.image.offset_of(texels.image.levels[0], 4 * x, y, 0)], &value, 4);
    }
  Sampler sampler = linear_sampler();
  sampler.normalized_coordinates = true;
  sampler.greatest_level = 9;
  sampler.anisotropy = 8;
  std::vector<Lane> lanes(32);
  for (Lane& lane : lanes) {
    lane.at[0] = lane.at[1] = 0.5f;
    lane.dx[0] = 8.0f / 64;
    lane.dx[1] = 1.0f / 64;
  }
  // The other gradient is one texel: eight samples of level 0 along x, whose mean is at the centre.
  const auto got = sampled("tex.grad.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1}], {%f4, %f6}, {%f6, %f5}",
                           texels, sampler, lanes);
  CHECK(close(static_cast<double>(got[0][0]), 31.5));
}

TEST_CASE("a direction selects the cubemap face and coordinates of the guide's table") {
  Texels texels = floats(2, 8, 8, 1, 1, 12);
  texels.image.cubemap = true;
  texels.image.layered = false;
  texels.image.layers = 6;
  std::vector<Lane> lanes = random_lanes(9, -1, 1);
  const auto got =
      sampled("tex.cube.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1, %f2, %f2}]", texels, Sampler(), lanes);
  Texels several = texels;
  several.image.layered = true;
  several.image.layers = 12;
  for (Lane& lane : lanes) lane.layer = 1;
  const auto second =
      sampled("tex.acube.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%r4, %f0, %f1, %f2}]", several, Sampler(), lanes);
  for (unsigned k = 0; k < 32; ++k) {
    const auto& at = lanes[k].at;
    const ReferenceFace on =
        reference_face(static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2]));
    const long x = std::min(7L, static_cast<long>(on.s * 8)), y = std::min(7L, static_cast<long>(on.t * 8));
    CAPTURE(k, on.face, on.s, on.t);
    CHECK(got[k][0] == texel_at<float>(texels, 0, x, y, on.face));
    CHECK(second[k][0] == texel_at<float>(several, 0, x, y, 6 + on.face));
  }
}

TEST_CASE("a seamless cubemap is continuous across its edges") {
  Texels texels = floats(2, 4, 4, 1, 1, 6);
  texels.image.cubemap = true;
  texels.image.layered = false;
  Sampler sampler = linear_sampler();
  std::vector<Lane> lanes(32);
  // Pairs of directions on both sides of an edge between +x and +z.
  for (unsigned k = 0; k < 32; ++k) {
    lanes[k].at[0] = k % 2 == 0 ? 1.0f : 0.9999f;
    lanes[k].at[2] = k % 2 == 0 ? 0.9999f : 1.0f;
    const unsigned pair = k / 2;
    lanes[k].at[1] = static_cast<float>(pair) / 10 - 0.74f;
  }
  const std::string instruction = "tex.cube.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1, %f2, %f2}]";
  const auto apart = sampled(instruction, texels, sampler, lanes);
  sampler.seamless = true;
  const auto joined = sampled(instruction, texels, sampler, lanes);
  unsigned seams = 0;
  for (unsigned k = 0; k < 32; k += 2) {
    seams += std::abs(apart[k][0] - apart[k + 1][0]) > 5 ? 1 : 0;
    CHECK(std::abs(joined[k][0] - joined[k + 1][0]) < 5);
  }
  CHECK(seams > 4);
}

TEST_CASE("a gather gives one channel of four texels, counter-clockwise") {
  const Texels texels = texels_of({TexelKind::unsigned_integer, 8, 4, false}, 2, 9, 6, 1);
  const std::vector<Lane> lanes = random_lanes(12, -2, 10);
  Sampler sampler;
  sampler.normalized_values = true;
  const char* const names = "rgba";
  for (unsigned channel = 0; channel < 4; ++channel) {
    const auto got =
        sampled("tld4." + std::string(1, names[channel]) + ".2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0, %f1}]",
                texels, sampler, lanes);
    ReferenceTexture reference = reference_of(texels, sampler);
    reference.texel = [&](long x, long y, long) { return texel_at<std::uint8_t>(texels, 0, x, y, 0, channel) / 255.0; };
    for (unsigned k = 0; k < 32; ++k) {
      const auto wanted =
          reference_gather(reference, {static_cast<double>(lanes[k].at[0]), static_cast<double>(lanes[k].at[1]), 0});
      for (unsigned i = 0; i < 4; ++i) CHECK(close(static_cast<double>(got[k][i]), wanted[i]));
    }
  }
}

TEST_CASE("linear memory is read by index, and is 0 outside") {
  Texels texels = floats(1, 20, 1, 1);
  texels.image.kind = Image::Kind::linear;
  std::vector<Lane> lanes(32);
  for (unsigned k = 0; k < 32; ++k) lanes[k].layer = static_cast<std::int32_t>(k) - 4;
  const auto got = sampled("tex.1d.v4.f32.s32 {%f8, %f9, %f10, %f11}, [%rd3, {%r4}]", texels, Sampler(), lanes);
  for (unsigned k = 0; k < 32; ++k)
    CHECK(got[k][0] == (k < 4 || k >= 24 ? 0.0f : texel_at<float>(texels, 0, k - 4, 0, 0)));
}

TEST_CASE("a predicate says that memory is resident, and lanes that are off keep what they had") {
  const Texels texels = floats(2, 8, 8, 1);
  const std::vector<Lane> lanes = random_lanes(2, 0, 8);
  const Sampler sampler;
  Machine machine(
      "setp.lt.u32 %p1, %r1, 5; setp.ne.u32 %p3, 0, 0;\n"
      "@%p1 tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}|%p3, [%rd3, {%f0, %f1}]; selp.f32 %f9, 0f3F800000, 0f00000000, "
      "%p3",
      false, texels, &sampler, lanes);
  REQUIRE_FALSE(machine.run().fault);
  const auto got = machine.bench.read<Four>(machine.output, 32);
  for (unsigned k = 0; k < 32; ++k) {
    CHECK(got[k][1] == (k < 5 ? 1.0f : 0.0f));
    CHECK((got[k][0] != 0) == (k < 5));
  }
}

TEST_CASE("sectors of arrays are those of tiles, and what a block read before is in its L1") {
  const Texels texels = floats(2, 64, 64, 1);
  std::vector<Lane> rows(32), square(32);
  for (unsigned k = 0; k < 32; ++k) {
    rows[k].at[0] = static_cast<float>(k) + 0.5f;
    rows[k].at[1] = 0.5f;
    square[k].at[0] = static_cast<float>(k % 8) + 0.5f;
    const unsigned row = k / 8;
    square[k].at[1] = static_cast<float>(row) + 0.5f;
  }
  const Sampler sampler;
  const std::string once = kPlain[2];
  struct Counted {
    MemoryCounters first, last;
    std::uint64_t read = 0;
  };
  const auto count = [&](const std::string& instructions, const std::vector<Lane>& lanes) {
    Machine machine(instructions, false, texels, &sampler, lanes);
    const LaunchResult result = machine.run();
    const auto& all = machine.bench.program->memory_operations;
    Counted counted;
    for (std::size_t m = all.size(); m-- > 0;) {
      if (machine.bench.program->details[all[m]].spelling.rfind("tex", 0) != 0) continue;
      counted.first = result.counters.memory[m];
      if (counted.last.requests == 0) counted.last = counted.first;
    }
    counted.read = result.counters.read_sectors;
    return counted;
  };
  const Counted row = count(once, rows), tile = count(once + ";" + once, square);
  const MemoryCounters& a = row.first;
  // 32 texels of a row are 8 pieces of 16 bytes, in lines of 32 bytes by 4 rows.
  CHECK(a.requests == 8);  // Of four lanes each.
  CHECK(a.sectors == 8);
  CHECK(a.lines == 8);
  CHECK(a.bytes == 128);
  CHECK(a.sectors_hit == 0);
  const MemoryCounters& b = tile.first;
  // 8 by 4 texels are four pieces of 16 bytes by 2 rows, which two requests each need.
  CHECK(b.sectors == 8);
  CHECK(b.sectors_hit == 4);
  CHECK(tile.last.sectors_hit == 8);
  CHECK(tile.read == row.read - 4);
}
