// cudaMemcpy2DToArray and its relatives. If the device is in another process, these run in the program's process.
#include <algorithm>

#include "common/simulator/runtime/array_copy.h"
#include "common/simulator/runtime/cuda_api.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warpbook::simulator::runtime {
namespace {

constexpr bool kWaits = true, kGoesOn = false;

std::uint64_t handle_number(cudaArray_const_t array) { return reinterpret_cast<std::uint64_t>(array); }

ArrayCopySide in_array(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z = 0) {
  ArrayCopySide side;
  side.array = array == nullptr ? kNoArray : handle_number(array);
  side.x = x;
  side.y = y;
  side.z = z;
  return side;
}
ArrayCopySide in_memory(const void* base, std::size_t pitch, std::size_t rows) {
  ArrayCopySide side;
  side.base = base;
  side.pitch = pitch;
  side.slice_rows = rows;
  return side;
}

cudaError_t copy_rows_of_array(const char* name, const ArrayCopySide& to, const ArrayCopySide& from, std::size_t width,
                               std::size_t height, cudaMemcpyKind kind, cudaStream_t stream, bool blocking) {
  return copy_array({name, to, from, width, height, 1, kind, stream, blocking});
}

/// Element size of an array; 0 and an error if there is no such array.
std::uint64_t element_bytes(cudaArray_const_t array, cudaError_t& error) {
  cudaChannelFormatDesc format{};
  error = cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? static_cast<std::uint64_t>(format.x + format.y + format.z + format.w) / 8 : 0;
}

/// The older calls, which copy a number of bytes across an array's rows: the rest of a row, whole rows, and the
/// beginning of another.
template <class Rows>
cudaError_t copy_bytes(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t count, Rows rows) {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  if (const cudaError_t error = cudaArrayGetInfo(&format, &extent, &flags, const_cast<cudaArray_t>(array)))
    return error;
  const std::size_t row = extent.width * static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  std::size_t done = 0;
  while (done < count || count == 0) {
    const bool whole = x == 0 && count - done >= row;
    const std::size_t width = whole ? row : std::min(row > x ? row - x : count, count - done);
    const std::size_t height = whole ? (count - done) / row : 1;
    if (const cudaError_t error = rows(x, y, done, width, height)) return error;
    if (count == 0) break;
    done += width * height;
    y += height;
    x = 0;
  }
  return cudaSuccess;
}

cudaError_t copy_to_array(const char* name, cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                          std::size_t count, cudaMemcpyKind kind, cudaStream_t stream, bool blocking) {
  return copy_bytes(to, x, y, count,
                    [&](std::size_t px, std::size_t py, std::size_t done, std::size_t width, std::size_t height) {
                      return copy_rows_of_array(
                          name, in_array(to, px, py),
                          in_memory(from == nullptr ? nullptr : static_cast<const char*>(from) + done, width, height),
                          width, height, kind, stream, blocking);
                    });
}

cudaError_t copy_from_array(const char* name, void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                            std::size_t count, cudaMemcpyKind kind, cudaStream_t stream, bool blocking) {
  return copy_bytes(
      from, x, y, count, [&](std::size_t px, std::size_t py, std::size_t done, std::size_t width, std::size_t height) {
        return copy_rows_of_array(name,
                                  in_memory(to == nullptr ? nullptr : static_cast<char*>(to) + done, width, height),
                                  in_array(from, px, py), width, height, kind, stream, blocking);
      });
}

/// One side of cudaMemcpy3D. Positions in an array are in elements, those in memory in bytes.
ArrayCopySide side_of_box(cudaArray_const_t array, const cudaPos& position, const cudaPitchedPtr& memory,
                          std::uint64_t element) {
  if (array != nullptr) return in_array(array, position.x * element, position.y, position.z);
  const char* const base = static_cast<const char*>(memory.ptr);
  const std::uint64_t offset = (position.z * memory.ysize + position.y) * memory.pitch + position.x;
  return in_memory(base == nullptr ? nullptr : base + offset, memory.pitch, memory.ysize);
}

}  // namespace

