// Places grids on SMs, in steps between which nothing changes.
#include "common/simulator/model/residency.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <tuple>

namespace warpbook::simulator {
namespace {

constexpr double kSlack = 1e-9;

/// Grids that a later one may still overlap with: twice as many as are ever on the device together.
constexpr std::size_t kRemembered = 256;

/// Components of the time model: those that all SMs share, and those that each SM has.
constexpr std::array<std::string_view, 3> kDeviceComponents = {"atomics", "dram", "l2"};
constexpr std::array<std::string_view, 9> kMultiprocessorComponents = {"issue", "alu",    "fma", "fp16", "fp64",
                                                                       "xu",    "tensor", "lsu", "l1"};

template <std::size_t kCount>
void take(const std::array<std::string_view, kCount>& names, const KernelTime& time, std::array<double, kCount>& use) {
  for (const auto& [name, us] : time.components) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end() && time.us > 0)
      use[static_cast<std::size_t>(found - names.begin())] = std::min(1.0, us / time.us);
  }
}

double part(double value, double whole) { return whole > 0 ? value / whole : 0; }

/// What is left of one resource for a grid that wants @p own of it if others want @p others.
double left_of(double own, double others) {
  return own <= 0 || own + others <= 1 ? 1 : std::clamp((1 - others) / own, 0.0, 1.0);
}

}  // namespace

GridDemand GridDemand::of(const Device& device, std::uint64_t blocks, unsigned threads_per_block, unsigned registers,
                          std::uint64_t shared_bytes, const KernelTime& time) {
  GridDemand demand;
  demand.blocks = static_cast<double>(std::max<std::uint64_t>(blocks, 1));
  demand.resident = std::max(time.occupancy.blocks, 1u);
  const BlockAllocation block = allocation_of(device, registers, threads_per_block, shared_bytes);
  demand.needs = {part(1, device.max_blocks_per_multiprocessor), part(block.warps, device.max_warps_per_multiprocessor),
                  part(block.registers, device.registers_per_multiprocessor),
                  part(static_cast<double>(block.shared_bytes), device.shared_per_multiprocessor)};
  // The least that lets as many blocks run as the other resources allow.
  const double wanted = static_cast<double>(block.shared_bytes) * demand.resident;
  for (const std::uint64_t size : device.shared_carveouts) {
    demand.shared_carveout = part(static_cast<double>(size), device.shared_per_multiprocessor);
    if (static_cast<double>(size) >= wanted) break;
  }
  take(kDeviceComponents, time, demand.use.device);
  take(kMultiprocessorComponents, time, demand.use.multiprocessor);
  return demand;
}

GridDemand GridDemand::of_share(const Device& device, double share) {
  GridDemand demand;
  demand.blocks = device.multiprocessors;
  demand.needs = {0, std::clamp(share, 0.0, 1.0), 0, 0};
  demand.known = false;
  return demand;
}

GridDemand GridDemand::of_memory(const Device& device) {
  GridDemand demand;
  demand.blocks = device.multiprocessors;
  demand.needs = {0, 0.25, 0, 0};
  demand.use.device[1] = 1;
  return demand;
}

double Residency::dispatch_of(const GridDemand& demand, double arrival, int priority) const {
  double when = std::max(arrival, floor_);
  const auto own = range_of(demand);
  // Green contexts that have no multiprocessor in common do not queue up behind each other.
  const auto is_apart = [&](const Tenant& tenant) {
    const auto other = range_of(tenant.demand);
    return other.second <= own.first || own.second <= other.first;
  };
  for (const Tenant& tenant : tenants_)
    if (tenant.arrival <= arrival && tenant.priority <= priority && !is_apart(tenant))
      when = std::max(when, tenant.dispatched);
  // Limit of concurrent grids on the device.
  for (;;) {
    std::vector<double> ends;
    for (const Tenant& tenant : tenants_)
      if (tenant.start <= when && tenant.end > when) ends.push_back(tenant.end);
    if (ends.size() < device_->concurrent_kernels) return when;
    when = *std::min_element(ends.begin(), ends.end());
  }
}

