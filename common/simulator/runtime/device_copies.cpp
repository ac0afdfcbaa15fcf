// Copies and fills of the device runtime: rows of bytes, rows with a pitch, boxes. Errors are those of an H200
// (2026-11-23).
#include "common/simulator/machine/address_space.h"
#include "common/simulator/runtime/device_calls.h"
#include "common/simulator/runtime/graph.h"

namespace warpbook::simulator::runtime {
namespace {

bool in_device_memory(const Box& box) { return space_of(handle_of(box.base)) == ptx::Space::global; }

Box device_box(std::uint64_t address, std::uint64_t pitch, std::uint64_t slice_rows = 0) {
  return {reinterpret_cast<const void*>(address), pitch, slice_rows};
}

Box device_box(const cudaPitchedPtr& memory, const cudaPos& position) {
  const std::uint64_t begin =
      handle_of(memory.ptr) + (position.z * memory.ysize + position.y) * memory.pitch + position.x;
  return device_box(memory.ptr == nullptr ? 0 : begin, memory.pitch, memory.ysize);
}

BoxSize size_of(const cudaExtent& extent) { return {extent.width, extent.height, extent.depth}; }

/// Whether its rows or slices overlap: the pitch is too small, or a slice has too few rows.
bool lies_on_itself(const Box& box, const BoxSize& size) { return !size.is_empty() && span_of(box, size) == kNowhere; }

}  // namespace

cudaError_t DeviceCalls::enqueue_copy(DeviceCall& call, std::uint64_t stream, int kind, const Box& to, const Box& from,
                                      const BoxSize& size) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (size.is_empty()) return cudaSuccess;
  if (!in_device_memory(to) || !in_device_memory(from)) return cudaErrorInvalidValue;
  if (tree_.bytes_of(to, size) == nullptr || tree_.bytes_of(from, size) == nullptr) return cudaErrorInvalidValue;
  DeviceWork work;
  work.kind = DeviceWork::Kind::copy;
  work.to = to;
  work.from = from;
  work.size = size;
  return enqueue(call, stream, std::move(work));
}

cudaError_t DeviceCalls::enqueue_fill(DeviceCall& call, std::uint64_t stream, int value, const Box& to,
                                      const BoxSize& size) {
  if (size.is_empty()) return cudaSuccess;
  if (!in_device_memory(to) || tree_.bytes_of(to, size) == nullptr) return cudaErrorInvalidValue;
  DeviceWork work;
  work.kind = DeviceWork::Kind::fill;
  work.to = to;
  work.size = size;
  work.value = value;
  return enqueue(call, stream, std::move(work));
}

cudaError_t DeviceCalls::copy(DeviceCall& call) {
  const auto bytes = call.argument<std::uint64_t>(2);
  return enqueue_copy(call, call.argument<std::uint64_t>(4), call.argument<std::int32_t>(3),
                      device_box(call.argument<std::uint64_t>(0), bytes),
                      device_box(call.argument<std::uint64_t>(1), bytes), {bytes, 1, 1});
}

cudaError_t DeviceCalls::copy_rows(DeviceCall& call) {
  const BoxSize size{call.argument<std::uint64_t>(4), call.argument<std::uint64_t>(5), 1};
  const Box to = device_box(call.argument<std::uint64_t>(0), call.argument<std::uint64_t>(1));
  const Box from = device_box(call.argument<std::uint64_t>(2), call.argument<std::uint64_t>(3));
  if (lies_on_itself(to, size) || lies_on_itself(from, size)) return cudaErrorInvalidPitchValue;
  return enqueue_copy(call, call.argument<std::uint64_t>(7), call.argument<std::int32_t>(6), to, from, size);
}

cudaError_t DeviceCalls::copy_box(DeviceCall& call) {
  cudaMemcpy3DParms copy{};
  if (!call.read(call.argument<std::uint64_t>(0), &copy, sizeof copy)) return cudaErrorInvalidValue;
  if (copy.srcArray != nullptr || copy.dstArray != nullptr) return cudaErrorInvalidValue;
  const Box to = device_box(copy.dstPtr, copy.dstPos), from = device_box(copy.srcPtr, copy.srcPos);
  const BoxSize size = size_of(copy.extent);
  if (lies_on_itself(to, size) || lies_on_itself(from, size)) return cudaErrorInvalidPitchValue;
  return enqueue_copy(call, call.argument<std::uint64_t>(1), copy.kind, to, from, size);
}

cudaError_t DeviceCalls::fill(DeviceCall& call) {
  const auto bytes = call.argument<std::uint64_t>(2);
  return enqueue_fill(call, call.argument<std::uint64_t>(3), call.argument<std::int32_t>(1),
                      device_box(call.argument<std::uint64_t>(0), bytes), {bytes, 1, 1});
}

cudaError_t DeviceCalls::fill_rows(DeviceCall& call) {
  const Box to = device_box(call.argument<std::uint64_t>(0), call.argument<std::uint64_t>(1));
  const BoxSize size{call.argument<std::uint64_t>(3), call.argument<std::uint64_t>(4), 1};
  if (lies_on_itself(to, size)) return cudaErrorInvalidValue;
  return enqueue_fill(call, call.argument<std::uint64_t>(5), call.argument<std::int32_t>(2), to, size);
}

cudaError_t DeviceCalls::fill_box(DeviceCall& call) {
  const Box to = device_box(call.argument<cudaPitchedPtr>(0), {});
  const BoxSize size = size_of(call.argument<cudaExtent>(2));
  if (lies_on_itself(to, size)) return cudaErrorInvalidValue;
  return enqueue_fill(call, call.argument<std::uint64_t>(3), call.argument<std::int32_t>(1), to, size);
}

}  // namespace warpbook::simulator::runtime
