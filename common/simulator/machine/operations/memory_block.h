// Accesses to memory other than global: the block's shared memory, the lanes' local memory, the launch's parameters.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/operations/memory_global.h"
#include "common/simulator/machine/shared_pattern.h"
#include "common/simulator/observe/banks.h"

namespace warpbook::simulator::operations::WB_ISA {

/// Raises the fault of the first executing lane whose access is misaligned or outside @p size bytes.
WB_COLD inline const Operation* fail_outside(Warp& warp, const Operation* op, ptx::Space space,
                                             const std::uint32_t* offset, std::uint32_t displacement,
                                             std::uint32_t bytes, std::uint64_t size, bool write) {
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t at = offset[lane] + displacement;
    if (at % bytes != 0)
      return raise(warp, op, FaultKind::misaligned, lane, at, bytes, write,
                   describe_misaligned(space, at, bytes, write));
    if (std::uint64_t{at} + bytes > size)
      return raise(warp, op, FaultKind::out_of_bounds, lane, at, bytes, write,
                   describe_outside(space, at, bytes, write, size));
  }
  return op + 1;  // Cannot happen: no lane is at fault.
}

/// Offsets of the executing lanes, and whether all of them are valid.
struct NarrowLanes {
  alignas(64) std::uint32_t full[kWarpSize];  ///< By lane; inactive lanes have the leader's.
  alignas(64) std::uint32_t compacted[kWarpSize];
  unsigned n = 0;
  bool good = false;
};

template <unsigned Bytes>
WB_APART void resolve_narrow(const Warp& warp, const std::uint32_t* offset, std::uint32_t displacement,
                             std::uint64_t size, NarrowLanes& lanes) {
  const std::uint32_t exec = warp.exec;
  std::uint32_t high = 0, low_bits = 0;
  if (exec == kFullMask) {
    lanes.n = kWarpSize;
    for (unsigned k = 0; k < kWarpSize; ++k) lanes.full[k] = lanes.compacted[k] = offset[k] + displacement;
  } else {
    lanes.n = compact(offset, displacement, exec, lanes.compacted);
    for (unsigned k = 0; k < kWarpSize; ++k) lanes.full[k] = lanes.compacted[0];
    unsigned k = 0;
    for (std::uint32_t left = exec; left != 0; left &= left - 1)
      lanes.full[std::countr_zero(left)] = lanes.compacted[k++];
  }
  for (unsigned k = 0; k < kWarpSize; ++k) {
    high = lanes.full[k] > high ? lanes.full[k] : high;
    low_bits |= lanes.full[k];
  }
  lanes.good = low_bits % Bytes == 0 && std::uint64_t{high} + Bytes <= size;
}

/// Offsets with one stride: valid if both ends are. @returns false: use the general path.
template <unsigned Bytes>
WB_HOT bool affine_is_inside(std::uint32_t first, std::int32_t stride, std::uint64_t size, unsigned lanes = kWarpSize) {
  if (((first | static_cast<std::uint32_t>(stride)) & (Bytes - 1)) != 0) return false;
  const std::int64_t last = std::int64_t{first} + std::int64_t{stride} * (lanes - 1);
  return last >= 0 && std::uint64_t{first} + Bytes <= size && static_cast<std::uint64_t>(last) + Bytes <= size;
}

WB_HOT void count_banks_of(MemoryCounters& counters, unsigned bytes, const BankCount& banks) {
  counters.requests += 1;
  counters.bytes += bytes;
  counters.wavefronts += banks.wavefronts;
  counters.wavefronts_ideal += banks.ideal;
  counters.conflicts += banks.wavefronts - banks.ideal;
}

/// Part of a warp: adjacent lanes with one stride. @returns false: use the general path.
template <class T, unsigned N, AccessKind Kind>
inline bool access_shared_run(Warp& warp, const Operation* op, const std::uint32_t* offset,
                              std::uint32_t displacement) {
  constexpr unsigned Bytes = sizeof(T) * N;
  const Run run = run_of(warp.exec);
  if (run.lanes == 0) return false;
  const std::uint32_t first = offset[run.first] + displacement;
  const std::int32_t stride = run.lanes == 1 ? 0 : static_cast<std::int32_t>(offset[run.first + 1] - offset[run.first]);
  const BankCount banks = count_banks_run<Bytes>(stride, run.lanes);
  if (banks.wavefronts == 0 || !is_affine(offset, static_cast<std::uint32_t>(stride), run) ||
      !affine_is_inside<Bytes>(first, stride, warp.shared_bytes, run.lanes))
    return false;
  move_run<T, N, Kind>(warp, op, warp.shared + first, stride, run);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  count_banks_of(counters, run.lanes * Bytes, banks);
  if (run.lanes > 1) count_stride(counters, stride);
  return true;
}

