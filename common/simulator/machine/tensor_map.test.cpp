// Tensor maps: the contents of an im2col column, changes of maps by kernels, and invalid maps.
#include "common/simulator/machine/tensor_map.h"

#include <cstring>
#include <numeric>

#include "common/simulator/machine/tensor_box.h"
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// A tensor of ints, 8 channels of 5 x 4 pixels in 3 images, and its im2col parameters.
struct Pictures {
  std::uint64_t sizes[4] = {8, 5, 4, 3}, strides[3] = {32, 160, 640};
  std::uint32_t box[4] = {4, 2, 2, 1}, steps[4] = {1, 1, 1, 1};
  int lower[2] = {0, 0}, upper[2] = {0, 0};
  TensorMapRequest request;

  explicit Pictures(std::uint64_t address, bool im2col = true) {
    request.type = 3;  // INT32
    request.rank = 4;
    request.address = address;
    request.sizes = sizes;
    request.strides = strides;
    request.box = box;
    request.element_strides = steps;
    request.im2col = im2col;
    request.lower = lower;
    request.upper = upper;
    request.channels = 4;
    request.pixels = 12;
  }
  Pictures(const Pictures&) = delete;
  TensorMap map() const {
    TensorMap made;
    REQUIRE(encode(request, made) == "");
    return made;
  }
};

constexpr int kElements = 8 * 5 * 4 * 3;

