// A tensor map: what cuTensorMapEncodeTiled makes of a tensor in global memory and the box that a copy moves, 128 bytes
// that only the device reads. How NVIDIA's driver lays them out is not documented; these are ours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "common/simulator/machine/in_flight.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

struct TensorMap {
  static constexpr std::uint32_t kMagic = 0x70616d74;
  static constexpr unsigned kMostDimensions = 5;
  static constexpr std::size_t kBytes = 128;

  std::uint32_t magic = kMagic;
  std::uint8_t dimensions = 0;
  std::uint8_t type = 0;     ///< CUtensorMapDataType
  std::uint8_t swizzle = 0;  ///< CUtensorMapSwizzle
  std::uint8_t fills_nan = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMostDimensions - 1> strides = {};  ///< In bytes, of all dimensions but the first.
  std::array<std::uint32_t, kMostDimensions> last = {};         ///< Sizes of the dimensions, less 1.
  std::array<std::uint16_t, kMostDimensions> box = {};
  std::array<std::uint8_t, kMostDimensions> element_strides = {};

  std::uint64_t size(unsigned dimension) const { return std::uint64_t{last[dimension]} + 1; }
  /// Elements of the box in shared memory.
  std::uint32_t count(unsigned dimension) const {
    return (box[dimension] + element_strides[dimension] - 1u) / element_strides[dimension];
  }
  unsigned element_bytes() const;
  ptx::Type element_type() const;
  Swizzle swizzling() const { return {swizzle == 0 ? 0u : 16u << swizzle}; }
  std::uint32_t box_bytes() const;
  /// What an element outside the tensor reads as, in all of its bytes or, for floats, as a NaN.
  std::uint64_t fill() const;
};
static_assert(sizeof(TensorMap) <= TensorMap::kBytes);

/// What a program asks cuTensorMapEncodeTiled for, in the driver's numbers.
struct TensorMapRequest {
  unsigned type = 0, rank = 0;
  std::uint64_t address = 0;
  const std::uint64_t* sizes = nullptr;
  const std::uint64_t* strides = nullptr;  ///< rank - 1 of them
  const std::uint32_t* box = nullptr;
  const std::uint32_t* element_strides = nullptr;
  unsigned interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

/// Writes @p map. @returns what is wrong with @p request, empty if nothing
std::string encode(const TensorMapRequest& request, TensorMap& map);

/// What is valid in the driver and not supported here; empty if nothing.
std::string unsupported_in(const TensorMapRequest& request);

}  // namespace warpbook::simulator
