// Turns operations of warps into accesses and synchronisation events for the checkers.
#include "common/simulator/machine/checker.h"

#include <algorithm>
#include <bit>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/machine/access_values.h"
#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/group_layout.h"
#include "common/simulator/machine/lane_values.h"
#include "common/simulator/machine/matrix_lines.h"
#include "common/simulator/machine/taint.h"
#include "common/simulator/observe/wide.h"
#include "common/simulator/ptx/fragments.h"
#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator {

void Checker::start_grid(const Launch& launch) {
  look_at_host_stores();
  const std::uint64_t blocks = launch.grid.count();
  const std::uint32_t first = checks.has(Check::race) ? races_.take_serials(blocks) : 0;
  if (running_.empty()) beside_host_ = false;
  host_changes_.end();
  running_.push_back({0, first});
  met_ = 0;
  arrived_ = 0;
  if (first == 0) {
    if (checks.has(Check::race))
      findings_.leave_gap("races in " + std::string(launch.name) + " and later: the program has more than " +
                          std::to_string(epoch::kMostSerial) + " blocks");
    return;
  }
  order_.took(first, blocks);
  running_.back().floor = order_.floor();
  races_.start_grid(running_.back().floor, first);
  grids_.push_back({first, blocks, launch.grid, launch.block, std::string(launch.name), false});
}

void Checker::end_grid() {
  flush();
  host_may_know();
  host_changes_.end();
  running_.pop_back();
  if (!running_.empty()) races_.start_grid(running_.back().floor, running_.back().first);
}

void Checker::flush() {
  if (taint_) taint_->flush();
  for (auto& [key, seen] : seen_) {
    if (seen.more == 0) continue;
    seen.finding.count = seen.more;
    seen.more = 0;
    findings_.add(seen.finding);
  }
}

std::unique_ptr<CheckedBlock> Checker::make_block(const Launch& launch) const {
  auto block = std::make_unique<CheckedBlock>();
  block->launch = &launch;
  block->first_serial = running_.back().first;
  const std::size_t warps = (launch.block.count() + 31) / 32;
  block->copies.resize(warps);
  block->committed.resize(warps);
  block->groups.resize(warps);
  return block;
}

CheckedBlock::CheckedBlock() = default;
CheckedBlock::~CheckedBlock() = default;

void Checker::prepared(BlockState& block) {
  if (taint_) block.checked->tainted = taint_->follow(block);
}

void Checker::start(BlockState& state, std::uint64_t linear) {
  CheckedBlock& block = *state.checked;
  if (taint_) taint_->start(state, *block.tainted);
  for (auto& meeting : block.meetings) meeting.clear();
  block.parts.clear();
  block.divergent.clear();
  if (block.first_serial == 0) return;
  const Launch& launch = *block.launch;
  const bool in_cluster = launch.cluster.count() > 1;
  const bool fine = launch.kernel->meets_finely || launch.inherited != 0 || in_cluster;
  const auto serial = static_cast<std::uint32_t>(block.first_serial + linear);
  block.clocks.start(serial, static_cast<std::uint32_t>((launch.block.count() + 31) / 32 * 32), fine, launch.inherited);
  block.clocks.in_cluster = in_cluster;
  // Accesses left there by earlier blocks are ordered before this block if their serial numbers are smaller.
  if (launch.schedule_seed != 0 || in_cluster) block.shared.clear();
  block.shared.drop_noted();
  for (auto& copies : block.copies) copies.clear();
  block.mbarriers.clear();
  for (auto& committed : block.committed) committed = {};
  follow_proxies(launch, state);
}

void Checker::arrive(WarpState& warp, const Operation* op, unsigned barrier, std::uint32_t lanes, bool waits) {
  CheckedBlock& block = *warp.state->checked;
  CheckedBlock::Meeting& meeting = block.meetings[barrier];
  if (!block.parts.empty()) check_parts(warp, op, lanes);
  if (waits) {
    meeting.lanes.push_back({warp.index, lanes});
    return;
  }
  meeting.gone.push_back({&warp, lanes, op});
  for (std::uint32_t left = lanes; left != 0 && block.clocks.fine; left &= left - 1) {
    const std::uint32_t thread = warp.index * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(left));
    meeting.arrived = races_.knowledge().join(meeting.arrived, block.clocks.publish(races_.knowledge(), thread));
  }
}

