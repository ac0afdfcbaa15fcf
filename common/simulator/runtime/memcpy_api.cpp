// cudaMemcpy and its relatives for linear and pitched memory; those of arrays are in array_copy_api.cpp.
#include "common/simulator/runtime/array_copy.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator::runtime;

constexpr bool kBlocking = true, kAsynchronous = false;

cudaError_t copy_row(const char* name, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                     cudaStream_t stream, bool blocking) {
  return call(blocking ? CallKind::ordinary : CallKind::enqueue, name, [&](Runtime& runtime) {
    Stream* place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    return copy(runtime, *place, to, from, bytes, kind, blocking);
  });
}

cudaError_t copy_rows(const char* name, const Box& to, const Box& from, const BoxSize& size, cudaMemcpyKind kind,
                      cudaStream_t stream, bool blocking) {
  return call(blocking ? CallKind::ordinary : CallKind::enqueue, name, [&](Runtime& runtime) {
    Stream* place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    if (size.width > to.pitch || size.width > from.pitch) return cudaErrorInvalidPitchValue;
    return copy(runtime, *place, to, from, size, kind, blocking);
  });
}

Box box_of(const cudaPitchedPtr& memory, const cudaPos& position) {
  const char* base = static_cast<const char*>(memory.ptr);
  const std::uint64_t offset = (position.z * memory.ysize + position.y) * memory.pitch + position.x;
  return {base == nullptr ? nullptr : base + offset, memory.pitch, memory.ysize};
}

cudaError_t copy_box(const char* name, const cudaMemcpy3DParms* p, cudaStream_t stream, bool blocking) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  if (p->srcArray != nullptr || p->dstArray != nullptr) return copy_box_of_arrays(name, *p, stream, blocking);
  return copy_rows(name, box_of(p->dstPtr, p->dstPos), box_of(p->srcPtr, p->srcPos),
                   {p->extent.width, p->extent.height, p->extent.depth}, p->kind, stream, blocking);
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_row("cudaMemcpy", to, from, bytes, kind, nullptr, kBlocking);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_row("cudaMemcpyAsync", to, from, bytes, kind, stream, kAsynchronous);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", {to, to_pitch, height}, {from, from_pitch, height}, {width, height, 1}, kind,
                   nullptr, kBlocking);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DAsync", {to, to_pitch, height}, {from, from_pitch, height}, {width, height, 1}, kind,
                   stream, kAsynchronous);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copy_box("cudaMemcpy3D", parameters, nullptr, kBlocking);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_box("cudaMemcpy3DAsync", parameters, stream, kAsynchronous);
}
