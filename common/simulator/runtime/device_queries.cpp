// Device-side queries about the device, its limits and functions: answered as on an H200 (driver 580.159, CUDA 13.0,
// 2026-11-21), mostly as for the host.
#include <cstring>

#include "common/simulator/model/occupancy.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/device_calls.h"

namespace warpbook::simulator::runtime {
namespace {

/// Queries the host's runtime. Errors do not become the host thread's last error.
template <class Value, class Ask>
cudaError_t ask(DeviceCall& call, Value value, Ask question) {
  const cudaError_t before = last_error();
  const cudaError_t error = question(&value);
  forget_last_error();
  remember(before);
  if (error != cudaSuccess) return error;
  return call.write(call.argument<std::uint64_t>(0), &value, sizeof value) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t DeviceCalls::attribute(DeviceCall& call) {
  return ask(call, int{}, [&](int* value) {
    if (call.argument<std::int32_t>(2) != 0) return cudaSuccess;  // Another device: 0, and no error.
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(call.argument<std::int32_t>(1)), 0);
  });
}

cudaError_t DeviceCalls::limit(DeviceCall& call) {
  return ask(call, std::size_t{}, [&](std::size_t* value) {
    return cudaDeviceGetLimit(value, static_cast<cudaLimit>(call.argument<std::int32_t>(1)));
  });
}

cudaError_t DeviceCalls::cache_config(DeviceCall& call) {
  return ask(call, cudaFuncCache{}, [](cudaFuncCache* value) { return cudaDeviceGetCacheConfig(value); });
}

cudaError_t DeviceCalls::device(DeviceCall& call) {
  return ask(call, int{}, [](int* value) { return cudaGetDevice(value); });
}

cudaError_t DeviceCalls::device_count(DeviceCall& call) {
  return ask(call, int{}, [](int* value) { return cudaGetDeviceCount(value); });
}

cudaError_t DeviceCalls::runtime_version(DeviceCall& call) {
  // NVIDIA's library returns this, whatever the toolkit's version.
  return ask(call, int{}, [](int* value) {
    *value = 6000;
    return cudaSuccess;
  });
}

cudaError_t DeviceCalls::function_attributes(DeviceCall& call) {
  Kernel* kernel = kernel_at(call.argument<std::uint64_t>(1));
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  KernelResources resources;
  if (const cudaError_t error = find_resources(runtime_, *kernel, resources)) return error;
  return ask(call, cudaFuncAttributes{}, [&](cudaFuncAttributes* value) {
    *value = attributes_of(runtime_, *kernel, resources);
    return cudaSuccess;
  });
}

cudaError_t DeviceCalls::occupancy(DeviceCall& call) {
  Kernel* kernel = kernel_at(call.argument<std::uint64_t>(1));
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  KernelResources resources;
  if (const cudaError_t error = find_resources(runtime_, *kernel, resources)) return error;
  const auto threads = call.argument<std::int32_t>(2);
  if (threads <= 0) return cudaErrorInvalidValue;
  return ask(call, int{}, [&](int* value) {
    *value =
        static_cast<int>(simulator::occupancy(runtime_.device(), resources.registers, static_cast<unsigned>(threads),
                                              resources.static_shared + call.argument<std::uint64_t>(3))
                             .blocks);
    return cudaSuccess;
  });
}

std::uint64_t DeviceCalls::text(DeviceCall&, const char* words) {
  std::uint64_t& address = runtime_.here().texts[words];
  if (address != 0) return address;
  const std::size_t bytes = std::strlen(words) + 1;
  const Allocation* place =
      runtime_.memory.allocate(bytes, MemoryKind::module, 256, "the text of an error", active_device());
  if (place == nullptr) return 0;
  std::memcpy(place->host, words, bytes);
  return address = place->address;
}

}  // namespace warpbook::simulator::runtime
