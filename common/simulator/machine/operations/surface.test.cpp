// Surfaces of every width, shape and boundary mode; queries; and errors of objects and instructions.
#include <algorithm>

#include "common/simulator/machine/operations/image_bench.h"
#include "common/simulator/machine/operations/image_forms.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::testing;

TEST_CASE("queries give sizes and formats") {
  const Texels texels = texels_of({TexelKind::signed_integer, 16, 2, false}, 3, 12, 10, 6, 2);
  struct Case {
    const char* instruction;
    std::uint32_t wanted;
  };
  for (const Case& c :
       {Case{"txq.width.b32 %r8, [%rd3]", 12}, Case{"txq.height.b32 %r8, [%rd3]", 10},
        Case{"txq.depth.b32 %r8, [%rd3]", 6}, Case{"txq.channel_data_type.b32 %r8, [%rd3]", 0x10d8},
        Case{"txq.channel_order.b32 %r8, [%rd3]", 0x10b2}, Case{"txq.normalized_coords.b32 %r8, [%rd3]", 0},
        Case{"txq.num_mipmap_levels.b32 %r8, [%rd3]", 2}, Case{"txq.array_size.b32 %r8, [%rd3]", 1},
        Case{"txq.level.width.b32 %r8, [%rd3], 1", 6}, Case{"txq.level.height.b32 %r8, [%rd3], 1", 5},
        Case{"txq.level.depth.b32 %r8, [%rd3], 1", 3}}) {
    CAPTURE(c.instruction);
    const Sampler sampler;
    Machine machine(c.instruction, true, texels, &sampler, std::vector<Lane>(32));
    REQUIRE_FALSE(machine.run().fault);
    CHECK(machine.bench.read<FourWords>(machine.output, 32)[31][0] == c.wanted);
  }
  Machine machine("suq.width.b32 %r8, [%rd3]; suq.height.b32 %r9, [%rd3]; suq.channel_order.b32 %r10, [%rd3]", true,
                  texels, nullptr, std::vector<Lane>(32));
  REQUIRE_FALSE(machine.run().fault);
  CHECK(machine.bench.read<FourWords>(machine.output, 32)[0] == FourWords{12, 10, 0x10b2, 0});
}

TEST_CASE("surfaces are loaded and stored in every width, shape and boundary mode") {
  std::mt19937 random(4);
  unsigned tested = 0;
  for (const std::string& instruction : tested_image_instructions()) {
    if (instruction.rfind("sust.b.", 0) != 0 && instruction.rfind("suld.b.", 0) != 0) continue;
    CAPTURE(instruction);
    ++tested;
    const bool stores = instruction[1] == 'u' && instruction[2] == 's';
    const std::string shape = instruction.substr(7, instruction.find('.', 7) - 7);
    const bool layered = shape[0] == 'a', trap = instruction.find(".trap") != std::string::npos,
               zero = instruction.find(".zero") != std::string::npos;
    const unsigned dimensions = layered ? static_cast<unsigned>(shape[1] - '0') : static_cast<unsigned>(shape[0] - '0');
    const unsigned element = instruction.find(".b8.") != std::string::npos    ? 1
                             : instruction.find(".b16.") != std::string::npos ? 2
                             : instruction.find(".b32.") != std::string::npos ? 4
                                                                              : 8;
    const unsigned vector = instruction.find(".v4.") != std::string::npos   ? 4
                            : instruction.find(".v2.") != std::string::npos ? 2
                                                                            : 1;
    const unsigned bytes = element * vector;
    const Texels texels = texels_of({TexelKind::unsigned_integer, 32, 4, false}, dimensions, 4, dimensions > 1 ? 3 : 1,
                                    dimensions > 2 ? 2 : 1, 1, layered ? 3 : 1);
    std::vector<Lane> lanes(32);
    const auto reach = [&](unsigned k) { return trap ? 0 : static_cast<int>(k % 3) - 1; };  // Beyond the edges.
    for (unsigned k = 0; k < 32; ++k) {
      lanes[k].x = static_cast<std::int32_t>(k % (64 / bytes) * bytes);
      lanes[k].y = dimensions > 1 ? static_cast<std::int32_t>(k % 3) : 0;
      lanes[k].z = dimensions > 2 ? static_cast<std::int32_t>(k % 2) : 0;
      lanes[k].layer = layered ? static_cast<std::int32_t>(k % 3) : 0;
      if (k % 4 == 1) lanes[k].x += reach(k) * 64;
      if (k % 4 == 2 && dimensions > 1) lanes[k].y += reach(k) * 3;
      if (k % 4 == 3 && layered) lanes[k].layer += reach(k) * 3;
    }
    std::vector<std::uint32_t> values(128);
    for (auto& value : values) value = static_cast<std::uint32_t>(random());
    const std::string widen =
        element == 1 ? "; cvt.u32.u16 %r8, %rs1; cvt.u32.u16 %r9, %rs2; cvt.u32.u16 %r10, %rs3; cvt.u32.u16 %r11, %rs4"
        : element == 2
            ? "; cvt.u32.u16 %r8, %rs1; cvt.u32.u16 %r9, %rs2; cvt.u32.u16 %r10, %rs3; cvt.u32.u16 %r11, %rs4"
        : element == 8 ? "; mov.b64 {%r8, %r9}, %rd8; mov.b64 {%r10, %r11}, %rd9"
                       : "";
    Machine machine(instruction + widen, true, texels, nullptr, lanes, values);
    const LaunchResult result = machine.run();
    INFO(result.fault.message);
    REQUIRE_FALSE(result.fault);
    // What the bytes of the surface must be, lane by lane.
    std::vector<std::byte> expected = texels.bytes;
    std::vector<std::uint32_t> loaded = values;
    const Image& image = texels.image;
    for (unsigned k = 0; k < 32; ++k) {
      const int slices = dimensions > 2 ? 2 : layered ? 3 : 1;
      int x = lanes[k].x, y = lanes[k].y, z = dimensions > 2 ? lanes[k].z : lanes[k].layer;
      const int rows = dimensions > 1 ? 3 : 1;
      const bool inside = x >= 0 && x + static_cast<int>(bytes) <= 64 && y >= 0 && y < rows && z >= 0 && z < slices;
      x = std::clamp(x, 0, 64 - static_cast<int>(bytes));
      y = std::clamp(y, 0, rows - 1);
      z = std::clamp(z, 0, slices - 1);
      std::byte* const at =
          expected.data() + image.offset_of(image.levels[0], static_cast<std::uint64_t>(x),
                                            static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z));
      for (unsigned i = 0; i < vector; ++i) {
        const unsigned word = element == 8 ? 4 * k + 2 * i : 4 * k + i;
        if (stores) {
          if (inside || !zero) std::memcpy(at + i * element, &values[word], element);
        } else if (element < 4) {
          loaded[word] = 0;
          if (inside || !zero) std::memcpy(&loaded[word], at + i * element, element);
        } else {
          std::memset(&loaded[word], 0, element);
          if (inside || !zero) std::memcpy(&loaded[word], at + i * element, element);
        }
      }
    }
    if (stores) {
      CHECK(machine.bench.read<std::byte>(machine.memory, expected.size()) == expected);
    } else {
      const auto got = machine.bench.read<std::uint32_t>(machine.output, 128);
      for (unsigned k = 0; k < 32; ++k)
        for (unsigned i = 0; i < (element == 8 ? 2 * vector : vector); ++i)
          REQUIRE(got[4 * k + i] == loaded[4 * k + i]);
    }
  }
  CHECK(tested == 330);
}

