// cp.async.bulk, cp.reduce.async.bulk, st.async and red.async.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>
#include <string>

#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/asynchronous.h"
#include "common/simulator/machine/bulk.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/lane_values.h"
#include "common/simulator/machine/undo_log.h"

namespace warpbook::simulator {

GlobalPlace find_global(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint64_t bytes,
                        bool write) {
  const auto size = static_cast<std::uint32_t>(bytes);
  const auto fail = [&](FaultKind kind, FaultText text) {
    raise(warp, op, kind, lane, address, size, write, std::move(text));
    return GlobalPlace{};
  };
  const GlobalMemory& memory = *warp.worker->memory;
  if (address % kBulkBytes != 0)
    return fail(FaultKind::misaligned, describe_misaligned(ptx::Space::global, address, kBulkBytes, write));
  const Allocation* const allocation = warp.worker->find(address);
  if (allocation == nullptr || !allocation->contains(address, bytes))
    return fail(FaultKind::out_of_bounds, describe_outside_global(memory, address, size, write));
  if (write && allocation->read_only)
    return fail(FaultKind::out_of_bounds, describe_read_only(*allocation, address, size));
  return {allocation, address};
}

void count_bulk(Worker& worker, const Operation* op, const GlobalPlace& place, std::uint64_t bytes, bool write) {
  if (bytes == 0) return;
  const std::uint64_t first = place.address + place.allocation->shadow_delta - GlobalMemory::kBase;
  const std::uint64_t begin = first / 32, end = (first + bytes - 1) / 32 + 1;
  for (std::uint64_t sector = begin; sector < end; sector += 64) {
    const std::uint64_t count = std::min<std::uint64_t>(64, end - sector);
    const std::uint64_t bits = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    if (write)
      worker.footprint.mark_written(sector, bits);
    else
      worker.footprint.mark_read(sector, bits);
  }
  MemoryCounters& counters = worker.counters.memory[op->memory];
  counters.sectors += end - begin;
  counters.sectors_ideal += (bytes + 31) / 32;
}

void before_bulk_write(Worker& worker, const GlobalPlace& place, std::uint64_t bytes) {
  if (worker.undo != nullptr && bytes != 0) worker.undo->before_write(*place.allocation, place.address, bytes);
}

bool find_ranks(Warp& warp, const Operation* op, unsigned lane, std::uint32_t ranks, std::vector<BlockState*>& blocks) {
  const std::vector<BlockState*>& all = state_of(warp).state->cluster_blocks();
  for (std::uint32_t rank = 0; rank < 16; ++rank) {
    if ((ranks >> rank & 1) == 0) continue;
    if (rank >= all.size() || all[rank] == nullptr) {
      raise(warp, op, FaultKind::out_of_bounds, lane, rank, 0, true,
            {"the copy goes to the block of rank " + std::to_string(rank) +
                 (rank >= all.size() ? ", and the cluster has " + std::to_string(all.size()) : ", which has ended"),
             FaultCause::outside_shared});
      return false;
    }
    blocks.push_back(all[rank]);
  }
  return true;
}

namespace asynchronous {
namespace {

using ptx::OperationId;

MemoryCounters& counters_of(Warp& warp, const Operation* op) { return warp.worker->counters.memory[op->memory]; }

bool check_size(Warp& warp, const Operation* op, unsigned lane, std::uint32_t bytes) {
  if (bytes % kBulkBytes == 0) return true;
  raise(warp, op, FaultKind::misaligned, lane, 0, bytes, true,
        "a bulk copy of " + std::to_string(bytes) + " bytes: the size must be a multiple of 16");
  return false;
}

/// The mbarrier that a copy to shared memory signals. @returns false after a fault
bool find_barrier(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, const SharedPlace& target,
                  std::uint32_t& offset) {
  const SharedPlace barrier = find_shared(warp, op, lane, address, 8, 8, true);
  if (barrier.block == nullptr) return false;
  offset = barrier.offset;
  if (barrier.block != target.block) {
    raise(warp, op, FaultKind::out_of_bounds, lane, address, 8, true,
          {"the bytes go to another block of the cluster than the mbarrier that must count them",
           FaultCause::outside_shared});
    return false;
  }
  if (barrier.block->mbarrier_at(offset)) return true;
  raise(warp, op, FaultKind::trap, lane, offset, 8, true,
        {"the mbarrier at offset " + std::to_string(offset) +
             " of shared memory, which must count the bytes, has not been initialised",
         FaultCause::barrier});
  return false;
}

Landing landing_of(WarpState& state, const Operation* op, unsigned lane, const SharedPlace& target) {
  Landing landing;
  landing.to = target.offset;
  landing.by = target.block == state.state ? &state : nullptr;
  landing.lane = lane;
  landing.operation = op;
  return landing;
}

/// Sending from block to block of a cluster is an illegal instruction in a launch without clusters, even if the block
/// sends to itself: an H200's answer (2026-11-24).
bool check_clusters(Warp& warp, const Operation* op) {
  const Launch& launch = *warp.worker->launch;
  if (launch.explicit_cluster || launch.cluster.count() > 1) [[likely]]
    return true;
  raise(warp, op, FaultKind::illegal, static_cast<unsigned>(std::countr_zero(warp.exec)), 0, 0, true,
        "it sends to a block of the cluster, but the kernel was not launched in clusters: give it __cluster_dims__, or "
        "the launch cudaLaunchAttributeClusterDimension");
  return false;
}

/// [a] = [b], c bytes, for mbarrier [f]; multicast to the blocks in mask e.
template <bool FromGlobal, bool Multicast, bool Reduces>
const Operation* copy_to_shared(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const ptx::Modifiers& modifiers = warp.program->details[op->index].modifiers;
  if (!FromGlobal && !check_clusters(warp, op)) return nullptr;
  MemoryCounters& counters = counters_of(warp, op);
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint32_t bytes = word_of(warp, op->c, lane);
    if (!check_size(warp, op, lane, bytes)) return false;
    const SharedPlace target = find_shared(warp, op, lane, wide_of(warp, op->a, lane), bytes, kBulkBytes, true);
    if (target.block == nullptr) return false;
    Landing landing = landing_of(state, op, lane, target);
    if (!find_barrier(warp, op, lane, wide_of(warp, op->f, lane), target, landing.barrier)) return false;
    landing.bytes = static_cast<std::int32_t>(bytes);
    const std::uint64_t from = wide_of(warp, op->b, lane);
    const std::byte* source = nullptr;
    if constexpr (FromGlobal) {
      const GlobalPlace place = find_global(warp, op, lane, from, bytes, false);
      if (place.allocation == nullptr) return false;
      count_bulk(*warp.worker, op, place, bytes, false);
      if (state.state->checked) warp.worker->checker->read_in_bulk(state, op, lane, from, bytes, false);
      source = place.host();
    } else {
      const SharedPlace place = find_shared(warp, op, lane, from, bytes, kBulkBytes, false);
      if (place.block == nullptr) return false;
      if (state.state->checked && place.block == state.state)
        warp.worker->checker->read_in_bulk(state, op, lane, place.offset, bytes, true);
      source = place.block->shared + place.offset;
    }
    counters.bytes += bytes;
    landing.data.assign(source, source + bytes);
    if constexpr (Reduces) {
      landing.reduction = modifiers.atomic;
      landing.type = modifiers.types[0];
    }
    if constexpr (!Multicast) {
      target.block->begin(std::move(landing));
    } else {
      std::vector<BlockState*> blocks;
      if (!find_ranks(warp, op, lane, word_of(warp, op->e, lane) & 0xffffu, blocks)) return false;
      for (BlockState* block : blocks) {
        Landing copy = landing;
        copy.by = block == state.state ? &state : nullptr;
        if (!block->mbarrier_at(copy.barrier)) {
          SharedPlace there{block, copy.to};
          return find_barrier(warp, op, lane, copy.barrier, there, copy.barrier);
        }
        block->begin(std::move(copy));
      }
    }
    return true;
  });
  return good ? op + 1 : nullptr;
}

/// The bytes whose bits in @p mask are set, of each 16.
void copy_masked(std::byte* to, const std::byte* from, std::uint32_t bytes, std::uint32_t mask) {
  for (std::uint32_t at = 0; at < bytes; ++at)
    if ((mask >> at % kBulkBytes & 1) != 0) to[at] = from[at];
}

/// [a] = [b], c bytes, from shared to global memory, in one of the lane's bulk groups. With a mask, e holds it.
template <bool Reduces, bool Masked>
const Operation* copy_to_global(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  MemoryCounters& counters = counters_of(warp, op);
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint32_t bytes = word_of(warp, op->c, lane);
    if (!check_size(warp, op, lane, bytes)) return false;
    const SharedPlace source = find_shared(warp, op, lane, wide_of(warp, op->b, lane), bytes, kBulkBytes, false);
    if (source.block == nullptr) return false;
    const GlobalPlace target = find_global(warp, op, lane, wide_of(warp, op->a, lane), bytes, true);
    if (target.allocation == nullptr) return false;
    count_bulk(*warp.worker, op, target, bytes, true);
    if (Reduces) count_bulk(*warp.worker, op, target, bytes, false);
    counters.bytes += bytes;
    if (state.state->checked) {
      warp.worker->checker->read_in_bulk(state, op, lane, source.offset, bytes, true);
      warp.worker->checker->wrote_in_bulk(state, op, lane, target.address, bytes, Reduces);
    }
    const std::uint32_t mask = Masked ? word_of(warp, op->e, lane) : 0;
    const auto perform = [=, &warp] {
      before_bulk_write(*warp.worker, target, bytes);
      const std::byte* const from = source.block->shared + source.offset;
      if constexpr (Masked) {
        copy_masked(target.host(), from, bytes, mask);
      } else if constexpr (Reduces) {
        const ptx::Modifiers& m = warp.program->details[op->index].modifiers;
        reduce_bytes(target.host(), from, bytes, m.atomic, m.types[0]);
      } else {
        std::memcpy(target.host(), from, bytes);
      }
    };
    if (state.state->at_once())
      perform();
    else
      state.bulk_groups.add(lane, perform);
    return true;
  });
  return good ? op + 1 : nullptr;
}