void Checker::open(BlockState& state, unsigned barrier, bool all) {
  CheckedBlock& block = *state.checked;
  CheckedBlock::Meeting& meeting = block.meetings[barrier];
  if (checks.has(Check::sync)) check_places(state, barrier, all);
  if (block.first_serial != 0) {
    met(block);
    if (all) {
      block.clocks.meet_all(races_.knowledge());
      block.shared.drop_noted();
    } else {
      block.clocks.meet(races_.knowledge(), meeting.lanes, meeting.arrived);
    }
  }
  meeting.clear();
}

std::uint32_t Checker::site_of(const WarpState& warp, const Operation* op, const Watched& watched) {
  if (watched.has_site) return watched.site;
  watched.has_site = true;
  watched.site = races_.new_site();
  if (watched.site == 0) return 0;
  CheckSite site = source_of(*warp.program, op->index);
  const bool copies = watched.role == Watched::Role::copy ||
                      (watched.role == Watched::Role::bulk && watched.form.kind != AccessForm::Kind::write);
  site.role = copies                                          ? "asynchronous copy"
              : watched.form.kind == AccessForm::Kind::atomic ? "atomic"
              : watched.form.kind == AccessForm::Kind::write  ? "write"
                                                              : "read";
  sites_.resize(std::max<std::size_t>(sites_.size(), watched.site + 1));
  sites_[watched.site] = std::move(site);
  site_types_.resize(sites_.size());
  site_types_[watched.site] = warp.program->details[op->index].modifiers.types[0];
  toolkit_sites_.resize(sites_.size());
  const OperationDetail& detail = warp.program->details[op->index];
  toolkit_sites_[watched.site] = detail.source.of_toolkit && !is_image_operation(detail.id);
  system_sites_.resize(sites_.size());
  // Volatile accesses count as relaxed with system scope.
  system_sites_[watched.site] = watched.form.strong && (detail.modifiers.semantics == ptx::Semantics::volatile_ ||
                                                        detail.modifiers.semantics == ptx::Semantics::mmio ||
                                                        detail.modifiers.scope == ptx::Scope::sys);
  return watched.site;
}

/// Adjacent lanes whose addresses have one stride: one run of them, or one for each half of a warp.
struct Runs {
  unsigned count = 0;  ///< 0: the addresses are irregular.
  RaceDetector::Run run[2];
};

namespace {

WB_WIDE bool is_affine(const std::uint64_t* address, unsigned lanes, std::uint64_t stride) {
  std::uint64_t difference = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) difference |= address[lane] ^ (address[0] + lane * stride);
  return difference == 0;
}

Runs runs_of(const std::uint64_t* address, std::uint32_t lanes) {
  constexpr unsigned kHalf = kWarpSize / 2;
  Runs runs;
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const std::uint32_t low = lanes >> first;
  if ((low & (low + 1)) != 0) return runs;
  const unsigned count = lanes_in(lanes);
  const auto run = [&](unsigned from, unsigned n) {
    const std::uint64_t stride = n == 1 ? 0 : address[from + 1] - address[from];
    if (!is_affine(address + from, n, stride)) return false;
    runs.run[runs.count++] = {address[from], static_cast<std::int64_t>(stride), from, n};
    return true;
  };
  if (run(first, count)) return runs;
  if (lanes != kFullMask || !run(0, kHalf) || !run(kHalf, kHalf)) runs.count = 0;
  return runs;
}

/// The same for an access to shared memory whose addresses are the same in every block.
Runs runs_of(const SharedPattern& pattern, std::uint32_t bytes, std::uint32_t lanes) {
  using Shape = SharedPattern::Shape;
  constexpr unsigned kHalf = kWarpSize / 2;
  Runs runs;
  const auto halves = [&](std::int64_t stride) {
    runs.count = 2;
    runs.run[0] = {pattern.first, stride, 0, kHalf};
    runs.run[1] = {pattern.second, stride, kHalf, kHalf};
  };
  switch (pattern.shape) {
    case Shape::row:
      runs.count = 1;
      runs.run[0] = {pattern.first, bytes, 0, kWarpSize};
      break;
    case Shape::place:
      runs.count = 1;
      runs.run[0] = {pattern.first, 0, 0, kWarpSize};
      break;
    case Shape::stride:
      runs.count = 1;
      runs.run[0] = {pattern.first, pattern.stride, 0, kWarpSize};
      break;
    case Shape::run:
      runs.count = 1;
      runs.run[0] = {pattern.first, pattern.stride, static_cast<unsigned>(std::countr_zero(lanes)), lanes_in(lanes)};
      break;
    case Shape::two_rows:
      halves(4);
      break;
    case Shape::two_places:
      halves(0);
      break;
    case Shape::scattered:
      break;
  }
  return runs;
}

