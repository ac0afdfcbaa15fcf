// Any bytes as the arguments of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, as a map that a kernel has
// modified, and as the coordinates of a copy: the map is rejected with a message, or its rows lie inside the tensor.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/simulator/fuzzing/fuzz_input.h"
#include "common/simulator/machine/tensor_box.h"

namespace {

using namespace warpbook::simulator;

constexpr std::uint64_t kMostBytes = 256 * 1024;  ///< Of a box: more than any shared memory.

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

struct Arguments {
  std::uint64_t sizes[5], strides[4];
  std::uint32_t box[5], steps[5];
  int lower[3], upper[3];
};

TensorMapRequest request_of(FuzzInput& input, Arguments& arguments) {
  TensorMapRequest request;
  const auto flags = input.take<std::uint8_t>();
  request.im2col = (flags & 1) != 0;
  const bool small = (flags & 2) != 0;  // Otherwise few of the maps would be accepted.
  request.rank = input.take<std::uint8_t>();
  request.type = input.take<std::uint8_t>();
  request.address = input.take<std::uint64_t>();
  for (unsigned i = 0; i < 5; ++i) {
    arguments.sizes[i] = small ? input.take<std::uint8_t>() : input.take<std::uint64_t>();
    arguments.box[i] = small ? input.take<std::uint8_t>() : input.take<std::uint32_t>();
    arguments.steps[i] = small ? 1 + input.take<std::uint8_t>() % 8u : input.take<std::uint32_t>();
  }
  for (std::uint64_t& stride : arguments.strides)
    stride = small ? std::uint64_t{16} * input.take<std::uint16_t>() : input.take<std::uint64_t>();
  for (unsigned i = 0; i < 3; ++i) {
    arguments.lower[i] = small ? input.take<std::int8_t>() : input.take<std::int32_t>();
    arguments.upper[i] = small ? input.take<std::int8_t>() : input.take<std::int32_t>();
  }
  request.channels = input.take<std::uint16_t>();
  request.pixels = input.take<std::uint16_t>();
  request.interleave = input.take<std::uint8_t>();
  request.swizzle = input.take<std::uint8_t>();
  request.promotion = input.take<std::uint8_t>();
  request.fill = input.take<std::uint8_t>();
  request.sizes = (flags & 4) != 0 ? nullptr : arguments.sizes;
  request.strides = (flags & 8) != 0 ? nullptr : arguments.strides;
  request.box = (flags & 16) != 0 ? nullptr : arguments.box;
  request.element_strides = (flags & 32) != 0 ? nullptr : arguments.steps;
  request.lower = (flags & 64) != 0 ? nullptr : arguments.lower;
  request.upper = (flags & 128) != 0 ? nullptr : arguments.upper;
  return request;
}

/// All rows are in the box and, if no stride can overflow, in the tensor.
void go_through(const TensorBox& box) {
  const TensorMap& map = box.map;
  const std::uint64_t bytes = map.box_bytes();
  if (bytes > kMostBytes) return;
  std::uint64_t end = map.address;
  const std::uint32_t unit = map.interleave == 0 ? map.element_bytes() : map.slice_bytes();
  bool overflows = __builtin_add_overflow(end, map.size(0) * unit, &end);
  for (unsigned i = 1; i < map.dimensions; ++i) {
    std::uint64_t part = 0;
    overflows |= __builtin_mul_overflow(map.last[i], map.strides[i - 1], &part);
    overflows |= __builtin_add_overflow(end, part, &end);
  }
  TensorRows(box).for_each([&](const TensorStretch& stretch) {
    if (stretch.bytes == 0 || std::uint64_t{stretch.at} + stretch.bytes > bytes) fail("a row is not in the box");
    if (!overflows && (stretch.address < map.address || stretch.address + stretch.bytes > end))
      fail("a row is not in the tensor");
    return true;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzInput input(data, size);
  Arguments arguments{};
  TensorBox box;
  const bool raw = (input.take<std::uint8_t>() & 1) != 0;
  if (raw) {  // As after tensormap.replace: any bytes.
    box.map = input.take<TensorMap>();
  } else {
    const TensorMapRequest request = request_of(input, arguments);
    if (!unsupported_in(request).empty()) return 0;
    if (!encode(request, box.map).empty()) return 0;
    if (const std::string problem = box.map.problem(); !problem.empty()) fail("what was encoded cannot be used");
  }
  for (std::int64_t& corner : box.corner) corner = input.take<std::int32_t>();
  for (std::uint32_t& offset : box.offsets) offset = input.take<std::uint16_t>();
  if (!box.map.problem().empty()) return 0;
  box.cut_offsets();
  std::array<std::int64_t, TensorBox::kGathered> rows;
  for (std::int64_t& row : rows) row = input.take<std::int32_t>();
  if (box.map.dimensions == 2 && (input.take<std::uint8_t>() & 1) != 0) box.gather(rows);
  if (box.wrong_corner().empty()) go_through(box);
  return 0;
}
