// Runs grids: plainly as long as nothing is to stop them, else operation by operation, and again from their start.
#include "common/simulator/debugger/session.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/device_heap.h"

namespace warpbook::simulator::debugger {
namespace {

/// Notes whether a grid makes a request that cannot be repeated.
class NoticingRuntime : public DeviceRuntime {
 public:
  explicit NoticingRuntime(DeviceRuntime* to) : to_(to) {}
  bool call(DeviceCall& call) override {
    was_called = true;
    return to_ != nullptr && to_->call(call);
  }
  bool was_called = false;

 private:
  DeviceRuntime* to_;
};

/// Observes a grid with no breakpoints. It ends the grid if the user interrupts it and it can be run again.
class PlainRun : public StepObserver {
 public:
  explicit PlainRun(std::function<bool()> is_to_end) : is_to_end_(std::move(is_to_end)) {}
  bool is_to_end() const override { return is_to_end_(); }
  void started(Worker&, const Blocks&) override {}
  bool before(WarpState&, const Operation&) override { return true; }
  bool after(WarpState&, const Operation&, const Operation*) override { return true; }
  void stuck() override {}

 private:
  std::function<bool()> is_to_end_;
};

/// Number of grids running on this host thread: a kernel may launch another one before it ends.
thread_local unsigned running = 0;
class Running {
 public:
  Running() { ++running; }
  ~Running() { --running; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

/// How long an interrupted grid is run again, operation by operation, before it stops.
constexpr auto kShortest = std::chrono::milliseconds(100), kLongest = std::chrono::milliseconds(2000);

}  // namespace

/// A grid that can be inspected until it ends.
class StandingGrid {
 public:
  StandingGrid(Session& session, GridDebug& grid) : session_(session), grid_(grid) { session.grids_.push_back(&grid); }
  ~StandingGrid() {
    std::erase(session_.grids_, &grid_);
    if (session_.grid_ == &grid_) session_.grid_ = nullptr;
  }
  StandingGrid(const StandingGrid&) = delete;
  StandingGrid& operator=(const StandingGrid&) = delete;

