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

/// A vector of signed elements, which is rare: loaded as unsigned ones by what F chooses, and then sign-extended.
template <class T, unsigned N, class F>
const Operation* load_signed(Warp& warp, const Operation* op) {
  const Handler load = F{}.template operator()<std::make_unsigned_t<T>, N>();
  const Operation* const next = load(warp, op);
  if (next == nullptr) return next;
  const std::uint32_t* d = elements<N>(warp, op->d);
  const std::uint32_t* on = warp.exec_words();
  for (unsigned j = 0; j < N; ++j) {
    Slot<T>* to = slots<T>(warp, d[j]);
    WB_LANES {
      const Slot<T> value = extended(static_cast<T>(to[lane]));
      to[lane] = on[lane] ? value : to[lane];
    }
  }
  return next;
}

/// f.operator()<T, N>() for the unsigned type of N elements as wide as @p type (signed ones where @p Signs).
template <bool Signs, class F>
Handler for_memory_type(Type type, unsigned vector, F f) {
  const auto counted = [&]<class T>() -> Handler {
    if constexpr (std::is_signed_v<T>) {
      if (vector == 2) return load_signed<T, 2, F>;
      if (vector == 4) return load_signed<T, 4, F>;
      return vector == 1 ? f.template operator()<T, 1>() : nullptr;
    }
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

/// What a generic access does in each space, for the lanes in Warp::exec. Addresses and offsets are by lane.
struct SpaceParts {
  const Operation* (*global)(Warp&, const Operation*, const std::uint64_t* address, std::uint64_t displacement,
                             bool cached);
  const Operation* (*shared)(Warp&, const Operation*, const std::uint32_t* offset);
  const Operation* (*local)(Warp&, const Operation*, const std::uint32_t* offset);
  const Operation* (*param)(Warp&, const Operation*, const std::uint32_t* offset);
  bool cached = false;  ///< A load that may find its data in the L1.
};

/// Runs @p parts for lanes in several spaces, or not in global memory.
const Operation* split_by_space(Warp& warp, const Operation* op, const std::uint64_t* address,
                                std::uint64_t displacement, const SpaceParts& parts);

/// Lanes of a generic access by the space their address means. @p global is parts.global as it is to be inlined: most
/// of them go to global memory.
template <class Global>
WB_HOT const Operation* by_space(Warp& warp, const Operation* op, const SpaceParts& parts, Global global) {
  alignas(64) std::uint64_t widened[kWarpSize];
  const std::uint64_t* address = wide_addresses(warp, op, widened);
  const std::uint64_t displacement = static_cast<std::uint64_t>(op->immediate);
  if (warp.exec == kFullMask && !any_above(address, 48)) [[likely]]
    return global(address, displacement);
  return split_by_space(warp, op, address, displacement, parts);
}

// Parts that several of these files need, and that one of them instantiates: they take long to compile.

template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* global_part(Warp& warp, const Operation* op, const std::uint64_t* address,
                                      std::uint64_t displacement, bool cached) {
  return access_global<T, N, Kind>(warp, op, address, displacement, cached);
}

template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* shared_part(Warp& warp, const Operation* op, const std::uint32_t* offset) {
  return access_shared<T, N, Kind>(warp, op, offset, 0);
}

template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* local_part(Warp& warp, const Operation* op, const std::uint32_t* offset) {
  return access_local<T, N, Kind>(warp, op, offset, 0, true);
}

template <class T, unsigned N>
WB_APART const Operation* param_part(Warp& warp, const Operation* op, const std::uint32_t* offset) {
  return load_param<T, N>(warp, op, offset, 0);
}

/// X(T, N) for each load that for_memory_type() may choose.
#define WB_EACH_LOAD(X) \
  X(std::int8_t, 1)     \
  X(std::uint8_t, 1)    \
  X(std::uint8_t, 2)    \
  X(std::uint8_t, 4)    \
  X(std::int16_t, 1)    \
  X(std::uint16_t, 1)   \
  X(std::uint16_t, 2)   \
  X(std::uint16_t, 4)   \
  X(std::uint32_t, 1)   \
  X(std::uint32_t, 2)   \
  X(std::uint32_t, 4)   \
  X(std::uint32_t, 8)   \
  X(std::uint64_t, 1)   \
  X(std::uint64_t, 2)   \
  X(std::uint64_t, 4)

/// Declares, or defines, the parts in global memory of one load; and those in the other spaces.
#define WB_GLOBAL_PARTS(extern_, T, N)                                                                                 \
  extern_ template const Operation* access_global_lanes<T, N, AccessKind::load>(                                       \
      Warp&, const Operation*, const std::uint64_t*, std::uint64_t, bool);                                             \
  extern_ template const Operation* global_part<T, N, AccessKind::load>(Warp&, const Operation*, const std::uint64_t*, \
                                                                        std::uint64_t, bool);
#define WB_BLOCK_PARTS(extern_, T, N)                                                                                  \
  extern_ template const Operation* shared_part<T, N, AccessKind::load>(Warp&, const Operation*,                       \
                                                                        const std::uint32_t*);                         \
  extern_ template const Operation* local_part<T, N, AccessKind::load>(Warp&, const Operation*, const std::uint32_t*); \
  extern_ template const Operation* param_part<T, N>(Warp&, const Operation*, const std::uint32_t*);

}  // namespace warpbook::simulator::operations::WB_ISA