/// Whether a lane's address is in another block's shared memory (machine/cluster.h).
WB_COLD inline bool is_in_cluster(const Warp& warp, const std::uint32_t* offset, std::uint32_t displacement) {
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1)
    if (is_window_of_cluster(warp, (offset[std::countr_zero(left)] + displacement) / kWindowBytes)) return true;
  return false;
}

/// An access of lanes that may refer to several blocks of the cluster: performed block by block, as if each were the
/// lanes' own. @param access performs the access, with offsets without displacement
template <class Access>
WB_COLD const Operation* in_each_block(Warp& warp, const Operation* op, const std::uint32_t* offset,
                                       std::uint32_t displacement, Access access) {
  const std::uint32_t exec = warp.exec;
  alignas(64) std::uint32_t inside[kWarpSize];
  std::uint32_t rank[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t at = offset[lane] + displacement;
    rank[lane] = static_cast<std::uint32_t>(at / kWindowBytes);
    inside[lane] = static_cast<std::uint32_t>(at % kWindowBytes);
  }
  const Operation* next = op + 1;
  for (std::uint32_t left = exec; left != 0 && next != nullptr;) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    std::uint32_t same = 0;
    for (unsigned lane = first; lane < kWarpSize; ++lane)
      if (((left >> lane) & 1) != 0 && rank[lane] == rank[first]) same |= 1u << lane;
    left &= ~same;
    const ClusterMemory memory = cluster_memory(warp, op, first, rank[first]);
    if (memory.shared == nullptr) return nullptr;
    std::byte* const own = warp.shared;
    const std::uint32_t own_bytes = warp.shared_bytes;
    warp.shared = memory.shared;
    warp.shared_bytes = memory.bytes;
    warp.exec = same;
    next = access(warp, op, inside, 0);
    warp.shared = own;
    warp.shared_bytes = own_bytes;
    warp.exec = exec;
  }
  return next;
}

/// Compiled once for each width.
template <unsigned Bytes, bool Load>
WB_APART BankCount count_banks_apart(const std::uint32_t* offset, std::uint32_t exec) {
  return count_banks<Bytes, Load>(offset, exec);
}

template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* access_shared_lanes(Warp& warp, const Operation* op, const std::uint32_t* offset,
                                              std::uint32_t displacement) {
  constexpr unsigned Bytes = sizeof(T) * N;
  if (warp.exec != kFullMask && access_shared_run<T, N, Kind>(warp, op, offset, displacement)) return op + 1;
  NarrowLanes lanes;
  resolve_narrow<Bytes>(warp, offset, displacement, warp.shared_bytes, lanes);
  if (!lanes.good) [[unlikely]] {
    if (is_in_cluster(warp, offset, displacement))
      return in_each_block(warp, op, offset, displacement, access_shared_lanes<T, N, Kind>);
    return fail_outside(warp, op, ptx::Space::shared, offset, displacement, Bytes, warp.shared_bytes,
                        Kind == AccessKind::store);
  }
  move_lanes<T, N, Kind>(warp, op, warp.shared, lanes.compacted);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  count_banks_of(counters, lanes.n * Bytes, count_banks_apart<Bytes, Kind == AccessKind::load>(lanes.full, warp.exec));
  if (warp.exec != kFullMask) count_stride_of(counters, lanes.compacted, lanes.n, warp.exec);
  return op + 1;
}

