// How checkers track reads of shared memory that go on while threads continue: bulk copies to global memory and wgmma
// operations.
//
// Such a read lasts from its instruction to the wait for its group (cp.async.bulk.wait_group, with or without .read, by
// the thread that committed it; wgmma.wait_group by the warp). A thread that stores there meanwhile races with it,
// whatever barriers lie between. It counts as a read by its thread at its beginning and at its end: even a store after
// the wait still has to be ordered after it by a barrier. It sees what threads stored only after a proxy fence
// (proxy_fences.h). Textures and surfaces are read through another path: no fence makes stores of the same grid visible
// to it.
#include <algorithm>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/lane_values.h"
#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using Reader = CheckedBlock::Reader;

/// Copies that belong to a bulk group of their thread.
bool is_grouped_copy(OperationId id) {
  switch (id) {
    case OperationId::cp_async_bulk_store:
    case OperationId::cp_async_bulk_store_masked:
    case OperationId::cp_async_bulk_tensor_scatter:
    case OperationId::cp_reduce_async_bulk_store:
    case OperationId::cp_async_bulk_tensor_store:
    case OperationId::cp_async_bulk_tensor_store_im2col:
    case OperationId::cp_reduce_async_bulk_tensor:
    case OperationId::cp_reduce_async_bulk_tensor_im2col:
      return true;
    default:
      return false;
  }
}

bool reads_shared_by_proxy(OperationId id) {
  return is_grouped_copy(id) || id == OperationId::cp_async_bulk_share ||
         id == OperationId::cp_reduce_async_bulk_share || ptx::is_group_product(id);
}

Epoch epoch_of(const BlockClocks& clocks, std::uint32_t thread, std::uint32_t site) {
  return epoch::make(clocks.serial, clocks.clock_of(thread), thread, site);
}

}  // namespace

bool Checker::has_proxy_readers(const Program& program) {
  const auto [place, fresh] = proxy_readers_.try_emplace(&program, false);
  if (fresh)
    place->second = std::any_of(program.details.begin(), program.details.end(), [](const OperationDetail& detail) {
      return !detail.internal && reads_shared_by_proxy(detail.id);
    });
  return place->second;
}

void Checker::follow_proxies(const Launch& launch, BlockState& state) {
  CheckedBlock& block = *state.checked;
  block.readers.clear();
  std::fill(block.groups.begin(), block.groups.end(), CheckedBlock::Groups{});
  if (has_proxy_readers(*launch.program))
    block.proxies.start(static_cast<std::uint32_t>(state.shared_bytes),
                        static_cast<std::uint32_t>(block.groups.size()) * kWarpSize);
  else
    block.proxies.stop();
}

void Checker::begin_reading(WarpState& warp, const Operation* op, unsigned lane, std::uint32_t begin,
                            std::uint32_t bytes) {
  CheckedBlock& block = *warp.state->checked;
  const OperationId id = warp.program->details[op->index].id;
  if (!block.proxies.is_followed() || !reads_shared_by_proxy(id)) return;
  check_proxy(warp, op, lane, begin, bytes);
  const bool product = ptx::is_group_product(id);
  if (!product && !is_grouped_copy(id)) return;  // An mbarrier signals its end.
  const CheckedBlock::Groups& groups = block.groups[warp.index];
  const std::uint32_t group = product ? groups.products : groups.bulk[lane];
  const bool goes_on = !block.readers.empty() && block.readers.back().operation == op &&
                       block.readers.back().warp == &warp && block.readers.back().lane == lane &&
                       block.readers.back().group == group;
  if (!goes_on) block.readers.push_back({&warp, op, lane, group, product, {}});
  std::vector<Reader::Piece>& pieces = block.readers.back().pieces;
  if (!pieces.empty() && pieces.back().begin + pieces.back().bytes == begin)
    pieces.back().bytes += bytes;
  else
    pieces.push_back({begin, bytes});
}

void Checker::end_reading(const Reader& reader) {
  AccessHistory& shared = reader.warp->state->checked->shared;
  for (const Reader::Piece& piece : reader.pieces)
    stretch(*reader.warp, reader.operation, reader.lane, AccessForm::Kind::read, piece.begin, piece.bytes, &shared,
            Stretch::access);
}

