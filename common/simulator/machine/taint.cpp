// Starting blocks, allocations, and registers that decide something.
#include "common/simulator/machine/taint.h"

#include <bit>
#include <utility>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/block_state.h"

namespace warpbook::simulator {
namespace {

bool is_followed(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t at = address - GlobalMemory::kBase;
  return at < kFollowed && bytes <= kFollowed - at;
}

}  // namespace

TaintChecker::TaintChecker(const GlobalMemory& memory, CheckFindings& findings)
    : memory_(memory), findings_(findings), global_(kFollowed), host_stores_(memory) {}

std::unique_ptr<TaintedBlock> TaintChecker::follow(BlockState& block) {
  auto tainted = std::make_unique<TaintedBlock>();
  tainted->warps.resize(block.warps.size());
  for (std::size_t i = 0; i < block.warps.size(); ++i) {
    WarpState& warp = *block.warps[i];
    tainted->warps[i].checker = this;
    tainted->warps[i].block = tainted.get();
    warp.taint = &tainted->warps[i];
    warp.copies.of_shared = &tainted->shared;
  }
  return tainted;
}

void TaintChecker::start(BlockState& block, TaintedBlock& tainted) {
  tainted.shared.start(block.shared_bytes);
  // The system initialises its own part.
  if (block.own_shared < block.shared_bytes)
    tainted.shared.set(block.own_shared, block.shared_bytes - block.own_shared, false);
  tainted.origins.assign(TaintOrigin::kRegister + 1, {});
  tainted.origins[TaintOrigin::kRegister].space = ptx::Space::reg;
  tainted.origin_of.clear();
  tainted.stored.clear();
  for (auto& warp : block.warps) {
    WarpTaint& taint = *warp->taint;
    taint.carry = 0;
    warp->tainted = false;
    if (!warp->root.function->cleared.empty()) {
      begin_taint(*warp);
      taint::undefine_unwritten(warp->root);
    }
    if (warp->local_stride == 0) continue;
    // The kernel's frame is uninitialised; frames of calls become undefined when they are entered.
    taint.local.start(warp->local_stride * kWarpSize);
    taint.local.set(0, taint.local.bytes(), false);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      taint.local.set(lane * warp->local_stride, block.launch->kernel->local_bytes, true);
  }
}

void TaintChecker::begin_taint(WarpState& warp) {
  warp.tainted = true;
  taint::clear_shadow(warp.root);
  for (const auto& frame : warp.frames)
    if (frame->function != nullptr) taint::clear_shadow(*frame);
}

void TaintChecker::allocated(std::uint64_t address, std::uint64_t bytes) {
  if (!is_followed(address, bytes)) return;
  const Allocation* const allocation = memory_.find(address);
  const bool shared =
      allocation != nullptr && (allocation->kind == MemoryKind::managed || allocation->kind == MemoryKind::pinned);
  if (shared && !host_stores_.follow(*allocation)) return;
  global_.set(address - GlobalMemory::kBase, bytes, true);
}

void TaintChecker::freed(std::uint64_t address, std::uint64_t bytes) {
  host_stores_.forget(address);
  if (is_followed(address, bytes)) global_.set(address - GlobalMemory::kBase, bytes, false);
}

void TaintChecker::copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  if (!is_followed(to, bytes)) return;
  if (is_followed(from, bytes))
    global_.copy(to - GlobalMemory::kBase, from - GlobalMemory::kBase, bytes);
  else
    global_.set(to - GlobalMemory::kBase, bytes, false);
}

void TaintChecker::wrote(WarpState& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
  const ptx::Space space = space_of(address);
  if (space == ptx::Space::local) {
    const std::uint64_t offset = address - kLocalWindow;
    if (offset + bytes <= warp.local_stride) warp.taint->local.set(lane * warp.local_stride + offset, bytes, false);
  } else if (space == ptx::Space::shared) {
    const std::uint64_t offset = address - kSharedWindow;
    if (offset + bytes <= warp.shared_bytes) warp.taint->block->shared.set(offset, bytes, false);
  } else {
    copied(address, 0, bytes);
  }
}

void TaintChecker::decide(WarpState& warp, const Operation* op, const TaintRule& rule, std::uint32_t slot,
                          std::uint8_t size, std::uint32_t lanes, Use use) {
  if (!taint::any(warp, rule, slot, size)) return;
  std::array<std::uint64_t, kWarpSize> bits;
  taint::read(warp, rule, slot, size, bits.data());
  std::uint32_t undefined = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (bits[lane] != 0) undefined |= 1u << lane;
  }
  if (undefined == 0) return;
  report(warp, op, rule, use, undefined, taint::origin(warp, rule, slot));
  const std::uint32_t exec = std::exchange(warp.exec, undefined);
  taint::define(warp, rule, slot, size);
  warp.exec = exec;
}

}  // namespace warpbook::simulator
