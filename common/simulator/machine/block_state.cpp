// Runs the warps of one block in turn; barriers.
#include "common/simulator/machine/block_state.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <tuple>
#include <utility>

#include "common/simulator/kernel/registers.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/disjoint_blocks.h"
#include "common/simulator/machine/grid_workspace.h"
#include "common/simulator/machine/taint_rule.h"

namespace warpbook::simulator {
namespace {

std::byte* allocate_aligned(std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(128, (bytes + 255) / 128 * 128));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

bool uses_reserved_shared(const Program& program) {
  return std::any_of(program.functions.begin(), program.functions.end(), [](const Function& function) {
    return std::any_of(function.presets.begin(), function.presets.end(), [](const Preset& preset) {
      return preset.kind == Preset::Kind::total_smem_size && preset.value == kReservedShared;
    });
  });
}

/// Turns, in steps, of a warp that runs alone in its block while others wait, and of warps that were seen spinning.
/// Most of them wait for another block, and a short turn shows that as well as a long one. After some sweeps, turns
/// double from sweep to sweep; from the longest on, they are as long as those of any other warp.
constexpr std::uint64_t kShortestTurn = 32, kLongestShortTurn = 4096;
constexpr unsigned kShortSweeps = 6;
/// In a hurried block a warp rests after one in so many turns. Sums are often finished by one lane for all, so a pause
/// between load and store is most likely to expose a race when one lane runs alone.
constexpr std::uint32_t kRestsAlone = 2, kRestsOtherwise = 16;
/// Steps after which a path yields to other paths of its warp and to other warps; fewer in a cooperative grid, whose
/// blocks wait for each other again and again.
constexpr std::uint64_t kTurn = 4096, kCooperativeTurn = 256;

/// Lanes that a *.sync waits for may be at a join, waiting for the very lanes that wait for them. As on an H200 they
/// continue, and once they have exited nobody waits for them. @returns whether there were any
bool frees_named_lanes(WarpState& warp) {
  std::uint32_t named = 0;
  for (const Waiting& path : warp.waiting)
    if (path.barrier < 0) named |= path.lanes;
  bool freed = false;
  for (Join& meeting : warp.joins) {
    if (meeting.at == nullptr || meeting.callee != nullptr || (meeting.arrived & named) == 0) continue;
    warp.ready.push_back({meeting.at, meeting.arrived, meeting.parent, meeting.frame});
    meeting.expected &= ~meeting.arrived;
    meeting.arrived = 0;
    freed = true;
  }
  return freed;
}

}  // namespace

BlockState::BlockState() = default;
BlockState::~BlockState() = default;

void BlockState::prepare(const Launch& of, Worker& by) {
  launch = &of;
  worker = &by;
  cluster = std::make_shared<Cluster>();
  cluster->blocks.push_back(this);
  checked = by.checker == nullptr ? nullptr : by.checker->make_block(of);
  const bool tainted = by.checker != nullptr && by.checker->checks.has(Check::init);
  const Function& kernel = *of.kernel;
  const std::uint64_t threads = of.block.count();
  const std::size_t count = static_cast<std::size_t>((threads + kWarpSize - 1) / kWarpSize);
  shared_bytes = kernel.shared_bytes;
  if (of.dynamic_shared_bytes != 0) shared_bytes = (shared_bytes + 15) / 16 * 16 + of.dynamic_shared_bytes;
  own_shared = shared_bytes;
  if (uses_reserved_shared(*of.program)) {
    reserved_shared = (own_shared + 15) / 16 * 16;
    shared_bytes = reserved_shared + kReservedSharedBytes;
  }
  shared_storage_.reset(allocate_aligned(shared_bytes));
  shared = shared_storage_.get();
  storage_.clear();
  warps.clear();
  patterns_.assign(count * kernel.patterns, {});
  const bool uses_stack = kernel.local_bytes != 0 || kernel.takes_stack || !of.program->calls.empty();
  std::uint64_t known = kernel.local_bytes;
  if (kernel.called_bytes != 0) known = (known + 15) / 16 * 16 + kernel.called_bytes;
  const std::uint64_t stride = uses_stack ? (known + of.stack_bytes + 15) / 16 * 16 : 0;
  cooperative_ = grid_workspace(of) != 0;
  turn_ = cooperative_ ? kCooperativeTurn : kTurn;
  for (std::size_t i = 0; i < count; ++i) {
    auto warp = std::make_unique<WarpState>();
    storage_.emplace_back(
        allocate_aligned(tainted ? tainted_frame_bytes(kernel.register_bytes) : kernel.register_bytes));
    warp->index = static_cast<std::uint32_t>(i);
    warp->program = of.program;
    warp->block = this;
    warp->state = this;
    warp->worker = &by;
    warp->parameters = of.parameters.data();
    warp->shared = shared;
    warp->shared_bytes = shared_bytes;
    warp->patience = kernel.needs_order ? 1u << 15 : 1u << 22;
    warp->root.function = &kernel;
    warp->root.registers = storage_.back().get();
    if (stride != 0) {
      storage_.emplace_back(allocate_aligned(stride * kWarpSize));
      warp->local = storage_.back().get();
      warp->local_stride = stride;
    }
    if (kernel.patterns != 0) warp->patterns = patterns_.data() + i * kernel.patterns;
    fill_presets(*warp, kernel, warp->root.registers, 0);
    warp->registers = warp->root.registers;
    warp->exec = warp->active = kFullMask;
    for (const Operation& operation : kernel.once) operation.handler(*warp, &operation);
    warps.push_back(std::move(warp));
  }
  linear_.prepare(of, warps);
  if (checked) by.checker->prepared(*this);
  block_presets_ = block_presets(kernel);
  watch_.prepare(*of.program, kernel, by);
}

void BlockState::start(std::uint64_t number) {
  linear = number;
  index[0] = static_cast<std::uint32_t>(number % launch->grid.x);
  index[1] = static_cast<std::uint32_t>(number / launch->grid.x % launch->grid.y);
  index[2] = static_cast<std::uint32_t>(number / launch->grid.x / launch->grid.y);
  if (shared_bytes != 0) std::memset(shared, kPoison, shared_bytes);
  in_flight.clear();
  copy_batches.clear();
  progressed();
  if (arrived_ != 0) barriers = {};
  arrived_ = 0;
  spun_ = false;
  shared_swaps.finish();
  if (checked) worker->checker->start(*this, number);
  worker->l1.clear();
  first_step = worker->steps;
  order_.resize(warps.size());
  std::iota(order_.begin(), order_.end(), 0u);
  schedule_ = Schedule(launch->schedule_seed);
  random_ = launch->schedule_seed == 0 ? 0 : launch->schedule_seed + 0x9e3779b97f4a7c15u * (number + 1);
  const std::uint64_t threads = launch->block.count();
  live_threads = static_cast<std::uint32_t>(threads);
  const Function& kernel = *launch->kernel;
  const Operation* first = launch->program->code.data() + launch->program->code_of[kernel.begin];
  linear_.start(index, warps);
  fill_block_presets(block_presets_, warps);
  for (auto& warp : warps) {
    const std::uint64_t before = std::uint64_t{warp->index} * kWarpSize;
    const std::uint64_t lanes = std::min<std::uint64_t>(kWarpSize, threads - before);
    warp->frame = nullptr;
    for (const Function::Slot& slot : kernel.cleared) std::memset(warp->root.registers + slot.offset, 0, slot.bytes);
    for (unsigned lane = 0; lane < kWarpSize && kernel.local_bytes != 0; ++lane) {
      std::memset(warp->local + lane * warp->local_stride, kPoison, kernel.local_bytes);
    }
    const std::uint32_t mask = lanes == kWarpSize ? kFullMask : (1u << lanes) - 1;
    warp->start(mask, first);
    if (schedule_.parts) warp->part(mask & static_cast<std::uint32_t>(next_random(random_)));
  }
}

bool BlockState::writes_are_disjoint() const { return have_disjoint_writes(*launch, linear_, warps); }

bool BlockState::one_is_ready() const {
  unsigned ready = 0, waiting = 0;
  for (const auto& warp : warps) {
    if (warp->live == 0) continue;
    ++(warp->ready.empty() ? waiting : ready);
    if (ready > 1) return false;
  }
  return ready == 1 && (waiting != 0 || cooperative_);
}

BlockState::Tally BlockState::tally() const {
  Tally tally{random_, {}};
  for (const auto& warp : warps) tally.steps.emplace_back(warp->steps, warp->polls);
  return tally;
}

void BlockState::restore(const Tally& tally) {
  random_ = tally.random;
  for (std::size_t i = 0; i < warps.size(); ++i) std::tie(warps[i]->steps, warps[i]->polls) = tally.steps[i];
}

bool BlockState::break_joins() {
  bool broken = false;
  for (const auto& warp : warps) {
    // Lanes that wait for an mbarrier may need lanes of another path, which have stopped at a reconvergence point.
    const bool waits = std::any_of(warp->waiting.begin(), warp->waiting.end(),
                                   [](const Waiting& path) { return path.barrier == kWaitsForMbarrier; });
    if (waits || !warp->ready.empty()) broken |= warp->break_join();
  }
  return broken;
}

bool BlockState::pass_warp_barriers() {
  bool broken = false;
  for (const auto& warp : warps) {
    const bool waits = std::any_of(warp->waiting.begin(), warp->waiting.end(), [&](const Waiting& path) {
      return path.barrier == -1 &&
             launch->program->details[path.path.next->index].id == ptx::OperationId::bar_warp_sync;
    });
    if (waits) broken |= warp->break_join();
  }
  return broken;
}

bool BlockState::rests_after_turn(const WarpState& warp) {
  const bool alone = std::has_single_bit(warp.active);
  return next_random(random_) % (alone ? kRestsAlone : kRestsOtherwise) == 0;
}

void BlockState::wake_one() {
  for (const std::uint32_t place : order_) {
    if (!std::exchange(warps[place]->rests, false)) continue;
    return;
  }
}

BlockState::Outcome BlockState::run(std::uint64_t step_budget, bool hurried) {
  const Outcome outcome = run_turn(step_budget, hurried);
  if (outcome != Outcome::finished) return outcome;
  Counters& counters = worker->counters;
  std::uint64_t longest = 0, all = 0;
  for (const auto& warp : warps) {
    const std::uint64_t work = warp->steps - warp->polls;
    longest = std::max(longest, work);
    all += work;
  }
  counters.critical_warp_inst = std::max(counters.critical_warp_inst, longest);
  counters.longest_warps_inst += longest;
  counters.critical_block_inst = std::max(counters.critical_block_inst, all);
  counters.note_block(linear, all);
  counters.shared_swaps += shared_swaps.finish();
  ++counters.blocks;
  counters.warps += warps.size();
  return outcome;
}

BlockState::Outcome BlockState::run_turn(std::uint64_t step_budget, bool hurried) {
  const std::uint64_t end = worker->steps + step_budget;
  std::uint64_t short_turn = kShortestTurn;
  unsigned short_sweeps = 0;
  bool first = true;
  const bool spun = std::exchange(spun_, false);
  bool timed_out = false;
  watch_.start(*this, step_budget);
  for (;;) {
    bool alive = false, resting = false;
    ran_.clear();
    if (random_ != 0) shuffle(order_, random_);
    if (!std::exchange(first, false)) watch_.sweep(*this, end - worker->steps);
    const bool brief = !hurried && short_turn < kLongestShortTurn && (spun || one_is_ready());
    for (std::uint32_t place : order_) {
      WarpState& warp = *warps[place];
      if (warp.live == 0) continue;
      if (warp.rests && hurried) {
        resting = true;
      } else if (!warp.ready.empty()) {
        ran_.push_back(place);
        warp.stop = Stop::none;
        warp.turn = hurried ? 1 : turn_;
        const Operation* operation = warp.resume();
        if (brief) warp.turn_end = warp.steps + short_turn;
        while (operation != nullptr) operation = operation->handler(warp, operation);
        if (warp.stop == Stop::fault) return Outcome::fault;
        if (hurried && warp.stop == Stop::yield) warp.rests = rests_after_turn(warp);
      }
      alive |= warp.live != 0;
    }
    if (!alive) break;
    if (ran_.empty()) {
      if (resting) return Outcome::resting;
      if (std::count_if(warps.begin(), warps.end(), [](const auto& warp) { return frees_named_lanes(*warp); }) != 0)
        continue;
      // In a cluster, another block may let them continue.
      if (cluster->blocks.size() > 1 && !std::exchange(gave_way_, true)) return Outcome::budget;
      const bool at_mbarriers = waits_for(kWaitsForMbarrier);
      if (at_mbarriers && (idle_timeouts_ < kMostIdleTimeouts || !std::exchange(timed_out, true))) {
        time_out();
        continue;
      }
      if (pass_warp_barriers()) continue;
      return at_mbarriers || waits_for(kWaitsForCluster) ? Outcome::spinning : Outcome::stuck;
    }
    if (watch_.repeats(*this, ran_)) {
      if (resting) return Outcome::resting;
      spun_ = true;
      return Outcome::spinning;
    }
    if (worker->steps >= end) return Outcome::budget;
    if (!brief && short_turn < kLongestShortTurn) {
      short_turn = kShortestTurn;
      short_sweeps = 0;
    } else if (++short_sweeps > kShortSweeps && short_turn < kLongestShortTurn) {
      short_turn *= 2;
    }
  }
  return Outcome::finished;
}

bool BlockState::complete(const Barrier& barrier) const {
  return barrier.arrived != 0 && barrier.arrived >= (barrier.expected != 0 ? barrier.expected : live_threads);
}

void BlockState::exited(std::uint32_t threads) {
  live_threads -= threads;
  if (live_threads == 0) {
    // Pending bulk copies to global memory complete.
    for (const auto& warp : warps) warp->bulk_groups.finish();
    if (cluster->blocks.size() > 1)
      std::replace(cluster->blocks.begin(), cluster->blocks.end(), this, static_cast<BlockState*>(nullptr));
  }
  if (cluster->uses_barrier) cluster->check_barrier();
  for (std::uint32_t left = arrived_; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    if (barriers[i].expected == 0 && complete(barriers[i])) release(i);
  }
}

void BlockState::release(unsigned number) {
  const Barrier done = barriers[number];
  if (checked) worker->checker->open(*this, number, done.expected == 0);
  barriers[number] = {};
  arrived_ &= ~(1u << number);
  for (auto& warp : warps) {
    for (std::size_t i = 0; i < warp->waiting.size();) {
      Waiting& waiting = warp->waiting[i];
      if (waiting.barrier != static_cast<std::int32_t>(number)) {
        ++i;
        continue;
      }
      const Operation* operation = waiting.path.next - 1;
      if (operation->d != kNoOperand) {  // bar.red: every thread that waited gets the result.
        std::byte* slot = waiting.path.frame->registers + operation->d;
        const bool all = done.counted == done.voters, any = done.counted != 0;
        const std::uint32_t mask = waiting.path.mask;
        if (operation->atomic != ptx::AtomicOp::none) {
          const bool answer = operation->atomic == ptx::AtomicOp::and_ ? all : any;
          auto& value = *reinterpret_cast<std::uint32_t*>(slot);
          value = answer ? value | mask : value & ~mask;
        } else {
          for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
            reinterpret_cast<std::uint32_t*>(slot)[std::countr_zero(lanes)] = done.counted;
          }
        }
      }
      Path& ready = warp->ready.emplace_back();
      ready.next = waiting.path.next;
      ready.mask = waiting.path.mask;
      ready.join = waiting.path.join;
      ready.frame = waiting.path.frame;
      if (i + 1 == warp->waiting.size())
        warp->waiting.pop_back();
      else
        warp->waiting.erase(warp->waiting.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

const Operation* BlockState::arrive(WarpState& warp, unsigned number, std::uint32_t expected, std::uint32_t votes,
                                    bool waits, const Operation* operation) {
  Barrier& barrier = barriers[number];
  const std::uint32_t lanes = lanes_in(warp.exec);
  arrived_ |= 1u << number;
  barrier.arrived += lanes;
  barrier.voters += lanes;
  barrier.counted += lanes_in(votes);
  barrier.expected = expected;
  if (waits) ++worker->counters.barriers;
  if (!waits) {
    if (complete(barrier)) release(number);
    return operation + 1;
  }
  Waiting& waiting = warp.waiting.emplace_back();
  waiting.path.next = operation + 1;
  waiting.path.mask = warp.active;
  waiting.path.join = warp.join;
  waiting.path.frame = warp.frame;
  waiting.barrier = static_cast<std::int32_t>(number);
  warp.running = false;
  if (complete(barrier)) release(number);
  // A complete warp at a barrier lets the next warp run, even if the barrier is complete.
  return warp.resume();
}

}  // namespace warpbook::simulator