 private:
  Session& session_;
  GridDebug& grid_;
};

bool Session::must_stop_in(const DebuggedLaunch& about) const {
  if (break_on_launch || interrupted || about.findings != nullptr) return true;
  return std::any_of(breakpoints.begin(), breakpoints.end(), [&](const Breakpoint& breakpoint) {
    return breakpoint.enabled &&
           (breakpoint.is_watchpoint() || find_places(*about.module, breakpoint.location, current_file()));
  });
}

void Session::resolve(const ModuleView& module) {
  for (Breakpoint& breakpoint : breakpoints) {
    if (breakpoint.is_watchpoint()) continue;
    if (auto found = find_places(module, breakpoint.location, current_file())) breakpoint.places = std::move(found);
  }
}

LaunchResult Session::run(const Launch& given, DeviceRuntime* device_runtime, const DebuggedLaunch& described) {
  const bool nested = running > 0;
  const Running counted;
  DebuggedLaunch about = described;
  about.number = kernels_++;
  front_->launching(*this);
  if (std::find(modules_.begin(), modules_.end(), about.module) == modules_.end()) modules_.push_back(about.module);
  resolve(*about.module);
  front_->resolved(*this);
  if (!undo_) undo_ = std::make_unique<UndoLog>(UndoLog::Writers::one);

  NoticingRuntime noticing(device_runtime);
  std::atomic<bool> waited{false};
  std::vector<std::pair<std::string, bool>> printed;
  Launch launch = given;
  launch.print = [&](std::string_view text, bool is_error) { printed.emplace_back(text, is_error); };
  if (given.wait)
    launch.wait = [&](const GridWait& wait) {
      waited = true;
      return given.wait(wait);
    };
  const std::optional<DeviceHeap> heap = launch.heap == nullptr ? std::nullopt : std::optional(*launch.heap);
  std::map<int, std::uint64_t> hits;
  for (const Breakpoint& breakpoint : breakpoints) hits[breakpoint.number] = breakpoint.hits;
  const auto put_back = [&] {
    undo_->restore();
    undo_->clear();
    if (heap) {
      std::destroy_at(launch.heap);
      std::construct_at(launch.heap, *heap);
    }
    printed.clear();
    for (Breakpoint& breakpoint : breakpoints) breakpoint.hits = hits[breakpoint.number];
  };
  const bool saves = about.findings == nullptr && !nested;
  const auto is_repeatable = [&] { return saves && !waited && !noticing.was_called; };
  const auto finish = [&](LaunchResult result) {
    if (saves) undo_->clear();
    forget_places_of(about.number);
    for (const auto& [text, is_error] : printed) given.print(text, is_error);
    return result;
  };

  if (saves) undo_->clear();
  std::chrono::steady_clock::duration until_interrupt{0};
  if (!must_stop_in(about)) {
    const auto begin = std::chrono::steady_clock::now();
    bool ended = false;
    LaunchResult result;
    {
      // A grid that runs in circles has yielded to the host again and again.
      PlainRun watching([&] { return interrupted && (is_repeatable() || (insists && saves && !noticing.was_called)); });
      watching.undo = saves ? undo_.get() : nullptr;
      result = simulator::run(launch, &noticing);
      ended = watching.is_to_end();
    }
    if (!result.fault) return finish(std::move(result));
    if (ended && waited)
      front_->say(
          "The kernel is run again from its start to stop in it. It has waited for something outside it: what that "
          "has written since then may be lost.\n");
    if (!ended && !is_repeatable()) {
      front_->say(
          "The kernel has failed. It cannot be run again to stop there, because it depends on something outside it. "
          "Set a breakpoint to stop in it earlier.\n");
      return finish(std::move(result));
    }
    put_back();
    if (ended) {
      interrupted = false;
      insists = false;
      until_interrupt = std::clamp<std::chrono::steady_clock::duration>(std::chrono::steady_clock::now() - begin,
                                                                        kShortest, kLongest);
    }
  }
  launch.program = &about.module->program();
  launch.kernel = launch.program->find(about.mangled);
  for (Replay replay;;) {
    LaunchResult result;
    std::optional<Replay> repeat;
    {
      GridDebug grid(*this, launch, about, replay);
      grid.undo = saves ? undo_.get() : nullptr;
      grid.is_repeatable = is_repeatable;
      if (until_interrupt.count() != 0) grid.interrupt_at(std::chrono::steady_clock::now() + until_interrupt);
      until_interrupt = {};
      const StandingGrid standing(*this, grid);
      result = simulator::run(launch, &noticing);
      repeat = grid.repeat();
    }
    if (!repeat) return finish(std::move(result));
    put_back();
    replay = *repeat;
  }
}

void Session::stopped(GridDebug& grid, const Stop& stop) {
  grid_ = &grid;
  stopped_at_ = &grid;
  stopped_focus_ = focus;
  stop_ = &stop;
  frame = 0;
  // Elsewhere than between lines, show the user's source.
  if (stop.kind != Stop::Kind::step && stop.kind != Stop::Kind::breakpoint)
    frame = static_cast<unsigned>(grid.view().user_frame(grid.view().frames(focus)));
  resume = Resume::go;
  // Ask now whether it can be repeated: only now is it known what the grid has interacted with.
  repeatable_ = grid.is_repeatable();
  why_not_ = grid.about().findings != nullptr ? "what checkers have recorded cannot be undone; leave out --check"
             : running > 1                    ? "this grid was launched by a kernel that is still running"
                           : "this grid has interacted with something outside it: the host, or other grids";
  interrupted = false;
  insists = false;
  front_->stopped(*this, stop);
  if (grid_ != &grid) look_at(grid.about().number);
  stop_ = nullptr;
}

const DebuggedLaunch& Session::launch() const {
  if (grid_ == nullptr) throw EvaluationError("No CUDA kernel is stopped.");
  return grid_->about();
}

void Session::look_at(std::uint64_t kernel) {
  const auto found =
      std::find_if(grids_.begin(), grids_.end(), [&](const GridDebug* grid) { return grid->about().number == kernel; });
  if (found == grids_.end())
    throw EvaluationError("Invalid coordinates: kernel " + std::to_string(kernel) +
                          " does not run now: `info cuda kernels` shows those that do.");
  grid_ = *found;
  frame = 0;
  if (&grid_->view() == &stopped_at_->view()) {
    focus = stopped_focus_;
    return;
  }
  const WarpState* const warp = grid_->view().current_warp();
  focus = {};
  if (warp == nullptr) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(grid_->view().current_lanes()));
  focus = {warp->state->linear, warp->index * kWarpSize + lane % kWarpSize};
}

const GridView& Session::stopped_grid() const {
  if (grid_ == nullptr || stop_ == nullptr) throw EvaluationError("No CUDA kernel is stopped.");
  return grid_->view();
}

FrameView Session::focused_frame() const {
  const std::vector<FrameView> frames = stopped_grid().frames(focus);
  if (frames.empty()) throw EvaluationError("The thread in focus has ended. Focus another one: cuda thread N.");
  return frames[std::min<std::size_t>(frame, frames.size() - 1)];
}

ThreadContext Session::context(std::vector<FrameView>* all) const {
  const GridView& view = stopped_grid();
  if (all != nullptr) *all = view.frames(focus);
  return {view, focus, focused_frame(), history};
}

std::string Session::current_file() const {
  if (grid_ != nullptr && stop_ != nullptr) {
    const std::vector<FrameView> frames = grid_->view().frames(focus);
    if (!frames.empty()) {
      const CodePlace place =
          grid_->view().module().lines().place_of(frames[std::min<std::size_t>(frame, frames.size() - 1)].at->index);
      if (place.file != nullptr) return *place.file;
    }
  }
  return "";
}

Breakpoint& Session::add_breakpoint(const std::string& location, const std::string& condition, bool temporary) {
  Breakpoint made;
  if (!condition.empty()) made.condition.emplace(condition);
  made.location = location;
  made.temporary = temporary;
  // "break 12" means a line of the file shown now, also when other code is shown later.
  const bool line = location.find_first_not_of("0123456789") == std::string::npos;
  if (line && !current_file().empty()) made.location = current_file() + ":" + location;
  for (const auto& module : modules_)
    if (auto found = find_places(*module, made.location, "")) made.places = std::move(found);
  made.number = next_breakpoint_++;
  breakpoints.push_back(std::move(made));
  changed_breakpoints();
  return breakpoints.back();
}

Breakpoint& Session::add_watchpoint(const std::string& text, Breakpoint::Kind kind) {
  const Expression expression(text);
  ThreadContext here = context();
  const Value value = expression.evaluate(here);
  Breakpoint made;
  made.kind = kind;
  made.location = text;
  WatchedPlace& watched = made.watched;
  watched.type = value.type;
  watched.bytes = size_of(value.type);
  watched.grid = kernel_number();
  if (value.bits != 0 || watched.bytes == 0 || value.place.kind == Place::Kind::none ||
      value.place.space == ptx::Space::param)
    throw EvaluationError("Cannot watch constant value `" + text + "'.");
  const GridView& view = stopped_grid();
  if (value.place.kind == Place::Kind::in_register) {
    if (kind != Breakpoint::Kind::write)
      throw EvaluationError("`" + text + "' is in register " + value.place.name +
                            ", and reads of registers cannot be watched: use watch.");
    watched.name = value.place.name;
    watched.thread = focus;
    watched.block = focus.block;
    watched.function = focused_frame().frame->function;
    watched.depth = GridView::depth(focused_frame().frame);
  } else {
    watched.address = value.place.address;
    here.read(ptx::Space::generic, watched.address, watched.bytes);  // Throws if there is no memory.
    switch (simulator::space_of(watched.address)) {
      case ptx::Space::shared:
        watched.block = focus.block;
        break;
      case ptx::Space::local:
        watched.block = focus.block;
        watched.thread = focus;
        break;
      default: {
        const Allocation* const allocation = view.launch().memory->find(watched.address);
        watched.host = allocation->host + (watched.address - allocation->address);
        watched.grid.reset();
        break;
      }
    }
  }
  made.number = next_breakpoint_++;
  breakpoints.push_back(std::move(made));
  changed_breakpoints();
  return breakpoints.back();
}

Breakpoint* Session::find_breakpoint(int number) {
  const auto found = std::find_if(breakpoints.begin(), breakpoints.end(),
                                  [&](const Breakpoint& known) { return known.number == number; });
  return found == breakpoints.end() ? nullptr : &*found;
}

Breakpoint& Session::breakpoint(int number) {
  if (Breakpoint* const known = find_breakpoint(number)) return *known;
  throw EvaluationError("No breakpoint number " + std::to_string(number) + ".");
}

void Session::remove(int number) {
  breakpoint(number);
  std::erase_if(breakpoints, [&](const Breakpoint& known) { return known.number == number; });
  changed_breakpoints();
}

void Session::changed_breakpoints() {
  for (GridDebug* const grid : grids_) grid->set_stops();
}

std::string Session::unreached() const {
  std::string text;
  for (const Breakpoint& breakpoint : breakpoints) {
    if (breakpoint.is_watchpoint() || breakpoint.places) continue;
    const bool lines =
        std::any_of(modules_.begin(), modules_.end(), [](const auto& module) { return module->lines().has_lines(); });
    text += "Breakpoint " + std::to_string(breakpoint.number) + " (" + breakpoint.location + ") was never reached: " +
            (modules_.empty() ? "the program has launched no kernel"
             : lines          ? "no kernel that was launched, nor what it calls, has code there"
                              : "the kernels have no lines; compile with nvcc -G or -lineinfo") +
            ".\n";
  }
  return text;
}

void Session::forget_places_of(std::uint64_t grid) {
  std::erase_if(breakpoints, [&](const Breakpoint& known) {
    if (!known.is_watchpoint() || known.watched.grid != grid) return false;
    front_->say("\nWatchpoint " + std::to_string(known.number) +
                " deleted because its kernel has ended: " + known.location + "\n");
    return true;
  });
}

}  // namespace warpbook::simulator::debugger
