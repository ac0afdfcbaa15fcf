// The rows of memory.def: which state space a load or store accesses; address conversion, fences, asynchronous copies.
#include <algorithm>

#include "common/simulator/machine/control.h"
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// Fences and prefetches do nothing: every access is performed at once and in program order.
const Operation* nothing(Warp&, const Operation* op) { return op + 1; }

template <class T, bool To>
const Operation* convert_address(Warp& warp, const Operation* op) {
  const std::uint64_t window = window_of(op->space);
  if constexpr (To)
    map1<T, T>(warp, op->d, op->a, [=](T address) { return static_cast<T>(address - window); });
  else
    map1<T, T>(warp, op->d, op->a, [=](T address) { return static_cast<T>(address + window); });
  return op + 1;
}

template <bool To>
Handler conversion(const Modifiers& modifiers) {
  const bool windowed = window_of(modifiers.space) != 0;
  switch (modifiers.types[0]) {
    case Type::u64:
      return convert_address<std::uint64_t, To>;
    case Type::u32:
      return windowed ? nullptr : convert_address<std::uint32_t, To>;  // Windows lie above 2^32.
    default:
      return nullptr;
  }
}

template <bool OfCluster>
const Operation* is_space(Warp& warp, const Operation* op) {
  const std::uint64_t* address = slots<std::uint64_t>(warp, op->a);
  std::uint32_t yes = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    Space space = space_of(address[lane]);
    if (space == Space::shared && !OfCluster && address[lane] - kSharedWindow >= kWindowBytes) space = Space::generic;
    if (space == Space::global && op->space == Space::constant) {
      const Allocation* allocation = warp.worker->memory->find(address[lane]);
      if (allocation != nullptr && allocation->is_constant()) space = Space::constant;
    }
    yes |= (space == op->space ? 1u : 0u) << lane;
  }
  std::uint32_t& d = predicate(warp, op->d);
  d = (d & ~warp.exec) | (yes & warp.exec);
  return op + 1;
}

/// For cp.async with a `size`: lanes read fewer bytes than they write. Like resolve_lanes(), but memory after the bytes
/// that are read is not checked. The address is aligned to the size that is written.
WB_COLD bool resolve_parts(Warp& warp, const Operation* op, const std::uint64_t* address, std::uint64_t displacement,
                           const std::uint32_t* size, std::uint32_t bytes, GlobalLanes& lanes) {
  lanes.low = ~std::uint64_t{0};
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t at = address[lane] + displacement;
    const std::uint32_t reads = std::min(size[lane], bytes);
    if (at % bytes != 0) {
      raise(warp, op, FaultKind::misaligned, lane, at, bytes, false,
            describe_misaligned(ptx::Space::global, at, bytes, false));
      return false;
    }
    const Allocation* allocation = warp.worker->find(at);
    if (allocation == nullptr || !allocation->contains(at, reads)) {
      raise(warp, op, FaultKind::out_of_bounds, lane, at, reads, false,
            describe_outside_global(*warp.worker->memory, at, reads, false));
      return false;
    }
    lanes.host[lanes.n] = reinterpret_cast<std::uint64_t>(bytes_at(*allocation, at));
    lanes.shadow[lanes.n] = at + shadow_delta(*allocation);
    lanes.low = std::min(lanes.low, lanes.shadow[lanes.n]);
    lanes.high = std::max(lanes.high, lanes.shadow[lanes.n]);
    lanes.n += 1;
  }
  for (unsigned k = lanes.n; k < kWarpSize; ++k) {
    lanes.host[k] = lanes.host[lanes.n - 1];
    lanes.shadow[k] = lanes.shadow[lanes.n - 1];
  }
  return true;
}

