// Which devices the machine has, and which of them are visible to the program.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/model/device.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// What each device of the machine has in place of what its description says; 0: as described.
struct DeviceChanges {
  unsigned multiprocessors = 0;
  unsigned clock_khz = 0;  ///< Clock rate of the multiprocessors.
};

/// The names of descriptions in @p text: a number of devices of kind @p usual ("2"), or a list ("h200,h200").
/// @throws std::invalid_argument for an invalid number or list
std::vector<std::string> parse_devices(const std::string& text, const std::string& usual);

/// The devices of a machine: a description for each, as each device has its own UUID.
std::vector<Device> make_machine(const std::vector<std::string>& names, const DeviceChanges& changes = {});

struct VisibleDevices {
  std::vector<unsigned> numbers;         ///< In the machine.
  cudaError_t none = cudaErrorNoDevice;  ///< If there are none: the result of every call.
};

/// What CUDA_VISIBLE_DEVICES = @p value leaves of @p machine: in the order of the list, up to the first entry that
/// names no device. The entries are all numbers or all UUIDs ("GPU-..."), as the first one is. If a device is named
/// twice, none is left. As on an H200 (driver 580.159, 2026-11-23).
/// @param value nullptr: it is not set, and all are visible
VisibleDevices visible_devices(const std::vector<Device>& machine, const char* value);

}  // namespace warpbook::simulator::runtime
