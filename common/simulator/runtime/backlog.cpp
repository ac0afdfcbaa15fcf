// Does work that was put off, in an order that streams and events allow.
#include "common/simulator/runtime/backlog.h"

#include <utility>

#include "common/simulator/model/timeline.h"

namespace warpbook::simulator::runtime {

/// So many pieces of work fit into the queues of the device; then the host waits.
constexpr std::size_t kMost = 1024;

std::vector<Backlog::Ticket> Backlog::predecessors(const Stream& stream) const {
  std::vector<Ticket> found;
  const bool is_default = stream.number == Timeline::kDefaultStream;
  const bool blocking = (stream.flags & cudaStreamNonBlocking) == 0;
  for (const auto& [number, last] : last_) {
    const bool waits = is_default ? last.blocking : blocking && number == Timeline::kDefaultStream;
    if (number == stream.number || waits) found.push_back(last.ticket);
  }
  return found;
}

Backlog::Ticket Backlog::put(const Stream& stream, std::function<void()> work, Ticket other) {
  if (!late_) {
    work();
    return 0;
  }
  if (undone_.size() >= kMost) finish_all();
  const Ticket ticket = next_++;
  std::vector<Ticket> before = predecessors(stream);
  before.push_back(other);
  Work& made = undone_[ticket];
  made.run = std::move(work);
  for (const Ticket each : before) {
    const auto found = undone_.find(each);
    if (found == undone_.end() || each == ticket) continue;
    if (made.before.insert(each).second) found->second.after.push_back(ticket);
  }
  last_[stream.number] = {ticket, (stream.flags & cudaStreamNonBlocking) == 0};
  return ticket;
}

void Backlog::finish(const Stream& stream) { finish(predecessors(stream)); }

void Backlog::finish(Ticket ticket) { finish(std::vector{ticket}); }

void Backlog::finish_all() {
  std::vector<Ticket> all;
  for (const auto& [ticket, work] : undone_) all.push_back(ticket);
  finish(std::move(all));
}

void Backlog::finish(std::vector<Ticket> wanted) {
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
    work.run();
    for (const Ticket next : work.after) {
      Work& waiting = undone_.at(next);
      waiting.before.erase(newest);
      if (waiting.before.empty() && needed.count(next) != 0) ready.insert(next);
    }
  }
}

}  // namespace warpbook::simulator::runtime
