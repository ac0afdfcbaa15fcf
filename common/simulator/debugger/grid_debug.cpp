// Decides before each operation whether the grid stops there.
#include "common/simulator/debugger/grid_debug.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/simulator/debugger/access_lanes.h"
#include "common/simulator/debugger/session.h"
#include "common/simulator/debugger/stop_text.h"
#include "common/simulator/machine/address_space.h"

namespace warpbook::simulator::debugger {
namespace {

ThreadId thread_in(const WarpState& warp, unsigned lane) { return {warp.state->linear, warp.index * kWarpSize + lane}; }

unsigned first_lane(std::uint32_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

bool same_place(const CodePlace& a, const CodePlace& b) { return a.line == b.line && a.file == b.file; }

}  // namespace

GridDebug::GridDebug(Session& session, const Launch& launch, const DebuggedLaunch& about, const Replay& replay)
    : session_(session), about_(about), view_(launch, *about.module), replay_(replay) {
  program = &about.module->stepped();
  if (about.findings != nullptr) findings_seen_ = about.findings->all().size();
  set_stops();
}

void GridDebug::set_stops() {
  const ModuleView& module = view_.module();
  stops_.assign(module.program().operations.size(), false);
  watches_ = false;
  for (Breakpoint& breakpoint : session_.breakpoints) {
    watches_ |= breakpoint.is_watchpoint() && breakpoint.enabled;
    if (breakpoint.is_watchpoint() || !breakpoint.enabled) continue;
    const auto places = find_places(module, breakpoint.location, "");
    if (!places) continue;
    breakpoint.places = places;
    for (const std::uint32_t operation : places->operations) stops_[operation] = true;
  }
}

void GridDebug::started(Worker& worker, const Blocks& blocks) { view_.started(worker, blocks); }

bool GridDebug::is_focused(const WarpState& warp, ThreadId thread) const {
  return warp.index == thread.warp() && warp.state->linear == thread.block && (warp.active >> thread.lane() & 1u) != 0;
}

bool GridDebug::has_line(const Operation& operation) const {
  return view_.module().lines().place_of(operation.index).file != nullptr;
}

bool GridDebug::is_interrupted() {
  if (session_.interrupted) return true;
  constexpr std::uint64_t kBetweenLooks = 1 << 10;
  if (!interrupt_at_ || count_ % kBetweenLooks != 0 || std::chrono::steady_clock::now() < *interrupt_at_) return false;
  interrupt_at_.reset();
  return true;
}

bool GridDebug::before(WarpState& warp, const Operation& operation) {
  ++count_;
  view_.at(warp, operation);
  if (replay_.target != 0) return replayed(warp, operation);
  std::optional<Stop> reason = std::exchange(pending_, std::nullopt);
  if (reason && pending_thread_) session_.focus = *pending_thread_;
  if (!reason && is_interrupted()) {
    session_.focus = thread_in(warp, first_lane(warp.active));
    reason = Stop{Stop::Kind::interrupt, "Program received signal SIGINT, Interrupt.\n", false};
  }
  if (!reason && count_ == 1 && session_.break_on_launch) {
    session_.focus = thread_in(warp, first_lane(warp.active));
    reason = Stop{Stop::Kind::launch, "", false};
  }
  if (!reason && stops_[operation.index]) reason = breakpoint_hit(warp, operation);
  if (!reason) reason = assertion_ahead(warp, operation);
  if (!reason && step_.kind != Resume::go) reason = step_done(warp, operation);
  if (reason && !stop(*reason)) return false;
  if (watches_) note_touches(warp, operation);
  return true;
}

bool GridDebug::replayed(WarpState& warp, const Operation& operation) {
  if (count_ < replay_.target) {
    if (replay_.look) look(warp, operation);
    // Hits were counted the first time.
    if (stops_[operation.index] && replay_.look != Resume::reverse_go) breakpoint_hit(warp, operation);
    if (watches_ && !replay_.look && count_ + 1 == replay_.target) note_touches(warp, operation);
    return true;
  }
  if (replay_.look) {
    // If that is in the middle of a line, the line's start was executed earlier.
    const std::uint64_t found = run_start_ > found_ ? run_start_ : found_;
    repeat_ = Replay{found == 0 ? 1 : found, std::nullopt, replay_.thread, 0, found == 0};
    return false;
  }
  const bool exhausted = replay_.exhausted;
  session_.focus = replay_.thread;
  replay_ = {};
  const bool there = is_focused(warp, session_.focus);
  if (!there) session_.focus = thread_in(warp, first_lane(warp.active));
  const ThreadId focus = session_.focus;
  std::optional<Stop> found = std::exchange(pending_, std::nullopt);
  if (!found && stops_[operation.index] && there) {
    found = breakpoint_hit(warp, operation);
    session_.focus = focus;
  }
  const Stop reason =
      exhausted ? Stop{Stop::Kind::history, "\nNo more reverse-execution history: the kernel begins here.\n", false}
      : found   ? *found
                : Stop{};
  if (!stop(reason)) return false;
  if (watches_) note_touches(warp, operation);
  return true;
}

/// Records the latest operation that could be the one searched for.
void GridDebug::look(WarpState& warp, const Operation& operation) {
  if (*replay_.look == Resume::reverse_go) {
    const bool hit = stops_[operation.index] && breakpoint_hit(warp, operation).has_value();
    if (hit || pending_) {
      found_ = count_;
      replay_.thread = hit ? session_.focus : pending_thread_.value_or(replay_.thread);
    }
    pending_.reset();
    if (watches_) note_touches(warp, operation);
    return;
  }
  if (!is_focused(warp, replay_.thread)) return;
  const unsigned depth = GridView::depth(warp.frame);
  switch (*replay_.look) {
    case Resume::reverse_stepi:
      found_ = count_;
      return;
    case Resume::reverse_finish:
      if (depth < replay_.depth) found_ = count_;
      return;
    case Resume::reverse_next:
      if (depth > replay_.depth) return;
      break;
    default:
      break;
  }
  const CodePlace place = view_.module().lines().place_of(operation.index);
  if (place.file == nullptr) return;
  if (run_start_ == 0 || warp.frame != run_frame_ || !same_place(place, run_place_)) {
    run_start_ = count_;
    run_place_ = place;
    run_frame_ = warp.frame;
  }
}

bool GridDebug::stop(const Stop& reason) {
  step_ = {};
  thread_ended_ = false;
  session_.stopped(*this, reason);
  const Resume resume = session_.resume;
  const std::vector<FrameView> frames = view_.frames(session_.focus);
  const unsigned depth = static_cast<unsigned>(frames.size());
  if (is_reverse(resume)) {
    repeat_ = Replay{count_, resume, session_.focus, depth, false};
    return false;
  }
  if (reason.final || frames.empty()) return true;
  step_.kind = resume;
  step_.thread = session_.focus;
  // Lines are those of the user's source; instructions may be anywhere.
  const bool by_instruction = resume == Resume::stepi || resume == Resume::nexti;
  const std::size_t from = by_instruction ? 0 : view_.user_frame(frames);
  step_.frame = frames[from].frame;
  step_.depth = depth - static_cast<unsigned>(from);
  step_.place = view_.module().lines().place_of(frames[from].at->index);
  return true;
}

std::optional<Stop> GridDebug::breakpoint_hit(WarpState& warp, const Operation& operation) {
  std::optional<Stop> reason;
  std::vector<int> gone;
  for (Breakpoint& breakpoint : session_.breakpoints) {
    if (!breakpoint.enabled || breakpoint.is_watchpoint() || !breakpoint.places) continue;
    const auto& operations = breakpoint.places->operations;
    if (std::find(operations.begin(), operations.end(), operation.index) == operations.end()) continue;
    std::uint32_t lanes = warp.active;
    std::string problem;
    if (breakpoint.condition) {
      lanes = 0;
      for (std::uint32_t left = warp.active; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint32_t function = view_.module().program().details[operation.index].function;
        ThreadContext context(view_, thread_in(warp, lane), {warp.frame, &operation, function}, session_.history);
        try {
          if (number_of(context, breakpoint.condition->evaluate(context)).truth()) lanes |= 1u << lane;
        } catch (const EvaluationError& error) {
          problem = "Error in testing breakpoint condition " + std::to_string(breakpoint.number) + ":\n" +
                    error.what() + "\n";
          lanes = warp.active;
          break;
        }
      }
    }
    if (lanes == 0) continue;
    ++breakpoint.hits;
    if (breakpoint.ignored > 0 && problem.empty()) {
      if (replay_.target == 0) --breakpoint.ignored;
      continue;
    }
    const ThreadId focus = session_.focus;
    const bool keeps = is_focused(warp, focus) && (lanes >> focus.lane() & 1u) != 0;
    if (!keeps) session_.focus = thread_in(warp, first_lane(lanes));
    reason = Stop{Stop::Kind::breakpoint,
                  problem + "\nCUDA thread hit " + (breakpoint.temporary ? "Temporary breakpoint " : "Breakpoint ") +
                      std::to_string(breakpoint.number) + ", ",
                  false,
                  {breakpoint.number}};
    if (breakpoint.temporary && replay_.target == 0) gone.push_back(breakpoint.number);
    break;
  }
  for (const int number : gone) session_.remove(number);
  return reason;
}

std::optional<Stop> GridDebug::step_done(WarpState& warp, const Operation& operation) {
  if (thread_ended_) {
    if (!has_line(operation)) return std::nullopt;
    session_.focus = thread_in(warp, first_lane(warp.active));
    return Stop{Stop::Kind::step, "The thread in focus has ended; the focus is on another thread now.\n", false};
  }
  if (!is_focused(warp, step_.thread)) return std::nullopt;
  const bool same_frame = warp.frame == step_.frame;
  const unsigned depth = same_frame ? step_.depth : GridView::depth(warp.frame);
  const CodePlace place = view_.module().lines().place_of(operation.index);
  bool done = false;
  switch (step_.kind) {
    case Resume::stepi:
      done = true;
      break;
    case Resume::nexti:
      done = depth <= step_.depth;
      break;
    case Resume::finish:
      done = depth < step_.depth;
      break;
    default:
      if (place.file == nullptr) break;
      if (view_.module().is_of_toolkit(place) && !view_.module().is_of_toolkit(step_.place)) break;
      if (depth > step_.depth) {  // Into a called function, past its prologue.
        const std::uint32_t function = view_.module().program().details[operation.index].function;
        done = step_.kind == Resume::step && operation.index == view_.module().lines().body_of(function);
      } else {
        done = depth < step_.depth || !same_place(place, step_.place);
      }
      break;
  }
  if (!done) return std::nullopt;
  session_.focus = step_.thread;
  return Stop{};
}

void GridDebug::note_touches(WarpState& warp, const Operation& operation) {
  touches_.clear();
  std::optional<AccessLanes> access;
  for (const Breakpoint& watch : session_.breakpoints) {
    if (!watch.is_watchpoint() || !watch.enabled) continue;
    const WatchedPlace& place = watch.watched;
    if (place.block && *place.block != warp.state->linear) continue;
    Touch touch;
    touch.number = watch.number;
    if (place.is_register()) {  // Belongs to one thread; any change of it is a write.
      if (!is_focused(warp, *place.thread) || warp.frame->function != place.function ||
          GridView::depth(warp.frame) != place.depth)
        continue;
      touch.frame = warp.frame;
      ThreadContext context(view_, *place.thread,
                            {warp.frame, &operation, view_.module().program().details[operation.index].function},
                            session_.history);
      touch.old = context.read_register(place.name);
      touch.old.resize(place.bytes);
      touch.lanes = 1u << place.thread->lane();
      touches_.push_back(std::move(touch));
      continue;
    }
    const std::uint8_t* const bytes = place.bytes_now(warp);
    touch.old.assign(bytes, bytes + place.bytes);
    if (!access) access = access_lanes(warp, operation, view_.module().program().details[operation.index]);
    const bool local = place.thread.has_value();
    for (std::uint32_t left = access->lanes; left != 0; left &= left - 1) {
      const unsigned lane = first_lane(left);
      const std::uint64_t address = access->address[lane];
      if (address >= place.address + place.bytes || place.address >= address + access->bytes) continue;
      if (local && thread_in(warp, lane) != *place.thread) continue;
      touch.lanes |= 1u << lane;
    }
    touch.writes = access->writes;
    const bool wanted = watch.kind == Breakpoint::Kind::access ||
                        (watch.kind == Breakpoint::Kind::read) == !access->writes ||
                        (watch.kind == Breakpoint::Kind::read && access->reads);
    if (touch.lanes != 0 && !wanted) touch.lanes = 0;
    touches_.push_back(std::move(touch));
  }
}

std::optional<Stop> GridDebug::touched(WarpState& warp, const Operation& operation) {
  std::optional<Stop> reason;
  for (const Touch& touch : touches_) {
    const Breakpoint* const known = session_.find_breakpoint(touch.number);
    if (known == nullptr) continue;  // Deleted in the meantime, in a grid launched by this operation.
    const Breakpoint& watch = *known;
    std::vector<std::uint8_t> now;
    if (watch.watched.is_register()) {
      ThreadContext context(view_, *watch.watched.thread,
                            {touch.frame, &operation, view_.module().program().details[operation.index].function},
                            session_.history);
      now = context.read_register(watch.watched.name);
      now.resize(touch.old.size());
      if (now == touch.old) continue;
    } else {
      const std::uint8_t* const bytes = watch.watched.bytes_now(warp);
      now.assign(bytes, bytes + touch.old.size());
      // Something other than a store can change the value, too: an asynchronous copy that completes.
      if (touch.lanes == 0 && (now == touch.old || watch.kind == Breakpoint::Kind::read)) continue;
    }
    if (!reason) reason = Stop{Stop::Kind::watchpoint, "", false};
    reason->breakpoints.push_back(watch.number);
    reason->text += touch_text(watch, touch, warp, operation, now);
    pending_thread_ = thread_in(warp, first_lane(touch.lanes == 0 ? view_.current_lanes() : touch.lanes));
  }
  touches_.clear();
  return reason;
}

std::string GridDebug::touch_text(const Breakpoint& watch, const Touch& touch, const WarpState& warp,
                                  const Operation& operation, const std::vector<std::uint8_t>& now) const {
  const auto text_of = [&](const std::vector<std::uint8_t>& bytes) {
    Value value;
    value.type = watch.watched.type;
    value.bytes = bytes;
    ThreadContext context(view_, session_.focus, {}, session_.history);
    return value_text(context, value);
  };
  const bool read = watch.kind != Breakpoint::Kind::write && !touch.writes && now == touch.old;
  std::string text = "\n" +
                     std::string(watch.kind == Breakpoint::Kind::write  ? "Hardware watchpoint "
                                 : watch.kind == Breakpoint::Kind::read ? "Hardware read watchpoint "
                                                                        : "Hardware access (read/write) watchpoint ") +
                     std::to_string(watch.number) + ": " + watch.location + "\n\n";
  if (read)
    text += "Value = " + text_of(now) + "\n";
  else
    text += "Old value = " + text_of(touch.old) + "\nNew value = " + text_of(now) + "\n";
  const std::uint32_t lanes = touch.lanes == 0 ? view_.current_lanes() : touch.lanes;
  const auto count = static_cast<unsigned>(std::popcount(lanes));
  text += read               ? "Read by "
          : touch.lanes == 0 ? "Changed by an asynchronous write that completed before "
                             : "Written by ";
  text += "block " + triple_text(view_.block_index(warp.state->linear)) + ", thread " +
          triple_text(view_.thread_index(warp.index * kWarpSize + first_lane(lanes)));
  if (count > 1) text += " and " + std::to_string(count - 1) + " more of its warp";
  const std::vector<FrameView> frames = view_.frames(thread_in(warp, first_lane(lanes)));
  const std::size_t user = view_.user_frame(frames);
  const SourceMap& lines = view_.module().lines();
  const CodePlace place = lines.place_of(frames.empty() ? operation.index : frames[user].at->index);
  if (place.file != nullptr) text += " at " + base_name(*place.file) + ":" + std::to_string(place.line);
  return text + " (" + view_.module().program().details[operation.index].spelling +
         (user > 0 ? " in " + lines.name(frames[user - 1].function) : "") + ")\n";
}

bool GridDebug::after(WarpState& warp, const Operation& operation, const Operation* next) {
  if (replay_.target != 0 && replay_.look != Resume::reverse_go && touches_.empty()) return true;
  if (!touches_.empty() && !(next == nullptr && warp.stop == simulator::Stop::fault)) {
    if (auto reason = touched(warp, operation)) {
      pending_ = std::move(reason);
      for (const int number : pending_->breakpoints) ++session_.breakpoint(number).hits;
    }
  }
  if (replay_.target != 0) return true;
  if (step_.kind != Resume::go && warp.index == step_.thread.warp() && warp.state->linear == step_.thread.block &&
      (warp.live >> step_.thread.lane() & 1u) == 0)
    thread_ended_ = true;
  const Worker& worker = view_.worker();
  if (next == nullptr && warp.stop == simulator::Stop::fault && worker.fault) return stop(fault_stop());
  if (about_.findings != nullptr && about_.findings->all().size() > findings_seen_) {
    if (auto reason = finding()) return stop(*reason);
  }
  return true;
}

std::optional<Stop> GridDebug::finding() {
  const auto& all = about_.findings->all();
  Stop reason{Stop::Kind::finding, "", false};
  for (; findings_seen_ < all.size(); ++findings_seen_) reason.text += finding_text(all[findings_seen_]);
  // Of the two sides of a race, the later one is here.
  const WarpState* const warp = view_.current_warp();
  session_.focus = thread_in(*warp, first_lane(view_.current_lanes()));
  for (const CheckSite& site : all.back().sites) {
    const auto thread = GridView::linear_in(view_.launch().block, {site.thread[0], site.thread[1], site.thread[2]});
    const auto block = GridView::linear_in(view_.launch().grid, {site.block[0], site.block[1], site.block[2]});
    if (!thread || !block || *block != warp->state->linear || *thread / kWarpSize != warp->index) continue;
    const unsigned lane = *thread % kWarpSize;
    if ((view_.current_lanes() >> lane & 1u) != 0) session_.focus = thread_in(*warp, lane);
  }
  return reason;
}

std::optional<Stop> GridDebug::assertion_ahead(WarpState& warp, const Operation& operation) {
  const Program& program = view_.module().program();
  if (program.details[operation.index].id != ptx::OperationId::call) return std::nullopt;
  const auto number = static_cast<std::size_t>(operation.immediate);
  if (number >= program.calls.size() || program.calls[number].system != SystemCall::assertfail) return std::nullopt;
  session_.focus = thread_in(warp, first_lane(warp.active));
  Fault fault;
  fault.kind = FaultKind::assertion;
  fault.message = "an assertion has failed";
  // The first argument is the address of the assertion's text.
  ThreadContext context(view_, session_.focus, {warp.frame, &operation, program.details[operation.index].function},
                        session_.history);
  try {
    const CallSite::Copy& argument = program.calls[number].arguments.at(0);
    const auto bytes =
        context.read(ptx::Space::generic, kLocalWindow + warp.local_base + argument.from, sizeof(std::uint64_t));
    std::uint64_t address = 0;
    std::memcpy(&address, bytes.data(), sizeof address);
    std::string text;
    for (char c; text.size() < 1000 &&
                 (c = static_cast<char>(context.read(ptx::Space::generic, address + text.size(), 1)[0])) != 0;)
      text += c;
    fault.message = "Assertion `" + text + "` failed";
  } catch (const std::exception&) {  // Then only the text is missing.
  }
  return Stop{Stop::Kind::fault, fault_text(fault), false};
}

Stop GridDebug::fault_stop() {
  const Fault& fault = view_.worker().fault;
  const Launch& launch = view_.launch();
  session_.focus.block = GridView::linear_in(launch.grid, {fault.block[0], fault.block[1], fault.block[2]}).value_or(0);
  session_.focus.thread = static_cast<std::uint32_t>(
      GridView::linear_in(launch.block, {fault.thread[0], fault.thread[1], fault.thread[2]}).value_or(0));
  return {Stop::Kind::fault, fault_text(fault), true};
}

void GridDebug::stuck() {
  view_.nobody();
  stop(fault_stop());
}

}  // namespace warpbook::simulator::debugger