/// The addresses that the lanes access, generic ones as they are; as 32-bit values, offsets in shared memory.
template <class Address>
void read_addresses(const Warp& warp, const Operation* op, Address* address) {
  const auto displacement = static_cast<Address>(added_to_address(warp, op));
  const auto read = [&](const auto* slot) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = static_cast<Address>(slot[lane]) + displacement;
  };
  if (op->flags.has_narrow_address())
    read(reinterpret_cast<const std::uint32_t*>(warp.registers + op->a));
  else
    read(reinterpret_cast<const std::uint64_t*>(warp.registers + op->a));
}

}  // namespace

void Checker::access_constant(WarpState& warp, const Operation* op, const Watched& watched) {
  const std::uint32_t grid = warp.state->checked->first_serial;
  alignas(64) std::uint64_t address[kWarpSize];
  read_addresses(warp, op, address);
  const bool is_uniform = warp.exec == kFullMask && is_affine(address, kWarpSize, 0);
  std::uint32_t fresh = 0;
  for (std::uint32_t left = is_uniform ? 1 : warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    // The operation itself reports a bad address.
    const bool is_aligned = address[lane] % watched.form.bytes == 0;
    if (is_aligned && constant_reads_.add(grid, address[lane], watched.form.bytes)) fresh |= 1u << lane;
  }
  if (fresh != 0) access_in(warp, op, watched, fresh, address, nullptr);
}

bool Checker::access_runs(WarpState& warp, const AccessForm& form, const Runs& runs, AccessHistory* shared) {
  if (runs.count == 0) return false;
  CheckedBlock& block = *warp.state->checked;
  for (unsigned i = 0; i < runs.count; ++i)
    if (!races_.access_run(form, block.clocks, warp.index, shared, runs.run[i])) return false;
  return true;
}

void Checker::access_in(WarpState& warp, const Operation* op, const Watched& watched, std::uint32_t lanes,
                        const std::uint64_t* address, BlockState* shared_of, bool own_values) {
  CheckedBlock& block = *warp.state->checked;
  const bool is_shared = shared_of != nullptr;
  AccessHistory* const shared = is_shared ? &shared_of->checked->shared : nullptr;
  const std::uint32_t bytes = watched.form.bytes;
  AccessForm form = watched.form;
  form.site = site_of(warp, op, watched);
  if (!is_shared && host_changes_.is_followed()) access_beside_host(warp, op, watched, lanes, address);
  const bool reads = form.kind == AccessForm::Kind::read;
  Runs runs = form.strong ? Runs() : runs_of(address, lanes);
  alignas(64) std::uint64_t at[kWarpSize];
  const std::byte* host[kWarpSize];
  if (!is_shared && !reads && !block.copies[warp.index].empty()) check_sources(warp, form, lanes, address);
  if (is_shared && !reads && shared_of->checked->proxies.is_followed())
    stored_to_shared(warp, form, lanes, address, *shared_of);
  // The operation itself reports a bad address.
  if (is_shared) {
    bool inside = runs.count != 0;
    for (unsigned i = 0; i < runs.count; ++i) {
      const RaceDetector::Run& run = runs.run[i];
      const std::uint64_t last = run.address + static_cast<std::uint64_t>(run.stride) * (run.lanes - 1);
      inside &= run.address + bytes <= shared_of->shared_bytes && last + bytes <= shared_of->shared_bytes &&
                (run.address | static_cast<std::uint64_t>(run.stride)) % bytes == 0;
    }
    if (inside && access_runs(warp, form, runs, shared)) return;
    std::copy_n(address, kWarpSize, at);
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      host[lane] = shared_of->shared + address[lane];
      if (address[lane] + bytes > shared_of->shared_bytes || (address[lane] & (bytes - 1)) != 0) lanes &= ~(1u << lane);
    }
  } else {
    const Allocation*& recent = warp.worker->recent_allocations[op->memory % warp.worker->recent_allocations.size()];
    const Allocation* allocation = recent;
    bool inside = runs.count != 0;
    for (unsigned i = 0; i < runs.count && inside; ++i) {
      RaceDetector::Run& run = runs.run[i];
      const std::uint64_t last = run.address + static_cast<std::uint64_t>(run.stride) * (run.lanes - 1);
      const std::uint64_t low = std::min(run.address, last), high = std::max(run.address, last);
      if (allocation == nullptr || !allocation->contains(low, 1)) allocation = memory_.find(low);
      inside = allocation != nullptr && allocation->contains(low, high - low + bytes) &&
               (reads || !allocation->read_only) && (run.address | static_cast<std::uint64_t>(run.stride)) % bytes == 0;
      if (inside) run.address += allocation->shadow_delta - GlobalMemory::kBase;
    }
    if (inside) {
      // Warps tend to advance by a constant step that is too long for the host's prefetcher to guess.
      const std::uint64_t place = runs.run[0].address;
      races_.expect(place + (place - watched.latest));
      watched.latest = place;
      if (access_runs(warp, form, runs, nullptr)) return;
    }
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (allocation == nullptr || !allocation->contains(address[lane], bytes))
        allocation = memory_.find(address[lane]);
      const bool good = allocation != nullptr && allocation->contains(address[lane], bytes) &&
                        (reads || !allocation->read_only) && (address[lane] & (bytes - 1)) == 0;
      if (!good) {
        lanes &= ~(1u << lane);
        continue;
      }
      at[lane] = address[lane] + allocation->shadow_delta - GlobalMemory::kBase;
      host[lane] = allocation->host + (address[lane] - allocation->address);
    }
  }
  if (lanes == 0) return;
  const AccessValues values{warp, op, bytes, lanes, at, host, own_values};
  RaceDetector::WarpAccess by;
  by.block = &block.clocks;
  by.warp = warp.index;
  by.lanes = lanes;
  by.address = at;
  by.shared = shared;
  by.same_value = own_values ? AccessValues::is_same : nullptr;
  by.context = &values;
  by.owner = is_shared ? shared_of->checked->clocks.serial : 0;
  HandOver order = watched.order;
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const bool at_grid_barrier =
      !is_shared && form.strong && reinterpret_cast<std::uint64_t>(host[first]) == warp.worker->grid_barrier.word;
  if (at_grid_barrier) {
    order.of_last_meeting = true;
    order.met = met_;
  }
  const bool releases = order.writes && order.releases;
  if (order.reads) met(block);
  if (releases) races_.pass_on(order, by);
  races_.access(form, by);
  if ((order.reads || order.writes) && !releases) races_.pass_on(order, by);
  if (order.system && order.writes && !is_shared)
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const Allocation* const there = memory_.find(address[lane]);
      if (there->kind != MemoryKind::device && there->kind != MemoryKind::module) released_to_host(at[lane]);
    }
  if (at_grid_barrier && order.writes && ++arrived_ == block.launch->grid.count()) {
    met_ = races_.released_at(at[first]);
    arrived_ = 0;
  }
}

