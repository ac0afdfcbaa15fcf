// Accesses to global memory: bounds, the bytes at an address, and counting.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include "common/simulator/machine/global_pattern.h"
#include "common/simulator/machine/operations/memory_lanes.h"
#include "common/simulator/machine/undo_log.h"
#include "common/simulator/observe/coalescing.h"

namespace warpbook::simulator::operations::WB_ISA {

/// The allocation that contains [low, low + bytes), or nullptr.
WB_HOT const Allocation* locate(Warp& warp, const Operation* op, std::uint64_t low, std::uint64_t bytes) {
  const Allocation*& recent = warp.worker->recent_allocations[op->memory % 64];
  if (recent != nullptr && recent->contains(low, bytes)) [[likely]]
    return recent;
  const Allocation* found = warp.worker->find(low);
  if (found == nullptr || !found->contains(low, bytes)) return nullptr;
  recent = found;
  return found;
}

/// Added to an address in @p allocation to get its offset in device memory.
WB_HOT std::uint64_t shadow_delta(const Allocation& allocation) {
  return allocation.shadow_delta - GlobalMemory::kBase;
}

WB_HOT std::byte* bytes_at(const Allocation& allocation, std::uint64_t address) {
  return allocation.host + (address - allocation.address);
}

WB_HOT unsigned count_bits4(unsigned bits) { return (0x4332322132212110u >> (4 * bits)) & 15; }

/// Marks the sectors of @p c as read or written. @p cached: a load that may hit in the L1.
/// @returns the sectors that hit
template <AccessKind Kind>
WB_HOT unsigned touch_sectors(Worker& worker, const Coalescing& c, bool cached) {
  unsigned hits = 0;
  if (c.bits != 0) {
    if constexpr (Kind == AccessKind::load) worker.footprint.mark_read(c.base, c.bits);
    if constexpr (Kind == AccessKind::store) worker.footprint.mark_written(c.base, c.bits);
    if (cached) {
      std::uint64_t line = c.base >> 2;
      for (std::uint64_t bits = c.bits; bits != 0; bits >>= 4, ++line)
        if (const unsigned wanted = bits & 15; wanted != 0) hits += count_bits4(worker.l1.load(line, wanted));
    }
  } else {
    if constexpr (Kind == AccessKind::load) worker.footprint.mark_all_read(c.list, c.sectors);
    if constexpr (Kind == AccessKind::store) worker.footprint.mark_all_written(c.list, c.sectors);
    for (unsigned k = 0; cached && k < c.sectors; ++k)
      hits += worker.l1.load(c.list[k] >> 2, 1u << (c.list[k] & 3)) != 0 ? 1 : 0;
  }
  return hits;
}

/// Counts one request with the sectors @p c.
template <AccessKind Kind>
WB_HOT void count_sectors(Warp& warp, MemoryCounters& counters, const Coalescing& c, bool cached) {
  const unsigned hits = touch_sectors<Kind>(*warp.worker, c, cached);
  counters.requests += 1;
  counters.sectors += c.sectors;
  counters.sectors_ideal += c.sectors_ideal;
  counters.lines += c.lines;
  counters.sectors_hit += hits;
  counters.tag_wavefronts += (c.lines + 3) / 4;
}

// The same, outside the fast path of each access: compiled once, not for each type and number of elements.

template <unsigned Bytes>
WB_APART void coalesce_affine_apart(std::uint64_t first, std::int64_t stride, unsigned lanes, Coalescing& c) {
  coalesce_affine<Bytes>(first, stride, lanes, c);
}

template <AccessKind Kind>
WB_APART unsigned touch_sectors_apart(Worker& worker, const Coalescing& c, bool cached) {
  return touch_sectors<Kind>(worker, c, cached);
}

template <AccessKind Kind>
WB_APART void count_sectors_apart(Warp& warp, MemoryCounters& counters, const Coalescing& c, bool cached) {
  count_sectors<Kind>(warp, counters, c, cached);
}

/// Handles a global access that is not all in one allocation: raises a fault for the first faulty lane. @returns false
/// after a fault; otherwise @p lanes has the host and shadow address of each executing lane.
/// @param address compacted
WB_COLD inline bool locate_lanes(Warp& warp, const Operation* op, const std::uint64_t* address, unsigned n,
                                 std::uint32_t bytes, bool write, std::uint64_t* host, std::uint64_t* shadow) {
  const GlobalMemory& memory = *warp.worker->memory;
  for (unsigned k = 0; k < n; ++k) {
    const std::uint64_t at = address[k];
    const auto fail = [&](FaultKind kind, FaultText message) {
      raise(warp, op, kind, lane_of(warp.exec, k), at, bytes, write, std::move(message));
      return false;
    };
    if (at % bytes != 0) return fail(FaultKind::misaligned, describe_misaligned(ptx::Space::global, at, bytes, write));
    const Allocation* allocation = warp.worker->find(at);
    if (allocation == nullptr || !allocation->contains(at, bytes))
      return fail(FaultKind::out_of_bounds, describe_outside_global(memory, at, bytes, write));
    if (write && allocation->read_only)
      return fail(FaultKind::out_of_bounds, describe_read_only(*allocation, at, bytes));
    if (write && warp.worker->undo != nullptr) warp.worker->undo->before_write(*allocation, at, bytes);
    host[k] = reinterpret_cast<std::uint64_t>(bytes_at(*allocation, at));
    shadow[k] = at + shadow_delta(*allocation);
  }
  for (unsigned k = n; k < kWarpSize; ++k) {
    host[k] = host[n - 1];
    shadow[k] = shadow[n - 1];
  }
  return true;
}

/// For the executing lanes, compacted: the host addresses, and the addresses by which the device counts.
struct GlobalLanes {
  unsigned n = 0;
  alignas(64) std::uint64_t host[kWarpSize];
  alignas(64) std::uint64_t shadow[kWarpSize];
  std::uint64_t low = 0, high = 0;  ///< Of `shadow`.
};

/// Resolves any access. @returns false after a fault.
template <unsigned Bytes>
WB_APART bool resolve_lanes(Warp& warp, const Operation* op, const std::uint64_t* address, std::uint64_t displacement,
                            bool write, GlobalLanes& lanes) {
  alignas(64) std::uint64_t at[kWarpSize];
  if (warp.exec == kFullMask) {
    for (unsigned k = 0; k < kWarpSize; ++k) at[k] = address[k] + displacement;
    lanes.n = kWarpSize;
  } else {
    lanes.n = compact(address, displacement, warp.exec, at);
  }
  std::uint64_t low = ~std::uint64_t{0}, high = 0, low_bits = 0;
  for (unsigned k = 0; k < kWarpSize; ++k) {
    low = at[k] < low ? at[k] : low;
    high = at[k] > high ? at[k] : high;
    low_bits |= at[k];
  }
  const Allocation* allocation =
      low_bits % Bytes == 0 && high + Bytes > low ? locate(warp, op, low, high - low + Bytes) : nullptr;
  if (allocation == nullptr || (write && allocation->read_only)) [[unlikely]] {
    if (!locate_lanes(warp, op, at, lanes.n, Bytes, write, lanes.host, lanes.shadow)) return false;
    lanes.low = ~std::uint64_t{0};
    lanes.high = 0;
    for (unsigned k = 0; k < kWarpSize; ++k) {
      lanes.low = lanes.shadow[k] < lanes.low ? lanes.shadow[k] : lanes.low;
      lanes.high = lanes.shadow[k] > lanes.high ? lanes.shadow[k] : lanes.high;
    }
    return true;
  }
  if (write && warp.worker->undo != nullptr) {
    if (high - low < 4096) {
      warp.worker->undo->before_write(*allocation, low, high - low + Bytes);
    } else {
      for (unsigned k = 0; k < lanes.n; ++k) warp.worker->undo->before_write(*allocation, at[k], Bytes);
    }
  }
  const std::uint64_t host = reinterpret_cast<std::uint64_t>(allocation->host) - allocation->address;
  const std::uint64_t shadow = shadow_delta(*allocation);
  for (unsigned k = 0; k < kWarpSize; ++k) lanes.host[k] = at[k] + host;
  for (unsigned k = 0; k < kWarpSize; ++k) lanes.shadow[k] = at[k] + shadow;
  lanes.low = low + shadow;
  lanes.high = high + shadow;
  return true;
}

/// Adjacent lanes with one stride, located without looking at each lane.
struct AffinePlace {
  std::byte* first = nullptr;  ///< The first lane's bytes; nullptr: use the general path.
  std::uint64_t shadow = 0;    ///< The first lane's offset in device memory.
};

template <unsigned Bytes>
WB_HOT AffinePlace resolve_affine(Warp& warp, const Operation* op, std::uint64_t first, std::int64_t stride,
                                  unsigned lanes, bool write) {
  if (((first | static_cast<std::uint64_t>(stride)) & (Bytes - 1)) != 0) return {};
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  if (stride > kFar || stride < -kFar) return {};
  const std::uint64_t reach = static_cast<std::uint64_t>(stride < 0 ? -stride : stride) * (lanes - 1) + Bytes;
  const std::uint64_t low = stride < 0 ? first - (reach - Bytes) : first;
  const Allocation* allocation = locate(warp, op, low, reach);
  if (allocation == nullptr || (write && allocation->read_only)) return {};
  if (write && warp.worker->undo != nullptr) {
    if (reach <= 4096) {
      warp.worker->undo->before_write(*allocation, low, reach);
    } else {
      for (unsigned lane = 0; lane < lanes; ++lane)
        warp.worker->undo->before_write(*allocation, first + static_cast<std::uint64_t>(stride) * lane, Bytes);
    }
  }
  return {bytes_at(*allocation, first), first + shadow_delta(*allocation)};
}

/// Part of a warp: adjacent lanes with one stride. @returns false: use the general path.
template <class T, unsigned N, AccessKind Kind>
inline bool access_global_run(Warp& warp, const Operation* op, const std::uint64_t* address, std::uint64_t displacement,
                              bool cached) {
  constexpr unsigned Bytes = sizeof(T) * N;
  const Run run = run_of(warp.exec);
  if (run.lanes == 0) return false;
  const std::uint64_t first = address[run.first];
  const std::int64_t stride = run.lanes == 1 ? 0 : static_cast<std::int64_t>(address[run.first + 1] - first);
  if (!is_affine(address, static_cast<std::uint64_t>(stride), run)) return false;
  const AffinePlace place =
      resolve_affine<Bytes>(warp, op, first + displacement, stride, run.lanes, Kind == AccessKind::store);
  if (place.first == nullptr) return false;
  move_run<T, N, Kind>(warp, op, place.first, stride, run);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  Coalescing c;
  coalesce_affine_apart<Bytes>(place.shadow, stride, run.lanes, c);
  count_sectors_apart<Kind>(warp, counters, c, cached);
  counters.bytes += run.lanes * Bytes;
  if (run.lanes > 1) count_stride(counters, stride);
  return true;
}

/// A full warp in which each half accesses consecutive elements, as in a tile of 16 columns.
/// @returns false: use the general path
template <class T, unsigned N, AccessKind Kind>
inline bool access_global_halves(Warp& warp, const Operation* op, const std::uint64_t* address,
                                 std::uint64_t displacement, bool cached) {
  constexpr unsigned Bytes = sizeof(T) * N, kHalf = kWarpSize / 2;
  if (!are_halves_affine(address, std::uint64_t{Bytes})) return false;
  Coalescing half[2];
  std::byte* bytes[2];
  std::uint64_t low[2];
  for (unsigned h = 0; h < 2; ++h) {
    const AffinePlace place =
        resolve_affine<Bytes>(warp, op, address[h * kHalf] + displacement, Bytes, kHalf, Kind == AccessKind::store);
    if (place.first == nullptr) return false;
    bytes[h] = place.first;
    low[h] = place.shadow;
    coalesce_affine<Bytes>(place.shadow, Bytes, kHalf, half[h]);
  }
  const unsigned lower = low[1] < low[0] ? 1 : 0, upper = 1 - lower;
  const std::uint64_t low_end = low[lower] + kHalf * Bytes - 1;
  if ((low_end >> 5) >= (low[upper] >> 5)) return false;  // The halves share a sector.
  for (unsigned h = 0; h < 2; ++h) move_run<T, N, Kind>(warp, op, bytes[h], Bytes, {h * kHalf, kHalf});
  // In the order of coalesce(): by address if the lanes are close together, else by lane.
  const bool dense = low[upper] + (kHalf - 1) * Bytes - (low[lower] & ~std::uint64_t{127}) < 64 * 32;
  const unsigned begin = dense ? lower : 0;
  const auto touch = [&](const Coalescing& c) {
    if constexpr (Bytes == 4)
      return touch_sectors<Kind>(*warp.worker, c, cached);  // Tiles of 4-byte elements are the common case.
    else
      return touch_sectors_apart<Kind>(*warp.worker, c, cached);
  };
  unsigned hits = touch(half[begin]);
  hits += touch(half[1 - begin]);
  const unsigned sectors = half[0].sectors + half[1].sectors;
  const unsigned lines = half[0].lines + half[1].lines - ((low_end >> 7) == (low[upper] >> 7) ? 1 : 0);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  counters.requests += 1;
  counters.bytes += kWarpSize * Bytes;
  counters.sectors += sectors;
  counters.sectors_ideal += ideal_sectors(kWarpSize, Bytes);
  counters.lines += lines;
  counters.sectors_hit += hits;
  counters.tag_wavefronts += (lines + 3) / 4;
  return true;
}

template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* access_global_lanes(Warp& warp, const Operation* op, const std::uint64_t* address,
                                              std::uint64_t displacement, bool cached) {
  constexpr unsigned Bytes = sizeof(T) * N;
  if (warp.exec != kFullMask) {
    if (access_global_run<T, N, Kind>(warp, op, address, displacement, cached)) return op + 1;
  } else if constexpr (!kRare<T, N>) {
    if (access_global_halves<T, N, Kind>(warp, op, address, displacement, cached)) return op + 1;
  }
  GlobalLanes lanes;
  if (!resolve_lanes<Bytes>(warp, op, address, displacement, Kind == AccessKind::store, lanes)) return nullptr;
  move_lanes<T, N, Kind>(warp, op, nullptr, lanes.host);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  Coalescing c;
  coalesce<Bytes>(lanes.shadow, lanes.low, lanes.high, c);
  count_sectors_apart<Kind>(warp, counters, c, cached);
  counters.bytes += lanes.n * Bytes;
  return op + 1;
}

/// Loads or stores; @p cached: a load that may hit in the L1.
template <class T, unsigned N, AccessKind Kind>
WB_HOT const Operation* access_global(Warp& warp, const Operation* op, const std::uint64_t* address,
                                      std::uint64_t displacement, bool cached) {
  constexpr unsigned Bytes = sizeof(T) * N;
  if (warp.exec == kFullMask) [[likely]] {
    const std::int64_t stride = static_cast<std::int64_t>(address[1] - address[0]);
    if (is_affine(address, static_cast<std::uint64_t>(stride))) {
      const AffinePlace place =
          resolve_affine<Bytes>(warp, op, address[0] + displacement, stride, kWarpSize, Kind == AccessKind::store);
      if (place.first != nullptr) [[likely]] {
        // Another warp often accesses the following bytes next, too far ahead for the host's prefetcher.
        if (stride > 0) {
          __builtin_prefetch(place.first + kWarpSize * Bytes, Kind == AccessKind::store);
          __builtin_prefetch(place.first + kWarpSize * Bytes + 64, Kind == AccessKind::store);
        }
        move_affine<T, N, Kind>(warp, op, place.first, stride);
        MemoryCounters& counters = warp.worker->counters.memory[op->memory];
        Coalescing c;
        coalesce_affine<Bytes>(place.shadow, stride, kWarpSize, c);
        count_sectors<Kind>(warp, counters, c, cached);
        counters.bytes += kWarpSize * Bytes;
        count_stride(counters, stride);
        return op + 1;
      }
    }
  }
  return access_global_lanes<T, N, Kind>(warp, op, address, displacement, cached);
}

}  // namespace warpbook::simulator::operations::WB_ISA
