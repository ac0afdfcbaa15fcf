// The interface between the machine and the CUDA device runtime: device-side calls that launch other kernels.
//
// The machine knows only the names of these functions. A launch is given a DeviceRuntime that implements them, one lane
// at a time in lane order; runtime/ has the one for CUDA programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "common/simulator/machine/device_heap.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/warp_state.h"

namespace warpbook::simulator {

/// One lane's call: its arguments, its memory and its result.
class DeviceCall {
 public:
  DeviceCall(WarpState& warp, unsigned lane, const CallSite& site, const Operation& operation)
      : warp_(warp), lane_(lane), site_(site), operation_(operation) {}

  const std::string& name() const { return site_.name; }
  std::uint64_t block() const;   ///< Linear index in the grid.
  std::uint32_t thread() const;  ///< Linear index in the block.
  std::uint32_t operation() const { return operation_.index; }
  HeapCall heap_call(DeviceHeap& heap) const;  ///< The caller, for requests to the heap.
  std::uint64_t clock() const;                 ///< Steps since the block started.
  std::uint32_t publish();  ///< What the thread passes on to a grid that it launches (Launch::inherited).

  /// Argument @p index as it lies in the caller's frame; zeros if there is none.
  template <class T>
  T argument(std::size_t index) const {
    T value{};
    copy_argument(index, &value, sizeof value);
    return value;
  }
  template <class T>
  void answer(T value) {
    copy_answer(&value, sizeof value);
  }

  /// Copies from or to the lane's generic address @p address. @returns false if there is no memory
  bool read(std::uint64_t address, void* out, std::size_t bytes) const;
  bool write(std::uint64_t address, const void* from, std::size_t bytes);

 private:
  void copy_argument(std::size_t index, void* out, std::size_t bytes) const;
  void copy_answer(const void* value, std::size_t bytes);

  WarpState& warp_;
  unsigned lane_;
  const CallSite& site_;
  const Operation& operation_;
};

class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  /// Executes the call. @returns false if the function is unknown; then the launch faults and names it
  virtual bool call(DeviceCall& call) = 0;
};

/// Runs the grid as run(launch) does; calls of the device runtime go to @p device_runtime.
LaunchResult run(const Launch& launch, DeviceRuntime* device_runtime);

}  // namespace warpbook::simulator
