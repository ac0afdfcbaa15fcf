// The order of work in streams: what a race checker needs to know about grids, copies and memsets.
//
// Work is ordered after the work that its stream, the legacy default stream and events put before it, and after the
// work that the host had waited for when it issued it. For each piece of work this is stored as the last preceding
// piece of work of every stream.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/machine/checker.h"

namespace warpbook::simulator::runtime {

class WorkOrder : public Checker::Order {
 public:
  using Ticket = std::uint64_t;  ///< Of a piece of work, counted from 1.

  /// The host puts @p work into @p stream, after @p before (0: nothing).
  void issue(Ticket work, std::uint32_t stream, const std::vector<Ticket>& before);
  /// The host has waited for these and everything before them.
  void wait_for(const std::vector<Ticket>& done);
  void wait_for_all();
  /// Between begin() and end(), @p work runs, maybe in the middle of other work. @returns that, for end()
  Ticket begin(Ticket work) { return std::exchange(current_, work); }
  void end(Ticket around) { current_ = around; }
  Ticket current() const { return current_; }
  /// Work from @p first on becomes part of @p whole, and precedes what comes after that.
  void join_into(Ticket whole, Ticket first);

  /// A grid of a tree of launches.
  struct InTree {
    std::function<bool(std::uint32_t serial)> is_before;  ///< Whether the grid with this serial number is before it.
    std::function<void(std::uint32_t first)> took;        ///< It has these serial numbers.
  };
  /// The grid that runs now. @returns the one that ran until now
  InTree exchange(InTree grid) { return std::exchange(in_tree_, std::move(grid)); }

  std::uint32_t floor() const override;
  bool is_before(std::uint32_t serial) const override;
  void took(std::uint32_t first, std::uint64_t count) override;
  Missing missing(std::uint32_t serial) const override;
  bool is_before_host(std::uint32_t serial) const override;
  void host_observed(std::uint32_t serial) override;
  bool host_has_waited() const override { return settled_ == ranges_.size(); }
  /// Called whenever the host has waited for all work so far.
  std::function<void()> when_settled;
  /// The first of the latest serial numbers.
  std::uint32_t latest() const { return ranges_.empty() ? 0 : ranges_.back().first; }

 private:
  using View = std::map<std::uint32_t, Ticket>;  ///< By stream number: all work up to this piece.
  struct Work {
    std::uint32_t stream = 0;
    View before;
  };
  struct Range {
    std::uint32_t first = 0;
    Ticket work = 0;
  };
  static void join(View& view, const View& other);
  void add(View& view, Ticket work) const;
  bool covers(const View& view, Ticket work) const;
  const Range* range_of(std::uint32_t serial) const;
  void settle();

  std::map<Ticket, Work> works_;
  std::vector<Range> ranges_;  ///< By first serial number; each ends where the next one starts.
  std::size_t settled_ = 0;    ///< Ranges that precede all future work.
  View host_;                  ///< What the host has waited for.
  Ticket current_ = 0;
  InTree in_tree_;
};

}  // namespace warpbook::simulator::runtime
