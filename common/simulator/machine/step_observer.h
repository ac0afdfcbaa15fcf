// Interface for observing a grid operation by operation: used by the debugger.
//
// While an observer lives on a host thread, it is shown the grids that this thread runs. Grids of a program made by
// decode_stepped() run in the serial order and stop before and after each operation; others run as usual. The observer
// finds the grid in a consistent state: it may look at all warps, and wait as long as it likes.
#pragma once

#include <memory>
#include <vector>

#include "common/simulator/kernel/program_names.h"
#include "common/simulator/machine/block_state.h"

namespace warpbook::simulator {

class UndoLog;

/// A program each of whose operations is shown to the latest StepObserver, and its names.
struct SteppedProgram {
  std::unique_ptr<Program> program;
  std::vector<Handler> handlers;  ///< The handler of each operation, by Operation::index.
  ProgramNames names;
};

/// decode() with this machine's handlers, for a debugger. @throws DecodeError
SteppedProgram decode_stepped(const ptx::Module& module, const SymbolAddress& address_of,
                              const DecodeOptions& options = {});

class StepObserver {
 public:
  using Blocks = std::vector<std::unique_ptr<BlockState>>;

  StepObserver();
  virtual ~StepObserver();
  StepObserver(const StepObserver&) = delete;
  StepObserver& operator=(const StepObserver&) = delete;
  /// The latest one on this host thread, or nullptr.
  static StepObserver* latest();

  /// Pages of global memory are saved here before the grid writes to them; nullptr: they are not saved.
  UndoLog* undo = nullptr;
  /// The program to run step by step, if the grid is to be shown.
  const SteppedProgram* program = nullptr;

  /// The grid begins in the serial order. @param blocks the running blocks, valid until the grid ends
  virtual void started(Worker& worker, const Blocks& blocks) = 0;
  /// The lanes in @p warp.active are about to execute @p operation.
  /// @returns false if the grid must end there
  virtual bool before(WarpState& warp, const Operation& operation) = 0;
  /// They have executed it. The warp may be on another path by now. @param next where it continues; nullptr: not now
  virtual bool after(WarpState& warp, const Operation& operation, const Operation* next) = 0;
  /// No operation can be executed any more (FaultKind::deadlock and others): Worker::fault has the reason.
  virtual void stuck() = 0;
  /// Called between turns of blocks by each of the host threads that run them. If true, the grid ends where it is, as a
  /// failure.
  virtual bool is_to_end() const { return false; }

 private:
  StepObserver* before_;
};

}  // namespace warpbook::simulator