void Checker::access_lines(WarpState& warp, const Operation* op, const Watched& watched) {
  if (warp.exec != kFullMask) return;  // It waits for the others first, and then executes this again.
  if (ptx::is_group_product(warp.program->details[op->index].id)) {
    access_group(warp, op, watched);
    return;
  }
  const MatrixLines lines = matrix_lines(warp, op);
  site_of(warp, op, watched);
  Watched piece = watched;
  piece.form.bytes = std::min(lines.bytes, 16u);
  for (std::uint32_t at = 0; at < lines.bytes; at += piece.form.bytes) {
    alignas(64) std::uint64_t address[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i) address[i] = lines.address[i] + at;
    const std::uint32_t used = lines.count == kWarpSize ? kFullMask : (1u << lines.count) - 1;
    access_in(warp, op, piece, used, address, lines.shared ? warp.state : nullptr, false);
  }
}

void Checker::access_group(WarpState& warp, const Operation* op, const Watched& watched) {
  const OperationDetail& detail = warp.program->details[op->index];
  const ptx::Modifiers& m = detail.modifiers;
  const ptx::GroupImmediates immediates = ptx::group_immediates(detail.id, op->immediate);
  const unsigned bits = ptx::element_bits(m.types[1]);
  site_of(warp, op, watched);
  Watched piece = watched;
  piece.form.bytes = kPieceBytes;
  alignas(64) std::uint64_t address[kWarpSize] = {};
  unsigned count = 0;
  const auto flush = [&] {
    if (count != 0)
      access_in(warp, op, piece, count == kWarpSize ? kFullMask : (1u << count) - 1, address, warp.state, false);
    count = 0;
  };
  /// @param depth length of a line, in elements
  const auto read = [&](std::uint32_t slot, bool transposed, unsigned first, unsigned lines, unsigned depth) {
    const GroupLayout layout = group_layout(*reinterpret_cast<const std::uint64_t*>(warp.registers + slot), transposed);
    const unsigned outer = transposed ? depth : lines,
                   inner = transposed ? lines / 8 : depth * bits / (8 * kPieceBytes);
    for (unsigned line = 0; line < outer; ++line)
      for (unsigned i = 0; i < inner; ++i) {
        const std::uint32_t place = transposed ? layout.place(line, first / 8 + i) : layout.place(first + line, i);
        if (place + kPieceBytes > warp.shared_bytes) continue;  // The operation itself reports this.
        begin_reading(warp, op, 0, place, kPieceBytes);
        address[count++] = place;
        if (count == kWarpSize) flush();
      }
  };
  if (!ptx::has_a_in_registers(detail.id))
    read(op->a, immediates.transposes_a, warp.index % 4 * 16, 16,
         ptx::is_sparse_product(detail.id) ? m.matrix.k / 2u : m.matrix.k);
  read(op->b, immediates.transposes_b, 0, m.matrix.n, m.matrix.k);
  flush();
}