double Residency::vacated(const Tenant& tenant, const Group& group, double arrival, int priority) {
  if (tenant.priority <= priority || group.block_us <= 0) return group.end;
  if (arrival <= group.start) return group.start;
  if (!tenant.demand.known) return arrival;
  return std::min(group.end, group.start + std::ceil((arrival - group.start) / group.block_us) * group.block_us);
}

bool Residency::used(double us, double arrival, int priority, Used& used, double& next) const {
  next = std::numeric_limits<double>::infinity();
  bool any = false;
  for (const Tenant& tenant : tenants_) {
    for (const Group& group : tenant.groups) {
      const double end = vacated(tenant, group, arrival, priority);
      if (end <= us + kSlack) continue;
      if (!any) used.assign(device_->multiprocessors, Taken{});
      any = true;
      if (group.start > us + kSlack) {
        next = std::min(next, group.start);
        continue;
      }
      next = std::min(next, end);
      take(tenant.demand, group, used);
    }
  }
  return any;
}

void Residency::take(const GridDemand& demand, const Group& group, Used& used) {
  for (const Held& held : group.held) {
    Taken& taken = used[held.multiprocessor];
    taken.shared_carveout = std::max(taken.shared_carveout, demand.shared_carveout);
    for (std::size_t k = 0; k < taken.needs.size(); ++k) taken.needs[k] += held.blocks * demand.needs[k];
  }
}

unsigned Residency::room(const GridDemand& demand, const Taken& taken) {
  double fit = demand.resident;
  for (std::size_t k = 0; k < demand.needs.size(); ++k) {
    const double whole = k == 3 && taken.shared_carveout > 0 ? taken.shared_carveout : 1;
    if (demand.needs[k] > 0) fit = std::min(fit, std::floor((whole - taken.needs[k]) / demand.needs[k] + 1e-6));
  }
  return fit > 0 ? static_cast<unsigned>(fit) : 0;
}

double Residency::distribute(const GridDemand& demand, double most, const Used& used, std::vector<Held>& held) const {
  // Computes how many fit on each, then places one on each in turn, least used first.
  struct Candidate {
    double load = 0;
    std::uint16_t multiprocessor = 0;
    unsigned room = 0;
  };
  const auto is_less_used = [](const Candidate& a, const Candidate& b) {
    return std::tie(a.load, a.multiprocessor) < std::tie(b.load, b.multiprocessor);
  };
  std::vector<Candidate> candidates;
  const auto [first, end] = range_of(demand);
  for (std::size_t i = first; i < end; ++i)
    if (const unsigned fit = room(demand, used[i]); fit > 0)
      candidates.push_back(
          {*std::max_element(used[i].needs.begin(), used[i].needs.end()), static_cast<std::uint16_t>(i), fit});
  if (most < static_cast<double>(candidates.size())) {
    const auto count = static_cast<std::ptrdiff_t>(std::ceil(std::max(most - 0.5, 0.0)));
    std::partial_sort(candidates.begin(), candidates.begin() + count, candidates.end(), is_less_used);
    candidates.resize(static_cast<std::size_t>(count));
  } else {
    std::sort(candidates.begin(), candidates.end(), is_less_used);
  }
  held.clear();
  for (const Candidate& candidate : candidates) held.push_back({candidate.multiprocessor, 0});
  double placed = 0;
  for (bool more = true; more && placed + 0.5 < most;) {
    more = false;
    for (std::size_t c = 0; c < candidates.size() && placed + 0.5 < most; ++c) {
      if (held[c].blocks >= candidates[c].room) continue;
      ++held[c].blocks;
      ++placed;
      more = true;
    }
  }
  return placed;
}

double Residency::spread(const GridDemand& demand, double most, std::vector<Held>& held) const {
  const auto [first, end] = range_of(demand);
  const std::uint64_t width = end - first;
  const auto count = static_cast<std::uint64_t>(std::min(most, static_cast<double>(width) * demand.resident));
  held.clear();
  for (std::uint64_t i = 0; i < std::min(count, width); ++i)
    held.push_back({static_cast<std::uint16_t>(first + i),
                    static_cast<std::uint16_t>(count / width + (i < count % width ? 1 : 0))});
  return static_cast<double>(count);
}

