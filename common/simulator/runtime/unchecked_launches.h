// Launches by <<<>>> that were refused, until the program asks for the error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

struct UncheckedLaunch {
  cudaError_t error = cudaSuccess;
  std::string kernel;          ///< Empty if unknown.
  std::size_t host_place = 0;  ///< Of HostPlaces.
  std::thread::id thread = std::this_thread::get_id();
};

/// Errors belong to the thread that launched.
class UncheckedLaunches {
 public:
  void refused(UncheckedLaunch launch) { launches_.push_back(std::move(launch)); }
  /// This thread has queried its last error.
  void asked() {
    const auto is_own = [](const UncheckedLaunch& launch) { return launch.thread == std::this_thread::get_id(); };
    launches_.erase(std::remove_if(launches_.begin(), launches_.end(), is_own), launches_.end());
  }
  const std::vector<UncheckedLaunch>& all() const { return launches_; }

 private:
  std::vector<UncheckedLaunch> launches_;
};

}  // namespace warpbook::simulator::runtime
