// Checks what a tensor map is asked to describe (CUDA driver API, "Tensor Map Object Management").
#include "common/simulator/machine/tensor_map.h"

namespace warpbook::simulator {
namespace {

using ptx::Type;

/// CUtensorMapDataType in its order; those of sm_100 have no row.
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

}  // namespace

unsigned TensorMap::element_bytes() const { return type < kTypeCount ? kTypes[type].bytes : 0; }
Type TensorMap::element_type() const { return type < kTypeCount ? kTypes[type].type : Type::none; }

std::uint32_t TensorMap::box_bytes() const {
  std::uint32_t bytes = element_bytes();
  for (unsigned i = 0; i < dimensions; ++i) bytes *= count(i);
  return bytes;
}

std::uint64_t TensorMap::fill() const {
  if (fills_nan == 0) return 0;
  return element_type() == Type::f64 ? 0x7fffffffffffffffu : element_bytes() == 4 ? 0x7fffffffu : 0x7fffu;
}

std::string unsupported_in(const TensorMapRequest& request) {
  if (request.interleave != 0) return " with an interleaved layout";
  if (request.type >= kTypeCount) return " with a data type of less than a byte";
  if (request.type == kFloat32Ftz || request.type == kTFloat32Ftz) return " with a data type that flushes subnormals";
  if (request.swizzle > 3) return " with a swizzle of compute capability 10";
  return {};
}

std::string encode(const TensorMapRequest& request, TensorMap& map) {
  if (request.rank < 1 || request.rank > TensorMap::kMostDimensions) return "tensorRank must be 1 to 5";
  if (request.type >= kTypeCount) return "tensorDataType is not one";
  if (request.address == 0 || request.address % 16 != 0) return "globalAddress must be a multiple of 16";
  if (request.sizes == nullptr || request.box == nullptr || request.element_strides == nullptr ||
      (request.rank > 1 && request.strides == nullptr))
    return "a pointer is NULL";
  if (request.interleave > 2 || request.swizzle > 3 || request.promotion > 3 || request.fill > 1)
    return "interleave, swizzle, l2Promotion or oobFill is not one";
  map = TensorMap{};
  map.dimensions = static_cast<std::uint8_t>(request.rank);
  map.type = static_cast<std::uint8_t>(request.type);
  map.swizzle = static_cast<std::uint8_t>(request.swizzle);
  map.fills_nan = static_cast<std::uint8_t>(request.fill);
  map.address = request.address;
  if (request.fill != 0 && !kTypes[request.type].floats) return "oobFill asks for NaN, and the elements are integers";
  for (unsigned i = 0; i < request.rank; ++i) {
    if (request.sizes[i] == 0 || request.sizes[i] > kMostSize) return "globalDim must be 1 to 2^32";
    if (request.box[i] == 0 || request.box[i] > 256) return "boxDim must be 1 to 256";
    if (request.element_strides[i] == 0 || request.element_strides[i] > 8) return "elementStrides must be 1 to 8";
    map.last[i] = static_cast<std::uint32_t>(request.sizes[i] - 1);
    map.box[i] = static_cast<std::uint16_t>(request.box[i]);
    // Without interleaving that of the first dimension is not read.
    map.element_strides[i] = i == 0 ? 1 : static_cast<std::uint8_t>(request.element_strides[i]);
  }
  for (unsigned i = 0; i + 1 < request.rank; ++i) {
    if (request.strides[i] % 16 != 0 || request.strides[i] >= kMostStride)
      return "globalStrides must be multiples of 16 and less than 2^40";
    map.strides[i] = request.strides[i];
  }
  const std::uint32_t inner = map.box[0] * map.element_bytes();
  if (inner % 16 != 0) return "boxDim[0] must be a multiple of 16 bytes";
  if (map.swizzling().span != 0 && inner > map.swizzling().span)
    return "boxDim[0] must not be more bytes than the swizzle's span";
  return {};
}

}  // namespace warpbook::simulator
