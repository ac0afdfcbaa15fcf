// One device of the process: its description and its own state.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/simulator/machine/device_heap.h"
#include "common/simulator/machine/global_memory.h"
#include "common/simulator/model/device.h"
#include "common/simulator/observe/l2_cache.h"
#include "common/simulator/runtime/handles.h"

namespace warpbook::simulator::runtime {

/// Values of cudaDeviceSetLimit that have an effect or are at least stored.
struct Limits {
  std::uint64_t stack = 0, printf = 0, heap = 0;
  std::uint64_t pending_launches = 2048, fetch_granularity = 64, persisting_l2 = 0;
  std::uint64_t times_set = 0;  ///< Calls that set one of them.
};

struct VirtualDevice {
  VirtualDevice(unsigned number, unsigned ordinal, const Device& description);

  const unsigned number;   ///< As the program counts devices.
  const unsigned ordinal;  ///< As the machine counts devices, whatever CUDA_VISIBLE_DEVICES selects.
  const Device& description;
  Limits limits;
  unsigned flags = 0;            ///< cudaSetDeviceFlags
  int cache_config = 0;          ///< cudaDeviceSetCacheConfig
  bool primary_context = false;  ///< A call of the runtime API has made the primary context current.
  DeviceSet peers = 0;           ///< Devices whose memory it may access (cudaDeviceEnablePeerAccess).
  Stream legacy;                 ///< Its default stream.

  L2Cache l2{description.l2_bytes, description.model.l2_sector_copies};
  /// The allocator of malloc in kernels: limits.heap bytes, created by the first launch of a program that may call it.
  std::unique_ptr<DeviceHeap> heap;
  /// Error texts that kernels requested, and their addresses on the device.
  std::map<std::string, std::uint64_t> texts;
  /// Address of the words with which the blocks of a cooperative grid synchronise; 0 until the first such launch.
  std::uint64_t grid_workspace = 0;
  std::uint64_t cooperative_grids = 0;  ///< Launches so far that used one of the further workspaces.

  /// Restores the limits of the start of the process; for cudaDeviceReset.
  void reset_limits();
};

}  // namespace warpbook::simulator::runtime