TEST_CASE("a formatted store converts to the format of the surface") {
  const Texels texels = texels_of({TexelKind::signed_integer, 8, 4, false}, 2, 8, 4, 1);
  std::vector<Lane> lanes(32);
  for (unsigned k = 0; k < 32; ++k) {
    lanes[k].x = static_cast<std::int32_t>(k % 8);
    lanes[k].y = static_cast<std::int32_t>(k / 8);
  }
  std::vector<std::uint32_t> values(128);
  for (unsigned k = 0; k < 128; ++k) values[k] = static_cast<std::uint32_t>(static_cast<std::int32_t>(k) * 9 - 500);
  Machine machine("sust.p.2d.v4.s32.trap [%rd3, {%r5, %r6}], {%r8, %r9, %r10, %r11}", true, texels, nullptr, lanes,
                  values);
  REQUIRE_FALSE(machine.run().fault);
  const auto got = machine.bench.read<std::int8_t>(machine.memory, texels.bytes.size());
  for (unsigned k = 0; k < 128; ++k)
    CHECK(got[k / 32 * 64 + k % 32] == std::clamp(static_cast<std::int32_t>(values[k]), -128, 127));
}

TEST_CASE("an invalid object or coordinate is reported") {
  const Texels texels = floats(2, 8, 4, 1);
  std::vector<Lane> lanes(32);
  for (unsigned k = 0; k < 32; ++k) lanes[k].x = static_cast<std::int32_t>(4 * k);
  const std::string store = "sust.b.2d.b32.trap [%rd3, {%r5, %r6}], {%r8}";
  const auto fault_of = [&](const std::string& instruction, bool texture, std::uint64_t change, int x) {
    std::vector<Lane> moved = lanes;
    moved[0].x = x;
    const Sampler sampler;
    Machine machine(instruction, true, texels, texture ? &sampler : nullptr, moved);
    machine.handle += change;
    return machine.run(1).fault;
  };
  CHECK_FALSE(fault_of(store, false, 0, 28));
  const Fault outside = fault_of(store, false, 0, 32);
  CHECK(outside.kind == FaultKind::out_of_bounds);
  CHECK(outside.cause == FaultCause::outside_surface);
  CHECK(outside.write);
  CHECK(outside.message ==
        "write of 4 bytes at x = 32 bytes, y = 0 outside a surface of 8 x 4 texels of 4 bytes: the array of this test");
  CHECK(fault_of(store, false, 0, 2).kind == FaultKind::misaligned);
  const Fault unknown = fault_of(store, false, 1, 0);
  CHECK(unknown.kind == FaultKind::out_of_bounds);
  CHECK(unknown.message == "2 is not the handle of a surface object: no call ever returned it");
  CHECK(fault_of(store, true, 0, 0).message == "1 is not the handle of a surface object: it is a texture object");
  const Fault shape = fault_of("tex.1d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0}]", true, 0, 0);
  CHECK(shape.kind == FaultKind::unsupported);
  CHECK(shape.message.find("the array has 2 dimensions") != std::string::npos);
}

TEST_CASE("instructions with a sampler of their own, or too few registers, are refused by name") {
  const Texels texels = floats(2, 8, 4, 1);
  const Sampler sampler;
  for (const auto& [instruction, reason] :
       {std::pair{"tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, %rd4, {%f0, %f1}]", "a sampler of its own"},
        std::pair{"tex.2d.v4.f32.f32 {%f8, %f9}, [%rd3, {%f0, %f1}]", "it has 2 values and takes 4"},
        std::pair{"tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd3, {%f0}]", "it has 1 coordinates and takes 2"}}) {
    std::string message;
    try {
      Machine machine(instruction, false, texels, &sampler, std::vector<Lane>(32));
      machine.run();
    } catch (const DecodeError& error) {  // Its only kernel begins with it.
      message = error.what();
    }
    CAPTURE(instruction, message);
    CHECK(message.find(reason) != std::string::npos);
  }
}
