// Compares the state of a block with an earlier one (Brent's cycle detection: the earlier state advances at sweeps 1,
// 2, 4, 8, ...).
#include "common/simulator/machine/spin_watch.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/ways_on.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

/// Stands for the hash of a warp that did not run when the watch began.
constexpr std::uint64_t kNotWatched = 0;

/// Sweeps without a change after which the watch begins. If the schedule gives warps turns of a few operations, most
/// sweeps of any kernel change nothing, and the hashes of their registers took a third of its time.
std::uint64_t quiet_sweeps(const BlockState& block) { return Schedule(block.launch->schedule_seed).turns ? 32 : 1; }

class Hash {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
  }
  void add(const void* pointer) { add(reinterpret_cast<std::uint64_t>(pointer)); }
  /// @p bytes is a multiple of 64, as register blocks are. Eight interleaved chains keep the multiplier busy.
  void add(const std::byte* memory, std::size_t bytes) {
    constexpr std::size_t kChains = 8;
    std::uint64_t chains[kChains] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (std::size_t i = 0; i + 64 <= bytes; i += 64) {
      std::uint64_t words[kChains];
      std::memcpy(words, memory + i, sizeof words);
      for (std::size_t k = 0; k < kChains; ++k) {
        chains[k] = (chains[k] ^ words[k]) * 0x9e3779b97f4a7c15u;
        chains[k] ^= chains[k] >> 29;
      }
    }
    for (const std::uint64_t chain : chains) add(chain);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

/// Anything that other threads could see, or that does not give the same result each time.
bool changes_something(const Operation& operation, const OperationDetail& detail) {
  const HandlerSet& handlers = handler_set();
  for (const Handler handler : {operation.handler, operation.guarded}) {
    if (handler != nullptr && (handler == handlers.read_clock || handler == handlers.system_call)) return true;
  }
  switch (detail.id) {
    case OperationId::ld:
    case OperationId::ldu:
    case OperationId::shfl:
    case OperationId::shfl_sync:
    case OperationId::membar:
    case OperationId::fence:
    case OperationId::mbarrier_test_wait:
    case OperationId::mbarrier_test_wait_parity:
    case OperationId::mbarrier_try_wait:
    case OperationId::mbarrier_try_wait_parity:
      return false;
    case OperationId::barrier_cluster_arrive:
    case OperationId::cp_async_bulk_wait_group:
    case OperationId::cp_async_bulk_wait_group_read:
      return true;
    case OperationId::st_param:
    case OperationId::cp_async_wait_group:
    case OperationId::cp_async_wait_all:
      return true;
    default:
      return detail.pipe == ptx::Pipe::lsu;
  }
}

void add_path(Hash& hash, const Path& path) {
  hash.add(path.next);
  hash.add(path.mask | std::uint64_t{static_cast<std::uint32_t>(path.join)} << 32);
  hash.add(path.frame);
}

std::uint64_t hash_of_paths(const BlockState& block) {
  Hash hash;
  for (const auto& warp : block.warps) {
    hash.add(warp->live);
    for (const Path& path : warp->ready) add_path(hash, path);
    hash.add(warp->ready.size());
    for (const Waiting& waiting : warp->waiting) {
      add_path(hash, waiting.path);
      hash.add(waiting.lanes | std::uint64_t{static_cast<std::uint32_t>(waiting.barrier)} << 32);
    }
    for (const Join& join : warp->joins) {
      hash.add(join.at);
      if (join.at == nullptr) continue;
      hash.add(join.expected | std::uint64_t{join.arrived} << 32);
      hash.add(static_cast<std::uint32_t>(join.parent));
      hash.add(join.frame);
    }
  }
  for (const Barrier& barrier : block.barriers) {
    hash.add(barrier.arrived | std::uint64_t{barrier.expected} << 32);
    hash.add(barrier.counted | std::uint64_t{barrier.voters} << 32);
  }
  return hash.value();
}

std::uint64_t hash_of_registers(const WarpState& warp) {
  Hash hash;
  hash.add(warp.carry);
  hash.add(warp.root.registers, warp.root.function->register_bytes);
  for (const auto& frame : warp.frames) {
    if (frame->function != nullptr) hash.add(frame->registers, frame->function->register_bytes);
  }
  return hash.value();
}

bool calls_functions(const Operation& operation) {
  const HandlerSet& handlers = handler_set();
  for (const Handler handler : {operation.handler, operation.guarded})
    if (handler != nullptr && (handler == handlers.call || handler == handlers.indirect_call)) return true;
  return false;
}

/// Removes from @p circling the blocks that are on no cycle: those with no predecessor or no successor left.
void keep_circles(const Program& program, std::uint32_t first, std::vector<bool>& circling) {
  const auto count = static_cast<std::uint32_t>(circling.size());
  std::vector<std::vector<std::uint32_t>> next(count), previous(count);
  std::vector<std::uint32_t> targets;
  for (std::uint32_t b = 0; b < count; ++b) {
    targets.clear();
    const Program::Range& range = program.blocks[first + b];
    const bool straight_on = ways_on(program, program.operations[range.end - 1], targets);
    if (straight_on && b + 1 < count) targets.push_back(range.end);
    for (const std::uint32_t target : targets) {
      const std::uint32_t to = program.operations[target].block - first;
      next[b].push_back(to);
      previous[to].push_back(b);
    }
  }
  const auto left = [&](const std::vector<std::uint32_t>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [&](std::uint32_t b) { return circling[b]; });
  };
  std::vector<std::uint32_t> work(count);
  std::iota(work.begin(), work.end(), 0u);
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    if (!circling[b] || (left(next[b]) && left(previous[b]))) continue;
    circling[b] = false;
    work.insert(work.end(), next[b].begin(), next[b].end());
    work.insert(work.end(), previous[b].begin(), previous[b].end());
  }
}

}  // namespace