bool Checker::note_pattern(WarpState& warp, const Operation* op, const AccessForm& form) {
  if (!op->flags.has_narrow_address()) return false;
  AccessHistory::NotedLanes lanes{warp.exec, {}};
  read_addresses(warp, op, lanes.address.data());
  CheckedBlock& block = *warp.state->checked;
  return RaceDetector::note_lanes(form, block.clocks, warp.index, block.shared, lanes);
}

bool Checker::access_by_pattern(WarpState& warp, const Operation* op, const Watched& watched) {
  CheckedBlock& block = *warp.state->checked;
  AccessForm form = watched.form;
  form.site = watched.site;
  const bool reads = form.kind == AccessForm::Kind::read;
  if (op->space == ptx::Space::shared) {
    const SharedPattern& pattern = warp.patterns[op->pattern];
    if ((!reads && block.proxies.is_followed()) || pattern.lanes != warp.exec) return false;
    if (pattern.shape == SharedPattern::Shape::scattered) return note_pattern(warp, op, form);
    return access_runs(warp, form, runs_of(pattern, form.bytes, warp.exec), &block.shared);
  }
  const GlobalPattern& pattern = warp.global_patterns[op->pattern];
  if (pattern.lanes != warp.exec || form.strong || (!reads && !block.copies[warp.index].empty())) return false;
  const std::uint64_t first = pattern.first + pattern.origin->here;
  const std::uint64_t low = first + static_cast<std::uint64_t>(std::int64_t{pattern.low});
  const Allocation* const allocation =
      warp.worker->recent_allocations[op->memory % warp.worker->recent_allocations.size()];
  if (allocation == nullptr || !allocation->contains(low, pattern.reach) || (allocation->read_only && !reads) ||
      (first | static_cast<std::uint64_t>(pattern.stride)) % form.bytes != 0)
    return false;
  const std::uint64_t place = first + allocation->shadow_delta - GlobalMemory::kBase;
  // The accesses of the next block are often too far away for the host's prefetcher.
  races_.expect(place + (pattern.origin->next - pattern.origin->here));
  return races_.access_run(form, block.clocks, warp.index, nullptr,
                           {place, pattern.stride, pattern.first_lane, pattern.count});
}

void Checker::access(WarpState& warp, const Operation* op, const Watched& watched) {
  if (watched.form.bytes == 0) {
    access_lines(warp, op, watched);
    return;
  }
  if (op->pattern != kNoOperand && watched.has_site && !host_changes_.is_followed() &&
      access_by_pattern(warp, op, watched))
    return;
  alignas(64) std::uint64_t address[kWarpSize];
  read_addresses(warp, op, address);
  if (op->space == ptx::Space::shared) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] &= 0xffffffffu;
    access_shared(warp, op, watched, warp.exec, address);
    return;
  }
  std::uint32_t global = warp.exec, shared = 0;
  if (op->space == ptx::Space::generic) {
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const ptx::Space space = space_of(address[lane]);
      if (space == ptx::Space::global) continue;
      global &= ~(1u << lane);
      if (space != ptx::Space::shared) continue;
      shared |= 1u << lane;
      address[lane] -= kSharedWindow;
    }
  }
  if (global != 0) access_in(warp, op, watched, global, address, nullptr);
  if (shared != 0) access_shared(warp, op, watched, shared, address);
}

