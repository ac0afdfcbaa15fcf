// Who looks at a grid operation by operation: a debugger.
//
// While one lives on a host thread, the grids that this thread runs are shown to it. Those of a program that
// decode_stepped() made are run in the serial order and stop before and behind each operation; others run as always.
// Whatever it does there, the grid is as it left it: it may look at all warps, and wait as long as it likes.
#pragma once

#include <memory>
#include <vector>

#include "common/simulator/kernel/program_names.h"
#include "common/simulator/machine/block_state.h"

namespace warpbook::simulator {

class UndoLog;

/// A program each of whose operations is shown to the latest StepObserver, and the names of what it uses.
struct SteppedProgram {
  std::unique_ptr<Program> program;
  std::vector<Handler> handlers;  ///< What executes each operation, by Operation::index.
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
  /// The latest that lives on this host thread, or nullptr.
  static StepObserver* latest();

  /// Pages of global memory are saved here before the grid writes to them; nullptr: nowhere.
  UndoLog* undo = nullptr;
  /// What the grid runs, if it is to be shown.
  const SteppedProgram* program = nullptr;

  /// The grid begins in the serial order. @param blocks those that run, from now on until it ends
  virtual void started(Worker& worker, const Blocks& blocks) = 0;
  /// The lanes in @p warp.active are about to execute @p operation.
  /// @returns false if the grid is to end there
  virtual bool before(WarpState& warp, const Operation& operation) = 0;
  /// They have. The warp may be on another path by now. @param next where it goes on; nullptr: not now
  virtual bool after(WarpState& warp, const Operation& operation, const Operation* next) = 0;
  /// No operation can be executed any more (FaultKind::deadlock and others): Worker::fault says why.
  virtual void stuck() = 0;
  /// Asked between turns of blocks, by each of the host threads that run them: the grid is to end where it is, as a
  /// failure.
  virtual bool is_to_end() const { return false; }

 private:
  StepObserver* before_;
};

}  // namespace warpbook::simulator
