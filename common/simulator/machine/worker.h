// A worker: one host thread that runs blocks, with counters of its own.
//
// While a launch runs, host threads share nothing but global memory itself and the undo log.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/warp.h"
#include "common/simulator/observe/counters.h"
#include "common/simulator/observe/footprint.h"
#include "common/simulator/observe/l1_cache.h"
#include "common/simulator/observe/shared_swaps.h"

namespace warpbook::simulator {

class Checker;
class UndoLog;

struct Worker {
  const Launch* launch = nullptr;
  GlobalMemory* memory = nullptr;
  Checker* checker = nullptr;  ///< Watches the accesses, or nullptr.
  unsigned device = 0;         ///< Launch::device
  UndoLog* undo = nullptr;     ///< Set while blocks run speculatively in parallel, and for a debugger; else null.
  Counters counters;           ///< Indexed like the program's operations, memory_operations and branches.
  Footprint footprint;         ///< Sectors read and written by this worker.
  L1Cache l1;                  ///< Of the running block; cleared between blocks.
  Fault fault;
  /// The allocation of the last global access: most accesses stay in one.
  const Allocation* last_allocation = nullptr;
  /// The last allocation of each access, by the low bits of Operation::memory. Empty at the start of every launch:
  /// allocations may be freed between launches.
  std::array<const Allocation*, 64> recent_allocations = {};
  std::uint64_t steps = 0;  ///< Operations executed, for %clock and the step limit.
  /// Execution counts of each basic block (Program::blocks), from which those of its operations follow.
  struct BlockCount {
    std::uint64_t executions = 0, threads = 0;
  };
  std::vector<BlockCount> block_counts;
  std::vector<std::uint64_t> guard_counts;  ///< Lanes that passed the guard of each operation.
  /// The barrier of a cooperative grid (grid_workspace.h), all of whose blocks one worker runs.
  struct GridBarrier {
    std::uint64_t word = 0;  ///< Its address in this process; 0: none.
    bool phase = false;      ///< The highest bit of the word, as last seen.
    std::vector<bool> arrived;
    std::uint64_t count = 0;  ///< Blocks that have arrived since the barrier last opened.
  } grid_barrier;
  /// The accessible allocation that contains @p address, or nullptr.
  const Allocation* find(std::uint64_t address) const {
    const Allocation* const found = memory->find(address);
    return found != nullptr && found->allows(device) ? found : nullptr;
  }

  Fault assertion;  ///< The first assertion that failed; the launch goes on to its end.
  /// Device printf and assert: text by block, put in order after the launch.
  struct Text {
    std::uint64_t block = 0;
    std::string text;
    bool is_error = false;  ///< An assertion that failed.
  };
  std::vector<Text> printed;
};

/// A running block: warps use it for barriers, shared memory and built-in values.
struct Block {
  std::uint32_t index[3] = {0, 0, 0};
  std::uint64_t linear = 0;  ///< Linear index in the grid, x fastest.
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;  ///< Static and dynamic.
  SharedSwaps shared_swaps;
};

}  // namespace warpbook::simulator
