// Does work that was put off, in an order that streams and events allow.
#include "common/simulator/runtime/backlog.h"

#include <utility>

#include "common/simulator/model/timeline.h"
#include "common/simulator/runtime/work_order.h"

namespace warpbook::simulator::runtime {

/// So many pieces of work fit into the queues of the device; then the host waits.
constexpr std::size_t kMost = 1024;

std::vector<Backlog::Ticket> Backlog::predecessors(const Stream& stream) const {
  std::vector<Ticket> found;
  const bool blocking = (stream.flags & cudaStreamNonBlocking) == 0;
  for (const auto& [number, last] : last_) {
    const bool same_device = Timeline::device_of(number) == stream.device();
    const bool waits = stream.is_default() ? last.blocking : blocking && Timeline::is_default(number);
    if (number == stream.number || (same_device && waits)) found.push_back(last.ticket);
  }
  return found;
}

Backlog::Ticket Backlog::put(const Stream& stream, std::function<void()> work, Ticket other) {
  return put(stream, std::move(work), std::vector{other});
}

Backlog::Ticket Backlog::put(const Stream& stream, std::function<void()> work, std::vector<Ticket> others) {
  if (!late_ && order_ == nullptr) {
    work();
    return 0;
  }
  if (undone_.size() >= kMost) work_off(all());
  const Ticket ticket = next_++;
  std::vector<Ticket> before = predecessors(stream);
  before.insert(before.end(), others.begin(), others.end());
  if (order_ != nullptr) order_->issue(ticket, stream.number, before);
  if (!late_) {
    last_[stream.number] = {ticket, (stream.flags & cudaStreamNonBlocking) == 0};
    run(ticket, work);
    return ticket;
  }
  keep(ticket, before, std::move(work));
  last_[stream.number] = {ticket, (stream.flags & cudaStreamNonBlocking) == 0};
  return ticket;
}

Backlog::Ticket Backlog::put_node(std::uint32_t branch, const std::vector<Ticket>& before, std::function<void()> work,
                                  bool now) {
  if (!late_ && order_ == nullptr) {
    work();
    return 0;
  }
  const Ticket ticket = next_++;
  if (order_ != nullptr) order_->issue(ticket, branch, before);
  if (!late_ || now) {
    run(ticket, work);
  } else {
    keep(ticket, before, std::move(work));
  }
  return ticket;
}

void Backlog::keep(Ticket ticket, const std::vector<Ticket>& before, std::function<void()> work) {
  Work& made = undone_[ticket];
  made.run = std::move(work);
  for (const Ticket each : before) {
    const auto found = undone_.find(each);
    if (found == undone_.end() || each == ticket) continue;
    if (made.before.insert(each).second) found->second.after.push_back(ticket);
  }
}

void Backlog::run(Ticket ticket, const std::function<void()>& work) {
  const Ticket around = order_ != nullptr ? order_->begin(ticket) : 0;
  work();
  if (order_ != nullptr) order_->end(around);
}

bool Backlog::has_work(const Stream& stream) const {
  const auto last = last_.find(stream.number);
  return last != last_.end() && undone_.count(last->second.ticket) > 0;
}

void Backlog::finish(const Stream& stream) { finish(predecessors(stream)); }

void Backlog::finish(Ticket ticket) { finish(std::vector{ticket}); }

void Backlog::work_off(const Stream& stream) { work_off(predecessors(stream)); }

std::vector<Backlog::Ticket> Backlog::all() const {
  std::vector<Ticket> tickets;
  for (const auto& [ticket, work] : undone_) tickets.push_back(ticket);
  return tickets;
}

void Backlog::work_off_all() { work_off(all()); }

void Backlog::finish_all() {
  work_off_all();
  if (order_ != nullptr) order_->wait_for_all();
}

void Backlog::finish(std::vector<Ticket> wanted) {
  if (order_ != nullptr) order_->wait_for(wanted);
  work_off(std::move(wanted));
}

void Backlog::work_off(std::vector<Ticket> wanted) {
  std::set<Ticket> needed, ready;
  while (!wanted.empty()) {
    const Ticket ticket = wanted.back();
    wanted.pop_back();
    const auto found = undone_.find(ticket);
    if (found == undone_.end() || !needed.insert(ticket).second) continue;
    const std::set<Ticket>& before = found->second.before;
    if (before.empty()) ready.insert(ticket);
    wanted.insert(wanted.end(), before.begin(), before.end());
  }
  while (!ready.empty()) {
    const Ticket newest = *ready.rbegin();
    ready.erase(newest);
    const Work work = std::move(undone_.extract(newest).mapped());
    run(newest, work.run);
    for (const Ticket next : work.after) {
      Work& waiting = undone_.at(next);
      waiting.before.erase(newest);
      if (waiting.before.empty() && needed.count(next) != 0) ready.insert(next);
    }
  }
}

}  // namespace warpbook::simulator::runtime
