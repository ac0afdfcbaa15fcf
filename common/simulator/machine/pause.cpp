// Saves the counters when a grid begins to wait.
#include "common/simulator/machine/pause.h"

#include <algorithm>

#include "common/simulator/machine/footprint_observer.h"

namespace warpbook::simulator {
namespace {

bool is_shared_with_host(const Allocation* allocation) {
  return allocation != nullptr && allocation->kind != MemoryKind::device && allocation->kind != MemoryKind::module;
}

/// Whether the worker's latest accesses were to memory that the host can write.
bool looks_at_host_memory(const Worker& worker) {
  return is_shared_with_host(worker.last_allocation) ||
         std::any_of(worker.recent_allocations.begin(), worker.recent_allocations.end(), is_shared_with_host);
}

}  // namespace

WaitAnswer Pause::wait(Worker& worker, const Blocks& resident) {
  if (kept_)
    take_back(worker, resident);
  else
    keep(worker, resident);
  const WaitAnswer answer = ask(worker, true);
  kept_ = true;
  return answer;
}

WaitAnswer Pause::give_way(Worker& worker) {
  kept_ = false;
  return ask(worker, false);
}

WaitAnswer Pause::ask(Worker& worker, bool waiting) {
  if (!kept_) FootprintObserver::notify_pause(worker.footprint);
  const WaitAnswer answer = worker.launch->wait({waiting, kept_, looks_at_host_memory(worker)});
  // The cached allocations may have been freed meanwhile.
  worker.last_allocation = nullptr;
  worker.recent_allocations = {};
  return answer;
}

void Pause::keep(const Worker& worker, const Blocks& resident) {
  counters_ = worker.counters;
  block_counts_ = worker.block_counts;
  guard_counts_ = worker.guard_counts;
  steps_ = worker.steps;
  tallies_.clear();
  for (const auto& block : resident) tallies_.push_back(block->tally());
}

void Pause::take_back(Worker& worker, const Blocks& resident) const {
  worker.counters = counters_;
  std::copy(block_counts_.begin(), block_counts_.end(), worker.block_counts.begin());
  std::copy(guard_counts_.begin(), guard_counts_.end(), worker.guard_counts.begin());
  worker.steps = steps_;
  for (std::size_t i = 0; i < resident.size(); ++i) resident[i]->restore(tallies_[i]);
}

}  // namespace warpbook::simulator
