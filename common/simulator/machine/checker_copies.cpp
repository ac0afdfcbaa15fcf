// How checkers track cp.async: copies to shared memory that a thread starts and waits for.
#include <algorithm>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/lane_values.h"

namespace warpbook::simulator {

void Checker::check_sources(WarpState& warp, const AccessForm& form, std::uint32_t lanes,
                            const std::uint64_t* address) {
  const BlockClocks& clocks = warp.state->checked->clocks;
  for (const CheckedBlock::Copy& copy : warp.state->checked->copies[warp.index]) {
    const Watched& watched = warp.program->watched[copy.operation->index];
    for (std::uint32_t left = copy.lanes & copy.reading & lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (address[lane] >= copy.from[lane] + watched.form.bytes || copy.from[lane] >= address[lane] + form.bytes)
        continue;
      const Allocation* const allocation = memory_.find(address[lane]);
      if (allocation == nullptr) continue;
      const std::uint32_t thread = warp.index * kWarpSize + lane;
      Race race;
      race.now = epoch::make(clocks.serial, clocks.clock_of(thread), thread, form.site);
      race.earlier = epoch::make(clocks.serial, clocks.clock_of(thread), thread, watched.site);
      race.now_writes = race.unfinished = true;
      race.address = address[lane] + allocation->shadow_delta - GlobalMemory::kBase;
      race.lane = lane;
      report(race);
    }
  }
}

void Checker::start_copy(WarpState& warp, const Operation* op, const Watched& watched) {
  CheckedBlock& block = *warp.state->checked;
  alignas(64) std::uint64_t from[kWarpSize];
  CheckedBlock::Copy copy;
  copy.operation = op;
  copy.lanes = warp.exec;
  copy.number = warp.copies.next_number();
  copy.group = block.committed[warp.index];
  std::uint32_t reading = warp.exec;
  alignas(64) std::uint32_t reads[kWarpSize];
  const std::uint32_t bytes = watched.form.bytes;
  const auto to_displacement = static_cast<std::uint32_t>(op->immediate);
  const auto from_displacement = static_cast<std::uint64_t>(op->immediate >> 32);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    copy.to[lane] = static_cast<std::uint32_t>(bare_address(warp, op, lane)) + to_displacement;
    from[lane] = reinterpret_cast<const std::uint64_t*>(warp.registers + op->b)[lane] + from_displacement;
    reads[lane] = bytes;
    if (watched.sized && op->c != kNoOperand)
      reads[lane] = std::min(bytes, reinterpret_cast<const std::uint32_t*>(warp.registers + op->c)[lane]);
    if (reads[lane] == 0) reading &= ~(1u << lane);
    if (copy.to[lane] + bytes > warp.shared_bytes) copy.lanes &= ~(1u << lane);
  }
  // If fewer bytes are read than written, they are read in pieces of 8, 4, 2 and 1 byte.
  for (Watched piece = watched; piece.form.bytes != 0; piece.form.bytes /= 2) {
    alignas(64) std::uint64_t at[kWarpSize];
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      at[lane] = from[lane] + (reads[lane] & ~(2 * piece.form.bytes - 1));
      lanes |= ((reads[lane] & piece.form.bytes) != 0 ? 1u : 0u) << lane;
    }
    if ((lanes & reading) != 0) access_in(warp, op, piece, lanes & reading, at, nullptr);
  }
  copy.reading = reading;
  std::copy_n(from, kWarpSize, copy.from.begin());
  AccessForm form = watched.form;
  form.kind = AccessForm::Kind::write;
  form.site = site_of(warp, op, watched);
  RaceDetector::WarpAccess by;
  by.block = &block.clocks;
  by.warp = warp.index;
  by.lanes = copy.lanes;
  by.address = copy.to.data();
  by.shared = &block.shared;
  races_.begin_copy(form, by);
  for_lanes(block.readers.empty() ? 0 : copy.lanes, [&](unsigned lane) {
    check_readers(warp, form.site, lane, *warp.state, static_cast<std::uint32_t>(copy.to[lane]), bytes);
    return true;
  });
  block.copies[warp.index].push_back(copy);
}

}  // namespace warpbook::simulator
