// Parts of a device's multiprocessors as cuDevSmResourceSplitByCount hands them out. What they are is in the resource
// itself, so that the calls that split and describe them ask no device.
#pragma once

#include <optional>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/model/device.h"
#include "common/simulator/model/residency.h"

namespace warpbook::simulator::driver {

/// Multiprocessors of a device, all or a part.
CUdevResource sm_resource(Partition part, const Device& device);
/// Those that @p resource names; nothing if it is none of ours.
std::optional<Partition> part_of(const CUdevResource& resource);

/// What a descriptor stands for: the handle is a number that says it.
std::optional<Partition> part_of(CUdevResourceDesc descriptor);

}  // namespace warpbook::simulator::driver
