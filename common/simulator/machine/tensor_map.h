// A tensor map: 128 bytes in which cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col describe a tensor in global
// memory and the box that a copy moves. Only the device reads them. NVIDIA's layout is not documented; this one is our
// own. A kernel may replace single fields (tensormap.replace), so a copy may find any bytes.
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
  static constexpr unsigned kMostSpatial = kMostDimensions - 2;  ///< All but the channels and the image index.
  static constexpr std::size_t kBytes = 128;

  std::uint32_t magic = kMagic;
  std::uint8_t dimensions = 0;
  std::uint8_t type = 0;     ///< CUtensorMapDataType
  std::uint8_t swizzle = 0;  ///< CUtensorMapSwizzle
  std::uint8_t fills_nan = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMostDimensions - 1> strides = {};  ///< In bytes, for all dimensions but the first.
  std::array<std::uint32_t, kMostDimensions> last = {};         ///< Sizes of the dimensions, minus 1.
  std::array<std::uint16_t, kMostDimensions> box = {};          ///< For a tile.
  std::array<std::uint8_t, kMostDimensions> element_strides = {};
  std::uint8_t im2col = 0;
  std::uint8_t interleave = 0;             ///< CUtensorMapInterleave
  std::uint16_t channels = 0, pixels = 0;  ///< For im2col: channels per pixel, and pixels per column.
  std::array<std::int16_t, kMostSpatial> lower = {}, upper = {};  ///< Corners of im2col's box in w, h and d.

  std::uint64_t size(unsigned dimension) const { return std::uint64_t{last[dimension]} + 1; }
  /// Elements of a tile in one dimension, in shared memory.
  std::uint32_t count(unsigned dimension) const {
    return (box[dimension] + element_strides[dimension] - 1u) / element_strides[dimension];
  }
  unsigned element_bytes() const;
  bool rounds_to_tf32() const { return type == 11; }  ///< Applies to loaded values, not to filled ones.
  bool flushes_subnormals() const;                    ///< Not supported.
  ptx::Type element_type() const;
  /// A row shorter than the swizzle span has a span of its own.
  Swizzle swizzling() const {
    const std::uint32_t span = swizzle == 0 ? 0u : 16u << swizzle;
    return {span, interleave == 0 && row_bytes() < span ? row_bytes() : 0};
  }
  /// In an interleaved tensor the channels are in slices of 16 or 32 bytes, which the first dimension counts (w). The
  /// last dimension but one counts slices of the same pixel, of which a copy moves one. Otherwise 0.
  std::uint32_t slice_bytes() const { return interleave == 0 ? 0u : 8u << interleave; }
  /// The first dimension to which the corners of im2col's box apply.
  unsigned first_spatial() const { return interleave == 0 ? 1 : 0; }
  /// Bytes that are contiguous in shared memory: elements of the first dimension, or a slice.
  std::uint32_t row_bytes() const {
    return interleave != 0 ? slice_bytes() : (im2col != 0 ? channels : count(0)) * element_bytes();
  }
  std::uint64_t rows() const;
  /// The bytes that a copy moves to or from shared memory.
  std::uint64_t box_bytes() const { return rows() * row_bytes(); }
  /// The value of an element outside the tensor: zeros, or the bits of a NaN in each half-word.
  std::uint16_t fill() const { return fills_nan == 0 ? 0 : 0x7ff7; }
  /// Why it cannot be used for a copy; empty if it can.
  std::string problem() const;
};
static_assert(sizeof(TensorMap) <= TensorMap::kBytes);

/// The arguments of cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col, with the driver's numbers.
struct TensorMapRequest {
  unsigned type = 0, rank = 0;
  std::uint64_t address = 0;
  const std::uint64_t* sizes = nullptr;
  const std::uint64_t* strides = nullptr;  ///< rank - 1 of them
  const std::uint32_t* box = nullptr;      ///< For a tile.
  const std::uint32_t* element_strides = nullptr;
  unsigned interleave = 0, swizzle = 0, promotion = 0, fill = 0;
  bool im2col = false;
  const int* lower = nullptr;  ///< rank - 2 values, also for upper
  const int* upper = nullptr;
  unsigned channels = 0, pixels = 0;
};

/// Writes @p map. @returns what is wrong with @p request; empty if nothing
std::string encode(const TensorMapRequest& request, TensorMap& map);

/// What is valid for the driver but not supported here; empty if nothing.
std::string unsupported_in(const TensorMapRequest& request);

}  // namespace warpbook::simulator