cudaError_t copy_box_of_arrays(const char* name, const cudaMemcpy3DParms& p, cudaStream_t stream, bool blocking) {
  cudaError_t error = cudaSuccess;
  const std::uint64_t to = p.dstArray == nullptr ? 0 : element_bytes(p.dstArray, error);
  if (error != cudaSuccess) return error;
  const std::uint64_t from = p.srcArray == nullptr ? 0 : element_bytes(p.srcArray, error);
  if (error != cudaSuccess) return error;
  ArrayCopy copy;
  copy.name = name;
  copy.to = side_of_box(p.dstArray, p.dstPos, p.dstPtr, to);
  copy.from = side_of_box(p.srcArray, p.srcPos, p.srcPtr, from);
  // The extent is in elements of the array; two arrays must have the same element size.
  if (to != 0 && from != 0 && to != from) copy.to.array = kNoArray;
  copy.width = p.extent.width * std::max(to, from);
  copy.height = p.extent.height;
  copy.depth = p.extent.depth;
  copy.kind = p.kind;
  copy.stream = stream;
  copy.blocking = blocking;
  return copy_array(copy);
}

}  // namespace warpbook::simulator::runtime

using namespace warpbook::simulator::runtime;

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return copy_rows_of_array("cudaMemcpy2DToArray", in_array(to, x, y), in_memory(from, pitch, height), width, height,
                            kind, nullptr, kWaits);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows_of_array("cudaMemcpy2DToArrayAsync", in_array(to, x, y), in_memory(from, pitch, height), width,
                            height, kind, stream, kGoesOn);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return copy_rows_of_array("cudaMemcpy2DFromArray", in_memory(to, pitch, height), in_array(from, x, y), width, height,
                            kind, nullptr, kWaits);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows_of_array("cudaMemcpy2DFromArrayAsync", in_memory(to, pitch, height), in_array(from, x, y), width,
                            height, kind, stream, kGoesOn);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows_of_array("cudaMemcpy2DArrayToArray", in_array(to, to_x, to_y), in_array(from, from_x, from_y), width,
                            height, kind, nullptr, kWaits);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count, cudaMemcpyKind kind) {
  return copy_to_array("cudaMemcpyToArray", to, x, y, from, count, kind, nullptr, kWaits);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_array("cudaMemcpyToArrayAsync", to, x, y, from, count, kind, stream, kGoesOn);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return copy_from_array("cudaMemcpyFromArray", to, from, x, y, count, kind, nullptr, kWaits);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_from_array("cudaMemcpyFromArrayAsync", to, from, x, y, count, kind, stream, kGoesOn);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                   size_t from_y, size_t count, cudaMemcpyKind kind) {
  // A row of either array may end within a row of the other.
  return copy_bytes(from, from_x, from_y, count,
                    [&](std::size_t x, std::size_t y, std::size_t done, std::size_t width, std::size_t height) {
                      cudaExtent extent{};
                      cudaChannelFormatDesc format{};
                      unsigned flags = 0;
                      if (const cudaError_t error = cudaArrayGetInfo(&format, &extent, &flags, to)) return error;
                      const std::size_t row =
                          extent.width * static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
                      std::size_t place = to_x + done;
                      for (std::size_t line = 0; line < height; ++line) {
                        for (std::size_t at = 0; at < width || width == 0;) {
                          const std::size_t piece = std::min(width - at, row - place % row);
                          const cudaError_t error = copy_rows_of_array(
                              "cudaMemcpyArrayToArray", in_array(to, place % row, to_y + place / row),
                              in_array(from, x + at, y + line), piece, 1, kind, nullptr, kWaits);
                          if (error != cudaSuccess || width == 0) return error;
                          at += piece;
                          place += piece;
                        }
                      }
                      return cudaSuccess;
                    });
}
