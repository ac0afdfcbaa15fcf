// Work in streams that has been issued and not been done yet.
//
// In the documented order there is none: work is done when it is issued. A schedule seed may ask for the opposite
// (Schedule::late): work is done when the host waits for it and no sooner, the newest first among what has nothing
// else to wait for. Both are orders that CUDA allows; where a program does not make one stream wait for another, or the
// host for a stream, they give different results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "common/simulator/runtime/handles.h"

namespace warpbook::simulator::runtime {

class WorkOrder;

class Backlog {
 public:
  using Ticket = std::uint64_t;  ///< Of a piece of work; 0: of none.

  explicit Backlog(bool late) : late_(late) {}
  bool late() const { return late_; }
  /// Tells @p order of all work from now on.
  void tell(WorkOrder& order) { order_ = &order; }

  /// Does @p work, now or later: behind what is in @p stream, and behind the work of @p other.
  Ticket put(const Stream& stream, std::function<void()> work, Ticket other = 0);
  Ticket put(const Stream& stream, std::function<void()> work, std::vector<Ticket> others);
  /// Does @p work of a graph's node, now or later: behind @p before and nothing else. @param branch the stream that
  /// stands for its branch @param now it is part of work that is being done
  Ticket put_node(std::uint32_t branch, const std::vector<Ticket>& before, std::function<void()> work, bool now);
  /// What the next work in @p stream has to wait for.
  std::vector<Ticket> predecessors(const Stream& stream) const;
  /// The ticket that the next work gets.
  Ticket next() const { return next_; }
  /// Does all that the host waits for when it waits for @p stream, or for a piece of work.
  void finish(const Stream& stream);
  void finish(Ticket ticket);
  void finish_all();
  /// Does all of a stream's work, for which the host does not wait.
  void work_off(const Stream& stream);
  void work_off_all();
  /// Whether work of the stream is not done.
  bool has_work(const Stream& stream) const;

 private:
  struct Work {
    std::function<void()> run;
    std::set<Ticket> before;    ///< What must be done first, and is not.
    std::vector<Ticket> after;  ///< What waits for this.
  };
  struct Last {
    Ticket ticket = 0;
    bool blocking = false;  ///< Waits for the legacy default stream, and that for it.
  };
  void keep(Ticket ticket, const std::vector<Ticket>& before, std::function<void()> work);
  void finish(std::vector<Ticket> wanted);
  void work_off(std::vector<Ticket> wanted);
  std::vector<Ticket> all() const;  ///< That are not done.
  void run(Ticket ticket, const std::function<void()>& work);

  const bool late_;
  WorkOrder* order_ = nullptr;
  Ticket next_ = 1;
  std::map<Ticket, Work> undone_;
  std::map<std::uint32_t, Last> last_;  ///< By number of the stream.
};

}  // namespace warpbook::simulator::runtime