std::vector<int> elements() {
  std::vector<int> values(kElements);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

std::uint64_t map_in(Bench& bench, const TensorMap& map) {
  std::vector<std::byte> bytes(TensorMap::kBytes);
  std::memcpy(bytes.data(), &map, sizeof map);
  return bench.array(bytes);
}

/// Lane 0 initialises an mbarrier at tile+1008 and starts the copy @p text of @p bytes bytes to tile; all threads wait
/// for it and store the tile's words to out (%rd1). The map is at %rd2, %r3 is the mbarrier, %r4 the tile.
std::string landed_in_tile(const std::string& text, int bytes) {
  return "mov.u32 %r4, tile; add.u32 %r3, %r4, 1008; setp.eq.u32 %p7, %r1, 0; shl.b32 %r5, %r1, 2;\n"
         "@%p7 mbarrier.init.shared::cta.b64 [%r3], 1;\nbar.sync 0; @!%p7 bra skip;\n"
         "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], " +
         std::to_string(bytes) + ";\n" + text +
         "\nskip: w1: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0; @!%p1 bra w1;\n"
         "add.u32 %r5, %r4, %r5; ld.shared.u32 %r6, [%r5]; mul.wide.s32 %rd30, %r1, 4; add.s64 %rd30, %rd1, %rd30;\n"
         "st.global.u32 [%rd30], %r6;";
}

const char* const kLoadColumn =
    "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r4], "
    "[%rd2, {4, -1, 3, 0}], [%r3], {1, 0};";
const char* const kLoadTile =
    "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], "
    "[%rd2, {0, 0, 0, 0}], [%r3];";

std::string message_of(const std::string& body, const TensorMap& map) {
  Bench bench(kernel(body));
  const std::uint64_t out = bench.array(std::vector<int>(1024, -1));
  return bench.launch("k", {1}, {32}, {out, map_in(bench, map)}).fault.message;
}

std::string refusal_of(const std::string& body) {
  try {
    Bench bench(kernel(body));
  } catch (const DecodeError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("an im2col column runs through its pixel box, from row to row and from image to image") {
  Bench bench(kernel(landed_in_tile(kLoadColumn, 4 * 4 * 12)));
  const std::uint64_t in = bench.array(elements()), out = bench.array(std::vector<int>(64, -1));
  Pictures pictures(in);
  // w from -1 to 3, h from 0 to 3: after the corner (3, 3) of one image follows (-1, 0) of the next.
  pictures.lower[0] = -1;
  pictures.upper[0] = -1;
  const LaunchResult result = bench.launch("k", {1}, {64}, {out, map_in(bench, pictures.map())});
  INFO(result.fault.message);
  REQUIRE_FALSE(result.fault);
  const auto found = bench.read<int>(out, 48);
  int w = -1, h = 3, image = 0;
  for (int pixel = 0; pixel < 12; ++pixel) {
    for (int channel = 0; channel < 4; ++channel) {
      const int x = w + 1;  // The copy's offset.
      CAPTURE(pixel, channel, x, h, image);
      CHECK(found[pixel * 4 + channel] == (x >= 0 && x < 5 ? 1 + 4 + channel + 8 * (x + 5 * (h + 4 * image)) : 0));
    }
    if (++w > 3) {
      w = -1;
      if (++h > 3) {
        h = 0;
        ++image;
      }
    }
  }
}

TEST_CASE("the part of a column past the last image or past the channels is filled") {
  TensorBox box;
  Pictures pictures(1 << 20);
  pictures.request.channels = 8;
  box.map = pictures.map();
  box.corner = {4, 3, 3, 2};
  std::vector<TensorStretch> found;
  TensorRows(box).for_each([&](const TensorStretch& stretch) {
    found.push_back(stretch);
    return true;
  });
  REQUIRE(found.size() == 2);  // (3, 3) and (4, 3) of the last image
  CHECK(found[0].bytes == 16);
  CHECK(found[1].at == 32);
  CHECK(found[1].address == (1 << 20) + 4u * (4 + 8 * (4 + 5 * (3 + 4 * 2))));
}

TEST_CASE("a column is stored to the pixels that it came from, without offsets") {
  Bench bench(
      kernel("mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5; add.u32 %r8, %r1, 1000;\n"
             "st.shared.u32 [%r7], %r8; bar.sync 0; setp.eq.u32 %p1, %r1, 0; @!%p1 bra skip;\n"
             "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%rd2, {4, 4, 3, 0}], [%r6];\n"
             "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [%rd2, {0, 0, 0, 2}], "
             "[%r6];\n"
             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; skip:"));
  const std::uint64_t in = bench.array(std::vector<int>(kElements, 7));
  Pictures pictures(in);
  pictures.request.pixels = 2;
  REQUIRE_FALSE(bench.launch("k", {1}, {32}, {in, map_in(bench, pictures.map())}).fault);
  const auto found = bench.read<int>(in, kElements);
  const auto place = [](int c, int w, int h, int n) { return c + 8 * (w + 5 * (h + 4 * n)); };
  for (int channel = 0; channel < 4; ++channel) {
    CHECK(found[place(4 + channel, 4, 3, 0)] == 1000 + channel);  // The last pixel of the first image,
    CHECK(found[place(4 + channel, 0, 0, 1)] == 1004 + channel);  // and the first of the second.
    CHECK(found[place(channel, 1, 0, 2)] == 7 + 1004 + channel);
    CHECK(found[place(channel, 4, 3, 0)] == 7);
  }
}

TEST_CASE("a column starts in its pixel box, at a multiple of 16 bytes") {
  TensorBox box;
  Pictures pictures(1 << 20);
  pictures.lower[0] = 1;
  pictures.upper[1] = -1;
  box.map = pictures.map();
  box.corner = {4, 1, 2, -1};
  CHECK(box.wrong_corner() == "");
  box.corner = {-8, 4, 0, 7};
  CHECK(box.wrong_corner() == "");
  box.corner = {2, 1, 2, 0};
  CHECK(box.wrong_corner().find("element 2") != std::string::npos);
  box.corner = {0, 0, 2, 0};
  CHECK(box.wrong_corner().find("0 in dimension 1, but the pixel box of its tensor map is from 1 to 4") !=
        std::string::npos);
  box.corner = {0, 1, 3, 0};
  CHECK(box.wrong_corner().find("from 0 to 2") != std::string::npos);
  Bench bench(kernel(landed_in_tile(kLoadColumn, 64)));
  const std::uint64_t out = bench.array(std::vector<int>(64));
  CHECK(bench.launch("k", {1}, {32}, {out, map_in(bench, box.map)}).fault.kind == FaultKind::illegal);
}

TEST_CASE("offsets use only as many bits as the number of dimensions allows") {
  TensorBox box;
  box.offsets = {0x1ffff, 0x121, 33};
  box.map.dimensions = 3;
  box.cut_offsets();
  CHECK(box.offsets[0] == 0xffff);
  box.map.dimensions = 4;
  box.cut_offsets();
  CHECK(box.offsets[1] == 0x21);
  box.map.dimensions = 5;
  box.cut_offsets();
  CHECK(box.offsets[2] == 1);
  box.offsets = {33, 2, 3};
  box.cut_offsets();
  CHECK(box.offsets == decltype(box.offsets){1, 3, 3});
}

TEST_CASE("swizzled rows shorter than the span occupy all of it, and the rest is unchanged") {
  // 16 bytes in each span of 32: in odd lines of 128 bytes they are in the second half.
  Pictures pictures(1 << 20, false);
  pictures.request.swizzle = 1;
  pictures.box[1] = 4;
  pictures.box[2] = 2;
  Bench bench(kernel("mov.u32 %r9, tile; shl.b32 %r8, %r1, 2; add.u32 %r8, %r9, %r8; st.shared.u32 [%r8], -7;\n" +
                     landed_in_tile(kLoadTile, 4 * 4 * 8)));
  const std::uint64_t out = bench.array(std::vector<int>(64, -1));
  pictures.request.address = bench.array(elements());
  const LaunchResult done = bench.launch("k", {1}, {64}, {out, map_in(bench, pictures.map())});
  INFO(done.fault.message);
  REQUIRE_FALSE(done.fault);
  const auto found = bench.read<int>(out, 64);
  for (int row = 0; row < 8; ++row)
    for (int k = 0; k < 8; ++k) {
      const bool second = row >= 4, holds = (k >= 4) == second;
      CAPTURE(row, k);
      CHECK(found[row * 8 + k] == (holds ? 1 + k % 4 + 8 * (row % 4 + 5 * (row / 4)) : -7));
    }
}

TEST_CASE("an interleaved tensor is copied slice by slice, for one index of the last dimension but one") {
  TensorBox box;
  Pictures pictures(1 << 20, false);
  pictures.request.interleave = 1;
  pictures.strides[0] = 0x400;
  pictures.strides[1] = 0x2000;
  pictures.strides[2] = 0x8000;
  box.map = pictures.map();
  CHECK(box.map.box_bytes() == 16 * 4 * 2);
  box.corner = {6, 1, 2, 1};
  std::vector<TensorStretch> found;
  TensorRows(box).for_each([&](const TensorStretch& stretch) {
    found.push_back(stretch);
    return true;
  });
  REQUIRE(found.size() == 4);  // w = 6 and 7 of 8, h = 1 and 2
  CHECK(found[1].address == (1 << 20) + 7 * 16 + 0x400 + 2 * 0x2000 + 0x8000);
  CHECK(found[2].address == (1 << 20) + 6 * 16 + 2 * 0x400 + 2 * 0x2000 + 0x8000);
  CHECK(found[2].at == 4 * 16);
  CHECK(found[2].bytes == 16);
}

TEST_CASE(
    "32-bit floats are rounded to tf32 where the map says so, and stored by an im2col map inside its tensor only") {
  Bench bench(kernel(landed_in_tile(kLoadTile, 64)));
  std::vector<std::uint32_t> values(kElements, 0x3f801000);
  values[1] = 0x3f803000;
  values[2] = 0xffffffff;
  values[3] = 0x7f7fffff;
  const std::uint64_t in = bench.array(values), out = bench.array(std::vector<int>(64, -1));
  Pictures pictures(in, false);
  pictures.request.type = 11;
  REQUIRE_FALSE(bench.launch("k", {1}, {32}, {out, map_in(bench, pictures.map())}).fault);
  CHECK(bench.read<std::uint32_t>(out, 4) ==
        std::vector<std::uint32_t>{0x3f800000, 0x3f804000, 0x7fffe000, 0x7f800000});
  TensorBox box;
  Pictures column(1 << 20);
  box.map = column.map();
  CHECK(box.wrong_store() == "");
  box.corner[3] = -1;
  CHECK(box.wrong_store().find("-1 in dimension 3") != std::string::npos);
  column.lower[1] = -1;
  box.corner[3] = 0;
  box.map = column.map();
  CHECK(box.wrong_store().find("beyond the tensor in dimension 2") != std::string::npos);
}

TEST_CASE("a map only works with the instructions of its mode") {
  const std::string tile = message_of(landed_in_tile(kLoadColumn, 64), Pictures(1 << 20, false).map());
  CHECK(tile.find("the tensor map describes tiles") != std::string::npos);
  const std::string column = message_of(landed_in_tile(kLoadTile, 64), Pictures(1 << 20).map());
  CHECK(column.find("is from cuTensorMapEncodeIm2col") != std::string::npos);
}

TEST_CASE("encoding an im2col map reports what cannot be described") {
  TensorMap map;
  const auto problem = [&](auto change) {
    Pictures pictures(1 << 20);
    change(pictures);
    return encode(pictures.request, map);
  };
  CHECK(problem([](Pictures&) {}) == "");
  CHECK(problem([](Pictures& p) { p.request.rank = 2; }).find("3 to 5") != std::string::npos);
  CHECK(problem([](Pictures& p) { p.lower[1] = -129; }).find("-128 to 127") != std::string::npos);
  CHECK(problem([](Pictures& p) { p.upper[0] = -5; }).find("empty") != std::string::npos);
  CHECK(problem([](Pictures& p) { p.request.channels = 0; }).find("channelsPerPixel") != std::string::npos);
  CHECK(problem([](Pictures& p) { p.request.pixels = 1025; }).find("1024") != std::string::npos);
  CHECK(problem([](Pictures& p) { p.request.lower = nullptr; }).find("NULL") != std::string::npos);
}

TEST_CASE("a kernel changes a copy of a map field by field, and copies with it") {
  // The map of the first image's tile is copied to shared memory and changed to the last 8 channels of another tensor.
  const std::string replace =
      ".reg .b64 %m; add.u64 %m, %rd1, 1024; mov.u32 %r10, there; shl.b32 %r11, %r1, 2; add.u32 %r12, %r10, %r11;\n"
      "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd2, %rd5; ld.global.u32 %r13, [%rd5]; st.shared.u32 [%r12], %r13;\n"
      "bar.warp.sync -1; setp.eq.u32 %p6, %r1, 0; @!%p6 bra replaced;\n"
      "add.u64 %rd6, %rd1, 256;\n"
      "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r10], %rd6;\n"
      "tensormap.replace.tile.rank.shared::cta.b1024.b32 [there], 1;\n"
      "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r10], 0, 8;\n"
      "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r10], 1, 4;\n"
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r10], 0, 6;\n"
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r10], 1, 8;\n"
      "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r10], 0, 64;\n"
      "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r10], 1, 2;\n"
      "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r10], 7;\n"
      "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r10], 0;\n"
      "tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r10], 0;\n"
      "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r10], 1;\n"
      "replaced: bar.warp.sync -1;\n"
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%m], [%r10], 128;\n"
      "fence.proxy.tensormap::generic.acquire.gpu [%m], 128;\n";
  const std::string text =
      kernel(".shared .align 128 .b8 there[128];\n" + replace +
             landed_in_tile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], "
                            "[%m, {0, 1}], [%r3];",
                            8 * 2 * 4));
  Bench bench(text);
  std::vector<int> values(1024);
  std::iota(values.begin(), values.end(), 0);
  const std::uint64_t out = bench.array(values);
  const LaunchResult result = bench.launch("k", {1}, {32}, {out, map_in(bench, Pictures(out, false).map())});
  INFO(result.fault.message);
  REQUIRE_FALSE(result.fault);
  const auto found = bench.read<int>(out, 16);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 8; ++column)
      CHECK(found[row * 8 + column] == (column < 6 ? 64 + 16 * (1 + 2 * row) + column : 0x7ff77ff7));
}