void SpinWatch::prepare(const Program& program, const Function& kernel, Worker& worker) {
  changing_.clear();
  counted_.clear();
  lengths_.clear();
  watching_ = false;
  // A basic block is identified by its entry. If functions are called, a cycle may lead through any of them.
  const bool calls =
      std::any_of(program.operations.begin() + kernel.begin, program.operations.begin() + kernel.end, calls_functions);
  const std::uint32_t begin = calls ? 0 : kernel.begin;
  const auto end = calls ? static_cast<std::uint32_t>(program.operations.size()) : kernel.end;
  const std::uint32_t first = program.operations[begin].block;
  // A checker reports whether atomics have changed anything: polling a lock that is taken has not.
  const Checker* const checker = program.watched.empty() ? nullptr : worker.checker;
  const bool told = checker != nullptr && checker->checks.has(Check::sync);
  if (told) changing_.push_back(&checker->atomic_changes());
  std::vector<bool> circling;
  for (std::uint32_t b = first; b < program.blocks.size() && program.blocks[b].begin < end; ++b) {
    const Program::Range& range = program.blocks[b];
    bool changes = false;
    for (std::uint32_t i = range.begin; i < range.end && !changes; ++i)
      changes = changes_something(program.operations[i], program.details[i]) &&
                !(told && Checker::tells_changes(program.operations[i], program.details[i]));
    if (changes) changing_.push_back(&worker.block_counts[b].executions);
    circling.push_back(!changes);
  }
  if (!calls) keep_circles(program, first, circling);
  const auto in_circle = [&](std::uint32_t operation) {
    if (operation < begin || operation >= end) return false;
    const auto block = std::upper_bound(program.blocks.begin(), program.blocks.end(), operation,
                                        [](std::uint32_t i, const Program::Range& range) { return i < range.begin; });
    return static_cast<bool>(circling[static_cast<std::size_t>(block - program.blocks.begin()) - 1 - first]);
  };
  std::vector<std::uint64_t*> others;
  for (std::size_t b = 0; b < circling.size(); ++b) {
    if (!circling[b]) continue;
    counted_.push_back(&worker.block_counts[first + b].executions);
    lengths_.push_back(program.blocks[first + b].end - program.blocks[first + b].begin);
    others.push_back(&worker.block_counts[first + b].threads);
    // What operations without a guard count here is not used.
    for (std::uint32_t i = program.blocks[first + b].begin; i < program.blocks[first + b].end; ++i)
      if (program.operations[i].guard != kNoOperand) others.push_back(&worker.guard_counts[i]);
  }
  circling_ = counted_.size();
  if (circling_ == 0) return;
  for (std::size_t i = 0; i < program.branches.size(); ++i) {
    if (!in_circle(program.branches[i])) continue;
    for (const auto member : kBranchSums) others.push_back(&(worker.counters.branches[i].*member));
  }
  for (std::size_t i = 0; i < program.memory_operations.size(); ++i) {
    if (!in_circle(program.memory_operations[i])) continue;
    MemoryCounters& memory = worker.counters.memory[i];
    for (const auto member : kMemorySums) others.push_back(&(memory.*member));
  }
  others.push_back(&worker.counters.barriers);
  counted_.insert(counted_.end(), others.begin(), others.end());
}

std::uint64_t SpinWatch::changes() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t* executions : changing_) sum += *executions;
  return sum;
}

void SpinWatch::start(const BlockState& block, std::uint64_t left) {
  watching_ = false;
  first_ = true;
  if (!can_circle()) return;
  quiet_sweeps_ = quiet_sweeps(block);
  changes_ = at_start_ = changes();
  sweep(block, left);
}

