// One run of a grid under the debugger: stops it, counts its operations, and ends it if it must be run again up to an
// earlier operation.
//
// A grid executes the same operations in the same order every time, so their count is a clock: to go back, memory is
// restored and the grid runs again up to an earlier count.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/debugger/breakpoint.h"
#include "common/simulator/debugger/grid_view.h"
#include "common/simulator/observe/findings.h"

namespace warpbook::simulator::debugger {

class Session;
struct DebuggedLaunch;

enum class Resume : std::uint8_t {
  go,
  step,   ///< To another line, stepping into functions.
  next,   ///< To another line of this function or its callers.
  stepi,  ///< By one instruction,
  nexti,  ///< stepping over calls.
  finish,
  // Backwards.
  reverse_go,
  reverse_step,
  reverse_next,
  reverse_stepi,
  reverse_finish,
};
constexpr bool is_reverse(Resume resume) { return resume >= Resume::reverse_go; }

/// Why a grid has stopped.
struct Stop {
  enum class Kind : std::uint8_t { breakpoint, watchpoint, step, launch, fault, finding, interrupt, history };
  Kind kind = Kind::step;
  std::string text;                   ///< Text for the user, printed before the location; empty after steps.
  bool final = false;                 ///< The grid cannot continue.
  std::vector<int> breakpoints = {};  ///< Breakpoints and watchpoints that were hit.
};

/// A run up to a given operation.
struct Replay {
  std::uint64_t target = 0;  ///< Count of the operation to stop at; 0: no replay.
  /// What to look for on the way: the last match becomes the next target.
  std::optional<Resume> look;
  ThreadId thread;
  unsigned depth = 0;  ///< Call depth of the thread there.
  bool exhausted = false;
};

class GridDebug : public StepObserver {
 public:
  GridDebug(Session& session, const Launch& launch, const DebuggedLaunch& about, const Replay& replay);

  void started(Worker& worker, const Blocks& blocks) override;
  bool before(WarpState& warp, const Operation& operation) override;
  bool after(WarpState& warp, const Operation& operation, const Operation* next) override;
  void stuck() override;

  /// Whether it may be run again: it has not interacted with anything outside it.
  std::function<bool()> is_repeatable;
  const GridView& view() const { return view_; }
  const DebuggedLaunch& about() const { return about_; }
  /// Stops the grid at that time as if the user had interrupted it.
  void interrupt_at(std::chrono::steady_clock::time_point time) { interrupt_at_ = time; }
  /// Set if it ended in order to be run again.
  const std::optional<Replay>& repeat() const { return repeat_; }
  /// Call this when breakpoints have changed.
  void set_stops();

 private:
  struct Step {
    Resume kind = Resume::go;
    ThreadId thread;
    CodePlace place;
    const Frame* frame = nullptr;
    unsigned depth = 0;
  };
  /// What lanes are about to do to watched bytes.
  struct Touch {
    int number = 0;
    std::vector<std::uint8_t> old;
    std::uint32_t lanes = 0;
    bool writes = false;
    const Frame* frame = nullptr;  ///< For a register.
  };

  bool stop(const Stop& reason);
  bool is_interrupted();
  bool replayed(WarpState& warp, const Operation& operation);
  void look(WarpState& warp, const Operation& operation);
  std::optional<Stop> breakpoint_hit(WarpState& warp, const Operation& operation);
  std::optional<Stop> step_done(WarpState& warp, const Operation& operation);
  std::optional<Stop> finding();
  /// Whether the lanes are about to fail an assertion: a system call that they do not return from.
  std::optional<Stop> assertion_ahead(WarpState& warp, const Operation& operation);
  void note_touches(WarpState& warp, const Operation& operation);
  std::optional<Stop> touched(WarpState& warp, const Operation& operation);
  std::string touch_text(const Breakpoint& watch, const Touch& touch, const WarpState& warp, const Operation& operation,
                         const std::vector<std::uint8_t>& now) const;
  Stop fault_stop();
  bool is_focused(const WarpState& warp, ThreadId thread) const;
  bool has_line(const Operation& operation) const;

  Session& session_;
  const DebuggedLaunch& about_;
  GridView view_;
  std::uint64_t count_ = 0;  ///< Operations so far, including this one.
  Replay replay_;
  std::optional<Replay> repeat_;
  std::optional<std::chrono::steady_clock::time_point> interrupt_at_;
  bool thread_ended_ = false;
  Step step_;
  std::vector<bool> stops_;
  bool watches_ = false;
  std::vector<Touch> touches_;
  std::optional<Stop> pending_;
  std::optional<ThreadId> pending_thread_;
  std::size_t findings_seen_ = 0;
  // Used while it looks for an earlier operation.
  std::uint64_t run_start_ = 0, found_ = 0;
  CodePlace run_place_;
  const Frame* run_frame_ = nullptr;
};

}  // namespace warpbook::simulator::debugger
