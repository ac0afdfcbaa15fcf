// For tests: a warp that reads a texture or accesses a surface, with its own texels.
#pragma once

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/simulator/machine/image.h"
#include "common/simulator/machine/testing.h"

namespace warpbook::simulator::testing {

/// A lane's inputs: coordinates, level of detail, two derivatives, a layer and a position on a surface.
struct Lane {
  float at[3] = {0, 0, 0}, level = 0, dx[3] = {0, 0, 0}, layer_bits = 0;
  std::int32_t layer = 0, x = 0, y = 0, z = 0;
};
static_assert(sizeof(Lane) == 48);

using Four = std::array<float, 4>;
using FourWords = std::array<std::uint32_t, 4>;

/// One warp: reads `Lane`s from p0, writes results to p1 (16 bytes per lane); p2 is the handle.
inline std::string image_kernel(const std::string& body, bool words) {
  const std::string store =
      words ? "st.global.v4.b32 [%rd2], {%r8, %r9, %r10, %r11};" : "st.global.v4.f32 [%rd2], {%f8, %f9, %f10, %f11};";
  return ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 "
         "p2)\n{\n.reg .pred %p<4>; .reg .b16 %rs<8>; .reg .b32 %r<16>; .reg .f32 %f<16>; .reg .b64 %rd<16>;\n"
         "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];\n"
         "mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 48; add.u64 %rd1, %rd1, %rd4; mul.wide.u32 %rd5, %r1, 16;\n"
         "add.u64 %rd2, %rd2, %rd5; ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1];\n"
         "ld.global.v4.f32 {%f4, %f5, %f6, %f7}, [%rd1+16]; ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd1+32];\n"
         "ld.global.v4.b32 {%r8, %r9, %r10, %r11}, [%rd2]; cvt.u16.u32 %rs1, %r8; cvt.u16.u32 %rs2, %r9;\n"
         "cvt.u16.u32 %rs3, %r10; cvt.u16.u32 %rs4, %r11; mov.b64 %rd8, {%r8, %r9}; mov.b64 %rd9, {%r10, %r11};\n"
         "mov.b32 %f8, 0; mov.b32 %f9, 0; mov.b32 %f10, 0; mov.b32 %f11, 0;\n" +
         body + ";\n" + store + "\nret;\n}\n";
}

/// Texels as bytes in an array's layout, and the image that describes them.
struct Texels {
  Image image;
  std::vector<std::byte> bytes;
};
inline Texels texels_of(TexelFormat format, unsigned dimensions, std::uint32_t w, std::uint32_t h, std::uint32_t d,
                        unsigned levels = 1, std::uint32_t layers = 1) {
  Texels made;
  made.image.dimensions = static_cast<std::uint8_t>(dimensions);
  made.image.format = format;
  made.image.layers = layers;
  made.image.layered = layers > 1;
  std::uint64_t at = 0;
  for (unsigned n = 0; n < levels; ++n) {
    ImageLevel level;
    level.width = std::max(w >> n, 1u);
    level.height = std::max(h >> n, 1u);
    level.depth = std::max(d >> n, 1u);
    level.offset = at;
    level.pitch = (level.width * format.bytes() + 63) / 64 * 64;
    level.slice = level.pitch * (dimensions > 1 ? (level.height + 7) / 8 * 8 : 1);
    at += level.slice * (dimensions == 3 ? level.depth : layers);
    made.image.levels.push_back(level);
  }
  made.image.bytes = at;
  made.image.name = "the array of this test";
  std::mt19937 random(7);
  made.bytes.resize(at);
  for (std::byte& b : made.bytes) b = static_cast<std::byte>(random());
  return made;
}
inline Texels floats(unsigned dimensions, std::uint32_t w, std::uint32_t h, std::uint32_t d, unsigned levels = 1,
                     std::uint32_t layers = 1) {
  Texels made = texels_of({TexelKind::floating, 32, 1, false}, dimensions, w, h, d, levels, layers);
  std::mt19937 random(11);
  for (std::size_t k = 0; k + 4 <= made.bytes.size(); k += 4) {
    const float value = static_cast<float>(static_cast<int>(random() % 20000) - 10000) / 64;
    std::memcpy(&made.bytes[k], &value, 4);
  }
  return made;
}

template <class T>
T texel_at(const Texels& texels, std::size_t level, long x, long y, long z, unsigned channel = 0) {
  T value;
  const Image& image = texels.image;
  const auto offset = image.offset_of(image.levels[level], static_cast<std::uint64_t>(x) * image.format.bytes(),
                                      static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z));
  std::memcpy(&value, &texels.bytes[offset + channel * sizeof(T)], sizeof(T));
  return value;
}

/// A program, a table with one object, and its memory.
struct Machine {
  Bench bench;
  ImageTable table;
  std::uint64_t handle = 0, input = 0, output = 0, memory = 0;

  Machine(const std::string& instruction, bool words, Texels texels, const Sampler* sampler,
          const std::vector<Lane>& lanes, const std::vector<std::uint32_t>& values = std::vector<std::uint32_t>(128))
      : bench(image_kernel(instruction, words)) {
    memory = bench.array(texels.bytes);
    texels.image.address = memory;
    handle = sampler != nullptr ? table.add(Texture{texels.image, *sampler}) : table.add(texels.image);
    bench.settings.images = &table;
    input = bench.array(lanes);
    output = bench.array(values);
  }
  LaunchResult run(unsigned threads = 32) { return bench.launch("k", {1}, {threads}, {input, output, handle}); }
};

}  // namespace warpbook::simulator::testing
