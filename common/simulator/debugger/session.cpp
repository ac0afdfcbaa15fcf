// Runs grids: as ever while nothing is to stop them, else operation by operation, and again from their start.
#include "common/simulator/debugger/session.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/device_heap.h"

namespace warpbook::simulator::debugger {
namespace {

/// Notices whether a grid asks for what cannot be done a second time.
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

/// Watches a grid that nothing is to stop.
class PlainRun : public StepObserver {
 public:
  void started(Worker&, const Blocks&) override {}
  bool before(WarpState&, const Operation&) override { return true; }
  bool after(WarpState&, const Operation&, const Operation*) override { return true; }
  void stuck() override {}
};

/// Restores what is replaced for the length of a launch: a kernel may launch another one in its middle.
template <class T>
class Restored {
 public:
  explicit Restored(T& value) : value_(value), before_(value) {}
  ~Restored() { value_ = before_; }
  const T& before() const { return before_; }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  T& value_;
  T before_;
};

}  // namespace

bool Session::must_stop_in(const DebuggedLaunch& about) const {
  if (break_on_launch || about.findings != nullptr) return true;
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

LaunchResult Session::run(const Launch& given, DeviceRuntime* device_runtime, const DebuggedLaunch& about) {
  const Restored<GridDebug*> outer(grid_);
  const Restored<const DebuggedLaunch*> outer_launch(about_);
  const Restored<std::function<bool()>> outer_answer(unrepeatable_);
  about_ = &about;
  ++kernels_;
  front_->launching(*this);
  if (std::find(modules_.begin(), modules_.end(), about.module) == modules_.end()) modules_.push_back(about.module);
  resolve(*about.module);
  if (!undo_) undo_ = std::make_unique<UndoLog>();

  NoticingRuntime noticing(device_runtime);
  bool waited = false;
  std::vector<std::string> printed;
  Launch launch = given;
  launch.print = [&](std::string_view text) { printed.emplace_back(text); };
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
  const bool nested = outer.before() != nullptr;
  const bool saves = about.findings == nullptr && !nested;
  const auto finish = [&](LaunchResult result) {
    if (saves) undo_->clear();
    forget_places_of(kernels_);
    for (const std::string& text : printed) given.print(text);
    return result;
  };

  bool only_faults = false;
  if (saves) undo_->clear();
  if (!must_stop_in(about)) {
    LaunchResult result;
    {
      PlainRun watching;
      watching.undo = saves ? undo_.get() : nullptr;
      result = simulator::run(launch, &noticing);
    }
    if (!result.fault) return finish(std::move(result));
    if (!saves || waited || noticing.was_called) {
      front_->say(
          "The kernel has failed, and cannot be run again to stop there: it depends on what is outside of it. "
          "Set a breakpoint to stop in it before.\n");
      return finish(std::move(result));
    }
    put_back();
    only_faults = true;
  }
  launch.program = &about.module->program();
  launch.kernel = launch.program->find(about.mangled);
  for (Replay replay;;) {
    LaunchResult result;
    std::optional<Replay> repeat;
    {
      why_not_ = about.findings != nullptr ? "what checkers have seen cannot be taken back; leave out --check"
                 : nested                  ? "this grid runs in the middle of another one"
                                           : "this grid has met what is outside of it: the host, or other grids";
      GridDebug grid(*this, launch, *about.module, replay, only_faults);
      grid.undo = saves ? undo_.get() : nullptr;
      grid_ = &grid;
      // Whether it may be repeated is asked when it stands: until then it may have met something.
      unrepeatable_ = [&] { return !saves || waited || noticing.was_called; };
      result = simulator::run(launch, &noticing);
      repeat = grid.repeat();
      grid_ = outer.before();
    }
    if (!repeat) return finish(std::move(result));
    put_back();
    replay = *repeat;
  }
}

void Session::stopped(GridDebug& grid, const Stop& stop) {
  grid_ = &grid;
  stop_ = &stop;
  frame = 0;
  // What the compiler adds, as the function behind assert, has no lines: its caller says more.
  const std::vector<FrameView> frames = grid.view().frames(focus);
  const auto has_line = [&](const FrameView& call) {
    return grid.view().module().lines().place_of(call.at->index).file != nullptr;
  };
  const auto first = std::find_if(frames.begin(), frames.end(), has_line);
  if (stop.kind == Stop::Kind::fault && first != frames.end()) frame = static_cast<unsigned>(first - frames.begin());
  resume = Resume::go;
  repeatable_ = !unrepeatable_();
  interrupted = false;
  front_->stopped(*this, stop);
  stop_ = nullptr;
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
  // "break 12" means the file that is looked at now, later, too.
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
  watched.grid = kernels_;
  if (value.bits != 0 || watched.bytes == 0 || value.place.kind == Place::Kind::none ||
      value.place.space == ptx::Space::param)
    throw EvaluationError("Cannot watch constant value `" + text + "'.");
  const GridView& view = stopped_grid();
  if (value.place.kind == Place::Kind::in_register) {
    if (kind != Breakpoint::Kind::write)
      throw EvaluationError("`" + text + "' is in register " + value.place.name +
                            ", whose reads nobody sees: use watch.");
    watched.name = value.place.name;
    watched.thread = focus;
    watched.block = focus.block;
    watched.function = focused_frame().frame->function;
    watched.depth = GridView::depth(focused_frame().frame);
  } else {
    watched.address = value.place.address;
    here.read(ptx::Space::generic, watched.address, watched.bytes);  // Throws if nothing is there.
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
        watched.grid = 0;
        break;
      }
    }
  }
  made.number = next_breakpoint_++;
  breakpoints.push_back(std::move(made));
  changed_breakpoints();
  return breakpoints.back();
}

Breakpoint& Session::breakpoint(int number) {
  for (Breakpoint& known : breakpoints)
    if (known.number == number) return known;
  throw EvaluationError("No breakpoint number " + std::to_string(number) + ".");
}

void Session::remove(int number) {
  breakpoint(number);
  std::erase_if(breakpoints, [&](const Breakpoint& known) { return known.number == number; });
  changed_breakpoints();
}

void Session::changed_breakpoints() {
  if (grid_ != nullptr) grid_->set_stops();
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