/// A full warp, each half of which accesses consecutive 4-byte words or a single one. @returns false: use the general
/// path.
template <class T, AccessKind Kind>
WB_HOT bool access_shared_halves(Warp& warp, const Operation* op, const std::uint32_t* offset,
                                 std::uint32_t displacement, std::uint32_t stride) {
  constexpr unsigned kHalf = kWarpSize / 2;
  if ((stride != 0 && stride != 4) || !are_halves_affine(offset, stride)) return false;
  const std::uint32_t first = offset[0] + displacement, second = offset[kHalf] + displacement;
  const auto inside = [&](std::uint32_t at) {
    return affine_is_inside<4>(at, static_cast<std::int32_t>(stride), warp.shared_bytes, kHalf);
  };
  if (!inside(first) || !inside(second)) return false;
  move_run<T, 1, Kind>(warp, op, warp.shared + first, stride, {0, kHalf});
  move_run<T, 1, Kind>(warp, op, warp.shared + second, stride, {kHalf, kHalf});
  count_banks_of(warp.worker->counters.memory[op->memory], kWarpSize * 4,
                 count_banks_halves(stride, static_cast<std::int32_t>(second - first)));
  return true;
}

template <class T, unsigned N, AccessKind Kind>
WB_HOT const Operation* access_shared(Warp& warp, const Operation* op, const std::uint32_t* offset,
                                      std::uint32_t displacement) {
  constexpr unsigned Bytes = sizeof(T) * N;
  if (warp.exec == kFullMask) [[likely]] {
    const std::int32_t stride = static_cast<std::int32_t>(offset[1] - offset[0]);
    const std::uint32_t first = offset[0] + displacement;
    const BankCount banks = count_banks_affine<Bytes, Kind == AccessKind::load>(stride);
    if (is_affine(offset, static_cast<std::uint32_t>(stride)) && banks.wavefronts != 0 &&
        affine_is_inside<Bytes>(first, stride, warp.shared_bytes)) [[likely]] {
      move_affine<T, N, Kind>(warp, op, warp.shared + first, stride);
      MemoryCounters& counters = warp.worker->counters.memory[op->memory];
      count_banks_of(counters, kWarpSize * Bytes, banks);
      count_stride(counters, stride);
      return op + 1;
    }
    if constexpr (Bytes == 4 && N == 1) {
      if (access_shared_halves<T, Kind>(warp, op, offset, displacement, static_cast<std::uint32_t>(stride)))
        return op + 1;
    }
  }
  return access_shared_lanes<T, N, Kind>(warp, op, offset, displacement);
}

/// Any access to shared memory.
template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* access_shared_anyhow(Warp& warp, const Operation* op) {
  alignas(64) std::uint32_t narrowed[kWarpSize];
  return access_shared<T, N, Kind>(warp, op, narrow_addresses(warp, op, narrowed),
                                   static_cast<std::uint32_t>(op->immediate));
}

/// Describes the pattern of the executing lanes at @p offset. @p words: each accesses 4 bytes.
inline void describe_lanes(SharedPattern& pattern, const std::uint32_t* offset, std::uint32_t displacement,
                           std::uint32_t exec, unsigned bytes, bool words) {
  using Shape = SharedPattern::Shape;
  constexpr unsigned kHalf = kWarpSize / 2;
  const auto distance = [&](unsigned first, unsigned lanes, std::int32_t& stride) {
    stride = lanes == 1 ? 0 : static_cast<std::int32_t>(offset[first + 1] - offset[first]);
    return is_affine(offset, static_cast<std::uint32_t>(stride), Run{first, lanes});
  };
  const Run run = run_of(exec);
  std::int32_t stride = 0, second = 0;
  pattern.shape = Shape::scattered;
  pattern.first = offset[run.first] + displacement;
  if (run.lanes != 0 && distance(run.first, run.lanes, stride)) {
    pattern.stride = stride;
    pattern.shape = exec != kFullMask                            ? Shape::run
                    : stride == static_cast<std::int32_t>(bytes) ? Shape::row
                    : stride == 0                                ? Shape::place
                                                                 : Shape::stride;
  } else if (words && exec == kFullMask && distance(0, kHalf, stride) && distance(kHalf, kHalf, second) &&
             stride == second && (stride == 0 || stride == 4)) {
    pattern.second = offset[kHalf] + displacement;
    pattern.shape = stride == 0 ? Shape::two_places : Shape::two_rows;
  }
}

