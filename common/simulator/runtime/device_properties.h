// What the runtime says about the device: attributes and cudaDeviceProp.
#pragma once

#include <optional>

#include "common/simulator/model/device.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// The answer of cudaDeviceGetAttribute; nothing for a number that is no attribute.
std::optional<int> device_attribute(const Device& device, int attribute);

cudaDeviceProp device_properties(const Device& device);

/// "0000:00:06.0"
std::string pci_bus_id(const Device& device);

}  // namespace warpbook::simulator::runtime