TEST_CASE("a map is changed in global memory, too") {
  Bench bench(
      kernel("tensormap.replace.tile.global_dim.global.b1024.b32 [%rd2], 0, 2;\n" + landed_in_tile(kLoadTile, 64)));
  const std::uint64_t in = bench.array(elements()), out = bench.array(std::vector<int>(64, -1));
  REQUIRE_FALSE(bench.launch("k", {1}, {32}, {out, map_in(bench, Pictures(in, false).map())}).fault);
  CHECK(bench.read<int>(out, 8) == std::vector<int>{1, 2, 0, 0, 9, 10, 0, 0});
}

TEST_CASE("a map that no copy can use is refused when it is used") {
  CHECK(message_of("mov.u32 %r9, 257; tensormap.replace.tile.box_dim.b1024.b32 [%rd2], 1, %r9;\n" +
                       landed_in_tile(kLoadTile, 64),
                   Pictures(1 << 20, false).map())
            .find("its box has 257 elements in dimension 1") != std::string::npos);
  CHECK(message_of("tensormap.replace.tile.rank.global.b1024.b32 [%rd2], 7;\n" + landed_in_tile(kLoadTile, 64),
                   Pictures(1 << 20, false).map())
            .find("8 dimensions") != std::string::npos);
  CHECK(message_of("tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 1;", Pictures(1 << 20, false).map())
            .find("not a tensor map") != std::string::npos);
}