template <unsigned Bytes, bool Cached, bool Sized>
/// cp.async: a load from global and a store to shared memory in one. Both are counted, each with its requests and
/// bytes, in one counter. The bytes are written when the lanes wait for them (async_copies.h).
const Operation* copy_async(Warp& warp, const Operation* op) {
  alignas(64) std::uint32_t narrowed[kWarpSize];
  const std::uint32_t* to = narrow_addresses(warp, op, narrowed);
  const std::uint64_t* from = slots<std::uint64_t>(warp, op->b);
  const auto to_displacement = static_cast<std::uint32_t>(op->immediate);
  const auto from_displacement = static_cast<std::uint64_t>(op->immediate >> 32);
  NarrowLanes target;
  resolve_narrow<Bytes>(warp, to, to_displacement, warp.shared_bytes, target);
  if (!target.good) return fail_outside(warp, op, Space::shared, to, to_displacement, Bytes, warp.shared_bytes, true);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  count_banks_of(counters, target.n * Bytes, count_banks<Bytes, false>(target.full, warp.exec));
  counters.shared_requests += 1;
  counters.shared_bytes += target.n * Bytes;

  // Lanes with a source size of 0 read nothing and fill with zeros.
  const std::uint32_t exec = warp.exec;
  std::uint32_t reading = exec, in_part = 0;
  const std::uint32_t* size = !Sized || op->c == kNoOperand ? nullptr : slots<std::uint32_t>(warp, op->c);
  if (size != nullptr) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      reading &= ~((size[lane] == 0 ? 1u : 0u) << lane);
      in_part |= (size[lane] < Bytes ? 1u : 0u) << lane;
    }
  }
  GlobalLanes lanes;
  if (reading != 0) {
    warp.exec = reading;
    const bool good = (reading & in_part) != 0 ? resolve_parts(warp, op, from, from_displacement, size, Bytes, lanes)
                                               : resolve_lanes<Bytes>(warp, op, from, from_displacement, false, lanes);
    warp.exec = exec;
    if (!good) return nullptr;
  }
  AsyncCopies::Copy& copy = state_of(warp).copies.start(exec, Bytes, warp.shared);
  std::memcpy(copy.to.data(), target.full, sizeof copy.to);
  for (std::uint32_t left = exec & ~reading; left != 0; left &= left - 1)
    std::memset(copy.data[static_cast<unsigned>(std::countr_zero(left))].data(), 0, Bytes);
  if (reading == 0) return op + 1;

  unsigned k = 0;
  for (std::uint32_t left = reading; left != 0; left &= left - 1, ++k) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t bytes = size == nullptr || size[lane] > Bytes ? Bytes : size[lane];
    std::byte* at = copy.data[lane].data();
    std::memcpy(at, reinterpret_cast<const std::byte*>(lanes.host[k]), bytes);
    std::memset(at + bytes, 0, Bytes - bytes);
  }
  Coalescing c;
  coalesce<Bytes>(lanes.shadow, lanes.low, lanes.high, c);
  count_sectors<AccessKind::load>(warp, counters, c, Cached);
  counters.bytes += lanes.n * Bytes;
  return op + 1;
}

const Operation* commit_group(Warp& warp, const Operation* op) {
  state_of(warp).copies.commit(warp.exec);
  return op + 1;
}

const Operation* wait_group(Warp& warp, const Operation* op) {
  state_of(warp).copies.wait(warp.exec, static_cast<std::uint64_t>(op->immediate), warp.shared);
  return op + 1;
}

const Operation* wait_all(Warp& warp, const Operation* op) {
  state_of(warp).copies.wait_for_all(warp.exec, warp.shared);
  return op + 1;
}

template <bool Cached, bool Sized>
const Operation* cp_async(Warp& warp, const Operation* op) {
  switch (op->count) {
    case 4:
      return copy_async<4, Cached, Sized>(warp, op);
    case 8:
      return copy_async<8, Cached, Sized>(warp, op);
    case 16:
      return copy_async<16, Cached, Sized>(warp, op);
    default:
      return raise(warp, op, FaultKind::unsupported, static_cast<unsigned>(std::countr_zero(warp.exec)), 0, op->count,
                   true, "cp.async copies 4, 8 or 16 bytes");
  }
}

}  // namespace

