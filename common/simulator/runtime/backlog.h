// Work in streams that has been issued and not been done yet.
//
// In the documented order work is done when it is issued, and only what waits for the host or for other work, and what
// is behind that, is here. A schedule seed may ask for the opposite
// (Schedule::late): work is done when the host waits for it and no sooner, the newest first among what has nothing
// else to wait for. Both are orders that CUDA allows; where a program does not make one stream wait for another, or the
// host for a stream, they give different results.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "common/simulator/runtime/handles.h"
#include "common/simulator/runtime/suspended_work.h"

namespace warpbook::simulator {
class Timeline;
}

namespace warpbook::simulator::runtime {

class DeviceProgress;
class WorkOrder;

class Backlog {
 public:
  using Ticket = std::uint64_t;  ///< Of a piece of work; 0: of none.

  Backlog(bool late, DeviceProgress& progress, Timeline& timeline)
      : late_(late), progress_(progress), timeline_(timeline) {}
  bool late() const { return late_; }
  /// Tells @p order of all work from now on.
  void tell(WorkOrder& order) { order_ = &order; }

  /// Does @p work, now or later: behind what is in @p stream, and behind the work of @p other.
  Ticket put(const Stream& stream, std::function<void()> work, Ticket other = 0);
  Ticket put(const Stream& stream, std::function<void()> work, std::vector<Ticket> others);
  /// The same for work that may need the program: where that is apart, it is done in the program's calls only.
  Ticket put_in_calls(const Stream& stream, std::function<void()> work);
  /// Does @p work of a graph's node, now or later: behind @p before and nothing else. @param branch the stream that
  /// stands for its branch @param now it is part of work that is being done
  /// @param in_calls as put_in_calls()
  Ticket put_node(std::uint32_t branch, const std::vector<Ticket>& before, std::function<void()> work, bool now,
                  bool in_calls = false);
  /// The piece of work that is being done cannot go on for now. It ends when @p rest has.
  void suspend(std::unique_ptr<SuspendedWork> rest) { suspended_ = std::move(rest); }
  /// What the next work in @p stream has to wait for.
  std::vector<Ticket> predecessors(const Stream& stream) const;
  /// The ticket that the next work gets.
  Ticket next() const { return next_; }
  /// Does all that the host waits for when it waits for @p stream, or for a piece of work.
  void finish(const Stream& stream);
  void finish(Ticket ticket);
  /// Does all that the host waits for when it waits for a device. Of the others' work what can be done is done.
  void finish_all(unsigned device);
  /// Does of that what can be done now. @returns whether that is all
  bool try_to_finish(const Stream& stream);
  bool try_to_finish(Ticket ticket);
  bool try_to_finish_all();
  /// Does what can be done of a stream's work, for which the host does not wait. @returns whether that is all
  bool work_off(const Stream& stream);
  /// Does all work; as far as the checks know, the host does not wait for it.
  void work_off_all();
  /// Whether what is put into the stream now waits for other work, or for the host.
  bool has_work(const Stream& stream) const;
  bool is_empty() const { return undone_.empty(); }
  /// Work has begun and waits.
  bool has_suspended() const;

  /// The host has run a function in its place in a stream: what it has written may be waited for.
  void go_on_after_host() {
    if (!undone_.empty()) go_on(Where::put);
  }
  /// Lets work go on that may wait for memory of the host's. Work that is late begins when the host has done nothing
  /// else for a second: it may be waiting for it without a call. @returns whether any has
  bool go_on_in_background();
  /// Whether there may be any such work.
  bool has_background_work() const;
  /// The program ends: so does what is left, with a message from what waits.
  void end();

 private:
  using Step = SuspendedWork::Step;
  struct Work {
    std::function<void()> run;
    std::unique_ptr<SuspendedWork> rest;  ///< It has begun, and is suspended.
    bool in_calls = false;
    std::uint32_t call = 0;     ///< That has put it into its stream (Timeline::set_call).
    std::set<Ticket> before;    ///< What must be done first, and is not.
    std::vector<Ticket> after;  ///< What waits for this.
  };
  struct Last {
    Ticket ticket = 0;
    bool blocking = false;  ///< Waits for the legacy default stream, and that for it.
  };
  enum class Where : std::uint8_t { put, wait, background };
  bool is_direct() const { return !late_ && order_ == nullptr && undone_.empty(); }
  bool any_undone(const std::vector<Ticket>& tickets) const;
  Work& keep(Ticket ticket, const std::vector<Ticket>& before, std::function<void()> work);
  /// The same for what has just begun and is suspended.
  Ticket keep_rest();
  void finish(const std::vector<Ticket>& wanted);
  bool try_to_finish(const std::vector<Ticket>& wanted);
  /// Does the work of @p wanted and of all before it. @param blocking until it is done @returns whether it is
  bool work_off(const std::vector<Ticket>& wanted, bool blocking);
  /// The same as far as it goes without work that waits.
  void work_off_ready(std::vector<Ticket> wanted);
  std::vector<Ticket> all() const;  ///< That are not done.
  /// Does a piece that has nothing to wait for, or its rest. @returns what came of it
  Step run(Ticket ticket, WaitAnswer answer);
  void release(Ticket ticket);
  /// The newest piece that has nothing to wait for and has not begun; 0: there is none.
  Ticket newest_ready(Where where) const;
  /// Lets what is suspended go on, and does what is behind it as that ends, until nothing moves.
  /// @returns `waits` if nothing has happened, `runs` if work has only given way again
  Step go_on(Where where);
  /// Ends the first work that waits, as nothing will ever let it go on.
  void give_up();

  const bool late_;
  DeviceProgress& progress_;
  Timeline& timeline_;
  WorkOrder* order_ = nullptr;
  Ticket next_ = 1;
  std::map<Ticket, Work> undone_;
  std::map<std::uint32_t, Last> last_;  ///< By number of the stream.
  std::unique_ptr<SuspendedWork> suspended_;
  /// What the background has seen last, and when that began.
  std::pair<Ticket, std::size_t> seen_;
  std::chrono::steady_clock::time_point seen_since_;
};

}  // namespace warpbook::simulator::runtime
