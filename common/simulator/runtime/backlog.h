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

class Backlog {
 public:
  using Ticket = std::uint64_t;  ///< Of a piece of work; 0: of none.

  explicit Backlog(bool late) : late_(late) {}
  bool late() const { return late_; }

  /// Does @p work, now or later: behind what is in @p stream, and behind the work of @p other.
  Ticket put(const Stream& stream, std::function<void()> work, Ticket other = 0);
  /// Does all that the host waits for when it waits for @p stream, or for a piece of work.
  void finish(const Stream& stream);
  void finish(Ticket ticket);
  void finish_all();

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
  /// What the next work in @p stream has to wait for.
  std::vector<Ticket> predecessors(const Stream& stream) const;
  void finish(std::vector<Ticket> wanted);

  const bool late_;
  Ticket next_ = 1;
  std::map<Ticket, Work> undone_;
  std::map<std::uint32_t, Last> last_;  ///< By number of the stream.
};

}  // namespace warpbook::simulator::runtime