const Operation* split_by_space(Warp& warp, const Operation* op, const std::uint64_t* address,
                                std::uint64_t displacement, const SpaceParts& parts) {
  const std::uint32_t exec = warp.exec;
  alignas(64) std::uint64_t full[kWarpSize];
  alignas(64) std::uint32_t offset[kWarpSize];
  std::uint32_t shared = 0, local = 0, param = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    full[lane] = address[lane] + displacement;
    offset[lane] = static_cast<std::uint32_t>(full[lane] % kWindowBytes);
    const std::uint64_t window = (full[lane] - kSharedWindow) / kWindowBytes;
    const bool in_cluster = window >= kFirstRank && window < kFirstRank + kMostRanks;
    if (in_cluster) offset[lane] = static_cast<std::uint32_t>(full[lane] - kSharedWindow);
    shared |= (window == 0 || in_cluster ? 1u : 0u) << lane;
    local |= (window == 1 ? 1u : 0u) << lane;
    param |= (window == 2 ? 1u : 0u) << lane;
  }
  const Operation* next = op + 1;
  const auto run = [&](std::uint32_t lanes, auto&& part) {
    warp.exec = lanes & exec;
    if (warp.exec != 0 && next != nullptr) next = part();
  };
  run(~(shared | local | param), [&] { return parts.global(warp, op, full, 0, parts.cached); });
  run(shared, [&] {
    MemoryCounters& counters = warp.worker->counters.memory[op->memory];
    const std::uint64_t requests = counters.requests, bytes = counters.bytes;
    const Operation* after = parts.shared(warp, op, offset);
    counters.shared_requests += counters.requests - requests;
    counters.shared_bytes += counters.bytes - bytes;
    return after;
  });
  run(local, [&] { return parts.local(warp, op, offset); });
  run(param, [&] { return parts.param(warp, op, offset); });
  warp.exec = exec;
  return next;
}

Handler resolve_ld(const Modifiers& modifiers) {
  switch (modifiers.space) {
    case Space::generic:
      return load_generic_handler(modifiers);
    case Space::global:
      return load_global_handler(modifiers);
    default:
      return load_block_handler(modifiers);
  }
}
Handler resolve_ldu(const Modifiers& modifiers) { return resolve_ld(modifiers); }
Handler resolve_ld_param(const Modifiers& modifiers) { return load_param_handler(modifiers); }

Handler resolve_st(const Modifiers& modifiers) {
  switch (modifiers.space) {
    case Space::generic:
      return store_generic_handler(modifiers);
    case Space::global:
      return store_global_handler(modifiers);
    case Space::shared:
    case Space::local:
      return store_block_handler(modifiers);
    default:
      return nullptr;
  }
}
Handler resolve_st_param(const Modifiers& modifiers) { return store_param_handler(modifiers); }

Handler resolve_prefetch(const Modifiers&) { return nothing; }
Handler resolve_prefetchu(const Modifiers&) { return nothing; }
Handler resolve_membar(const Modifiers&) { return nothing; }
Handler resolve_fence(const Modifiers&) { return nothing; }
Handler resolve_fence_mbarrier_init(const Modifiers&) { return nothing; }
Handler resolve_fence_proxy(const Modifiers&) { return nothing; }
Handler resolve_cvta(const Modifiers& modifiers) { return conversion<false>(modifiers); }
Handler resolve_cvta_to(const Modifiers& modifiers) { return conversion<true>(modifiers); }
Handler resolve_isspacep(const Modifiers& modifiers) { return modifiers.of_cluster ? is_space<true> : is_space<false>; }
Handler resolve_cp_async(const Modifiers& modifiers) {
  return modifiers.cache == ptx::CacheOp::cg ? cp_async<false, true> : cp_async<true, true>;
}
Handler resolve_cp_async_cache_hint(const Modifiers& modifiers) {  // The third operand is the policy, not a size.
  return modifiers.cache == ptx::CacheOp::cg ? cp_async<false, false> : cp_async<true, false>;
}
Handler resolve_cp_async_commit_group(const Modifiers&) { return commit_group; }
Handler resolve_cp_async_wait_group(const Modifiers&) { return wait_group; }
Handler resolve_cp_async_wait_all(const Modifiers&) { return wait_all; }

}  // namespace warpbook::simulator::operations::WB_ISA
