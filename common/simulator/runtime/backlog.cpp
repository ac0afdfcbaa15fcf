// Executes deferred or waiting work, in an order that streams and events allow.
#include "common/simulator/runtime/backlog.h"

#include <algorithm>
#include <utility>

#include "common/simulator/model/timeline.h"
#include "common/simulator/runtime/device_progress.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/work_order.h"

namespace warpbook::simulator::runtime {

/// Number of pieces of work that fit into the device's queues; then the host waits.
constexpr std::size_t kMost = 1024;
/// Rounds in which suspended work continues because other work does, before the host continues.
constexpr unsigned kMostRounds = 64;
/// Times that the background thread finds the host making no calls before it executes late work, for which the host may
/// wait in memory: a tenth of a second, and as much longer as other programs keep the processors busy.
constexpr unsigned kLooks = 100;

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

bool Backlog::any_undone(const std::vector<Ticket>& tickets) const {
  return std::any_of(tickets.begin(), tickets.end(), [this](Ticket ticket) { return undone_.count(ticket) != 0; });
}

Backlog::Ticket Backlog::put(const Stream& stream, std::function<void()> work, Ticket other) {
  return put(stream, std::move(work), std::vector{other});
}

Backlog::Ticket Backlog::put_in_calls(const Stream& stream, std::function<void()> work) {
  const Ticket ticket = put(stream, std::move(work));
  if (const auto found = undone_.find(ticket); found != undone_.end()) found->second.in_calls = true;
  return ticket;
}

Backlog::Ticket Backlog::put(const Stream& stream, std::function<void()> work, std::vector<Ticket> others) {
  const Last last{next_, (stream.flags & cudaStreamNonBlocking) == 0};
  if (is_direct()) {
    work();
    if (suspended_ == nullptr) return 0;
    last_[stream.number] = last;
    return keep_rest();
  }
  if (undone_.size() >= kMost) work_off(all(), true);
  const Ticket ticket = next_++;
  std::vector<Ticket> before = predecessors(stream);
  before.insert(before.end(), others.begin(), others.end());
  if (order_ != nullptr) order_->issue(ticket, stream.number, before);
  last_[stream.number] = {ticket, last.blocking};
  const bool at_once = !late_ && !any_undone(before);
  keep(ticket, before, std::move(work));
  if (at_once) {
    run(ticket, WaitAnswer::look);
    go_on(Where::put);
  } else if (late_) {
    progress_.watch();
  }
  return ticket;
}

Backlog::Ticket Backlog::put_node(std::uint32_t branch, const std::vector<Ticket>& before, std::function<void()> work,
                                  bool now, bool in_calls) {
  if (now || is_direct()) {
    const Ticket ticket = order_ != nullptr ? next_++ : 0;
    const Ticket around = order_ != nullptr ? (order_->issue(ticket, branch, before), order_->begin(ticket)) : 0;
    work();
    if (order_ != nullptr) order_->end(around);
    if (now || suspended_ == nullptr) return ticket;
    return keep_rest();
  }
  const Ticket ticket = next_++;
  if (order_ != nullptr) order_->issue(ticket, branch, before);
  const bool at_once = !late_ && !any_undone(before);
  keep(ticket, before, std::move(work)).in_calls = in_calls;
  if (at_once) {
    run(ticket, WaitAnswer::look);
    go_on(Where::put);
  }
  return ticket;
}

Backlog::Work& Backlog::keep(Ticket ticket, const std::vector<Ticket>& before, std::function<void()> work) {
  Work& made = undone_[ticket];
  made.run = std::move(work);
  made.call = timeline_.call();
  for (const Ticket each : before) {
    const auto found = undone_.find(each);
    if (found == undone_.end() || each == ticket) continue;
    if (made.before.insert(each).second) found->second.after.push_back(ticket);
  }
  return made;
}

Backlog::Ticket Backlog::keep_rest() {
  Work& made = keep(next_, {}, nullptr);
  made.rest = std::move(suspended_);
  if (made.rest->looks_at_host_memory()) progress_.watch();
  return next_++;
}

SuspendedWork::Step Backlog::run(Ticket ticket, WaitAnswer answer) {
  Work& work = undone_.at(ticket);
  const Ticket around = order_ != nullptr ? order_->begin(ticket) : 0;
  const std::uint32_t call = timeline_.call();
  timeline_.set_call(work.call);
  Step step = Step::ended;
  if (work.rest != nullptr) {
    step = work.rest->go_on(answer);
  } else {
    const auto begin = std::exchange(work.run, nullptr);
    begin();
    if (suspended_ != nullptr) {
      work.rest = std::move(suspended_);
      step = Step::moved;
    }
  }
  if (order_ != nullptr) order_->end(around);
  timeline_.set_call(call);
  if (step == Step::ended) {
    release(ticket);
  } else if (work.rest->looks_at_host_memory()) {
    progress_.watch();
  }
  return step;
}

void Backlog::release(Ticket ticket) {
  const Work done = std::move(undone_.extract(ticket).mapped());
  for (const Ticket next : done.after) undone_.at(next).before.erase(ticket);
}

SuspendedWork::Step Backlog::go_on(Where where) {
  bool any = false, runs = false;
  for (unsigned round = 0; round < kMostRounds; ++round) {
    bool moved = false;
    for (const Ticket ticket : all()) {
      const auto found = undone_.find(ticket);
      if (found == undone_.end() || !found->second.before.empty()) continue;
      const Work& work = found->second;
      if (where == Where::background && work.in_calls && host().is_apart()) continue;
      if (work.rest != nullptr) {
        if (where == Where::put && work.rest->runs()) continue;
        if (where == Where::background && !work.rest->looks_at_host_memory() && !any) continue;
        // Work that runs for long continues once per request.
        if (work.rest->runs() && round != 0) continue;
      } else if (late_) {
        continue;
      }
      const Step step = run(ticket, progress_.answer());
      any |= step == Step::moved || step == Step::ended;
      runs |= step == Step::runs;
      moved |= step == Step::moved || step == Step::ended;
    }
    if (!moved) break;
  }
  return any ? Step::moved : runs ? Step::runs : Step::waits;
}

bool Backlog::go_on_in_background() {
  if (go_on(Where::background) != Step::waits) return true;
  if (!late_) return false;
  const auto state = [this] { return std::pair(next_, undone_.size()); };
  if (std::exchange(seen_, state()) != state()) looks_ = 0;
  if (++looks_ < kLooks) return false;
  const Ticket newest = newest_ready(Where::background);
  if (newest != 0) run(newest, progress_.answer());
  seen_ = state();  // All that the host may wait for follows without another pause.
  return newest != 0;
}

bool Backlog::has_background_work() const {
  if (late_) return !undone_.empty();
  return std::any_of(undone_.begin(), undone_.end(), [](const auto& entry) {
    return entry.second.rest != nullptr && entry.second.rest->looks_at_host_memory();
  });
}

bool Backlog::has_suspended() const {
  return std::any_of(undone_.begin(), undone_.end(), [](const auto& entry) { return entry.second.rest != nullptr; });
}

void Backlog::give_up() {
  for (const auto& [ticket, work] : undone_) {
    if (work.rest == nullptr || work.rest->runs()) continue;
    run(ticket, WaitAnswer::endless);
    return;
  }
}

void Backlog::end() {
  go_on(Where::wait);
  while (std::any_of(undone_.begin(), undone_.end(),
                     [](const auto& entry) { return entry.second.rest && !entry.second.rest->runs(); }))
    give_up();
}

bool Backlog::has_work(const Stream& stream) const { return any_undone(predecessors(stream)); }

void Backlog::finish(const Stream& stream) { finish(predecessors(stream)); }

void Backlog::finish(Ticket ticket) { finish(std::vector{ticket}); }

bool Backlog::try_to_finish(const Stream& stream) { return try_to_finish(predecessors(stream)); }

bool Backlog::try_to_finish(Ticket ticket) { return try_to_finish(std::vector{ticket}); }

bool Backlog::work_off(const Stream& stream) { return work_off(predecessors(stream), false); }

std::vector<Backlog::Ticket> Backlog::all() const {
  std::vector<Ticket> tickets;
  for (const auto& [ticket, work] : undone_) tickets.push_back(ticket);
  return tickets;
}

void Backlog::work_off_all() { work_off(all(), true); }

void Backlog::finish_all(unsigned device) {
  std::vector<Ticket> wanted;
  for (const auto& [number, last] : last_)
    if (Timeline::device_of(number) == device) wanted.push_back(last.ticket);
  work_off(wanted, true);
  if (!try_to_finish_all() && order_ != nullptr) order_->wait_for(wanted);
}

bool Backlog::try_to_finish_all() {
  if (!work_off(all(), false)) return false;
  if (order_ != nullptr) order_->wait_for_all();
  return true;
}

void Backlog::finish(const std::vector<Ticket>& wanted) {
  if (order_ != nullptr) order_->wait_for(wanted);
  if (!undone_.empty()) work_off(wanted, true);
}

bool Backlog::try_to_finish(const std::vector<Ticket>& wanted) {
  if (!undone_.empty() && !work_off(wanted, false)) return false;
  if (order_ != nullptr) order_->wait_for(wanted);
  return true;
}

bool Backlog::work_off(const std::vector<Ticket>& wanted, bool blocking) {
  auto since = DeviceProgress::Clock::now();
  for (unsigned round = 0; blocking || round < kMostRounds; ++round) {
    work_off_ready(wanted);
    if (!any_undone(wanted)) return true;
    const Step step = go_on(Where::wait);
    if (step != Step::waits) since = DeviceProgress::Clock::now();
    if (step == Step::moved) {
      if (!blocking && !late_) break;
      continue;
    }
    // Waiting work may wait for other work that the host does not wait for.
    if (const Ticket other = newest_ready(Where::wait); other != 0) {
      run(other, WaitAnswer::look);
      continue;
    }
    if (!blocking) return false;
    if (!progress_.wait_for_host(since) && step == Step::waits) give_up();
  }
  return !any_undone(wanted);
}

Backlog::Ticket Backlog::newest_ready(Where where) const {
  for (auto entry = undone_.rbegin(); entry != undone_.rend(); ++entry) {
    const Work& work = entry->second;
    if (work.rest != nullptr || !work.before.empty()) continue;
    if (where != Where::background || !work.in_calls || !host().is_apart()) return entry->first;
  }
  return 0;
}

void Backlog::work_off_ready(std::vector<Ticket> wanted) {
  std::set<Ticket> needed, ready;
  while (!wanted.empty()) {
    const Ticket ticket = wanted.back();
    wanted.pop_back();
    const auto found = undone_.find(ticket);
    if (found == undone_.end() || !needed.insert(ticket).second) continue;
    const std::set<Ticket>& before = found->second.before;
    if (before.empty() && found->second.rest == nullptr) ready.insert(ticket);
    wanted.insert(wanted.end(), before.begin(), before.end());
  }
  while (!ready.empty()) {
    const Ticket newest = *ready.rbegin();
    ready.erase(newest);
    const std::vector<Ticket> after = undone_.at(newest).after;
    if (run(newest, WaitAnswer::look) != Step::ended) continue;
    for (const Ticket next : after)
      if (undone_.at(next).before.empty() && needed.count(next) != 0) ready.insert(next);
  }
}

}  // namespace warpbook::simulator::runtime
