// A launch to be sent to the device, with the values of its parameters.
#pragma once

#include <array>
#include <cstdint>

#include "common/simulator/remote/calls.h"

namespace warpbook::simulator::remote {

struct LaunchMessage {
  LaunchKind kind{};
  const void* function = nullptr;  ///< Identifies the kernel: a host function or a handle.
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint64_t shared_bytes = 0;
  const void* stream = nullptr;
  void** arguments = nullptr;    ///< One pointer per parameter.
  const void* buffer = nullptr;  ///< Or all of them in one buffer, from the driver's `extra`.
  std::uint64_t buffer_bytes = 0;
  const void* attributes = nullptr;  ///< cudaLaunchAttribute's
  std::uint64_t attribute_bytes = 0;
};

/// @returns an error of the API that the kind belongs to
std::uint64_t launch(const LaunchMessage& message);

}  // namespace warpbook::simulator::remote
