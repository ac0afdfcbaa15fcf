// cudaMemcpy and its relatives.
#include "common/simulator/remote/front/copy.h"
#include "common/simulator/runtime/array_copy.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator::remote;

cudaError_t send(const CopyMessage& message) { return static_cast<cudaError_t>(copy(message)); }

cudaError_t copy_row(CopyKind kind, void* to, const void* from, std::size_t bytes, cudaMemcpyKind direction,
                     cudaStream_t stream = nullptr, std::size_t offset = 0) {
  CopyMessage message{kind, {to, bytes, 1}, {from, bytes, 1}, bytes, 1, 1, direction, stream};
  message.offset = offset;
  return send(message);
}

cudaError_t copy_rows(CopyKind kind, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind direction, cudaStream_t stream = nullptr) {
  return send({kind, {to, to_pitch, height}, {from, from_pitch, height}, width, height, 1, direction, stream});
}

CopySide side_of(const cudaPitchedPtr& memory, const cudaPos& position) {
  const char* base = static_cast<const char*>(memory.ptr);
  const std::uint64_t offset = (position.z * memory.ysize + position.y) * memory.pitch + position.x;
  return {base == nullptr ? nullptr : base + offset, memory.pitch, memory.ysize};
}

cudaError_t copy_box(CopyKind kind, const cudaMemcpy3DParms* p, cudaStream_t stream = nullptr) {
  const bool arrays = p != nullptr && (p->srcArray != nullptr || p->dstArray != nullptr);
  if (arrays && kind == CopyKind::box)
    return warpbook::simulator::runtime::copy_box_of_arrays("cudaMemcpy3D", *p, stream, true);
  if (arrays) return warpbook::simulator::runtime::copy_box_of_arrays("cudaMemcpy3DAsync", *p, stream, false);
  CopyMessage message;
  message.kind = kind;
  message.stream = stream;
  if (p == nullptr) {
    // Rejected by the device in the same way as missing parameters: a byte from nowhere to nowhere.
    message.width = message.to.pitch = message.from.pitch = 1;
    return send(message);
  }
  message.to = side_of(p->dstPtr, p->dstPos);
  message.from = side_of(p->srcPtr, p->srcPos);
  message.width = p->extent.width;
  message.height = p->extent.height;
  message.depth = p->extent.depth;
  message.direction = p->kind;
  return send(message);
}

cudaError_t copy_peer(CopyKind kind, void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                      cudaStream_t stream = nullptr) {
  CopyMessage message{kind, {to, bytes, 1}, {from, bytes, 1}, bytes, 1, 1, cudaMemcpyDeviceToDevice, stream};
  message.to_device = to_device;
  message.from_device = from_device;
  return send(message);
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_row(CopyKind::plain, to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_row(CopyKind::plain_async, to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_rows(CopyKind::rows, to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(CopyKind::rows_async, to, to_pitch, from, from_pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) { return copy_box(CopyKind::box, parameters); }

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_box(CopyKind::box_async, parameters, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return copy_peer(CopyKind::peer, to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return copy_peer(CopyKind::peer_async, to, to_device, from, from_device, bytes, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_row(CopyKind::to_symbol, const_cast<void*>(symbol), from, bytes, kind, nullptr, offset);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_row(CopyKind::from_symbol, to, symbol, bytes, kind, nullptr, offset);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_row(CopyKind::to_symbol_async, const_cast<void*>(symbol), from, bytes, kind, stream, offset);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return copy_row(CopyKind::from_symbol_async, to, symbol, bytes, kind, stream, offset);
}
