// What the runtime reports about the device: attributes and cudaDeviceProp.
#pragma once

#include <optional>
#include <string>

#include "common/simulator/model/device.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// The result of cudaDeviceGetAttribute; nothing for an unknown number.
std::optional<int> device_attribute(const Device& device, int attribute);

cudaDeviceProp device_properties(const Device& device);

/// "GPU-77617270-626f-6f6b-6832-303000000000", as in CUDA_VISIBLE_DEVICES.
std::string uuid_text(const Device& device);

/// "0000:00:06.0"
std::string pci_bus_id(const Device& device);

}  // namespace warpbook::simulator::runtime