void Checker::end_readers_of(WarpState& warp, bool products, std::uint64_t pending) {
  CheckedBlock& block = *warp.state->checked;
  const CheckedBlock::Groups& groups = block.groups[warp.index];
  std::erase_if(block.readers, [&](const Reader& reader) {
    if (reader.warp != &warp || reader.product != products) return false;
    if (!products && ((warp.exec >> reader.lane) & 1) == 0) return false;
    const std::uint32_t committed = products ? groups.products : groups.bulk[reader.lane];
    if (reader.group + pending >= committed) return false;
    end_reading(reader);
    return true;
  });
}

void Checker::order_readers(WarpState& warp, const Operation* op) {
  CheckedBlock& block = *warp.state->checked;
  if (!block.proxies.is_followed()) return;
  CheckedBlock::Groups& groups = block.groups[warp.index];
  const auto pending = static_cast<std::uint64_t>(op->immediate);
  switch (warp.program->details[op->index].id) {
    case OperationId::cp_async_bulk_commit_group:
      for_lanes(warp.exec, [&](unsigned lane) { return ++groups.bulk[lane], true; });
      break;
    case OperationId::cp_async_bulk_wait_group:
    case OperationId::cp_async_bulk_wait_group_read:
      end_readers_of(warp, false, pending);
      break;
    case OperationId::wgmma_commit_group:
      if (warp.exec == kFullMask) ++groups.products;
      break;
    case OperationId::wgmma_wait_group:
      if (warp.exec == kFullMask) end_readers_of(warp, true, pending);
      break;
    case OperationId::fence_proxy:
    case OperationId::fence_proxy_async_generic:
      for_lanes(warp.exec, [&](unsigned lane) { return block.proxies.fence(warp.index * kWarpSize + lane), true; });
      break;
    default:
      break;
  }
}

void Checker::check_readers(WarpState& warp, std::uint32_t site, unsigned lane, BlockState& state, std::uint32_t begin,
                            std::uint32_t bytes) {
  const CheckedBlock& block = *state.checked;
  for (const Reader& reader : block.readers) {
    for (const Reader::Piece& piece : reader.pieces) {
      if (piece.begin >= begin + bytes || begin >= piece.begin + piece.bytes) continue;
      const std::uint32_t by = reader.warp->index * kWarpSize + reader.lane;
      Race race;
      race.earlier = epoch_of(block.clocks, by,
                              site_of(*reader.warp, reader.operation, warp.program->watched[reader.operation->index]));
      race.now = epoch_of(warp.state->checked->clocks, warp.index * kWarpSize + lane, site);
      race.now_writes = race.unfinished = race.shared = true;
      race.address = std::max(piece.begin, begin);
      race.lane = lane;
      report(race);
      break;
    }
  }
}

void Checker::stored_to_shared(WarpState& warp, const AccessForm& form, std::uint32_t lanes,
                               const std::uint64_t* address, BlockState& state) {
  CheckedBlock& block = *state.checked;
  for_lanes(lanes, [&](unsigned lane) {
    const auto begin = static_cast<std::uint32_t>(address[lane]);
    check_readers(warp, form.site, lane, state, begin, form.bytes);
    if (&state == warp.state) block.proxies.stored(begin, form.bytes, warp.index * kWarpSize + lane, form.site);
    return true;
  });
}

void Checker::check_proxy(WarpState& warp, const Operation* op, unsigned lane, std::uint32_t begin,
                          std::uint32_t bytes) {
  const CheckedBlock& block = *warp.state->checked;
  ProxyFences::Unfenced found;
  if (!block.proxies.find_unfenced(begin, bytes, found)) return;
  Race race;
  race.earlier = epoch_of(block.clocks, found.store.thread, found.store.site);
  race.now = epoch_of(block.clocks, warp.index * kWarpSize + lane, site_of(warp, op, warp.program->watched[op->index]));
  race.path = Race::Path::asynchronous;
  race.earlier_wrote = race.shared = true;
  race.address = found.address;
  race.lane = lane;
  report(race);
}

void Checker::check_texel(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t begin,
                          std::uint64_t bytes) {
  if (!is_image_operation(warp.program->details[op->index].id)) return;
  Race race;
  race.earlier = races_.written_in_grid(begin, bytes);
  if (race.earlier == 0) return;
  race.now = epoch_of(warp.state->checked->clocks, warp.index * kWarpSize + lane,
                      site_of(warp, op, warp.program->watched[op->index]));
  race.path = Race::Path::texture;
  race.earlier_wrote = true;
  race.address = begin;
  race.lane = lane;
  report(race);
}

}  // namespace warpbook::simulator