/// Executes and counts as usual, and records the lanes' pattern and what was counted.
/// @param access a general access for this operation
/// @param bytes per lane; @p words: each lane accesses one element of 4 bytes
WB_APART inline const Operation* learn_shared(Warp& warp, const Operation* op, Handler access, unsigned bytes,
                                              bool words) {
  // If the executing lanes differ each time, recording their pattern is useless.
  constexpr std::uint32_t kMostFound = 256;
  SharedPattern& pattern = warp.patterns[op->pattern];
  if (pattern.found == kMostFound) return access(warp, op);
  ++pattern.found;
  pattern.lanes = 0;
  if (is_in_cluster(warp, slots<std::uint32_t>(warp, op->a), static_cast<std::uint32_t>(op->immediate)))
    return access(warp, op);
  const MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  const MemoryCounters before = counters;
  const Operation* next = access(warp, op);
  if (next == nullptr) return next;
  describe_lanes(pattern, slots<std::uint32_t>(warp, op->a), static_cast<std::uint32_t>(op->immediate), warp.exec,
                 bytes, words);
  for (std::size_t k = 0; k < MemoryCounters::kOfShared * sizeof(std::uint64_t) / kVectorBytes; ++k)
    reinterpret_cast<Vector64*>(pattern.step)[k] =
        reinterpret_cast<const Vector64*>(&counters)[k] - reinterpret_cast<const Vector64*>(&before)[k];
  pattern.lanes = warp.exec;
  return next;
}

/// Lanes without a simple pattern, whose bytes are known to be in range.
template <class T, unsigned N, AccessKind Kind>
WB_APART void move_scattered(Warp& warp, const Operation* op) {
  constexpr std::int32_t kFar = 1 << 30;
  const auto displacement = static_cast<std::int32_t>(op->immediate);
  // Addresses and displacements are sums modulo 2^32, where negative numbers are large ones. As signed numbers they may
  // be added in 64 bits, unless the displacement is so large that the sum is off by 2^32.
  if (warp.exec == kFullMask && displacement > -kFar && displacement < kFar)
    return move_lanes<T, N, Kind>(warp, op, warp.shared + displacement, slots<std::int32_t>(warp, op->a));
  alignas(64) std::uint32_t at[kWarpSize];
  compact(slots<std::uint32_t>(warp, op->a), static_cast<std::uint32_t>(displacement), warp.exec, at);
  move_lanes<T, N, Kind>(warp, op, warp.shared, at);
}

/// An access whose addresses are the same in every block.
template <class T, unsigned N, AccessKind Kind>
WB_HOT const Operation* access_by_pattern(Warp& warp, const Operation* op) {
  using Shape = SharedPattern::Shape;
  constexpr std::int64_t Bytes = sizeof(T) * N;
  const SharedPattern& pattern = warp.patterns[op->pattern];
  if (pattern.lanes != warp.exec) [[unlikely]]
    return learn_shared(warp, op, access_shared_anyhow<T, N, Kind>, Bytes, sizeof(T) == 4 && N == 1);
  std::byte* const first = warp.shared + pattern.first;
  switch (pattern.shape) {
    case Shape::row:
      move_affine<T, N, Kind>(warp, op, first, Bytes);
      break;
    case Shape::place:
      move_affine<T, N, Kind>(warp, op, first, 0);
      break;
    case Shape::stride:
      move_affine<T, N, Kind>(warp, op, first, pattern.stride);
      break;
    case Shape::two_rows:
    case Shape::two_places:
      if constexpr (sizeof(T) == 4 && N == 1) {
        constexpr unsigned kHalf = kWarpSize / 2;
        const std::int64_t stride = pattern.shape == Shape::two_rows ? 4 : 0;
        move_run<T, 1, Kind>(warp, op, first, stride, {0, kHalf});
        move_run<T, 1, Kind>(warp, op, warp.shared + pattern.second, stride, {kHalf, kHalf});
      }
      break;
    case Shape::run:
      move_run<T, N, Kind>(warp, op, first, pattern.stride, run_of(warp.exec));
      break;
    case Shape::scattered:
      move_scattered<T, N, Kind>(warp, op);
      break;
  }
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  for (std::size_t k = 0; k < MemoryCounters::kOfShared * sizeof(std::uint64_t) / kVectorBytes; ++k)
    reinterpret_cast<Vector64*>(&counters)[k] += reinterpret_cast<const Vector64*>(pattern.step)[k];
  return op + 1;
}

