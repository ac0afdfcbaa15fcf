// How checkers track mbarriers, bulk copies and clusters.
//
// An arrival releases what its thread has done and observed; a thread that sees the phase complete acquires what was
// released until then (PTX memory model: mbarrier.arrive is a release, test_wait and try_wait are acquires, unless they
// say .relaxed). A copy writes its destination when the mbarrier has counted its bytes; its writes are released there,
// too. Operations that read shared memory meanwhile are in checker_proxies.cpp.
#include <algorithm>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/lane_values.h"
#include "common/simulator/machine/taint.h"

namespace warpbook::simulator {
namespace {

constexpr std::uint32_t kPieceBytes = 16;

bool is_followed(const BlockState& block) {
  return block.checked != nullptr && block.checked->first_serial != 0 && block.checked->clocks.fine;
}

std::uint32_t thread_of(const WarpState& warp, unsigned lane) { return warp.index * kWarpSize + lane; }

/// Calls f(offset, bytes) for each piece of a range.
template <class F>
void for_pieces(std::uint64_t begin, std::uint64_t bytes, F f) {
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t piece = bytes - at >= kPieceBytes && (begin + at) % kPieceBytes == 0 ? kPieceBytes
                                : bytes - at >= 4 && (begin + at) % 4 == 0                   ? 4
                                                                                             : 1;
    f(begin + at, static_cast<std::uint32_t>(piece));
    at += piece;
  }
}

/// Calls f(offset, bytes) for each range of shared memory that a landing writes.
template <class F>
void for_landed(const Landing& landing, F f) {
  const std::uint32_t row = landing.swizzle.row;
  if (row == 0) return f(landing.to, landing.data.size());
  for (std::uint32_t at = 0; at < landing.data.size(); at += row) f(landing.to + landing.swizzle.spread(at), row);
}

}  // namespace

void Checker::forget_mbarrier(BlockState& block, std::uint32_t offset) {
  if (is_followed(block)) block.checked->mbarriers[offset] = {};
}

void Checker::arrived_at_mbarrier(WarpState& by, unsigned lane, BlockState& block, std::uint32_t offset,
                                  bool releases) {
  if (!releases || !is_followed(block) || !is_followed(*by.state)) return;
  Knowledge::Map& arrived = block.checked->mbarriers[offset].arrived;
  arrived =
      races_.knowledge().join(arrived, by.state->checked->clocks.publish(races_.knowledge(), thread_of(by, lane)));
}

void Checker::completed_mbarrier(BlockState& block, std::uint32_t offset) {
  if (!is_followed(block)) return;
  CheckedBlock::Phases& phases = block.checked->mbarriers[offset];
  phases.completed = phases.arrived;
}

void Checker::waited_for_mbarrier(WarpState& by, unsigned lane, BlockState& block, std::uint32_t offset) {
  if (!is_followed(block) || !is_followed(*by.state)) return;
  met(*by.state->checked);
  by.state->checked->clocks.learn(races_.knowledge(), thread_of(by, lane), block.checked->mbarriers[offset].completed);
}

void Checker::access_mbarrier(WarpState& warp, const Operation* op, const Watched& watched) {
  alignas(64) std::uint64_t address[kWarpSize] = {};
  std::uint32_t own = 0;
  for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint64_t at = lane_address(warp, op, lane);
    address[lane] = at >= kSharedWindow ? at - kSharedWindow : at;
    if (address[lane] < kWindowBytes) own |= 1u << lane;
    return true;
  });
  if (own != 0) access_in(warp, op, watched, own, address, warp.state, false);
}

void Checker::ended_copies(WarpState& by, unsigned lane, std::uint64_t number, BlockState& block,
                           std::uint32_t offset) {
  if (!is_followed(block)) return;
  end_copies_if(by, 1u << lane, [&](const CheckedBlock::Copy& copy, unsigned) { return copy.number < number; });
  arrived_at_mbarrier(by, lane, block, offset, true);
}

void Checker::stretch(WarpState& by, const Operation* op, unsigned lane, AccessForm::Kind kind, std::uint64_t begin,
                      std::uint64_t bytes, AccessHistory* shared, Stretch what) {
  AccessForm form;
  form.kind = kind;
  form.strong = kind == AccessForm::Kind::atomic;
  form.site = site_of(by, op, by.program->watched[op->index]);
  alignas(64) std::uint64_t address[kWarpSize] = {};
  RaceDetector::WarpAccess access;
  access.block = &by.state->checked->clocks;
  access.warp = by.index;
  access.lanes = 1u << lane;
  access.address = address;
  access.shared = shared;
  for_pieces(begin, bytes, [&](std::uint64_t at, std::uint32_t piece) {
    form.bytes = piece;
    address[lane] = at;
    if (what == Stretch::begins)
      races_.begin_copy(form, access);
    else if (what == Stretch::ends)
      races_.end_copy(form, access);
    else
      races_.access(form, access);
  });
}

