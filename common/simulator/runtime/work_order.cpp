// Joins the known orders where streams, events and the host meet.
#include "common/simulator/runtime/work_order.h"

#include <algorithm>

namespace warpbook::simulator::runtime {

void WorkOrder::join(View& view, const View& other) {
  for (const auto& [stream, ticket] : other) {
    Ticket& known = view[stream];
    known = std::max(known, ticket);
  }
}

void WorkOrder::add(View& view, Ticket work) const {
  const auto found = works_.find(work);
  if (found == works_.end()) return;
  join(view, found->second.before);
  Ticket& known = view[found->second.stream];
  known = std::max(known, work);
}

bool WorkOrder::covers(const View& view, Ticket work) const {
  const auto found = works_.find(work);
  if (found == works_.end()) return true;
  const auto known = view.find(found->second.stream);
  return known != view.end() && known->second >= work;
}

void WorkOrder::issue(Ticket work, std::uint32_t stream, const std::vector<Ticket>& before) {
  Work made;
  made.stream = stream;
  made.before = host_;
  for (const Ticket each : before) add(made.before, each);
  works_[work] = std::move(made);
}

void WorkOrder::wait_for(const std::vector<Ticket>& done) {
  for (const Ticket each : done) add(host_, each);
  settle();
}

void WorkOrder::settle() {
  while (settled_ < ranges_.size() && covers(host_, ranges_[settled_].work)) ++settled_;
  if (settled_ == ranges_.size() && when_settled) when_settled();
}

void WorkOrder::wait_for_all() {
  for (const auto& [ticket, work] : works_) {
    Ticket& known = host_[work.stream];
    known = std::max(known, ticket);
  }
  works_.clear();  // Work that is not in the map precedes everything.
  settled_ = ranges_.size();
  if (when_settled) when_settled();
}

std::uint32_t WorkOrder::floor() const {
  const auto now = works_.find(current_);
  for (std::size_t i = settled_; i < ranges_.size(); ++i) {
    const bool before =
        ranges_[i].work != current_ && now != works_.end() && covers(now->second.before, ranges_[i].work);
    if (!before) return ranges_[i].first;
  }
  return latest();
}

const WorkOrder::Range* WorkOrder::range_of(std::uint32_t serial) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), serial,
                                      [](std::uint32_t s, const Range& range) { return s < range.first; });
  return after == ranges_.begin() ? nullptr : &*std::prev(after);
}

bool WorkOrder::is_before(std::uint32_t serial) const {
  const Range* const range = range_of(serial);
  if (range == nullptr) return true;
  if (range->work == current_) return in_tree_.is_before && in_tree_.is_before(serial);
  const auto now = works_.find(current_);
  return now != works_.end() && covers(now->second.before, range->work);
}

bool WorkOrder::is_before_host(std::uint32_t serial) const {
  const Range* const range = range_of(serial);
  return range == nullptr || covers(host_, range->work);
}

void WorkOrder::host_observed(std::uint32_t serial) {
  const Range* const range = range_of(serial);
  const auto work = range == nullptr ? works_.end() : works_.find(range->work);
  if (work == works_.end()) return;
  join(host_, work->second.before);
  settle();
}

void WorkOrder::took(std::uint32_t first, std::uint64_t) {
  ranges_.push_back({first, current_});
  if (in_tree_.took) in_tree_.took(first);
}

void WorkOrder::join_into(Ticket whole, Ticket first) {
  for (auto range = ranges_.rbegin(); range != ranges_.rend() && range->work >= whole; ++range)
    if (range->work >= first) range->work = whole;
}

Checker::Order::Missing WorkOrder::missing(std::uint32_t serial) const {
  const Range* const range = range_of(serial);
  if (range != nullptr && range->work == current_)
    return {"a grid that a thread launched runs concurrently with what follows the launch",
            "__syncthreads() before the launch, if the grid needs what other threads of the block wrote; "
            "cudaStreamTailLaunch for a grid that needs what this one's children wrote; one stream for children that "
            "need each other"};
  return {"the two are in streams that do not wait for each other",
          "put both into one stream, or make one wait for the other by an event or a synchronising call"};
}

}  // namespace warpbook::simulator::runtime