bool SpinWatch::is_at_anchor(const BlockState& block) {
  if (paths_ != anchor_paths_) return false;
  for (std::size_t w = 0; w < registers_.size(); ++w)
    if (!stale_[w] && registers_[w] != at_anchor_[w]) return false;
  for (std::size_t w = 0; w < registers_.size(); ++w) {
    if (!stale_[w]) continue;
    stale_[w] = false;
    registers_[w] = hash_of_registers(*block.warps[w]);
    if (registers_[w] != at_anchor_[w]) return false;
  }
  return true;
}

void SpinWatch::set_anchor(const BlockState& block) {
  for (std::size_t w = 0; w < registers_.size(); ++w)
    if (stale_[w]) registers_[w] = hash_of_registers(*block.warps[w]);
  stale_.assign(registers_.size(), false);
  anchor_paths_ = paths_;
  at_anchor_ = registers_;
  keep(block, counts_);
}

void SpinWatch::keep(const BlockState& block, Counts& counts) const {
  counts.resize(counted_.size() + block.warps.size());
  for (std::size_t i = 0; i < counted_.size(); ++i) counts[i] = *counted_[i];
  for (std::size_t w = 0; w < block.warps.size(); ++w) counts[counted_.size() + w] = block.warps[w]->steps;
}

void SpinWatch::count_one_round(const BlockState& block) const {
  std::uint64_t rounds = 0;
  for (std::size_t b = 0; b < circling_; ++b) {
    const std::uint64_t times = *counted_[b] - counts_[b];
    if (times != 0) rounds = std::gcd(rounds, times);
  }
  if (rounds == 0) return;
  // Each counter becomes its value before the rounds began plus one round. The anchor and the present are whole rounds
  // apart.
  std::uint64_t polls = 0;
  for (std::size_t i = 0; i < counted_.size(); ++i) {
    std::uint64_t& now = *counted_[i];
    if (now == counts_[i]) continue;
    const std::uint64_t work = std::min(now, before_[i] + (now - counts_[i]) / rounds);
    if (i < circling_) polls += (now - work) * lengths_[i];
    now = work;
  }
  // They are those of the warps that have run since the anchor. The steps themselves stay as they are, because turns
  // are measured in them.
  const auto since_anchor = [&](std::size_t w) { return block.warps[w]->steps - counts_[counted_.size() + w]; };
  std::uint64_t all = 0;
  for (std::size_t w = 0; w < block.warps.size(); ++w) all += since_anchor(w);
  for (std::size_t w = 0; w < block.warps.size() && all != 0; ++w) {
    WarpState& warp = *block.warps[w];
    warp.polls += std::min(polls * since_anchor(w) / all, warp.steps - warp.polls);
  }
}

bool SpinWatch::compare(const BlockState& block, const std::vector<std::uint32_t>& ran) {
  const std::uint64_t changed = changes();
  if (!watching_ || changed != changes_) {
    // The hash of all registers is expensive, so it is computed only if a whole sweep has changed nothing.
    const bool quiet = changed == changes_;
    changes_ = changed;
    if (watching_) {
      begin_ = counts_;  // Not kept while watching: there were only rounds since the anchor.
      is_begin_kept_ = true;
    }
    if (!quiet || first_) {
      std::swap(before_, begin_);
      is_before_kept_ = is_begin_kept_;
      sweeps_ = 0;
    }
    first_ = false;
    watching_ = false;
    if (!quiet) return false;
    if (++sweeps_ == quiet_sweeps_ / 2 && takes_turns()) {
      keep(block, before_);
      is_before_kept_ = true;
    }
    if (sweeps_ < quiet_sweeps_ || !is_before_kept_) return false;
    watching_ = true;
    sweeps_ = 0;
    next_anchor_ = 1;
    paths_ = hash_of_paths(block);
    // A waiting warp does not change. A warp that begins to run restarts the watch.
    registers_.assign(block.warps.size(), kNotWatched);
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      if (!block.warps[w]->ready.empty()) registers_[w] = hash_of_registers(*block.warps[w]);
    }
    stale_.assign(registers_.size(), false);
    set_anchor(block);
    return false;
  }
  paths_ = hash_of_paths(block);
  for (const std::uint32_t w : ran) {
    if (registers_[w] == kNotWatched) {
      watching_ = false;
      return false;
    }
    stale_[w] = true;
  }
  if (is_at_anchor(block)) {
    count_one_round(block);
    return true;
  }
  if (++sweeps_ == next_anchor_) {
    next_anchor_ *= 2;
    set_anchor(block);
  }
  return false;
}

}  // namespace warpbook::simulator
