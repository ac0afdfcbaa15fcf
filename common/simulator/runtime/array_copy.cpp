// Array copies in this process: a region of an array is a box of device memory.
#include "common/simulator/runtime/array_copy.h"

#include <string>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/image_state.h"

namespace warpbook::simulator::runtime {
namespace {

/// Whether [begin, begin + count) lies within @p size.
bool fits(std::uint64_t begin, std::uint64_t count, std::uint64_t size) {
  return begin <= size && count <= size - begin;
}

/// "16 bytes in a row, 4 rows, 1 slices"
std::string text_of(std::uint64_t bytes, std::uint64_t rows, std::uint64_t slices) {
  return std::to_string(bytes) + " bytes in a row, " + std::to_string(rows) + " rows, " + std::to_string(slices) +
         " slices";
}

/// @returns an error if there is no such array, or if the copy exceeds it
cudaError_t box_of_side(const Runtime& runtime, const ArrayCopySide& side, const ArrayCopy& copy, Box& box) {
  if (side.array == 0) {
    box = {side.base, side.pitch, side.slice_rows};
    const bool rows = copy.height > 1 || copy.depth > 1;
    return rows && copy.width > side.pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
  }
  const Array* const array = runtime.images->arrays.find(reinterpret_cast<const void*>(side.array));
  if (array == nullptr) return side.array == kNoArray ? cudaErrorInvalidResourceHandle : cudaErrorContextIsDestroyed;
  const Image& image = array->image;
  const ImageLevel& level = image.levels[0];
  const std::uint64_t slices = image.dimensions == 3 ? level.depth : image.layers;
  if (!fits(side.x, copy.width, std::uint64_t{level.width} * image.format.bytes()) ||
      !fits(side.y, copy.height, level.height) || !fits(side.z, copy.depth, slices)) {
    complain_once("a copy would go beyond its array: that has " +
                  text_of(std::uint64_t{level.width} * image.format.bytes(), level.height, slices) + ", the copy " +
                  text_of(copy.width, copy.height, copy.depth) + " from (" + std::to_string(side.x) + ", " +
                  std::to_string(side.y) + ", " + std::to_string(side.z) + ")");
    return cudaErrorInvalidValue;
  }
  box = {reinterpret_cast<const void*>(image.address + image.offset_of(level, side.x, side.y, side.z)), level.pitch,
         level.slice / level.pitch};
  return cudaSuccess;
}

}  // namespace

cudaError_t copy_array(const ArrayCopy& request) {
  return call(request.blocking ? CallKind::ordinary : CallKind::enqueue, request.name, [&](Runtime& runtime) {
    const Stream* const stream = runtime.find_stream(request.stream);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    Box to, from;
    if (const cudaError_t error = box_of_side(runtime, request.to, request, to)) return error;
    if (const cudaError_t error = box_of_side(runtime, request.from, request, from)) return error;
    return copy(runtime, *stream, to, from, {request.width, request.height, request.depth}, request.kind,
                request.blocking);
  });
}

}  // namespace warpbook::simulator::runtime