const Operation* commit(Warp& warp, const Operation* op) {
  state_of(warp).bulk_groups.commit(warp.exec);
  return op + 1;
}

const Operation* wait(Warp& warp, const Operation* op) {
  state_of(warp).bulk_groups.wait(warp.exec, static_cast<std::uint64_t>(op->immediate));
  return op + 1;
}

/// What a warp's words cost in shared memory, as for a store: as many lanes at once as make 128 bytes, and for these as
/// many wavefronts as the busiest bank has words.
void count_sent(MemoryCounters& counters, const std::uint32_t* to, std::uint32_t lanes, unsigned bytes) {
  constexpr unsigned kBanks = 32;
  const unsigned group = std::min(kWarpSize, 128 / bytes);
  for (unsigned first = 0; first < kWarpSize; first += group) {
    std::array<std::set<std::uint32_t>, kBanks> words;
    std::size_t passes = 0;
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (((lanes >> lane) & 1) == 0) continue;
      for (std::uint32_t word = to[lane] / 4; word < (to[lane] + bytes) / 4; ++word) words[word % kBanks].insert(word);
    }
    for (const auto& bank : words) passes = std::max(passes, bank.size());
    if (passes == 0) continue;
    counters.wavefronts += passes;
    counters.wavefronts_ideal += 1;
    counters.conflicts += passes - 1;
  }
}

