// What a kernel submitted to streams through the device runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/grid_run.h"

namespace warpbook::simulator::runtime {

struct GridNode;

/// One launch, copy, fill or event of one grid.
struct DeviceWork {
  enum class Kind : std::uint8_t { kernel, copy, fill, event };
  Kind kind = Kind::kernel;
  GridRun run;    ///< kernel: what to run.
  Box to, from;   ///< copy, fill: device addresses.
  BoxSize size;   ///< In bytes.
  int value = 0;  ///< fill: the byte.

  enum class Queue : std::uint8_t { block_default, named, fire_and_forget, tail };
  Queue queue = Queue::block_default;
  std::vector<std::size_t> after;  ///< Work of the same grid that must complete first.
  double issued = 0;               ///< When, as a fraction of its grid's duration without the calls themselves.
  double calls_us = 0;             ///< Time that its warp had spent in device runtime calls, including this one.
  std::uint64_t block = 0;         ///< The block that issued it.
  double taken_us = 0;             ///< When the device accepted it, relative to the start of its grid.
  std::string file;                ///< The source line that issued it; empty without line information.
  std::uint32_t line = 0;

  std::size_t index = 0;  ///< Number within the work of its grid.
  bool done = false;
  GridNode* grid = nullptr;   ///< kernel: the resulting grid.
  std::uint64_t done_ns = 0;  ///< On the clock that kernels read.
};

/// A launch of a graph by a grid.
struct GraphCallOfGrid {
  std::uint64_t exec = 0, stream = 0;
  double issued = 0, calls_us = 0, taken_us = 0;  ///< As in DeviceWork.
};

const char* name_of(DeviceWork::Queue queue);  ///< As in the profile: "block", "named", "fire_and_forget", "tail".

}  // namespace warpbook::simulator::runtime