std::pair<std::size_t, std::size_t> Residency::range_of(const GridDemand& demand) const {
  const std::size_t all = device_->multiprocessors;
  if (demand.partition.count == 0) return {0, all};
  const std::size_t first = std::min<std::size_t>(demand.partition.first, all - 1);
  return {first, std::min<std::size_t>(first + demand.partition.count, all)};
}

double Residency::start_of(const GridDemand& demand, double arrival, int priority) const {
  double now = dispatch_of(demand, arrival, priority);
  Used use;
  std::vector<Held> held;
  for (;;) {
    double next = 0;
    if (!used(now, arrival, priority, use, next)) return now;
    if (distribute(demand, 1, use, held) > 0) return now;
    if (!std::isfinite(next)) return now;
    now = next;
  }
}

double Residency::done_together(double now, double slots, double work, std::vector<const Group*>& running) {
  std::sort(running.begin(), running.end(), [](const Group* a, const Group* b) { return a->end < b->end; });
  double until = now + work / slots;
  for (const Group* const group : running) {
    if (group->end >= until) break;
    double blocks = 0;
    for (const Held& held : group->held) blocks += held.blocks;
    until = (until * slots + group->end * blocks) / (slots + blocks);
    slots += blocks;
  }
  return until;
}

Residency::Place Residency::place(const GridDemand& demand, double arrival, double duration, int priority) {
  Tenant tenant;
  tenant.arrival = arrival;
  tenant.priority = priority;
  tenant.demand = demand;
  const auto [first, behind] = range_of(demand);
  const double places = static_cast<double>(behind - first) * demand.resident;
  const double rounds = std::ceil(demand.blocks / places);
  const double block_us = duration / rounds;
  double now = dispatch_of(demand, arrival, priority), left = demand.blocks;
  bool started = false;
  Used use;
  while (left > 0.5) {
    double next = 0;
    const bool others = used(now, arrival, priority, use, next);
    const double change = next;
    std::vector<const Group*> running;
    for (const Group& group : tenant.groups) {
      if (group.end <= now + kSlack) continue;
      if (!others && running.empty()) use.assign(device_->multiprocessors, Taken{});
      running.push_back(&group);
      next = std::min(next, group.end);
      take(demand, group, use);
    }
    Group group;
    group.start = now;
    group.block_us = block_us;
    const bool alone = !others && running.empty();
    const double fitting = alone ? spread(demand, left, group.held) : distribute(demand, left, use, group.held);
    if (fitting > 0) {
      if (!started) tenant.start = now;
      started = true;
      // As many full rounds as pass before another grid makes or takes room, or before all blocks are done if those
      // that run out of step take their part of them. The rest comes after that.
      double times = std::max(std::floor(left / fitting), 1.0);
      if (!alone && block_us > 0) {
        const double until = std::min(change, done_together(now, fitting, left * block_us, running));
        times = std::clamp(std::floor((until - now) / block_us + kSlack), 1.0, times);
      }
      group.end = now + times * block_us;
      left -= std::min(left, times * fitting);
      tenant.dispatched = std::max(now, group.end - block_us);
      tenant.end = std::max(tenant.end, group.end);
      next = std::min(next, group.end);
      tenant.groups.push_back(std::move(group));
    }
    if (!std::isfinite(next)) break;  // Nothing will ever make room. The launch was checked, so this cannot happen.
    now = next;
  }
  if (!started) tenant.start = tenant.dispatched = now;
  tenant.end = std::max(tenant.end, tenant.start + duration);
  tenant.end = tenant.start + slowed(tenant);
  if (!tenant.groups.empty()) tenant.groups.back().end = std::max(tenant.groups.back().end, tenant.end);
  const Place place{tenant.start, tenant.end};
  tenants_.push_back(std::move(tenant));
  if (tenants_.size() > kRemembered) {
    floor_ = std::max(floor_, tenants_.front().end);
    tenants_.erase(tenants_.begin());
  }
  return place;
}

