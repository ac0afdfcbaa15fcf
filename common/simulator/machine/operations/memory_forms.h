// From the modifiers of a load or store to the instantiation that executes it.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/operations/memory_block.h"

namespace warpbook::simulator::operations::WB_ISA {

using ptx::Modifiers;
using ptx::Space;
using ptx::Type;

// One function for each space, so that each of these files instantiates few templates.
Handler load_global_handler(const Modifiers& modifiers);
Handler load_generic_handler(const Modifiers& modifiers);
Handler load_block_handler(const Modifiers& modifiers);  ///< shared, local, constant
Handler load_param_handler(const Modifiers& modifiers);  ///< param, and local for those of functions: not counted
Handler store_global_handler(const Modifiers& modifiers);
Handler store_generic_handler(const Modifiers& modifiers);
Handler store_block_handler(const Modifiers& modifiers);
Handler store_param_handler(const Modifiers& modifiers);

/// f.operator()<T, N>() for the unsigned type of N elements as wide as @p type (signed ones where @p Signs).
template <bool Signs, class F>
Handler for_memory_type(Type type, unsigned vector, F f) {
  const auto counted = [&]<class T>() -> Handler {
    switch (vector) {
      case 1:
        return f.template operator()<T, 1>();
      case 2:
        return f.template operator()<T, 2>();
      case 4:
        return f.template operator()<T, 4>();
      case 8:
        if constexpr (sizeof(T) == 4) return f.template operator()<T, 8>();
        return nullptr;
      default:
        return nullptr;
    }
  };
  switch (type) {
    case Type::s8:
      if constexpr (Signs) return counted.template operator()<std::int8_t>();
      [[fallthrough]];
    case Type::b8:
    case Type::u8:
      return counted.template operator()<std::uint8_t>();
    case Type::s16:
      if constexpr (Signs) return counted.template operator()<std::int16_t>();
      [[fallthrough]];
    case Type::b16:
    case Type::u16:
    case Type::f16:
    case Type::bf16:
      return counted.template operator()<std::uint16_t>();
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f32:
      return counted.template operator()<std::uint32_t>();
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return counted.template operator()<std::uint64_t>();
    default:
      return nullptr;
  }
}

/// Loads that may find their data in the L1: the others go to L2 by definition or to be ordered.
inline bool is_cached(const Modifiers& modifiers) {
  return modifiers.semantics == ptx::Semantics::weak && modifiers.cache != ptx::CacheOp::cg &&
         modifiers.cache != ptx::CacheOp::cv;
}

/// Lanes of a generic access by the space their address means. Access has global(address, displacement),
/// shared(offset), local(offset) and param(offset), each for the lanes in Warp::exec.
template <class Access>
WB_HOT const Operation* by_space(Warp& warp, const Operation* op, Access access) {
  alignas(64) std::uint64_t widened[kWarpSize];
  const std::uint64_t* address = wide_addresses(warp, op, widened);
  const std::uint64_t displacement = static_cast<std::uint64_t>(op->immediate);
  const std::uint32_t exec = warp.exec;
  if (exec == kFullMask && !any_above(address, 48)) [[likely]]
    return access.global(address, displacement);
  return access.split(address, displacement);
}

/// The part of by_space() for lanes in several spaces, or not in global memory.
template <class Access>
inline const Operation* split_by_space(Warp& warp, const Operation* op, const std::uint64_t* address,
                                       std::uint64_t displacement, Access& access) {
  const std::uint32_t exec = warp.exec;
  alignas(64) std::uint64_t full[kWarpSize];
  alignas(64) std::uint32_t offset[kWarpSize];
  std::uint32_t shared = 0, local = 0, param = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    full[lane] = address[lane] + displacement;
    offset[lane] = static_cast<std::uint32_t>(full[lane] % kWindowBytes);
    const std::uint64_t window = (full[lane] - kSharedWindow) / kWindowBytes;
    shared |= (window == 0 ? 1u : 0u) << lane;
    local |= (window == 1 ? 1u : 0u) << lane;
    param |= (window == 2 ? 1u : 0u) << lane;
  }
  const Operation* next = op + 1;
  const auto run = [&](std::uint32_t lanes, auto&& part) {
    warp.exec = lanes & exec;
    if (warp.exec != 0 && next != nullptr) next = part();
  };
  run(~(shared | local | param), [&] { return access.global(full, 0); });
  run(shared, [&] {
    MemoryCounters& counters = warp.worker->counters.memory[op->memory];
    const std::uint64_t requests = counters.requests, bytes = counters.bytes;
    const Operation* after = access.shared(offset);
    counters.shared_requests += counters.requests - requests;
    counters.shared_bytes += counters.bytes - bytes;
    return after;
  });
  run(local, [&] { return access.local(offset); });
  run(param, [&] { return access.param(offset); });
  warp.exec = exec;
  return next;
}

}  // namespace warpbook::simulator::operations::WB_ISA
