// Which devices the machine has, and which of them the program sees.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/model/device.h"

namespace warpbook::simulator::runtime {

/// The names of descriptions in @p text: so many of @p usual ("2"), or a list ("h200,h200").
/// @throws std::invalid_argument for a number or a list that cannot be
std::vector<std::string> parse_devices(const std::string& text, const std::string& usual);

/// The devices of a machine: each description by itself, as each device has an identity of its own.
/// @param multiprocessors as many as that of each device, not all; 0: all
std::vector<Device> make_machine(const std::vector<std::string>& names, unsigned multiprocessors);

/// What CUDA_VISIBLE_DEVICES = @p value leaves of @p machine: their numbers there, in the order of the list, up to the
/// first entry that names no device. @param value nullptr: it is not set, and all are visible
std::vector<unsigned> visible_devices(const std::vector<Device>& machine, const char* value);

}  // namespace warpbook::simulator::runtime