/// [a] = b or [a] op= b in a block of the cluster, for its mbarrier [c].
template <bool Reduces>
const Operation* send(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const ptx::Modifiers& modifiers = warp.program->details[op->index].modifiers;
  const unsigned size = ptx::size_of(modifiers.types[0]);
  if (!check_clusters(warp, op)) return nullptr;
  MemoryCounters& counters = counters_of(warp, op);
  counters.requests += 1;
  std::uint32_t to[kWarpSize] = {};
  const unsigned count = modifiers.vector, bytes = size * count;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const SharedPlace target = find_shared(warp, op, lane, wide_of(warp, op->a, lane), bytes, bytes, true);
    if (target.block == nullptr) return false;
    Landing landing = landing_of(state, op, lane, target);
    if (!find_barrier(warp, op, lane, wide_of(warp, op->c, lane), target, landing.barrier)) return false;
    to[lane] = target.offset;
    landing.bytes = static_cast<std::int32_t>(bytes);
    landing.data.resize(bytes);
    for (unsigned k = 0; k < count; ++k) {
      const std::uint32_t slot = count == 1 ? op->b : warp.program->lists[op->b + k];
      if (size == 8)
        std::memcpy(landing.data.data() + 8 * k, &wide_of(warp, slot, lane), 8);
      else
        std::memcpy(landing.data.data() + 4 * k, &word_of(warp, slot, lane), 4);
    }
    counters.bytes += bytes;
    if constexpr (Reduces) {
      landing.reduction = modifiers.atomic;
      landing.type = modifiers.types[0];
    }
    target.block->begin(std::move(landing));
    return true;
  });
  if (good) count_sent(counters, to, warp.exec, bytes);
  return good ? op + 1 : nullptr;
}

