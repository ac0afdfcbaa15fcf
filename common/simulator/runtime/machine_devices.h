// Which devices the machine has, and which of them the program sees.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/model/device.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// The names of descriptions in @p text: so many of @p usual ("2"), or a list ("h200,h200").
/// @throws std::invalid_argument for a number or a list that cannot be
std::vector<std::string> parse_devices(const std::string& text, const std::string& usual);

/// The devices of a machine: each description by itself, as each device has an identity of its own.
/// @param multiprocessors as many as that of each device, not all; 0: all
std::vector<Device> make_machine(const std::vector<std::string>& names, unsigned multiprocessors);

struct VisibleDevices {
  std::vector<unsigned> numbers;         ///< In the machine.
  cudaError_t none = cudaErrorNoDevice;  ///< If there are none: what every call answers.
};

/// What CUDA_VISIBLE_DEVICES = @p value leaves of @p machine: in the order of the list, up to the first entry that
/// names no device. The entries are all numbers or all identities ("GPU-..."), as the first one is. A device that is
/// named twice leaves none. As an H200 reads the variable (driver 580.159, 2026-11-23).
/// @param value nullptr: it is not set, and all are visible
VisibleDevices visible_devices(const std::vector<Device>& machine, const char* value);

}  // namespace warpbook::simulator::runtime
