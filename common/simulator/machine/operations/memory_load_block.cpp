// Loads from shared, local and constant memory and from parameters.
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {

#define WB_PARTS(T, N) WB_BLOCK_PARTS(, T, N)
WB_EACH_LOAD(WB_PARTS)
#undef WB_PARTS

namespace {

template <class T, unsigned N>
const Operation* ld_shared(Warp& warp, const Operation* op) {
  if (op->pattern != kNoOperand) return access_by_pattern<T, N, AccessKind::load>(warp, op);
  return access_shared_anyhow<T, N, AccessKind::load>(warp, op);
}

template <class T, unsigned N, bool Counted>
const Operation* ld_local(Warp& warp, const Operation* op) {
  alignas(64) std::uint32_t narrowed[kWarpSize];
  return access_local<T, N, AccessKind::load>(warp, op, narrow_addresses(warp, op, narrowed),
                                              static_cast<std::uint32_t>(op->immediate), Counted);
}

template <class T, unsigned N>
const Operation* ld_param(Warp& warp, const Operation* op) {
  alignas(64) std::uint32_t narrowed[kWarpSize];
  return load_param<T, N>(warp, op, narrow_addresses(warp, op, narrowed), static_cast<std::uint32_t>(op->immediate));
}

/// Whether all resolved addresses are in constant memory; raises a fault for the first lane whose address is not.
template <unsigned Bytes>
bool in_constant_memory(Warp& warp, const Operation* op, const std::uint64_t* address, const GlobalLanes& lanes) {
  const Allocation* const recent = warp.worker->recent_allocations[op->memory % 64];
  if (recent != nullptr && recent->is_constant()) [[likely]] {
    const std::uint64_t begin = recent->address + shadow_delta(*recent);
    if (lanes.low >= begin && lanes.high + Bytes <= begin + recent->bytes) {
      std::int64_t& reach = warp.worker->counters.memory[op->memory].reach;
      const auto end = static_cast<std::int64_t>(lanes.high + Bytes - begin);
      reach = end > reach ? end : reach;
      return true;
    }
  }
  const GlobalMemory& memory = *warp.worker->memory;
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t at = address[lane] + static_cast<std::uint64_t>(op->immediate);
    const Allocation* const found = memory.find(at);
    if (found != nullptr && found->is_constant()) continue;
    raise(warp, op, FaultKind::out_of_bounds, lane, at, Bytes, false, describe_no_constant(memory, at, Bytes));
    return false;
  }
  return true;
}

/// Constant memory serves one address at a time: lanes with different addresses are serialised.
template <class T, unsigned N>
const Operation* ld_const(Warp& warp, const Operation* op) {
  constexpr unsigned Bytes = sizeof(T) * N;
  alignas(64) std::uint64_t widened[kWarpSize];
  const std::uint64_t* address = wide_addresses(warp, op, widened);
  GlobalLanes lanes;
  if (!resolve_lanes<Bytes>(warp, op, address, static_cast<std::uint64_t>(op->immediate), false, lanes)) return nullptr;
  if (!in_constant_memory<Bytes>(warp, op, address, lanes)) return nullptr;
  load_lanes<T, N>(warp, op, nullptr, lanes.host);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  Coalescing c;
  coalesce<Bytes>(lanes.shadow, lanes.low, lanes.high, c);
  counters.requests += 1;
  counters.bytes += lanes.n * Bytes;
  counters.sectors += c.sectors;
  counters.sectors_ideal += c.sectors_ideal;
  counters.lines += c.lines;
  counters.wavefronts += c.distinct;
  return op + 1;
}

struct Shared {
  template <class T, unsigned N>
  Handler operator()() const {
    return ld_shared<T, N>;
  }
};
template <bool Counted>
struct Local {
  template <class T, unsigned N>
  Handler operator()() const {
    return ld_local<T, N, Counted>;
  }
};
struct Constant {
  template <class T, unsigned N>
  Handler operator()() const {
    return ld_const<T, N>;
  }
};
struct Param {
  template <class T, unsigned N>
  Handler operator()() const {
    return ld_param<T, N>;
  }
};

}  // namespace

Handler load_block_handler(const Modifiers& modifiers) {
  const Type type = modifiers.types[0];
  switch (modifiers.space) {
    case Space::shared:
      return for_memory_type<true>(type, modifiers.vector, Shared{});
    case Space::local:
      return for_memory_type<true>(type, modifiers.vector, Local<true>{});
    case Space::constant:
      return for_memory_type<true>(type, modifiers.vector, Constant{});
    default:
      return nullptr;
  }
}

Handler load_param_handler(const Modifiers& modifiers) {
  if (modifiers.space == Space::local)
    return for_memory_type<true>(modifiers.types[0], modifiers.vector, Local<false>{});
  return for_memory_type<true>(modifiers.types[0], modifiers.vector, Param{});
}

}  // namespace warpbook::simulator::operations::WB_ISA
