// Calls that name a device by its number.
#pragma once

#include "common/simulator/runtime/call.h"

namespace warpbook::simulator::runtime {

inline bool is_device(const Runtime& runtime, int device) {
  return device >= 0 && static_cast<unsigned>(device) < runtime.device_count();
}

/// Calls @p body(runtime, the device), with the device active; cudaErrorInvalidDevice if there is none.
template <class Body>
cudaError_t about_device(const char* name, CallKind kind, int device, Body body) {
  return call(kind, name, [&](Runtime& runtime) {
    if (!is_device(runtime, device)) return cudaErrorInvalidDevice;
    const OnDevice there(static_cast<unsigned>(device));
    return body(runtime, runtime.here());
  });
}

}  // namespace warpbook::simulator::runtime