TEST_CASE("a box that is larger than any shared memory is refused") {
  TensorMap map = Pictures(1 << 20, false).map();
  map.box = {256, 256, 256, 256};
  CHECK(map.box_bytes() == std::uint64_t{4} << 32);
  CHECK(message_of(landed_in_tile(kLoadTile, 64), map).find("no shared memory is as large") != std::string::npos);
}

TEST_CASE("operands that ptxas refuses are refused when a module is loaded") {
  const auto load = [](const std::string& map, const std::string& rest) {
    return refusal_of("cp.async.bulk.tensor.3d.shared::cluster.global." + rest + " [%r4], [%rd2, {" + map +
                      "}], [%r3]" + (rest.find("im2col") == 0 ? ", {%rs1, %rs2};" : ";"));
  };
  const std::string bytes = "mbarrier::complete_tx::bytes";
  CHECK(load("0, 0", "tile." + bytes).find("it has 2 coordinates and takes 3") != std::string::npos);
  CHECK(load("0, 0, 0", "tile." + bytes) == "");
  CHECK(load("0, 0, 0", "im2col." + bytes).find("it has 2 offsets of .im2col and takes 1") != std::string::npos);
  CHECK(refusal_of("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd2], 5, %r1;").find("must be 0 to 4") !=
        std::string::npos);
  CHECK(refusal_of("tensormap.replace.tile.elemtype.global.b1024.b32 [%rd2], 13;").find("must be 0 to 12") !=
        std::string::npos);
  CHECK(refusal_of("tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd2], %r1;").find("integer constant") !=
        std::string::npos);
  CHECK(refusal_of("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd2], "
                   "[%r1], 64;")
            .find("must be 128") != std::string::npos);
}

TEST_CASE("multimem instructions fail without a multicast object") {
  for (const char* text :
       {"multimem.ld_reduce.weak.global.add.f32 %f1, [%rd1];", "multimem.st.weak.global.u32 [%rd1], %r1;",
        "multimem.red.relaxed.gpu.global.add.v4.f32 [%rd1], {%f1, %f1, %f1, %f1};"}) {
    CAPTURE(text);
    CHECK(message_of(text, Pictures(1 << 20).map()).find("no multicast object") != std::string::npos);
  }
}
