// The debugger of a process: its breakpoints, its focus, and the grids that it runs.
#pragma once

#include <atomic>
#include <functional>
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

/// Whoever talks to the person: a console, or an editor by its protocol.
class Front {
 public:
  virtual ~Front() = default;
  /// The program is about to begin. Returns when it may.
  virtual void ready(Session& session) = 0;
  /// A grid is about to begin.
  virtual void launching(Session& session) { static_cast<void>(session); }
  /// A grid stands. Returns when it is to go on, as Session::resume says.
  virtual void stopped(Session& session, const Stop& stop) = 0;
  virtual void say(const std::string& text) = 0;
  /// The program ends. @param status its exit code
  virtual void ended(Session& session, int status) = 0;
};

/// What the runtime knows of a launch beyond what the machine needs.
struct DebuggedLaunch {
  std::shared_ptr<const ModuleView> module;
  std::string kernel;  ///< Its name for people, without parameters.
  std::string mangled;
  const CheckFindings* findings = nullptr;  ///< Of checkers, or nullptr.
};

class Session {
 public:
  explicit Session(std::unique_ptr<Front> front) : front_(std::move(front)) {}

  /// The launch as simulator::run() runs it, with stops.
  LaunchResult run(const Launch& launch, DeviceRuntime* device_runtime, const DebuggedLaunch& about);
  Front& front() { return *front_; }

  // What is stopped now: nothing before the first stop, and between grids.
  const GridView* grid() const { return grid_ == nullptr ? nullptr : &grid_->view(); }
  const DebuggedLaunch* launch() const { return about_; }
  std::uint64_t kernel_number() const { return kernels_ - 1; }
  /// @throws EvaluationError without a grid
  const GridView& stopped_grid() const;
  ThreadId focus;
  unsigned frame = 0;  ///< That is looked at, 0 the innermost.
  FrameView focused_frame() const;
  ThreadContext context(std::vector<FrameView>* all = nullptr) const;
  /// Why it stands; nullptr while it runs.
  const Stop* stop() const { return stop_; }

  // What happens next.
  Resume resume = Resume::go;
  bool can_repeat() const { return repeatable_; }
  std::string cannot_repeat() const { return why_not_; }

  // Breakpoints.
  /// @throws EvaluationError for a condition that is none
  Breakpoint& add_breakpoint(const std::string& location, const std::string& condition, bool temporary);
  Breakpoint& add_watchpoint(const std::string& expression, Breakpoint::Kind kind);
  /// @throws EvaluationError if there is none
  Breakpoint& breakpoint(int number);
  void remove(int number);
  void changed_breakpoints();
  std::vector<Breakpoint> breakpoints;
  bool break_on_launch = false;

  std::vector<Value> history;
  std::atomic<bool> interrupted{false};
  /// The file of the latest place that was shown: "break 12" means that.
  std::string current_file() const;
  const std::vector<std::shared_ptr<const ModuleView>>& modules() const { return modules_; }

 private:
  friend class GridDebug;
  void stopped(GridDebug& grid, const Stop& stop);
  bool must_stop_in(const DebuggedLaunch& about) const;
  void resolve(const ModuleView& module);
  void forget_places_of(std::uint64_t grid);

  std::unique_ptr<Front> front_;
  std::vector<std::shared_ptr<const ModuleView>> modules_;  ///< Printed values have types of theirs.
  GridDebug* grid_ = nullptr;
  const DebuggedLaunch* about_ = nullptr;
  const Stop* stop_ = nullptr;
  std::uint64_t kernels_ = 0;
  int next_breakpoint_ = 1;
  bool repeatable_ = false;
  std::function<bool()> unrepeatable_;
  std::string why_not_;
  std::unique_ptr<UndoLog> undo_;
};

}  // namespace warpbook::simulator::debugger
