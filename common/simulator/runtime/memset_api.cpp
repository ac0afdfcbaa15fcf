// cudaMemset and its relatives.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator::runtime;

cudaError_t fill_box(const char* name, const Box& to, const BoxSize& size, int value, cudaStream_t stream) {
  return call(CallKind::enqueue, name, [&](Runtime& runtime) {
    Stream* place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    if (size.width > to.pitch) return cudaErrorInvalidValue;
    return fill(runtime, *place, to, size, value);
  });
}

cudaError_t fill_pitched(const char* name, const cudaPitchedPtr& to, int value, const cudaExtent& extent,
                         cudaStream_t stream) {
  return fill_box(name, {to.ptr, to.pitch, to.ysize}, {extent.width, extent.height, extent.depth}, value, stream);
}

}  // namespace

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return fill_box("cudaMemset", {to, bytes, 1}, {bytes, 1, 1}, value, nullptr);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return fill_box("cudaMemsetAsync", {to, bytes, 1}, {bytes, 1, 1}, value, stream);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return fill_box("cudaMemset2D", {to, pitch, height}, {width, height, 1}, value, nullptr);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fill_box("cudaMemset2DAsync", {to, pitch, height}, {width, height, 1}, value, stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return fill_pitched("cudaMemset3D", to, value, extent, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_pitched("cudaMemset3DAsync", to, value, extent, stream);
}