// The hardware interleaves local memory: the same 4-byte word of all 32 lanes is one line of 128 bytes. Lanes that
// access one offset touch adjacent words, like a coalesced global access.
template <unsigned Bytes, AccessKind Kind>
WB_APART void count_local(Warp& warp, const Operation* op, const NarrowLanes& lanes) {
  Worker& worker = *warp.worker;
  MemoryCounters& counters = worker.counters.memory[op->memory];
  constexpr unsigned words = Bytes <= 4 ? 1 : Bytes / 4;
  unsigned sectors = 0, lines = 0, hits = 0;
  // One round for each distinct word at which lanes start; usually there is one.
  for (std::uint32_t left = warp.exec; left != 0;) {
    const std::uint32_t word = lanes.full[std::countr_zero(left)] / 4;
    std::uint32_t same = 0;
    // A cast, not `? 1u : 0u`: with bounds and shift sanitizers GCC 12 uses an uninitialised copy of `lane` as an index
    // there (it sets the copy only in the branch that reports a bad shift). Clang does not.
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      same |= static_cast<std::uint32_t>(lanes.full[lane] / 4 == word) << lane;
    same &= left;
    left &= ~same;
    unsigned wanted = 0;  // Eight lanes per sector.
    for (unsigned sector = 0; sector < 4; ++sector) wanted |= ((same >> (8 * sector)) & 0xff) != 0 ? 1u << sector : 0;
    sectors += words * count_bits4(wanted);
    lines += words;
    for (unsigned k = 0; k < words; ++k) {
      // The local lines of a block's warps differ from each other and from those of global memory. Stores fill the
      // cache, too: local memory is written back, not through.
      const std::uint64_t line =
          0x80000000u | (std::uint64_t{warp.index} << 22 & 0x7fc00000u) | ((word + k) & 0x3fffffu);
      hits += count_bits4(worker.l1.load(line, wanted));
    }
  }
  counters.requests += 1;
  counters.sectors += sectors;
  counters.sectors_ideal += (lanes.n * Bytes + 31) / 32;
  counters.lines += lines;
  if constexpr (Kind == AccessKind::load) counters.sectors_hit += hits;
  counters.bytes += lanes.n * Bytes;
}

/// The access itself: a lane's memory begins at local + lane * local_stride.
template <class T, unsigned N, AccessKind Kind>
WB_APART const Operation* access_local(Warp& warp, const Operation* op, const std::uint32_t* offset,
                                       std::uint32_t displacement, bool counted) {
  constexpr unsigned Bytes = sizeof(T) * N;
  NarrowLanes lanes;
  resolve_narrow<Bytes>(warp, offset, displacement, warp.local_stride, lanes);
  if (!lanes.good) [[unlikely]]
    return fail_outside(warp, op, ptx::Space::local, offset, displacement, Bytes, warp.local_stride,
                        Kind == AccessKind::store);
  alignas(64) std::uint64_t at[kWarpSize];
  if (warp.exec == kFullMask) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) at[lane] = lane * warp.local_stride + lanes.full[lane];
  } else {
    unsigned k = 0;
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1, ++k)
      at[k] = static_cast<std::uint64_t>(std::countr_zero(left)) * warp.local_stride + lanes.compacted[k];
  }
  move_lanes<T, N, Kind>(warp, op, warp.local, at);
  if (counted) count_local<Bytes, Kind>(warp, op, lanes);
  return op + 1;
}

/// Kernel parameters: usually all lanes read one offset. Not counted: they come through the constant cache.
template <class T, unsigned N>
inline const Operation* load_param(Warp& warp, const Operation* op, const std::uint32_t* offset,
                                   std::uint32_t displacement) {
  constexpr unsigned Bytes = sizeof(T) * N;
  const std::byte* parameters = warp.parameters;
  const std::uint64_t size = warp.worker->launch->parameters.size();
  if (warp.exec == kFullMask && is_affine(offset, 0u) && affine_is_inside<Bytes>(offset[0] + displacement, 0, size)) {
    load_affine<T, N>(warp, op, parameters + offset[0] + displacement, 0);
    return op + 1;
  }
  NarrowLanes lanes;
  resolve_narrow<Bytes>(warp, offset, displacement, size, lanes);
  if (!lanes.good) [[unlikely]]
    return fail_outside(warp, op, ptx::Space::param, offset, displacement, Bytes, size, false);
  load_lanes<T, N>(warp, op, parameters, lanes.compacted);
  return op + 1;
}

}  // namespace warpbook::simulator::operations::WB_ISA
