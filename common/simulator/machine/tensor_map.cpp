// Validates requests for tensor maps (CUDA driver API, "Tensor Map Object Management").
#include "common/simulator/machine/tensor_map.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

using ptx::Type;

/// The values of CUtensorMapDataType in order; those of sm_100 have no row.
constexpr struct {
  unsigned bytes;
  Type type;
  bool floats;
} kTypes[] = {
    {1, Type::u8, false},  {2, Type::u16, false}, {4, Type::u32, false}, {4, Type::s32, false}, {8, Type::u64, false},
    {8, Type::s64, false}, {2, Type::f16, true},  {4, Type::f32, true},  {8, Type::f64, true},  {2, Type::bf16, true},
    {4, Type::f32, true},  {4, Type::f32, true},  {4, Type::f32, true},
};
constexpr unsigned kTypeCount = sizeof kTypes / sizeof *kTypes;
constexpr unsigned kFloat32Ftz = 10, kTFloat32Ftz = 12;
constexpr std::uint64_t kMostStride = std::uint64_t{1} << 40, kMostSize = std::uint64_t{1} << 32;
constexpr unsigned kMostBox = 256, kMostStep = 8, kMostPixels = 1024;

/// Limits of a corner of im2col's box, by the number of its coordinates.
constexpr int kCornerLimit[] = {32768, 128, 16};

/// Required alignment of the address and the strides.
unsigned alignment_in(const TensorMapRequest& request) { return request.interleave == 2 ? 32 : 16; }

std::string wrong_corners(const TensorMapRequest& request) {
  const unsigned spatial = request.rank - 2;
  const int limit = kCornerLimit[spatial - 1];
  for (unsigned i = 0; i < spatial; ++i) {
    for (const int corner : {request.lower[i], request.upper[i]})
      if (corner < -limit || corner >= limit)
        return "corners of the pixel box must be " + std::to_string(-limit) + " to " + std::to_string(limit - 1);
    const std::uint64_t size = request.sizes[i + (request.interleave == 0 ? 1 : 0)];
    const std::int64_t last = static_cast<std::int64_t>(size) - 1 + request.upper[i];
    if (last < request.lower[i]) return "the pixel box is empty";
  }
  return {};
}

/// What is wrong with the box.
std::string wrong_box(const TensorMapRequest& request, TensorMap& map) {
  if (!request.im2col) {
    for (unsigned i = 0; i < request.rank; ++i) {
      if (request.box[i] == 0 || request.box[i] > kMostBox) return "boxDim must be 1 to 256";
      map.box[i] = static_cast<std::uint16_t>(request.box[i]);
    }
    return {};
  }
  if (request.channels == 0 || request.channels > kMostBox) return "channelsPerPixel must be 1 to 256";
  if (request.pixels == 0 || request.pixels > kMostPixels) return "pixelsPerColumn must be 1 to 1024";
  if (std::string wrong = wrong_corners(request); !wrong.empty()) return wrong;
  map.im2col = 1;
  map.channels = static_cast<std::uint16_t>(request.channels);
  map.pixels = static_cast<std::uint16_t>(request.pixels);
  for (unsigned i = 0; i + 2 < request.rank; ++i) {
    map.lower[i] = static_cast<std::int16_t>(request.lower[i]);
    map.upper[i] = static_cast<std::int16_t>(request.upper[i]);
  }
  return {};
}

std::string wrong_arguments(const TensorMapRequest& request) {
  const unsigned least = request.im2col || request.interleave != 0 ? 3 : 1;
  if (request.rank < least || request.rank > TensorMap::kMostDimensions)
    return "tensorRank must be " + std::to_string(least) + " to 5";
  if (request.type >= kTypeCount) return "tensorDataType is not one";
  if (request.address == 0 || request.address % alignment_in(request) != 0)
    return "globalAddress must be a multiple of " + std::to_string(alignment_in(request));
  if (request.sizes == nullptr || request.element_strides == nullptr ||
      (request.rank > 1 && request.strides == nullptr) || (!request.im2col && request.box == nullptr) ||
      (request.im2col && (request.lower == nullptr || request.upper == nullptr)))
    return "a pointer is NULL";
  if (request.interleave > 2 || request.swizzle > 3 || request.promotion > 3 || request.fill > 1)
    return "interleave, swizzle, l2Promotion or oobFill is not one";
  if (request.fill != 0 && !kTypes[request.type].floats) return "oobFill asks for NaN, and the elements are integers";
  return {};
}

}  // namespace

unsigned TensorMap::element_bytes() const { return type < kTypeCount ? kTypes[type].bytes : 0; }
Type TensorMap::element_type() const { return type < kTypeCount ? kTypes[type].type : Type::none; }

