// The barrier of a cluster, addresses of its blocks' memory, and instructions that are hints.
#include "common/simulator/machine/asynchronous.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/lane_values.h"

namespace warpbook::simulator::asynchronous {
namespace {

using ptx::OperationId;
using ptx::Type;

const Operation* nothing(Warp&, const Operation* op) { return op + 1; }

const Operation* cluster_arrive(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  Cluster& cluster = *state.state->cluster;
  cluster.uses_barrier = true;
  state.arrived_at_cluster |= warp.exec;
  cluster.check_barrier();
  return op + 1;
}

const Operation* cluster_wait(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  ++warp.worker->counters.barriers;
  if ((warp.exec & state.arrived_at_cluster) == 0) return op + 1;
  return state.wait_for(kWaitsForCluster, op + 1);
}

/// d = the address in the block of rank b that corresponds to address a in this block.
template <bool Wide, bool Generic>
const Operation* map_address(Warp& warp, const Operation* op) {
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint64_t address = Wide ? wide_of(warp, op->a, lane) : word_of(warp, op->a, lane);
    const std::uint32_t rank = word_of(warp, op->b, lane);
    const std::size_t blocks = state_of(warp).state->cluster_blocks().size();
    if (rank >= blocks) {
      raise(warp, op, FaultKind::out_of_bounds, lane, address, 0, false,
            {"there is no block of rank " + std::to_string(rank) + " in a cluster of " + std::to_string(blocks),
             FaultCause::outside_shared});
      return false;
    }
    const std::uint64_t base = Generic ? kSharedWindow : 0;
    const std::uint64_t offset = (address - base) % kWindowBytes;
    const std::uint64_t mapped = base + (kFirstRank + rank) * kWindowBytes + offset;
    if (Wide)
      wide_of(warp, op->d, lane) = mapped;
    else
      word_of(warp, op->d, lane) = static_cast<std::uint32_t>(mapped);
    return true;
  });
  return good ? op + 1 : nullptr;
}

template <bool Wide, bool Generic>
const Operation* rank_of_address(Warp& warp, const Operation* op) {
  for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint64_t address = Wide ? wide_of(warp, op->a, lane) : word_of(warp, op->a, lane);
    const std::uint64_t window = (address - (Generic ? kSharedWindow : 0)) / kWindowBytes;
    const std::uint32_t own = rank_in_cluster(*warp.block, *warp.worker->launch);
    word_of(warp, op->d, lane) = window == 0 ? own
                                 : window >= kFirstRank && window < kFirstRank + kMostRanks
                                     ? static_cast<std::uint32_t>(window - kFirstRank)
                                     : ~0u;
    return true;
  });
  return op + 1;
}

/// The words of an answer to try_cancel.
std::uint32_t answer_word(const Warp& warp, const Operation* op, unsigned lane, unsigned word) {
  const std::uint64_t half = wide_of(warp, warp.program->lists[op->a + word / 2], lane);
  return static_cast<std::uint32_t>(half >> (word % 2 * 32));
}

const Operation* is_canceled(Warp& warp, const Operation* op) {
  for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint32_t bit = 1u << lane;
    std::uint32_t& answers = mask_of(warp, op->d);
    answers = (answer_word(warp, op, lane, 0) & 1) != 0 ? answers | bit : answers & ~bit;
    return true;
  });
  return op + 1;
}

/// d = the index of the first block in dimension @p Dimension, or the list d = all three.
template <unsigned Dimension>
const Operation* first_block(Warp& warp, const Operation* op) {
  for_lanes(warp.exec, [&](unsigned lane) {
    word_of(warp, op->d, lane) = answer_word(warp, op, lane, 1 + Dimension);
    return true;
  });
  return op + 1;
}
const Operation* first_block_index(Warp& warp, const Operation* op) {
  for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint32_t index[] = {answer_word(warp, op, lane, 1), answer_word(warp, op, lane, 2),
                                   answer_word(warp, op, lane, 3), 0};
    for (unsigned i = 0; i < 4; ++i) word_of(warp, warp.program->lists[op->d + i], lane) = index[i];
    return true;
  });
  return op + 1;
}

/// A cache policy is a hint, and nothing uses it: evict_normal.
const Operation* make_policy(Warp& warp, const Operation* op) {
  for_lanes(warp.exec, [&](unsigned lane) {
    wide_of(warp, op->d, lane) = 0x1000000000000000u;
    return true;
  });
  return op + 1;
}

}  // namespace

Handler resolve_cluster(OperationId id, const ptx::Modifiers& modifiers) {
  const bool wide = modifiers.types[0] == Type::u64;
  switch (id) {
    case OperationId::barrier_cluster_arrive:
      return cluster_arrive;
    case OperationId::barrier_cluster_wait:
      return cluster_wait;
    case OperationId::mapa_shared:
      return wide ? map_address<true, false> : map_address<false, false>;
    case OperationId::mapa_generic:
      return map_address<true, true>;
    case OperationId::getctarank_shared:
      return wide ? rank_of_address<true, false> : rank_of_address<false, false>;
    case OperationId::getctarank_generic:
      return rank_of_address<true, true>;
    case OperationId::createpolicy_fractional:
    case OperationId::createpolicy_range:
    case OperationId::createpolicy_cvt:
      return make_policy;
    case OperationId::clusterlaunchcontrol_is_canceled:
      return is_canceled;
    case OperationId::clusterlaunchcontrol_get_first_ctaid:
      return modifiers.component == 2 ? first_block<2> : modifiers.component == 1 ? first_block<1> : first_block<0>;
    case OperationId::clusterlaunchcontrol_get_first_ctaids:
      return first_block_index;
    case OperationId::setmaxnreg:
    case OperationId::griddepcontrol:
    case OperationId::discard:
    case OperationId::applypriority:
    case OperationId::fence_proxy_async_generic:
    case OperationId::fence_proxy_tensormap_release:
    case OperationId::fence_proxy_tensormap_acquire:
    case OperationId::cp_async_bulk_prefetch:
    case OperationId::cp_async_bulk_prefetch_tensor:
    case OperationId::cp_async_bulk_prefetch_tensor_im2col:
    case OperationId::cp_async_bulk_prefetch_tensor_gather:
      return nothing;
    default:
      return nullptr;
  }
}

Handler resolve(OperationId id, const ptx::Modifiers& modifiers) {
  if (const Handler handler = resolve_mbarrier(id)) return handler;
  if (const Handler handler = resolve_bulk(id, modifiers)) return handler;
  if (const Handler handler = resolve_tensor(id)) return handler;
  if (const Handler handler = resolve_tensor_map(id)) return handler;
  return resolve_cluster(id, modifiers);
}

}  // namespace warpbook::simulator::asynchronous
