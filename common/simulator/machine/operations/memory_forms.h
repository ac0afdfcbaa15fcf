// From the modifiers of a load or store to the template instance that executes it.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/operations/memory_block.h"

namespace warpbook::simulator::operations::WB_ISA {

using ptx::Modifiers;
using ptx::Space;
using ptx::Type;

// One function per space, so that each of these files instantiates few templates.
Handler load_global_handler(const Modifiers& modifiers);
Handler load_generic_handler(const Modifiers& modifiers);
Handler load_block_handler(const Modifiers& modifiers);  ///< shared, local, constant
Handler load_param_handler(const Modifiers& modifiers);  ///< param, and local for parameters of functions: not counted
Handler store_global_handler(const Modifiers& modifiers);
Handler store_generic_handler(const Modifiers& modifiers);
Handler store_block_handler(const Modifiers& modifiers);
Handler store_param_handler(const Modifiers& modifiers);

/// Signed elements, which are rare: loaded as unsigned by the handler that F chooses, then sign-extended.
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

/// Calls f.operator()<T, N>() for the unsigned type of N elements as wide as @p type (signed ones if @p Signs).
template <bool Signs, class F>
Handler for_memory_type(Type type, unsigned vector, F f) {
  const auto counted = [&]<class T>() -> Handler {
    if constexpr (std::is_signed_v<T>) {
      if (vector == 2) return load_signed<T, 2, F>;
      if (vector == 4) return load_signed<T, 4, F>;
      return vector == 1 ? load_signed<T, 1, F> : nullptr;
    } else {
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

/// Loads that may hit in the L1. The others always go to L2, or must because of memory ordering.
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
  bool cached = false;  ///< A load that may hit in the L1.
};

/// Runs @p parts for lanes in several spaces, or outside global memory.
const Operation* split_by_space(Warp& warp, const Operation* op, const std::uint64_t* address,
                                std::uint64_t displacement, const SpaceParts& parts);

/// Splits the lanes of a generic access by the space of their address. Most access global memory.
WB_HOT const Operation* by_space(Warp& warp, const Operation* op, const SpaceParts& parts) {
  alignas(64) std::uint64_t widened[kWarpSize];
  const std::uint64_t* address = wide_addresses(warp, op, widened);
  const std::uint64_t displacement = static_cast<std::uint64_t>(op->immediate);
  if (warp.exec == kFullMask && !any_above(address, 48)) [[likely]]
    return parts.global(warp, op, address, displacement, parts.cached);
  return split_by_space(warp, op, address, displacement, parts);
}

// Parts that several of these files need and one of them instantiates: they take long to compile.

template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* global_part(Warp& warp, const Operation* op, const std::uint64_t* address,
                                      std::uint64_t displacement, bool cached) {
  return access_global<T, N, Kind>(warp, op, address, displacement, cached);
}

/// The addresses of an operand that is linear in the block index: its register plus the block's origin.
WB_HOT const std::uint64_t* linear_addresses(Warp& warp, const Operation* op, std::uint64_t* space) {
  const std::uint64_t* from = slots<std::uint64_t>(warp, op->a);
  const std::uint64_t origin = warp.global_patterns[op->pattern].origin->here;
  WB_LANES space[lane] = from[lane] + origin;
  return space;
}

/// Records the lane pattern of a completed access.
template <unsigned Bytes>
inline void describe_global(Warp& warp, const Operation* op, const std::uint64_t* address, GlobalPattern& pattern) {
  const Run run = run_of(warp.exec);
  pattern.lanes = 0;
  if (run.lanes == 0) return;
  const std::uint64_t first = address[run.first] + static_cast<std::uint64_t>(op->immediate);
  const std::int64_t stride =
      run.lanes == 1 ? 0 : static_cast<std::int64_t>(address[run.first + 1] - address[run.first]);
  constexpr std::int64_t kWidest = 1 << 20;
  if (stride > kWidest || stride < -kWidest || !is_affine(address, static_cast<std::uint64_t>(stride), run)) return;
  const AffinePlace place = resolve_affine<Bytes>(warp, op, first, stride, run.lanes, false);
  if (place.first == nullptr) return;
  Coalescing c;
  coalesce_affine<Bytes>(place.shadow, stride, run.lanes, c);
  const std::int64_t span = stride * (run.lanes - 1);
  pattern.first = first - pattern.origin->here;
  pattern.stride = stride;
  pattern.low = static_cast<std::int32_t>(span < 0 ? span : 0);
  pattern.reach = static_cast<std::uint32_t>((span < 0 ? -span : span) + Bytes);
  pattern.bits = c.bits;
  pattern.phase = static_cast<std::uint8_t>(place.shadow % 128);
  pattern.sectors = static_cast<std::uint8_t>(c.sectors);
  pattern.sectors_ideal = static_cast<std::uint8_t>(c.sectors_ideal);
  pattern.lines = static_cast<std::uint8_t>(c.lines);
  pattern.bytes = static_cast<std::uint16_t>(run.lanes * Bytes);
  pattern.first_lane = static_cast<std::uint8_t>(run.first);
  pattern.count = static_cast<std::uint8_t>(run.lanes);
  pattern.lanes = warp.exec;
}

/// A general access by the lanes' addresses, if the pattern does not apply to these lanes or to this position.
template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* access_global_anew(Warp& warp, const Operation* op, bool cached) {
  constexpr unsigned Bytes = sizeof(T) * N;
  GlobalPattern& pattern = warp.global_patterns[op->pattern];
  alignas(64) std::uint64_t address[kWarpSize];
  linear_addresses(warp, op, address);
  const bool learns = pattern.lanes != warp.exec && pattern.found < GlobalPattern::kMostFound;
  const Operation* const next =
      global_part<T, N, Kind>(warp, op, address, static_cast<std::uint64_t>(op->immediate), cached);
  if (!learns || next == nullptr) return next;
  ++pattern.found;
  describe_global<Bytes>(warp, op, address, pattern);
  return next;
}

/// An access whose address is linear in the block index.
template <class T, unsigned N, AccessKind Kind>
WB_HOT const Operation* access_global_by_pattern(Warp& warp, const Operation* op, bool cached) {
  constexpr unsigned Bytes = sizeof(T) * N;
  const GlobalPattern& pattern = warp.global_patterns[op->pattern];
  if (pattern.lanes != warp.exec || pattern.bits == 0) [[unlikely]]
    return access_global_anew<T, N, Kind>(warp, op, cached);
  Worker& worker = *warp.worker;
  const LinearOrigin origin = *pattern.origin;
  const std::uint64_t first = pattern.first + origin.here;
  const std::uint64_t low = first + static_cast<std::uint64_t>(std::int64_t{pattern.low});
  const Allocation* const allocation = locate(warp, op, low, pattern.reach);
  if (allocation == nullptr || (Kind == AccessKind::store && allocation->read_only)) [[unlikely]]
    return access_global_anew<T, N, Kind>(warp, op, cached);
  const std::uint64_t delta = shadow_delta(*allocation);
  if ((first + delta) % 128 != pattern.phase) [[unlikely]]
    return access_global_anew<T, N, Kind>(warp, op, cached);
  if (Kind == AccessKind::store && worker.undo != nullptr) worker.undo->before_write(*allocation, low, pattern.reach);
  std::byte* const bytes = bytes_at(*allocation, first);
  if (pattern.count == kWarpSize && pattern.stride == std::int64_t{Bytes}) {
    // The next block's bytes are often too far away for the host's prefetcher. They may lie outside the allocation.
    const std::uint64_t ahead = reinterpret_cast<std::uint64_t>(bytes) + (origin.next - origin.here);
    __builtin_prefetch(reinterpret_cast<const void*>(ahead), Kind == AccessKind::store);
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + 64), Kind == AccessKind::store);
    move_affine<T, N, Kind>(warp, op, bytes, Bytes);
  } else if (pattern.count == kWarpSize) {
    move_affine<T, N, Kind>(warp, op, bytes, pattern.stride);
  } else {
    move_run<T, N, Kind>(warp, op, bytes, pattern.stride, Run{pattern.first_lane, pattern.count});
  }
  // Same as count_sectors().
  const std::uint64_t line = (low + delta) >> 7;
  if constexpr (Kind == AccessKind::load)
    worker.footprint.mark_read(line * 4, pattern.bits);
  else
    worker.footprint.mark_written(line * 4, pattern.bits);
  MemoryCounters& counters = worker.counters.memory[op->memory];
  if (cached) {
    unsigned hits = 0;
    std::uint64_t of = line;
    for (std::uint64_t bits = pattern.bits; bits != 0; bits >>= 4, ++of)
      if (const unsigned wanted = bits & 15; wanted != 0) hits += count_bits4(worker.l1.load(of, wanted));
    counters.sectors_hit += hits;
  }
  counters.requests += 1;
  counters.bytes += pattern.bytes;
  counters.sectors += pattern.sectors;
  counters.sectors_ideal += pattern.sectors_ideal;
  counters.lines += pattern.lines;
  counters.tag_wavefronts += (pattern.lines + 3u) / 4;
  if (pattern.count > 1) count_stride(counters, pattern.stride);
  return op + 1;
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
  X(std::uint8_t, 1)    \
  X(std::uint8_t, 2)    \
  X(std::uint8_t, 4)    \
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

/// Declares or defines the parts of one load: for global memory, and for the other spaces.
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
