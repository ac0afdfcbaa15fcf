// What the kernels of a graph meet when they launch graphs: cudaGraphLaunch in kernels.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

class DeviceGraphs {
 public:
  /// Values of the stream, which say how the graph is launched (cuda_device_runtime_api.h).
  static constexpr std::uint64_t kTail = 0x0100'0000'0000'0000;
  static constexpr std::uint64_t kFireAndForget = 0x0200'0000'0000'0000;
  static constexpr std::uint64_t kSibling = 0x0300'0000'0000'0000;

  virtual ~DeviceGraphs() = default;
  /// cudaGetCurrentGraphExec(): the handle of the executable graph that runs.
  virtual std::uint64_t exec() const = 0;
  /// A kernel of it launches the executable graph @p exec. @returns what cudaGraphLaunch answers
  virtual cudaError_t request(std::uint64_t exec, std::uint64_t stream) = 0;
  /// The grid that made the request is done: the graph may start. @param us when it was made, on the virtual clock
  virtual void issue(std::uint64_t exec, std::uint64_t stream, double us) = 0;
};

}  // namespace warpbook::simulator::runtime
