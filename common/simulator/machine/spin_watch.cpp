// Compares the state of a block with an earlier one (Brent's way to find a cycle: the earlier one moves up at 1, 2, 4,
// 8, ... sweeps).
#include "common/simulator/machine/spin_watch.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/control.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

/// In place of the hash of a warp that did not run when the watch began.
constexpr std::uint64_t kNotWatched = 0;

class Hash {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
  }
  void add(const void* pointer) { add(reinterpret_cast<std::uint64_t>(pointer)); }
  /// @p bytes is a multiple of 64, as register blocks are. Four chains side by side keep the multiplier busy.
  void add(const std::byte* memory, std::size_t bytes) {
    std::uint64_t chains[4] = {1, 2, 3, 4};
    for (std::size_t i = 0; i + 32 <= bytes; i += 32) {
      std::uint64_t words[4];
      std::memcpy(words, memory + i, sizeof words);
      for (int k = 0; k < 4; ++k) {
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

/// Anything that other threads could see, or that does not come out the same each time.
bool changes_something(const Operation& operation, const OperationDetail& detail) {
  const HandlerSet& handlers = handler_set();
  for (const Handler handler : {operation.handler, operation.guarded}) {
    if (handler != nullptr && (handler == handlers.read_clock || handler == handlers.system_call)) return true;
  }
  switch (detail.id) {
    case OperationId::ld:
    case OperationId::ldu:
    case OperationId::shfl_sync:
    case OperationId::membar:
    case OperationId::fence:
      return false;
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

}  // namespace

void SpinWatch::prepare(const Program& program) {
  changing_.clear();
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
    for (std::uint32_t i = program.blocks[b].begin; i < program.blocks[b].end; ++i) {
      if (!changes_something(program.operations[i], program.details[i])) continue;
      changing_.push_back(b);
      break;
    }
  }
  watching_ = false;
}

std::uint64_t SpinWatch::changes(const Worker& worker) const {
  std::uint64_t sum = 0;
  for (const std::uint32_t b : changing_) sum += worker.block_counts[b].executions;
  return sum;
}

void SpinWatch::start(const Worker& worker) {
  watching_ = false;
  first_ = true;
  changes_ = at_start_ = changes(worker);
}

void SpinWatch::sweep(const Worker& worker) {
  if (!watching_) keep(begin_, worker);
}

void SpinWatch::set_anchor(const Worker& worker) {
  anchor_paths_ = paths_;
  at_anchor_ = registers_;
  keep(counts_, worker);
}

void SpinWatch::keep(Counts& counts, const Worker& worker) {
  counts.blocks = worker.block_counts;
  counts.guards = worker.guard_counts;
  counts.memory = worker.counters.memory;
  counts.branches = worker.counters.branches;
  counts.barriers = worker.counters.barriers;
}

namespace {

/// @p now becomes what it was before the rounds began and one round more. @p anchor and @p now are whole rounds apart.
void keep_one(std::uint64_t& now, std::uint64_t anchor, std::uint64_t before, std::uint64_t rounds) {
  if (now != anchor) now = std::min(now, before + (now - anchor) / rounds);
}

}  // namespace

void SpinWatch::count_one_round(Worker& worker) const {
  if (before_.blocks.size() != worker.block_counts.size()) return;
  std::uint64_t rounds = 0;
  for (std::size_t b = 0; b < counts_.blocks.size(); ++b) {
    const std::uint64_t times = worker.block_counts[b].executions - counts_.blocks[b].executions;
    if (times != 0) rounds = std::gcd(rounds, times);
  }
  if (rounds == 0) return;
  for (std::size_t b = 0; b < counts_.blocks.size(); ++b) {
    Worker::BlockCount& now = worker.block_counts[b];
    keep_one(now.executions, counts_.blocks[b].executions, before_.blocks[b].executions, rounds);
    keep_one(now.threads, counts_.blocks[b].threads, before_.blocks[b].threads, rounds);
  }
  for (std::size_t i = 0; i < counts_.guards.size(); ++i)
    keep_one(worker.guard_counts[i], counts_.guards[i], before_.guards[i], rounds);
  for (std::size_t i = 0; i < counts_.branches.size(); ++i) {
    BranchCounters& now = worker.counters.branches[i];
    keep_one(now.executed, counts_.branches[i].executed, before_.branches[i].executed, rounds);
    keep_one(now.divergent, counts_.branches[i].divergent, before_.branches[i].divergent, rounds);
  }
  for (std::size_t i = 0; i < counts_.memory.size(); ++i) {
    MemoryCounters& now = worker.counters.memory[i];
    for (const auto field :
         {&MemoryCounters::requests, &MemoryCounters::sectors, &MemoryCounters::sectors_ideal, &MemoryCounters::lines,
          &MemoryCounters::sectors_hit, &MemoryCounters::bytes, &MemoryCounters::wavefronts,
          &MemoryCounters::wavefronts_ideal, &MemoryCounters::conflicts, &MemoryCounters::serialised,
          &MemoryCounters::stride_requests, &MemoryCounters::tag_wavefronts, &MemoryCounters::shared_requests,
          &MemoryCounters::shared_bytes}) {
      keep_one(now.*field, counts_.memory[i].*field, before_.memory[i].*field, rounds);
    }
  }
  keep_one(worker.counters.barriers, counts_.barriers, before_.barriers, rounds);
}

bool SpinWatch::repeats(BlockState& block, const std::vector<std::uint32_t>& ran) {
  Worker& worker = *block.worker;
  const std::uint64_t changed = changes(worker);
  if (!watching_ || changed != changes_) {
    // The hash of all registers is dear, so it is made only when a whole sweep has changed nothing.
    const bool quiet = changed == changes_;
    changes_ = changed;
    if (!quiet || first_) std::swap(before_, begin_);
    first_ = false;
    watching_ = false;
    if (!quiet) return false;
    watching_ = true;
    sweeps_ = 0;
    next_anchor_ = 1;
    paths_ = hash_of_paths(block);
    // What waits does not change. A warp that begins to run starts the watch anew.
    registers_.assign(block.warps.size(), kNotWatched);
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      if (!block.warps[w]->ready.empty()) registers_[w] = hash_of_registers(*block.warps[w]);
    }
    set_anchor(worker);
    return false;
  }
  paths_ = hash_of_paths(block);
  for (const std::uint32_t w : ran) {
    if (registers_[w] == kNotWatched) {
      watching_ = false;
      return false;
    }
    registers_[w] = hash_of_registers(*block.warps[w]);
  }
  if (paths_ == anchor_paths_ && registers_ == at_anchor_) {
    count_one_round(worker);
    return true;
  }
  if (++sweeps_ == next_anchor_) {
    next_anchor_ *= 2;
    set_anchor(worker);
  }
  return false;
}

}  // namespace warpbook::simulator