bool TensorMap::flushes_subnormals() const { return type == kFloat32Ftz || type == kTFloat32Ftz; }

std::uint64_t TensorMap::rows() const {
  if (im2col != 0) return pixels;
  std::uint64_t rows = 1;
  for (unsigned i = interleave == 0 ? 1 : 0; i < dimensions; ++i)
    if (interleave == 0 || i + 2 != dimensions) rows *= count(i);
  return rows;
}

std::string TensorMap::problem() const {
  const unsigned least = im2col != 0 || interleave != 0 ? 3 : 1;
  if (dimensions < least || dimensions > kMostDimensions) return "it has " + std::to_string(dimensions) + " dimensions";
  if (type >= kTypeCount) return "its elements are of no known type";
  if (swizzle > 3 || interleave > 2) return "its swizzle or its interleaved layout is invalid";
  const unsigned alignment = interleave == 2 ? 32 : 16;
  if (address % alignment != 0) return "the tensor's address is not a multiple of " + std::to_string(alignment);
  for (unsigned i = 0; i < dimensions; ++i) {
    if (im2col == 0 && (box[i] == 0 || box[i] > kMostBox))
      return "its box has " + std::to_string(box[i]) + " elements in dimension " + std::to_string(i);
    if (element_strides[i] == 0 || element_strides[i] > kMostStep)
      return "its stride of elements in dimension " + std::to_string(i) + " is " + std::to_string(element_strides[i]);
    if (i > 0 && strides[i - 1] % alignment != 0)
      return "its stride of dimension " + std::to_string(i) + ", " + std::to_string(strides[i - 1]) +
             " bytes, is not a multiple of " + std::to_string(alignment);
  }
  if (im2col != 0 && (channels == 0 || channels > kMostBox || pixels == 0 || pixels > kMostPixels))
    return "it has " + std::to_string(channels) + " channels in each of " + std::to_string(pixels) + " pixels";
  if (row_bytes() % 16 != 0)
    return "a row of its box is " + std::to_string(row_bytes()) + " bytes, not a multiple of 16";
  return {};
}

std::string unsupported_in(const TensorMapRequest& request) {
  if (request.type >= kTypeCount) return " with a data type of less than a byte";
  if (request.type == kFloat32Ftz || request.type == kTFloat32Ftz) return " with a data type that flushes subnormals";
  return {};
}

std::string encode(const TensorMapRequest& request, TensorMap& map) {
  if (std::string wrong = wrong_arguments(request); !wrong.empty()) return wrong;
  map = TensorMap{};
  map.dimensions = static_cast<std::uint8_t>(request.rank);
  map.type = static_cast<std::uint8_t>(request.type);
  map.swizzle = static_cast<std::uint8_t>(request.swizzle);
  map.interleave = static_cast<std::uint8_t>(request.interleave);
  map.fills_nan = static_cast<std::uint8_t>(request.fill);
  map.address = request.address;
  for (unsigned i = 0; i < request.rank; ++i) {
    if (request.sizes[i] == 0 || request.sizes[i] > kMostSize) return "globalDim must be 1 to 2^32";
    if (request.element_strides[i] == 0 || request.element_strides[i] > kMostStep)
      return "elementStrides must be 1 to 8";
    map.last[i] = static_cast<std::uint32_t>(request.sizes[i] - 1);
    // Without interleaving, the stride of the first dimension is not used.
    map.element_strides[i] =
        i == 0 && request.interleave == 0 ? 1 : static_cast<std::uint8_t>(request.element_strides[i]);
  }
  for (unsigned i = 0; i + 1 < request.rank; ++i) {
    if (request.strides[i] % alignment_in(request) != 0 || request.strides[i] >= kMostStride)
      return "globalStrides must be multiples of " + std::to_string(alignment_in(request)) + " and less than 2^40";
    map.strides[i] = request.strides[i];
  }
  if (std::string wrong = wrong_box(request, map); !wrong.empty()) return wrong;
  const std::uint32_t inner = (request.im2col ? map.channels : map.box[0]) * map.element_bytes();
  if (inner % 16 != 0)
    return request.im2col ? "channelsPerPixel must be a multiple of 16 bytes"
                          : "boxDim[0] must be a multiple of 16 bytes";
  if (map.swizzle != 0 && map.interleave == 0 && inner > map.swizzling().span)
    return std::string(request.im2col ? "channelsPerPixel" : "boxDim[0]") +
           " must not be more bytes than the swizzle's span";
  return {};
}

}  // namespace warpbook::simulator
