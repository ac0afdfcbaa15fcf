// The debugger of a process: its breakpoints, its focus, and the grids that it runs.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/debugger/breakpoint.h"
#include "common/simulator/debugger/grid_debug.h"
#include "common/simulator/machine/device_runtime.h"
#include "common/simulator/machine/undo_log.h"
#include "common/simulator/observe/findings.h"

namespace warpbook::simulator::debugger {

class Session;

/// The user interface: a console, or an editor through its protocol.
class Front {
 public:
  virtual ~Front() = default;
  /// The program is about to start. Returns when it may.
  virtual void ready(Session& session) = 0;
  /// A grid is about to begin.
  virtual void launching(Session& session) { static_cast<void>(session); }
  /// Breakpoints were located in the module of the grid.
  virtual void resolved(Session& session) { static_cast<void>(session); }
  /// A grid has stopped. Returns when it is to continue, as Session::resume says.
  virtual void stopped(Session& session, const Stop& stop) = 0;
  virtual void say(const std::string& text) = 0;
  /// The program ends. @param status its exit code
  virtual void ended(Session& session, int status) = 0;
};

/// What the runtime knows about a launch beyond what the machine needs.
struct DebuggedLaunch {
  std::shared_ptr<const ModuleView> module;
  std::string kernel;  ///< Its name for the user, without parameters.
  std::string mangled;
  const CheckFindings* findings = nullptr;  ///< Findings of checkers, or nullptr.
  std::uint64_t number = 0;                 ///< Counts launches from 0; set by the session.
};

class Session {
 public:
  explicit Session(std::unique_ptr<Front> front) : front_(std::move(front)) {}

  /// Runs the launch like simulator::run(), with stops.
  LaunchResult run(const Launch& launch, DeviceRuntime* device_runtime, const DebuggedLaunch& about);
  Front& front() { return *front_; }

  // The stopped grid; nullptr before the first stop and between grids.
  const GridView* grid() const { return grid_ == nullptr ? nullptr : &grid_->view(); }
  /// The launch of the selected grid. @throws EvaluationError if there is none
  const DebuggedLaunch& launch() const;
  std::uint64_t kernel_number() const { return launch().number; }
  /// All grids that have begun and not ended, in launch order: the selected one, those that launched it, and those that
  /// wait for the host.
  const std::vector<GridDebug*>& grids() const { return grids_; }
  /// Selects another one of these. @throws EvaluationError if it is not one of them
  void look_at(std::uint64_t kernel);
  /// @throws EvaluationError without a grid
  const GridView& stopped_grid() const;
  ThreadId focus;
  unsigned frame = 0;  ///< The selected frame, 0 the innermost.
  FrameView focused_frame() const;
  ThreadContext context(std::vector<FrameView>* all = nullptr) const;
  /// Why the grid has stopped; nullptr while it runs.
  const Stop* stop() const { return stop_; }

  // What happens next.
  Resume resume = Resume::go;
  bool can_repeat() const { return repeatable_; }
  std::string cannot_repeat() const { return why_not_; }

  // Breakpoints.
  /// @throws EvaluationError for an invalid condition
  Breakpoint& add_breakpoint(const std::string& location, const std::string& condition, bool temporary);
  Breakpoint& add_watchpoint(const std::string& expression, Breakpoint::Kind kind);
  /// @throws EvaluationError if there is no such breakpoint
  Breakpoint& breakpoint(int number);
  Breakpoint* find_breakpoint(int number);
  void remove(int number);
  void changed_breakpoints();
  /// For breakpoints that no module has code for: why nothing stopped there. Empty if there are none.
  std::string unreached() const;
  std::vector<Breakpoint> breakpoints;
  bool break_on_launch = false;

  std::vector<Value> history;
  /// The user wants the program to stop. A grid that runs plainly ends, and is run again to stop in it.
  std::atomic<bool> interrupted{false};
  /// The user insists: stop even if what others wrote while the grid waited for them is lost.
  std::atomic<bool> insists{false};
  /// The file of the latest place that was shown: "break 12" refers to it.
  std::string current_file() const;
  const std::vector<std::shared_ptr<const ModuleView>>& modules() const { return modules_; }

 private:
  friend class GridDebug;
  friend class StandingGrid;
  void stopped(GridDebug& grid, const Stop& stop);
  bool must_stop_in(const DebuggedLaunch& about) const;
  void resolve(const ModuleView& module);
  void forget_places_of(std::uint64_t grid);

  std::unique_ptr<Front> front_;
  std::vector<std::shared_ptr<const ModuleView>> modules_;  ///< Kept because printed values refer to their types.
  GridDebug* grid_ = nullptr;
  std::vector<GridDebug*> grids_;
  const Stop* stop_ = nullptr;
  std::uint64_t kernels_ = 0;
  int next_breakpoint_ = 1;
  GridDebug* stopped_at_ = nullptr;
  ThreadId stopped_focus_;
  bool repeatable_ = false;
  std::string why_not_;
  std::unique_ptr<UndoLog> undo_;
};

}  // namespace warpbook::simulator::debugger
