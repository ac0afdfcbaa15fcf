// Copies, prefetches and discards of several ranges in one call: validated as a whole, then executed as the equivalent
// single calls, in order.
//
// Discarded memory keeps its contents here: CUDA leaves them undefined.
#include <optional>

#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_entry.h"

namespace {

using namespace warpbook::simulator::runtime;

/// A batch must not be in the legacy default stream. The single calls report an unknown stream.
bool is_legacy_stream(cudaStream_t stream) {
  if (stream != nullptr && stream != cudaStreamLegacy) return false;
  unsigned long long given = 0, legacy = 0;
  return cudaStreamGetId(stream, &given) == cudaSuccess && cudaStreamGetId(cudaStreamLegacy, &legacy) == cudaSuccess &&
         given == legacy;
}

/// Entry k of a list applies from range first[k] on: the first value is 0, and they increase.
bool is_rising(const std::size_t* first, std::size_t entries, std::size_t ranges) {
  if (entries == 0 || entries > ranges || first == nullptr || first[0] != 0) return false;
  for (std::size_t k = 1; k < entries; ++k)
    if (first[k] <= first[k - 1] || first[k] >= ranges) return false;
  return true;
}

/// The entry that applies to range @p i.
std::size_t entry_of(const std::size_t* first, std::size_t entries, std::size_t i) {
  std::size_t k = 0;
  while (k + 1 < entries && first[k + 1] <= i) ++k;
  return k;
}

bool is_order(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

constexpr unsigned kCopyFlags = cudaMemcpyFlagPreferOverlapWithCompute;

bool is_managed(const void* pointer, std::size_t bytes) {
  for (const void* const at : {pointer, static_cast<const void*>(static_cast<const char*>(pointer) + bytes - 1)}) {
    cudaPointerAttributes about{};
    if (cudaPointerGetAttributes(&about, at) != cudaSuccess || about.type != cudaMemoryTypeManaged) return false;
  }
  return true;
}

/// A batch operation on ranges of managed memory.
struct Ranges {
  void** pointers;
  std::size_t* sizes;
  std::size_t count;
  unsigned long long flags;
  cudaStream_t stream;

  bool are_managed() const {
    if (pointers == nullptr || sizes == nullptr || count == 0 || flags != 0 || is_legacy_stream(stream)) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (sizes[i] == 0 || !is_managed(pointers[i], sizes[i])) return false;
    return true;
  }
};

cudaError_t prefetch(const char* name, const Ranges& ranges, const cudaMemLocation* places, const std::size_t* first,
                     std::size_t entries) {
  if (!ranges.are_managed() || places == nullptr || !is_rising(first, entries, ranges.count))
    return refuse(name, cudaErrorInvalidValue);
  for (std::size_t i = 0; i < ranges.count; ++i) {
    const cudaMemLocation& place = places[entry_of(first, entries, i)];
    if (const auto error = cudaMemPrefetchAsync(ranges.pointers[i], ranges.sizes[i], place, 0, ranges.stream))
      return error;
  }
  return cudaSuccess;
}

/// Element size of @p array; 0 if there is no such array.
std::size_t element_bytes(cudaArray_t array) {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  if (array == nullptr || cudaArrayGetInfo(&format, &extent, &flags, array) != cudaSuccess) return 0;
  return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
}

bool is_array(const cudaMemcpy3DOperand& operand) { return operand.type == cudaMemcpyOperandTypeArray; }

/// The start of a box copy: in an array, or in memory whose rows have the given number of elements, or as many as the
/// box. @returns false if rows or layers are too short
bool read_operand(const cudaMemcpy3DOperand& from, const cudaExtent& box, std::size_t element, cudaArray_t& array,
                  cudaPos& position, cudaPitchedPtr& memory) {
  if (is_array(from)) {
    array = from.op.array.array;
    position = {from.op.array.offset.x, from.op.array.offset.y, from.op.array.offset.z};
    return true;
  }
  const auto& place = from.op.ptr;
  if ((place.rowLength != 0 && place.rowLength < box.width) ||
      (place.layerHeight != 0 && place.layerHeight < box.height))
    return false;
  const std::size_t row = (place.rowLength != 0 ? place.rowLength : box.width) * element;
  memory = {place.ptr, row, row, place.layerHeight != 0 ? place.layerHeight : box.height};
  return true;
}

std::optional<cudaMemcpy3DParms> copy_of(const cudaMemcpy3DBatchOp& operation) {
  const bool known = (operation.src.type == cudaMemcpyOperandTypePointer || is_array(operation.src)) &&
                     (operation.dst.type == cudaMemcpyOperandTypePointer || is_array(operation.dst));
  const cudaExtent& box = operation.extent;
  if (!known || box.width == 0 || box.height == 0 || box.depth == 0 || !is_order(operation.srcAccessOrder) ||
      (operation.flags & ~kCopyFlags) != 0)
    return std::nullopt;
  std::size_t element = 1;
  for (const cudaMemcpy3DOperand* const side : {&operation.src, &operation.dst})
    if (is_array(*side) && (element = element_bytes(side->op.array.array)) == 0) return std::nullopt;
  cudaMemcpy3DParms copy{};
  copy.extent = box;
  copy.kind = cudaMemcpyDefault;
  if (!read_operand(operation.src, box, element, copy.srcArray, copy.srcPos, copy.srcPtr) ||
      !read_operand(operation.dst, box, element, copy.dstArray, copy.dstPos, copy.dstPtr))
    return std::nullopt;
  return copy;
}

}  // namespace

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                                 cudaMemcpyAttributes* attributes, size_t* first, size_t entries, cudaStream_t stream) {
  const char* const name = "cudaMemcpyBatchAsync";
  if (to == nullptr || from == nullptr || sizes == nullptr || count == 0 || attributes == nullptr ||
      !is_rising(first, entries, count) || is_legacy_stream(stream))
    return refuse(name, cudaErrorInvalidValue);
  for (std::size_t k = 0; k < entries; ++k)
    if (!is_order(attributes[k].srcAccessOrder) || (attributes[k].flags & ~kCopyFlags) != 0)
      return refuse(name, cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (to[i] == nullptr || from[i] == nullptr || sizes[i] == 0) return refuse(name, cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (const auto error = cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream)) return error;
  return cudaSuccess;
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* operations, unsigned long long flags,
                                   cudaStream_t stream) {
  const char* const name = "cudaMemcpy3DBatchAsync";
  if (count == 0 || operations == nullptr || flags != 0 || is_legacy_stream(stream))
    return refuse(name, cudaErrorInvalidValue);
  std::vector<cudaMemcpy3DParms> copies;
  for (std::size_t i = 0; i < count; ++i) {
    const auto copy = copy_of(operations[i]);
    if (!copy) return refuse(name, cudaErrorInvalidValue);
    copies.push_back(*copy);
  }
  for (const cudaMemcpy3DParms& copy : copies)
    if (const auto error = cudaMemcpy3DAsync(&copy, stream)) return error;
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count, cudaMemLocation* places,
                                      size_t* first, size_t entries, unsigned long long flags, cudaStream_t stream) {
  return prefetch("cudaMemPrefetchBatchAsync", {pointers, sizes, count, flags, stream}, places, first, entries);
}

cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
  const Ranges ranges{pointers, sizes, count, flags, stream};
  return ranges.are_managed() ? cudaSuccess : refuse("cudaMemDiscardBatchAsync", cudaErrorInvalidValue);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count, cudaMemLocation* places,
                                                size_t* first, size_t entries, unsigned long long flags,
                                                cudaStream_t stream) {
  return prefetch("cudaMemDiscardAndPrefetchBatchAsync", {pointers, sizes, count, flags, stream}, places, first,
                  entries);
}