/// The answer that no block was cancelled goes to [a], for mbarrier [b]; multicast to all blocks of the cluster.
template <bool Multicast>
const Operation* try_cancel(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  MemoryCounters& counters = counters_of(warp, op);
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const SharedPlace target = find_shared(warp, op, lane, wide_of(warp, op->a, lane), kBulkBytes, kBulkBytes, true);
    if (target.block == nullptr) return false;
    const SharedPlace barrier = find_shared(warp, op, lane, wide_of(warp, op->b, lane), 8, 8, true);
    if (barrier.block == nullptr) return false;
    std::vector<BlockState*> blocks{target.block};
    if (Multicast) blocks = state.state->cluster_blocks();
    for (BlockState* block : blocks) {
      if (block == nullptr) continue;
      const SharedPlace there{block, target.offset};
      Landing landing = landing_of(state, op, lane, there);
      if (!find_barrier(warp, op, lane, barrier.offset, there, landing.barrier)) return false;
      landing.bytes = kBulkBytes;
      landing.data.resize(kBulkBytes);
      block->begin(std::move(landing));
    }
    counters.bytes += kBulkBytes;
    return true;
  });
  return good ? op + 1 : nullptr;
}

/// [a] = zeros, b bytes, in the block's shared memory.
const Operation* fill_shared(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  MemoryCounters& counters = counters_of(warp, op);
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint64_t bytes = wide_of(warp, op->b, lane), address = wide_of(warp, op->a, lane);
    if (bytes % 8 != 0 || bytes >= kWindowBytes) {
      raise(warp, op, FaultKind::misaligned, lane, address, 0, true,
            "st.bulk of " + std::to_string(bytes) + " bytes: the size must be a multiple of 8, and less than 16 MiB");
      return false;
    }
    const SharedPlace place = find_shared(warp, op, lane, address, static_cast<std::uint32_t>(bytes), 8, true);
    if (place.block == nullptr) return false;
    if (state.state->checked && place.block == state.state)
      warp.worker->checker->wrote_in_bulk(state, op, lane, place.offset, bytes, false, true);
    std::memset(place.block->shared + place.offset, 0, bytes);
    counters.bytes += bytes;
    counters.wavefronts += (bytes + 127) / 128;
    counters.wavefronts_ideal += (bytes + 127) / 128;
    return true;
  });
  return good ? op + 1 : nullptr;
}

}  // namespace

Handler resolve_bulk(OperationId id, const ptx::Modifiers& modifiers) {
  switch (id) {
    case OperationId::clusterlaunchcontrol_try_cancel:
      return modifiers.multicast_all ? try_cancel<true> : try_cancel<false>;
    case OperationId::st_bulk:
      return fill_shared;
    case OperationId::cp_async_bulk_load:
      return copy_to_shared<true, false, false>;
    case OperationId::cp_async_bulk_load_multicast:
      return copy_to_shared<true, true, false>;
    case OperationId::cp_async_bulk_share:
      return copy_to_shared<false, false, false>;
    case OperationId::cp_reduce_async_bulk_share:
      return copy_to_shared<false, false, true>;
    case OperationId::cp_async_bulk_store:
      return copy_to_global<false, false>;
    case OperationId::cp_async_bulk_store_masked:
      return copy_to_global<false, true>;
    case OperationId::cp_reduce_async_bulk_store:
      return copy_to_global<true, false>;
    case OperationId::cp_async_bulk_commit_group:
      return commit;
    case OperationId::cp_async_bulk_wait_group:
    case OperationId::cp_async_bulk_wait_group_read:
      return wait;
    case OperationId::st_async:
      return send<false>;
    case OperationId::red_async:
      return send<true>;
    default:
      return nullptr;
  }
}

}  // namespace asynchronous
}  // namespace warpbook::simulator
