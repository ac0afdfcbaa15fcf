// A launch: what a caller passes to the machine and what it gets back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/fault.h"
#include "common/simulator/machine/global_memory.h"
#include "common/simulator/observe/counters.h"

namespace warpbook::simulator {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// A grid that cannot continue until something outside it writes, or that may only be polling.
struct GridWait {
  bool waiting = false;      ///< Its blocks spin. Otherwise they run, and have done so for long.
  bool in_vain = false;      ///< It has waited before and has seen nothing new since.
  bool host_memory = false;  ///< It reads memory that the host can write, perhaps among other memory.
};

/// How the grid proceeds.
enum class WaitAnswer : std::uint8_t {
  look,     ///< It may continue: memory may have changed.
  endless,  ///< Nothing will write any more.
  stop,     ///< It must end where it is.
};

struct Launch {
  const Program* program = nullptr;
  const Function* kernel = nullptr;
  Dim3 grid, block;
  Dim3 cluster;                   ///< Blocks that run together; the grid is made of whole clusters.
  bool explicit_cluster = false;  ///< The kernel or its launch asked for clusters, perhaps of one block.
  std::uint32_t dynamic_shared_bytes = 0;
  std::span<const std::byte> parameters;  ///< Laid out as Function::parameters says.
  GlobalMemory* memory = nullptr;
  std::uint32_t stack_bytes = 1024;          ///< cudaLimitStackSize, per thread.
  unsigned device = 0;                       ///< That runs it: memory of others must allow it.
  std::uint32_t multiprocessors = 132;       ///< Those that it runs on, for %smid: as many as that,
  std::uint32_t first_multiprocessor = 0;    ///< from this one on,
  std::uint32_t all_multiprocessors = 0;     ///< of so many, for %nsmid; 0: of those.
  std::uint32_t resident_blocks = 1;         ///< Blocks that the device holds at once (whole device): forward progress.
  std::uint64_t grid_id = 0;                 ///< %gridid
  std::uint64_t start_ns = 0;                ///< %globaltimer at the start.
  std::uint64_t clock_khz = 1980000;         ///< For %clock against %globaltimer.
  std::uint64_t step_limit = 0;              ///< Warp instructions after which the launch is stopped (0: none).
  unsigned threads = 0;                      ///< Host threads; 0: as many as there are processors.
  class Checker* checker = nullptr;          ///< Set if checkers watch; the program was decoded for them
                                             ///< (DecodeOptions::watched).
  std::uint32_t inherited = 0;               ///< Knowledge::Map of the launching thread, for the checker; 0: nothing.
  std::string_view name;                     ///< Of the kernel, for messages.
  class L2Cache* l2 = nullptr;               ///< What earlier launches left there; without one it is empty.
  class DeviceHeap* heap = nullptr;          ///< For malloc in kernels; without one it returns NULL.
  const class ImageTable* images = nullptr;  ///< Texture and surface objects; without a table there are none.
  std::uint64_t schedule_seed = 0;           ///< 0: the documented order; others: see Schedule.
  /// Receives printed text, in order, and whether it goes to stderr, as that of a failed assertion does.
  std::function<void(std::string_view, bool)> print;
  /// Called when the grid waits; returns when it can go on. Without it, a waiting grid is a fault
  /// (FaultKind::deadlock).
  std::function<WaitAnswer(const GridWait&)> wait;
};

struct LaunchResult {
  Fault fault;
  Counters counters;
};

/// decode() with this machine's handlers. @throws DecodeError
std::unique_ptr<Program> decode(const ptx::Module& module, const SymbolAddress& address_of,
                                const DecodeOptions& options = {});

/// Runs the grid to its end or to the first fault. The outcome (memory, counters, print order, fault) does not depend
/// on the number of host threads: it is that of blocks run one after another in index order.
LaunchResult run(const Launch& launch);

/// The widest instruction set in which this machine executes operations: "baseline", "avx2" or "avx512".
/// The environment variable WARPBOOK_ISA narrows it.
std::string_view instruction_set();

}  // namespace warpbook::simulator
