// One run of a grid under the debugger: stops it, counts its operations, and ends it to run it again up to an earlier
// one.
//
// A grid comes out the same each time, operation by operation. Their count is a clock: to go back is to put memory
// back, and to run up to an earlier count.
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
  step,   ///< To another line, into functions.
  next,   ///< To another line of this function or its callers.
  stepi,  ///< By one instruction,
  nexti,  ///< over calls.
  finish,
  // Back.
  reverse_go,
  reverse_step,
  reverse_next,
  reverse_stepi,
  reverse_finish,
};
constexpr bool is_reverse(Resume resume) { return resume >= Resume::reverse_go; }

/// Why a grid stands.
struct Stop {
  enum class Kind : std::uint8_t { breakpoint, watchpoint, step, launch, fault, finding, interrupt, history };
  Kind kind = Kind::step;
  std::string text;                   ///< Lines for people, before the place; empty after steps.
  bool final = false;                 ///< The grid cannot go on.
  std::vector<int> breakpoints = {};  ///< That were hit, and watchpoints.
};

/// A run up to an operation.
struct Replay {
  std::uint64_t target = 0;  ///< Count of the operation; 0: nothing is replayed.
  /// What to look for on the way there: the last that fits becomes the next target.
  std::optional<Resume> look;
  ThreadId thread;
  unsigned depth = 0;  ///< Calls in which the thread is there.
  bool exhausted = false;
};

class GridDebug : public StepObserver {
 public:
  GridDebug(Session& session, const Launch& launch, const DebuggedLaunch& about, const Replay& replay);

  void started(Worker& worker, const Blocks& blocks) override;
  bool before(WarpState& warp, const Operation& operation) override;
  bool after(WarpState& warp, const Operation& operation, const Operation* next) override;
  void stuck() override;

  /// Whether it may be run again: it has met nothing that is outside of it.
  std::function<bool()> is_repeatable;
  const GridView& view() const { return view_; }
  const DebuggedLaunch& about() const { return about_; }
  /// Stops where the grid is at that time, as somebody has interrupted it.
  void interrupt_at(std::chrono::steady_clock::time_point time) { interrupt_at_ = time; }
  /// It ended to be run again.
  const std::optional<Replay>& repeat() const { return repeat_; }
  /// Breakpoints have changed.
  void set_stops();

 private:
  struct Step {
    Resume kind = Resume::go;
    ThreadId thread;
    CodePlace place;
    const Frame* frame = nullptr;
    unsigned depth = 0;
  };
  /// What lanes are about to do to a watched place.
  struct Touch {
    int number = 0;
    std::vector<std::uint8_t> old;
    std::uint32_t lanes = 0;
    bool writes = false;
    const Frame* frame = nullptr;  ///< Of a register.
  };

  bool stop(const Stop& reason);
  bool is_interrupted();
  bool replayed(WarpState& warp, const Operation& operation);
  void look(WarpState& warp, const Operation& operation);
  std::optional<Stop> breakpoint_hit(WarpState& warp, const Operation& operation);
  std::optional<Stop> step_done(WarpState& warp, const Operation& operation);
  std::optional<Stop> finding();
  /// The lanes are about to fail an assertion: a call of the system, behind which they are gone.
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
  std::uint64_t count_ = 0;  ///< Operations so far, this one included.
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
  // While it looks for an earlier operation.
  std::uint64_t run_start_ = 0, found_ = 0;
  CodePlace run_place_;
  const Frame* run_frame_ = nullptr;
};

}  // namespace warpbook::simulator::debugger
