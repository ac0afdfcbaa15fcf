// Runs a grid: speculatively on several host threads if its blocks are independent, else in block order on one thread.
//
// The serial order is the documented one: blocks start in the order of their index, and each runs to its end before the
// next one starts. A block that runs for long lets the following ones start beside it, as many as the device holds, so
// that blocks may wait for each other. A block that waits for another one does so at once. The blocks of a cooperative
// grid start together. A speculative run keeps its results only if no two workers touched the same data
// (observe/footprint.h); then they are those of the serial order. Otherwise the run is undone. Blocks that are known to
// write disjoint memory (disjoint_blocks.h) need no check, and nothing is saved for them.
#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "common/simulator/machine/block_shares.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/device_runtime.h"
#include "common/simulator/machine/footprint_observer.h"
#include "common/simulator/machine/grid_workspace.h"
#include "common/simulator/machine/pause.h"
#include "common/simulator/machine/schedule.h"
#include "common/simulator/machine/step_observer.h"
#include "common/simulator/machine/taint_rule.h"
#include "common/simulator/machine/undo_log.h"
#include "common/simulator/machine/waiting_report.h"
#include "common/simulator/observe/l2_cache.h"

namespace warpbook::simulator {
namespace {

/// Steps after which a block lets the next one start beside it (serial order).
constexpr std::uint64_t kBlockTurn = 1 << 20;
/// For schedules with short turns: the number of blocks that start together, the number of bits of the longest turn,
/// and the number of short turns. After that, turns are long: with short ones, blocks that wait for each other would
/// not be recognised as waiting.
constexpr std::uint64_t kTogether = 6, kShortBlockTurnBits = 8, kShortBlockTurns = 1 << 16;
/// Limit of steps per block in a speculative run: a block that waits for another would never end.
constexpr std::uint64_t kSpeculativeLimit = std::uint64_t{1} << 27;
/// Steps of the whole grid, estimated from its first block, below which starting threads does not pay.
constexpr std::uint64_t kWorthThreads = 1 << 17;
/// Turns in which no block ends and none is seen to wait, after which a grid that may wait yields to whatever may make
/// it end. From then on it yields after each turn.
constexpr std::uint64_t kLongTurns = 64;

void prepare(Worker& worker, const Launch& launch) {
  const Program& program = *launch.program;
  worker.launch = &launch;
  worker.memory = launch.memory;
  worker.device = launch.device;
  worker.checker = launch.checker;
  worker.counters = Counters{};
  worker.counters.memory.resize(program.memory_operations.size() + 1);
  worker.counters.branches.resize(program.branches.size());
  worker.block_counts.assign(program.blocks.size(), {});
  worker.guard_counts.assign(program.operations.size(), 0);
  worker.footprint.clear();
  worker.fault = Fault{};
  worker.assertion = Fault{};
  worker.last_allocation = nullptr;
  worker.recent_allocations = {};
  worker.steps = 0;
  worker.printed.clear();
  prepare_grid_barrier(worker);
}

/// Derives counts per operation from those of the basic blocks.
void expand_counts(const Program& program, Worker& worker) {
  auto& instructions = worker.counters.instructions;
  instructions.assign(program.operations.size(), {});
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const Worker::BlockCount& count = worker.block_counts[b];
    if (count.executions == 0) continue;
    for (std::uint32_t i = program.blocks[b].begin; i < program.blocks[b].end; ++i) {
      if (program.details[i].internal) continue;
      InstructionCounters& c = instructions[i];
      c.inst_executed = count.executions;
      c.thread_inst_executed = count.threads;
      c.thread_inst_executed_true = program.operations[i].guard == kNoOperand ? count.threads : worker.guard_counts[i];
    }
  }
}

class Grid {
 public:
  Grid(const Launch& launch, DeviceRuntime* device_runtime)
      : launch_(launch),
        device_runtime_(device_runtime),
        observer_(StepObserver::latest()),
        blocks_(launch.grid.count()),
        depth_(running()++) {}
  ~Grid() { --running(); }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  LaunchResult run() {
    unsigned threads = launch_.threads != 0 ? launch_.threads : std::max(1u, std::thread::hardware_concurrency());
    threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, blocks_));
    const bool independent = launch_.checker == nullptr && !launch_.kernel->needs_order &&
                             launch_.cluster.count() == 1 && dependent_kernels().count(launch_.kernel) == 0;
    const bool shown = observer_ != nullptr && observer_->program != nullptr;
    if (threads > 1 && independent && !shown && launch_.schedule_seed == 0 && speculate(threads)) return collect();
    if (launch_.checker != nullptr) launch_.checker->start_grid(launch_);
    run_serially();
    if (launch_.checker != nullptr) launch_.checker->end_grid();
    return collect();
  }

 private:
  /// Number of grids running on this host thread: a device runtime may run a child before its parent ends.
  static std::size_t& running() {
    thread_local std::size_t count = 0;
    return count;
  }

  Worker& worker(std::size_t i) {
    // Workers are kept from launch to launch, because their maps and caches are large. Nested grids have their own.
    thread_local std::vector<std::vector<std::unique_ptr<Worker>>> pools;
    if (pools.size() <= depth_) pools.resize(depth_ + 1);
    std::vector<std::unique_ptr<Worker>>& pool = pools[depth_];
    while (pool.size() <= i) pool.push_back(std::make_unique<Worker>());
    return *pool[i];
  }

  bool speculate(unsigned threads) {
    thread_local UndoLog undo;
    undo.clear();
    for (unsigned i = 0; i < threads; ++i) {
      workers_.push_back(&worker(i));
      prepare(*workers_.back(), launch_);
      workers_.back()->undo = &undo;
    }
    std::atomic<bool> failed{false};
    BlockShares shares(blocks_, chunk_size(threads));
    const std::uint64_t limit =
        launch_.step_limit == 0 ? kSpeculativeLimit : std::min(kSpeculativeLimit, launch_.step_limit + 1);
    const auto run_range = [&](BlockState& block, std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t number = begin; number < end && !failed.load(std::memory_order_relaxed); ++number) {
        block.start(number);
        if (run_whole(block, limit) != BlockState::Outcome::finished || over_limit(*block.worker)) failed = true;
        if (is_to_end()) failed = true;
      }
    };
    BlockState first;
    first.prepare(launch_, *workers_[0]);
    run_range(first, 0, 1);
    if (!failed) FootprintObserver::notify_first_block(workers_[0]->footprint);
    const bool worth = workers_[0]->steps * blocks_ >= kWorthThreads;
    // Then the run needs no check for conflicts, and may be repeated on what it has left. If that ends with a fault,
    // blocks after the faulting one may have written: nothing reads the memory of a device that has failed.
    const bool disjoint = worth && !failed && observer_ == nullptr && first.writes_are_disjoint();
    for (Worker* w : workers_)
      if (disjoint) w->undo = nullptr;
    if (!failed) {
      std::exception_ptr error;
      std::mutex lock;
      const auto guarded = [&](std::size_t number) {
        try {
          BlockState own;
          if (number != 0) own.prepare(launch_, *workers_[number]);
          BlockState& block = number == 0 ? first : own;
          for (BlockShares::Range range = shares.take(); range.size() != 0; range = shares.take())
            run_range(block, std::max<std::uint64_t>(range.begin, 1), range.end);
        } catch (...) {
          const std::lock_guard<std::mutex> hold(lock);
          error = std::current_exception();
          failed = true;
        }
      };
      std::vector<std::thread> crew;
      for (unsigned i = 1; i < threads && worth; ++i) crew.emplace_back(guarded, i);
      guarded(0);
      for (std::thread& member : crew) member.join();
      if (error) std::rethrow_exception(error);
    }
    std::vector<const Footprint*> footprints;
    for (const Worker* w : workers_) {
      footprints.push_back(&w->footprint);
      // An observer wants to stop at a failed assertion with memory as it is at that time.
      if (observer_ != nullptr && w->assertion) failed = true;
    }
    const bool kept = !failed && (disjoint || !Footprint::conflict(footprints));
    for (Worker* w : workers_) w->undo = nullptr;
    if (!kept) {
      undo.restore();
      workers_.clear();
      remember_failure();
    }
    undo.clear();
    return kept;
  }

  /// Blocks that a worker takes at once. Adjacent blocks stay together: they often write parts of one sector, each one
  /// word of the result.
  std::uint64_t chunk_size(unsigned threads) const {
    const std::uint64_t share = blocks_ / (std::uint64_t{threads} * 8);
    return std::clamp<std::uint64_t>(std::bit_floor(std::max<std::uint64_t>(share, 1)), blocks_ >= 16 ? 8 : 1, 1024);
  }

  /// Kernels whose blocks were seen to share data are not tried in parallel again.
  static std::set<const Function*>& dependent_kernels() {
    thread_local std::set<const Function*> kernels;
    return kernels;
  }
  void remember_failure() const { dependent_kernels().insert(launch_.kernel); }

  bool is_to_end() const { return observer_ != nullptr && observer_->is_to_end(); }

  /// In turns if there is an observer, which may want to end the run.
  BlockState::Outcome run_whole(BlockState& block, std::uint64_t limit) const {
    if (observer_ == nullptr) return block.run(limit);
    const std::uint64_t end = block.worker->steps + limit;
    for (;;) {
      const BlockState::Outcome outcome = block.run(kBlockTurn);
      if (outcome != BlockState::Outcome::budget || block.worker->steps >= end || is_to_end()) return outcome;
    }
  }

  bool over_limit(const Worker& by) const { return launch_.step_limit != 0 && by.steps > launch_.step_limit; }

  void run_serially() {
    Worker& by = worker(0);
    workers_ = {&by};
    prepare(by, launch_);
    by.undo = observer_ == nullptr ? nullptr : observer_->undo;
    std::vector<std::unique_ptr<BlockState>> resident, idle;
    if (observer_ != nullptr) observer_->started(by, resident);
    std::uint64_t next = 0;
    // Clusters start in an order; the blocks of a cluster start together.
    const auto of_cluster = static_cast<std::uint32_t>(launch_.cluster.count());
    const BlockOrder order(blocks_ / of_cluster, launch_.schedule_seed);
    const std::uint64_t room = std::max<std::uint64_t>(of_cluster, launch_.resident_blocks);
    const auto admit = [&] {
      const std::shared_ptr<Cluster> cluster = of_cluster == 1 ? nullptr : std::make_shared<Cluster>();
      const std::uint64_t number = order(next / of_cluster);
      next += of_cluster;
      for (std::uint32_t rank = 0; rank < of_cluster; ++rank) {
        if (idle.empty()) {
          idle.push_back(std::make_unique<BlockState>());
          idle.back()->prepare(launch_, by);
          idle.back()->device_runtime = device_runtime_;
        }
        resident.push_back(std::move(idle.back()));
        idle.pop_back();
        if (cluster) {
          cluster->blocks.push_back(resident.back().get());
          resident.back()->cluster = cluster;
        }
        resident.back()->start(block_of_cluster(launch_, number, rank));
      }
    };
    const Schedule schedule(launch_.schedule_seed);
    std::uint64_t random = launch_.schedule_seed, turns = 0;
    Pause pause;
    const bool may_pause = launch_.wait && launch_.kernel->may_wait;
    std::uint64_t long_turns = 0;
    const std::uint64_t together = grid_workspace(launch_) != 0 ? blocks_
                                   : schedule.turns             ? std::min({kTogether, room, blocks_})
                                                                : 0;
    while (next < together) admit();
    const auto take_turn = [&](BlockState& block) {
      if (!schedule.turns || ++turns >= kShortBlockTurns) return block.run(kBlockTurn);
      const std::uint64_t bits = next_random(random) % kShortBlockTurnBits;
      return block.run(next_random(random) % (std::uint64_t{1} << bits), true);
    };
    while (next < blocks_ || !resident.empty()) {
      if (resident.empty()) admit();
      bool spinning = true, waiting = true, working = false;
      std::vector<BlockState*> resting;
      for (std::size_t i = 0; i < resident.size();) {
        BlockState& block = *resident[i];
        const BlockState::Outcome outcome = take_turn(block);
        if (outcome == BlockState::Outcome::fault) return;
        if (is_to_end()) return stop(resident);
        if (outcome == BlockState::Outcome::stuck) {
          by.fault = stuck_block(block);
          return show_fault();
        }
        if (over_limit(by)) {
          by.fault = stopped_block(block, launch_.step_limit);
          return show_fault();
        }
        working |= outcome == BlockState::Outcome::finished;
        waiting &= outcome == BlockState::Outcome::spinning || outcome == BlockState::Outcome::resting;
        if (outcome == BlockState::Outcome::resting) resting.push_back(&block);
        // A block that has only spun since its turn began has changed nothing for the others.
        spinning &= outcome == BlockState::Outcome::spinning && !block.changed_something();
        if (outcome == BlockState::Outcome::finished) {
          if (next == 1 && launch_.schedule_seed == 0) FootprintObserver::notify_first_block(by.footprint);
          idle.push_back(std::move(resident[i]));
          resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          ++i;
        }
      }
      if (waiting && !resting.empty() && (next == blocks_ || resident.size() >= std::min(kTogether, room)))
        resting[next_random(random) % resting.size()]->wake_one();
      // If the grid waits for blocks that have not started, many start at a time, otherwise one.
      const std::uint64_t wanted = spinning ? std::max<std::size_t>(1, resident.size()) : 1;
      bool can_change = !spinning || resident.empty();
      const std::uint64_t most = schedule.turns && turns < kShortBlockTurns && !spinning ? together : room;
      for (std::uint64_t i = 0; i < wanted && next < blocks_ && resident.size() < most; ++i) {
        if (resident.empty()) break;
        admit();
        can_change = true;
      }
      if (can_change) {
        pause.changed();
        if (!may_pause || working || resident.empty() || (schedule.turns && turns < kShortBlockTurns)) {
          long_turns = 0;
        } else if (++long_turns >= kLongTurns) {
          --long_turns;
          if (pause.give_way(by) == WaitAnswer::stop) return stop(resident);
        }
        continue;
      }
      bool broken = false;
      for (const auto& block : resident) broken |= block->break_joins();
      if (broken) continue;
      const WaitAnswer answer = may_pause ? pause.wait(by, resident) : WaitAnswer::endless;
      if (answer == WaitAnswer::look) continue;
      if (answer == WaitAnswer::stop) return stop(resident);
      by.fault = endless_grid(resident, blocks_);
      return show_fault();
    }
  }

  /// The grid cannot continue; the observer can still inspect what is running.
  void show_fault() const {
    if (observer_ != nullptr) observer_->stuck();
  }

  /// Ends the grid where it is, because its launch is no longer wanted.
  void stop(const std::vector<std::unique_ptr<BlockState>>& resident) {
    workers_[0]->fault = fault_of(*resident.front(), FaultKind::deadlock, {"the launch was stopped", FaultCause::loop});
  }

  LaunchResult collect() {
    LaunchResult result;
    std::vector<const Footprint*> footprints;
    std::vector<Worker::Text> text;
    for (Worker* w : workers_) {
      expand_counts(*launch_.program, *w);
      result.counters.add(w->counters);
      footprints.push_back(&w->footprint);
      if (w->fault && !result.fault) result.fault = w->fault;
      if (w->assertion && !result.fault) result.fault = w->assertion;
      std::move(w->printed.begin(), w->printed.end(), std::back_inserter(text));
      w->printed.clear();
    }
    FootprintObserver::notify(footprints);
    const FootprintSizes sizes = Footprint::count_union(footprints);
    result.counters.read_sectors = sizes.read;
    result.counters.written_sectors = sizes.written;
    result.counters.footprint_sectors = sizes.any;
    result.counters.read_pairs = sizes.read_pairs;
    result.counters.written_pairs = sizes.written_pairs;
    result.counters.read_kib = sizes.read_kib;
    result.counters.swaps = sizes.swaps;
    if (launch_.l2 != nullptr) {
      const L2Cache::Found found = launch_.l2->run(footprints);
      result.counters.found_pairs = found.read_pairs;
      result.counters.found_written = found.written;
    }
    if (workers_.size() > 1) {
      std::stable_sort(text.begin(), text.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
    }
    if (launch_.print) {
      for (const Worker::Text& part : text) launch_.print(part.text, part.is_error);
    }
    return result;
  }

  const Launch& launch_;
  DeviceRuntime* const device_runtime_;
  StepObserver* const observer_;
  const std::uint64_t blocks_;
  const std::size_t depth_;
  std::vector<Worker*> workers_;
};

}  // namespace

std::unique_ptr<Program> decode(const ptx::Module& module, const SymbolAddress& address_of,
                                const DecodeOptions& options) {
  auto program = decode(module, address_of, handler_set(), options);
  if (options.watched) watch(*program);
  if (options.follows_undefined) follow_undefined(*program);
  return program;
}

LaunchResult run(const Launch& launch) { return Grid(launch, nullptr).run(); }

LaunchResult run(const Launch& launch, DeviceRuntime* device_runtime) { return Grid(launch, device_runtime).run(); }

}  // namespace warpbook::simulator