void Checker::begin_landing(BlockState& block, const Landing& landing) {
  if (!is_followed(block) || landing.by == nullptr || landing.arrives) return;
  const std::uint32_t site =
      site_of(*landing.by, landing.operation, landing.by->program->watched[landing.operation->index]);
  for_landed(landing, [&](std::uint64_t to, std::uint64_t bytes) {
    check_readers(*landing.by, site, landing.lane, block, static_cast<std::uint32_t>(to),
                  static_cast<std::uint32_t>(bytes));
    stretch(*landing.by, landing.operation, landing.lane, AccessForm::Kind::write, to, bytes, &block.checked->shared,
            Stretch::begins);
  });
}

void Checker::landed(BlockState& block, const Landing& landing) {
  if (taint_ && block.checked->tainted)
    for_landed(landing,
               [&](std::uint64_t to, std::uint64_t bytes) { block.checked->tainted->shared.set(to, bytes, false); });
  if (!is_followed(block)) return;
  for_landed(landing, [&](std::uint64_t to, std::uint64_t bytes) {
    block.checked->proxies.stored_by_proxy(static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(bytes));
  });
  if (landing.by == nullptr) return;
  for_landed(landing, [&](std::uint64_t to, std::uint64_t bytes) {
    stretch(*landing.by, landing.operation, landing.lane, AccessForm::Kind::write, to, bytes, &block.checked->shared,
            Stretch::ends);
  });
  arrived_at_mbarrier(*landing.by, landing.lane, block, landing.barrier, true);
}

void Checker::read_in_bulk(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t begin,
                           std::uint64_t bytes, bool shared) {
  if (taint_ && !shared) taint_->note_read(lane, begin, bytes);
  if (!checks.has(Check::race) || warp.state->checked->first_serial == 0) return;
  if (shared) {
    stretch(warp, op, lane, AccessForm::Kind::read, begin, bytes, &warp.state->checked->shared, Stretch::access);
    begin_reading(warp, op, lane, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(bytes));
  } else if (const Allocation* allocation = memory_.find(begin)) {
    const std::uint64_t at = begin + allocation->shadow_delta - GlobalMemory::kBase;
    stretch(warp, op, lane, AccessForm::Kind::read, at, bytes, nullptr, Stretch::access);
    check_texel(warp, op, lane, at, bytes);
  }
}

void Checker::wrote_in_bulk(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t begin,
                            std::uint64_t bytes, bool reduces, bool shared) {
  if (!shared) copied(begin, 0, bytes);
  if (!checks.has(Check::race) || warp.state->checked->first_serial == 0) return;
  if (shared) {
    stretch(warp, op, lane, AccessForm::Kind::write, begin, bytes, &warp.state->checked->shared, Stretch::access);
    return;
  }
  const Allocation* const allocation = memory_.find(begin);
  if (allocation == nullptr) return;
  stretch(warp, op, lane, reduces ? AccessForm::Kind::atomic : AccessForm::Kind::write,
          begin + allocation->shadow_delta - GlobalMemory::kBase, bytes, nullptr, Stretch::access);
}

void Checker::open_cluster(const std::vector<BlockState*>& blocks) {
  Knowledge& knowledge = races_.knowledge();
  Knowledge::Map all = 0;
  for (BlockState* block : blocks) {
    if (block->checked->first_serial == 0) continue;
    BlockClocks& clocks = block->checked->clocks;
    clocks.meet_all(knowledge);
    met(*block->checked);
    if (!clocks.fine || clocks.threads.empty()) continue;
    all = knowledge.join(all, clocks.threads.front().known);
    all = knowledge.with_block(all, clocks.serial, clocks.threads.front().known_block);
  }
  for (BlockState* block : blocks) {
    if (!is_followed(*block)) continue;
    for (std::uint32_t thread = 0; thread < block->checked->clocks.threads.size(); ++thread)
      block->checked->clocks.learn(knowledge, thread, all);
  }
}

}  // namespace warpbook::simulator
