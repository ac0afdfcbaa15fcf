// Work in streams that has been submitted and not been executed yet.
//
// In the documented order, work is executed when it is submitted, and the backlog only contains work that waits for the
// host or for other work, and what comes after it. A schedule seed may ask for the opposite (Schedule::late): work is
// executed when the host waits for it and no sooner, the newest first among work that waits for nothing else. CUDA
// allows both orders; if a program does not make one stream wait for another, or the host wait for a stream, their
// results differ.
#pragma once

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
  using Ticket = std::uint64_t;  ///< A piece of work; 0: none.

  Backlog(bool late, DeviceProgress& progress, Timeline& timeline)
      : late_(late), progress_(progress), timeline_(timeline) {}
  bool late() const { return late_; }
  /// Notifies @p order of all work from now on.
  void tell(WorkOrder& order) { order_ = &order; }

  /// Executes @p work, now or later: after everything in @p stream, and after the work @p other.
  Ticket put(const Stream& stream, std::function<void()> work, Ticket other = 0);
  Ticket put(const Stream& stream, std::function<void()> work, std::vector<Ticket> others);
  /// The same for work that may need the program: if the program is in another process, it is executed only during its
  /// calls.
  Ticket put_in_calls(const Stream& stream, std::function<void()> work);
  /// Executes @p work of a graph node, now or later: after @p before and nothing else. @param branch the stream that
  /// stands for its branch @param now it is part of work that is being executed
  /// @param in_calls as for put_in_calls()
  Ticket put_node(std::uint32_t branch, const std::vector<Ticket>& before, std::function<void()> work, bool now,
                  bool in_calls = false);
  /// The current piece of work cannot continue for now. It ends when @p rest has ended.
  void suspend(std::unique_ptr<SuspendedWork> rest) { suspended_ = std::move(rest); }
  /// What the next work in @p stream has to wait for.
  std::vector<Ticket> predecessors(const Stream& stream) const;
  /// The ticket of the next work.
  Ticket next() const { return next_; }
  /// Executes everything that the host waits for when it waits for @p stream, or for a piece of work.
  void finish(const Stream& stream);
  void finish(Ticket ticket);
  /// Executes everything that the host waits for when it waits for a device. Other work is executed as far as possible.
  void finish_all(unsigned device);
  /// Executes as much of that as possible now. @returns whether that is everything
  bool try_to_finish(const Stream& stream);
  bool try_to_finish(Ticket ticket);
  bool try_to_finish_all();
  /// Executes as much of a stream's work as possible, without the host waiting for it. @returns whether that is
  /// everything
  bool work_off(const Stream& stream);
  /// Executes all work; for the checkers, the host does not wait for it.
  void work_off_all();
  /// Whether work submitted to the stream now would wait for other work, or for the host.
  bool has_work(const Stream& stream) const;
  bool is_empty() const { return undone_.empty(); }
  /// Some work has begun and waits.
  bool has_suspended() const;

  /// The host has run a function at its position in a stream: work may be waiting for what it has written.
  void go_on_after_host() {
    if (!undone_.empty()) go_on(Where::put);
  }
  /// Continues work that may wait for host memory. Late work begins when the host has made no call for a while:
  /// it may be waiting for it without making a call. @returns whether any work has continued
  bool go_on_in_background();
  /// Whether there may be such work.
  bool has_background_work() const;
  /// The program ends: remaining work is executed; work that waits forever ends with a message.
  void end();

 private:
  using Step = SuspendedWork::Step;
  struct Work {
    std::function<void()> run;
    std::unique_ptr<SuspendedWork> rest;  ///< Set if it has begun and is suspended.
    bool in_calls = false;
    std::uint32_t call = 0;     ///< The host call that submitted it (Timeline::set_call).
    std::set<Ticket> before;    ///< Unfinished work that must be executed first.
    std::vector<Ticket> after;  ///< Work that waits for this.
  };
  struct Last {
    Ticket ticket = 0;
    bool blocking = false;  ///< It waits for the legacy default stream, and that waits for it.
  };
  enum class Where : std::uint8_t { put, wait, background };
  bool is_direct() const { return !late_ && order_ == nullptr && undone_.empty(); }
  bool any_undone(const std::vector<Ticket>& tickets) const;
  Work& keep(Ticket ticket, const std::vector<Ticket>& before, std::function<void()> work);
  /// The same for work that has just begun and is suspended.
  Ticket keep_rest();
  void finish(const std::vector<Ticket>& wanted);
  bool try_to_finish(const std::vector<Ticket>& wanted);
  /// Executes the work @p wanted and all work before it. @param blocking until it is done @returns whether it is
  bool work_off(const std::vector<Ticket>& wanted, bool blocking);
  /// The same, as far as possible without work that waits.
  void work_off_ready(std::vector<Ticket> wanted);
  std::vector<Ticket> all() const;  ///< All unfinished work.
  /// Executes a piece of work that waits for nothing, or its rest. @returns the result
  Step run(Ticket ticket, WaitAnswer answer);
  void release(Ticket ticket);
  /// The newest piece of work that waits for nothing and has not begun; 0: none.
  Ticket newest_ready(Where where) const;
  /// Continues suspended work, and executes what comes after it as it ends, until nothing changes.
  /// @returns `waits` if nothing has happened, `runs` if work has only yielded again
  Step go_on(Where where);
  /// Ends the first waiting work, because it will never continue.
  void give_up();

  const bool late_;
  DeviceProgress& progress_;
  Timeline& timeline_;
  WorkOrder* order_ = nullptr;
  Ticket next_ = 1;
  std::map<Ticket, Work> undone_;
  std::map<std::uint32_t, Last> last_;  ///< By stream number.
  std::unique_ptr<SuspendedWork> suspended_;
  /// What the background thread saw last, and how often in a row.
  std::pair<Ticket, std::size_t> seen_;
  unsigned looks_ = 0;
};

}  // namespace warpbook::simulator::runtime
