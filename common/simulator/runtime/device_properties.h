// What the runtime says about the device: attributes and cudaDeviceProp.
#pragma once

#include <optional>
#include <string>

#include "common/simulator/model/device.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// The answer of cudaDeviceGetAttribute; nothing for a number that is no attribute.
std::optional<int> device_attribute(const Device& device, int attribute);

cudaDeviceProp device_properties(const Device& device);

/// "GPU-77617270-626f-6f6b-6832-303000000000": as CUDA_VISIBLE_DEVICES takes it.
std::string uuid_text(const Device& device);

/// "0000:00:06.0"
std::string pci_bus_id(const Device& device);

}  // namespace warpbook::simulator::runtime
