// Interface for device-side graph launches: cudaGraphLaunch in kernels.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

class DeviceGraphs {
 public:
  /// Stream values that determine how the graph is launched (cuda_device_runtime_api.h).
  static constexpr std::uint64_t kTail = 0x0100'0000'0000'0000;
  static constexpr std::uint64_t kFireAndForget = 0x0200'0000'0000'0000;
  static constexpr std::uint64_t kSibling = 0x0300'0000'0000'0000;

  virtual ~DeviceGraphs() = default;
  /// cudaGetCurrentGraphExec(): the handle of the running executable graph.
  virtual std::uint64_t exec() const = 0;
  /// A kernel of the graph launches the executable graph @p exec. @returns the result of cudaGraphLaunch
  virtual cudaError_t request(std::uint64_t exec, std::uint64_t stream) = 0;
  /// The grid that made the request has ended: the graph may start. @param us time of the request, on the virtual clock
  virtual void issue(std::uint64_t exec, std::uint64_t stream, double us) = 0;
};

}  // namespace warpbook::simulator::runtime