double Residency::rate_beside(const Tenant& tenant, double us, const std::vector<const Tenant*>& others,
                              const std::vector<bool>& own) const {
  GridUse used_beside;
  Used later;
  for (const Tenant* const other : others) {
    if (other->start > us + kSlack || other->end <= us + kSlack) continue;
    const GridUse& use = other->demand.use;
    for (std::size_t k = 0; k < use.device.size(); ++k) used_beside.device[k] += use.device[k];
    bool meets = false;
    for (const Group& group : other->groups) {
      if (group.start > us + kSlack || group.end <= us + kSlack) continue;
      meets = meets || std::any_of(group.held.begin(), group.held.end(),
                                   [&](const Held& held) { return own[held.multiprocessor]; });
      if (group.start <= tenant.start + kSlack || other->arrival <= tenant.arrival) continue;
      if (later.empty()) later.assign(device_->multiprocessors, Taken{});
      for (const Held& held : group.held)
        for (std::size_t k = 0; k < other->demand.needs.size(); ++k)
          later[held.multiprocessor].needs[k] += held.blocks * other->demand.needs[k];
    }
    if (!meets) continue;
    for (std::size_t k = 0; k < use.multiprocessor.size(); ++k) used_beside.multiprocessor[k] += use.multiprocessor[k];
  }
  const GridUse& wanted = tenant.demand.use;
  double rate = 1;
  for (std::size_t k = 0; k < wanted.device.size(); ++k)
    rate = std::min(rate, left_of(wanted.device[k], used_beside.device[k]));
  for (std::size_t k = 0; k < wanted.multiprocessor.size(); ++k)
    rate = std::min(rate, left_of(wanted.multiprocessor[k], used_beside.multiprocessor[k]));
  if (later.empty() || tenant.groups.empty()) return rate;
  // Other grids are already placed where this one is now: it waits for them where both do not fit.
  double blocks = 0, fitting = 0;
  for (const Held& held : tenant.groups.front().held) {
    blocks += held.blocks;
    fitting += std::min<double>(held.blocks, room(tenant.demand, later[held.multiprocessor]));
  }
  return blocks > 0 ? std::min(rate, fitting / blocks) : rate;
}

double Residency::slowed(const Tenant& tenant) const {
  double now = tenant.start, left = tenant.end - tenant.start;
  std::vector<const Tenant*> others;
  for (const Tenant& other : tenants_)
    if (other.end > now + kSlack || std::any_of(other.groups.begin(), other.groups.end(),
                                                [&](const Group& group) { return group.end > now + kSlack; }))
      others.push_back(&other);
  std::vector<bool> own(device_->multiprocessors);
  for (const Group& group : tenant.groups)
    for (const Held& held : group.held) own[held.multiprocessor] = true;
  while (left > kSlack) {
    double next = std::numeric_limits<double>::infinity();
    for (const Tenant* const other : others) {
      for (const Group& group : other->groups) {
        if (group.start > now + kSlack) next = std::min(next, group.start);
        if (group.end > now + kSlack) next = std::min(next, group.end);
      }
    }
    if (!std::isfinite(next)) return now + left - tenant.start;
    const double rate = rate_beside(tenant, now, others, own);
    if (rate * (next - now) >= left) return now + left / rate - tenant.start;
    left -= rate * (next - now);
    now = next;
  }
  return now - tenant.start;
}

void Residency::forget(double us) {
  std::erase_if(tenants_, [&](const Tenant& tenant) { return tenant.end <= us && tenant.dispatched <= us; });
}

BusySpans::Span BusySpans::place(double ready, double duration) {
  double now = ready, left = duration, start = -1;
  auto at = std::find_if(spans_.begin(), spans_.end(), [&](const Span& span) { return span.end > ready; });
  for (; at != spans_.end() && (start < 0 || left > kSlack); ++at) {
    const double room = at->start - now;
    if (room > kSlack) {
      if (start < 0) start = now;
      const double done = std::min(room, left);
      left -= done;
      at = spans_.insert(at, {now, now + done});
      now += done;
      if (left <= kSlack) return {start, now};
      ++at;
    }
    now = std::max(now, at->end);
  }
  if (start < 0) start = now;
  spans_.push_back({now, now + left});
  return {start, now + left};
}

void BusySpans::forget(double us) {
  const auto keep = std::find_if(spans_.begin(), spans_.end(), [&](const Span& span) { return span.end > us; });
  spans_.erase(spans_.begin(), keep);
}

}  // namespace warpbook::simulator