void Checker::access_shared(WarpState& warp, const Operation* op, const Watched& watched, std::uint32_t lanes,
                            const std::uint64_t* address) {
  BlockState& own = *warp.state;
  if (!own.checked->clocks.in_cluster) {
    access_in(warp, op, watched, lanes, address, &own);
    return;
  }
  while (lanes != 0) {
    const std::uint64_t window = address[std::countr_zero(lanes)] / kWindowBytes;
    std::uint32_t there = 0;
    alignas(64) std::uint64_t offset[kWarpSize] = {};
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (address[lane] / kWindowBytes != window) continue;
      there |= 1u << lane;
      offset[lane] = address[lane] % kWindowBytes;
    }
    lanes &= ~there;
    const std::uint64_t rank = window - kFirstRank;
    BlockState* const block = window == 0                          ? &own
                              : rank < own.cluster_blocks().size() ? own.cluster_blocks()[rank]
                                                                   : nullptr;
    // The operation itself reports that the block no longer exists.
    if (block != nullptr) access_in(warp, op, watched, there, offset, block);
  }
}

const Operation* Checker::execute(WarpState& warp, const Operation* op, const Watched& watched) {
  CheckedBlock& block = *warp.state->checked;
  if (watched.role == Watched::Role::access && watched.form.answers && checks.has(Check::sync) &&
      tells_changes(*op, warp.program->details[op->index]))
    return execute_atomic(warp, op, watched);
  if (watched.role == Watched::Role::exchange || watched.role == Watched::Role::warp_barrier) check_masks(warp, op);
  if (watched.role == Watched::Role::barrier) {
    const auto lane = static_cast<unsigned>(std::countr_zero(warp.exec));
    const std::uint32_t number =
        op->a == kNoOperand ? 0 : reinterpret_cast<const std::uint32_t*>(warp.registers + op->a)[lane];
    if (number < block.meetings.size()) arrive(warp, op, number, warp.exec, watched.waits);
  }
  if (block.first_serial == 0) return watched.handler(warp, op);
  switch (watched.role) {
    case Watched::Role::none:
    case Watched::Role::barrier:
      break;
    case Watched::Role::bulk:
      order_readers(warp, op);
      break;
    case Watched::Role::mbarrier:
      access_mbarrier(warp, op, watched);
      break;
    case Watched::Role::access:
      access(warp, op, watched);
      if (!beside_host_reads_.empty()) return execute_beside_host(warp, op, watched);
      break;
    case Watched::Role::constant:
      access_constant(warp, op, watched);
      break;
    case Watched::Role::copy:
      start_copy(warp, op, watched);
      break;
    case Watched::Role::commit:
      for (std::uint32_t left = warp.exec; left != 0; left &= left - 1)
        ++block.committed[warp.index][static_cast<unsigned>(std::countr_zero(left))];
      break;
    case Watched::Role::wait:
      end_copies_if(warp, warp.exec, [&](const CheckedBlock::Copy& copy, unsigned lane) {
        return copy.group[lane] + static_cast<std::uint64_t>(op->immediate) < block.committed[warp.index][lane];
      });
      break;
    case Watched::Role::wait_all:
      end_copies_if(warp, warp.exec, [](const CheckedBlock::Copy&, unsigned) { return true; });
      break;
    case Watched::Role::fence:
      for (std::uint32_t left = warp.exec; left != 0 && block.clocks.fine; left &= left - 1)
        block.clocks.fence(races_.knowledge(),
                           warp.index * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(left)),
                           watched.order.wide, watched.order.system);
      break;
    case Watched::Role::exchange: {
      const Operation* const next = watched.handler(warp, op);
      if (next == op + 1) block.clocks.tell(races_.knowledge(), warp.index, warp.exec);
      return next;
    }
    case Watched::Role::warp_barrier: {
      const Operation* const next = watched.handler(warp, op);
      if (next != op + 1) return next;  // It waits for others, and executes this again together with them.
      met(block);
      const auto* const mask = reinterpret_cast<const std::uint32_t*>(warp.registers + op->a);
      for (std::uint32_t left = warp.exec; left != 0;) {
        const std::uint32_t named = mask[std::countr_zero(left)] & warp.live;
        block.clocks.meet_in_warp(races_.knowledge(), warp.index, named | (left & -left));
        left &= ~(named | (left & -left));
      }
      return next;
    }
  }
  return watched.handler(warp, op);
}

Knowledge::Map Checker::publish(WarpState& warp, unsigned lane) {
  if (warp.state->checked == nullptr || !warp.state->checked->clocks.fine) return 0;
  return warp.state->checked->clocks.publish(races_.knowledge(), warp.index * kWarpSize + lane);
}

}  // namespace warpbook::simulator
