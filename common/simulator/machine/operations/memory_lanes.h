// What all memory operations share: the addresses of a warp's lanes, and moving their values.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include <cstdint>
#include <cstring>

#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/operations/lanes.h"
#include "common/simulator/machine/worker.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define WB_HOT inline __attribute__((always_inline))
// Kept out of the calling fast path. (WB_COLD optimises for size, so it is for faults only.)
#if defined(__clang__)
#define WB_APART __attribute__((noinline))
#else
#define WB_APART __attribute__((noinline, noclone))
#endif
#define WB_COLD __attribute__((noinline, cold))

namespace warpbook::simulator::operations::WB_ISA {

/// Accesses of which handlers have no fast path of their own, because kernels rarely make them: vectors of bytes or of
/// 2 bytes, and those of 32 bytes.
template <class T, unsigned N>
inline constexpr bool kRare = N > 1 && (sizeof(T) < 4 || sizeof(T) * N > 16);

enum class AccessKind : std::uint8_t { load, store, atomic };

/// As many words as the processor handles at once: GCC 12 copies wider vectors through memory, and reads them in other
/// widths than it wrote them.
#if defined(__AVX512F__)
constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t kVectorBytes = 32;
#else
constexpr std::size_t kVectorBytes = 16;
#endif
using Vector64 [[gnu::vector_size(kVectorBytes), gnu::may_alias]] = std::uint64_t;
using Vector32 [[gnu::vector_size(kVectorBytes), gnu::may_alias]] = std::uint32_t;
template <class Word>
struct VectorFor;
template <>
struct VectorFor<std::uint64_t> {
  using type = Vector64;
};
template <>
struct VectorFor<std::uint32_t> {
  using type = Vector32;
};
template <class Word>
using VectorOf = typename VectorFor<Word>::type;

/// True if any bit of @p v is set.
WB_HOT bool any(const Vector64& v) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(v), reinterpret_cast<__m512i>(v)) != 0;
#elif defined(__AVX2__)
  return _mm256_testz_si256(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(v)) == 0;
#else
  return (v[0] | v[1]) != 0;
#endif
}

/// {0, 1, 2, ...} * @p stride
template <class Word>
WB_HOT VectorOf<Word> multiples(Word stride) {
  constexpr std::size_t kWords = kVectorBytes / sizeof(Word);
  VectorOf<Word> iota{};
  for (std::size_t k = 0; k < kWords; ++k) iota[k] = static_cast<Word>(k);
  return iota * stride;
}

/// Nonzero where the lanes' addresses differ from address[0] + lane * stride; @p first is multiples(stride).
template <class Word, unsigned Lanes>
WB_HOT VectorOf<Word> difference_from_affine(const Word* address, Word stride, const VectorOf<Word>& first) {
  using Vector = VectorOf<Word>;
  constexpr unsigned kWords = kVectorBytes / sizeof(Word);
  static_assert(Lanes % kWords == 0);
  const auto* a = reinterpret_cast<const Vector*>(address);
  const Vector step = static_cast<Word>(stride * kWords) - Vector{};
  Vector expected = first + address[0];
  Vector difference = a[0] ^ expected;
  for (unsigned k = 1; k < Lanes / kWords; ++k) {
    expected += step;
    difference |= a[k] ^ expected;
  }
  return difference;
}

/// True if the lanes' addresses are address[0] + lane * stride.
template <class Word>
WB_HOT bool is_affine(const Word* address, Word stride) {
  return !any(reinterpret_cast<Vector64>(difference_from_affine<Word, kWarpSize>(address, stride, multiples(stride))));
}

/// True if the lanes of each half-warp are @p stride apart, as in a tile of 16 columns.
template <class Word>
WB_HOT bool are_halves_affine(const Word* address, Word stride) {
  constexpr unsigned kHalf = kWarpSize / 2;
  const VectorOf<Word> first = multiples(stride);
  return !any(reinterpret_cast<Vector64>(difference_from_affine<Word, kHalf>(address, stride, first) |
                                         difference_from_affine<Word, kHalf>(address + kHalf, stride, first)));
}

/// True if any address has a bit set at or above bit @p shift.
WB_HOT bool any_above(const std::uint64_t* address, unsigned shift) {
  const auto* a = reinterpret_cast<const Vector64*>(address);
  Vector64 all = a[0];
  for (unsigned k = 1; k < kWarpSize * sizeof *address / kVectorBytes; ++k) all |= a[k];
  return any(all >> shift);
}

/// Executing lanes that are adjacent, as after `if (i < n)`.
struct Run {
  unsigned first = 0, lanes = 0;  ///< lanes is 0 if they are not adjacent.
};
WB_HOT Run run_of(std::uint32_t exec) {
  const unsigned first = static_cast<unsigned>(std::countr_zero(exec));
  const std::uint32_t low = exec >> first;
  if ((low & (low + 1)) != 0) return {};
  return {first, static_cast<unsigned>(std::popcount(exec))};
}

/// True if the lanes of @p run are @p stride apart.
WB_HOT bool is_affine(const std::uint64_t* address, std::uint64_t stride, const Run& run) {
#if defined(__AVX512F__)
  const __m512i step = _mm512_set1_epi64(static_cast<long long>(stride * 8));
  const __m512i iota = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  __m512i expected =
      _mm512_add_epi64(_mm512_mullo_epi64(iota, _mm512_set1_epi64(static_cast<long long>(stride))),
                       _mm512_set1_epi64(static_cast<long long>(address[run.first] - run.first * stride)));
  std::uint32_t same = 0;
  for (unsigned k = 0; k < 4; ++k) {
    same |= static_cast<std::uint32_t>(_mm512_cmpeq_epi64_mask(_mm512_load_si512(address + 8 * k), expected))
            << (8 * k);
    expected = _mm512_add_epi64(expected, step);
  }
  const std::uint32_t wanted = static_cast<std::uint32_t>(((std::uint64_t{1} << run.lanes) - 1) << run.first);
  return (wanted & ~same) == 0;
#else
  std::uint64_t difference = 0;
  for (unsigned k = 1; k < run.lanes; ++k) difference |= (address[run.first + k] - address[run.first + k - 1]) ^ stride;
  return difference == 0;
#endif
}

WB_HOT bool is_affine(const std::uint32_t* address, std::uint32_t stride, const Run& run) {
  std::uint32_t difference = 0;
  for (unsigned k = 1; k < run.lanes; ++k) difference |= (address[run.first + k] - address[run.first + k - 1]) ^ stride;
  return difference == 0;
}

/// The address operand as 64-bit addresses without the displacement; @p space is storage for narrow ones.
WB_HOT const std::uint64_t* wide_addresses(Warp& warp, const Operation* op, std::uint64_t* space) {
  if (!op->flags.has_narrow_address()) [[likely]]
    return slots<std::uint64_t>(warp, op->a);
  const std::uint32_t* narrow = slots<std::uint32_t>(warp, op->a);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) space[lane] = narrow[lane];
  return space;
}

/// The address operand as 32-bit offsets without the displacement. An offset that does not fit becomes one that is out
/// of bounds everywhere.
WB_HOT const std::uint32_t* narrow_addresses(Warp& warp, const Operation* op, std::uint32_t* space) {
  if (op->flags.has_narrow_address()) [[likely]]
    return slots<std::uint32_t>(warp, op->a);
  const std::uint64_t* wide = slots<std::uint64_t>(warp, op->a);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    space[lane] = wide[lane] > 0xf0000000u ? 0xf0000000u : static_cast<std::uint32_t>(wide[lane]);
  return space;
}

/// The addresses of the executing lanes, in lane order; the rest of @p out repeats the last one.
template <class Address>
WB_HOT unsigned compact(const Address* address, Address displacement, std::uint32_t exec, Address* out) {
  unsigned n = 0;
  for (std::uint32_t left = exec; left != 0; left &= left - 1)
    out[n++] = address[std::countr_zero(left)] + displacement;
  for (unsigned k = n; k < kWarpSize; ++k) out[k] = out[n - 1];
  return n;
}

/// The value operands of an access of @p N elements.
template <unsigned N>
WB_HOT const std::uint32_t* elements(Warp& warp, const std::uint32_t& operand) {
  if constexpr (N == 1) return &operand;
  return warp.program->lists.data() + operand;
}

template <class T>
WB_HOT T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// A loaded value as its register holds it: zero- or sign-extended by type.
template <class T>
WB_HOT Slot<T> extended(T value) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<Slot<T>>(static_cast<std::make_signed_t<Slot<T>>>(value));
  else
    return static_cast<Slot<T>>(value);
}

#if defined(__AVX2__)
/// Elements of four lanes, @p stride bytes apart, as their slots hold them.
template <class T>
WB_HOT __m128i four_strided(const std::byte* from, std::int64_t stride, std::int64_t three_strides) {
  __m128i four = _mm_cvtsi32_si128(static_cast<int>(extended(read<T>(from))));
  four = _mm_insert_epi32(four, static_cast<int>(extended(read<T>(from + stride))), 1);
  four = _mm_insert_epi32(four, static_cast<int>(extended(read<T>(from + 2 * stride))), 2);
  return _mm_insert_epi32(four, static_cast<int>(extended(read<T>(from + three_strides))), 3);
}
#endif

/// All lanes' elements, @p stride bytes apart. Assembled in registers if possible: slots that are written one by one
/// must reach the cache before they can be read as a vector.
template <class T>
WB_HOT void load_strided(Slot<T>* to, const std::byte* from, std::int64_t stride) {
#if defined(__AVX2__)
  if constexpr (sizeof(Slot<T>) == 4) {
    const std::int64_t three = 3 * stride;
    for (unsigned lane = 0; lane < kWarpSize; lane += 8, from += 8 * stride) {
      const __m128i low = four_strided<T>(from, stride, three),
                    high = four_strided<T>(from + 4 * stride, stride, three);
#if defined(__AVX512F__)
      from += 8 * stride;
      const __m128i third = four_strided<T>(from, stride, three),
                    last = four_strided<T>(from + 4 * stride, stride, three);
      const __m512i all = _mm512_inserti32x4(_mm512_inserti32x4(_mm512_castsi128_si512(low), high, 1), third, 2);
      _mm512_store_si512(to + lane, _mm512_inserti32x4(all, last, 3));
      lane += 8;
#else
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + lane),
                         _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
#endif
    }
    return;
  }
#endif
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < kWarpSize; ++lane, from += stride) to[lane] = extended(read<T>(from));
}

/// Loads of all lanes, @p stride bytes apart.
template <class T, unsigned N>
WB_HOT void load_affine(Warp& warp, const Operation* op, const std::byte* from, std::int64_t stride) {
  const std::uint32_t* d = elements<N>(warp, op->d);
  if (stride == sizeof(T) * N) {
    for (unsigned j = 0; j < N; ++j) {
      Slot<T>* to = slots<T>(warp, d[j]);
      WB_LANES to[lane] = extended(read<T>(from + (lane * N + j) * sizeof(T)));
    }
  } else if (stride == 0) {
    for (unsigned j = 0; j < N; ++j) {
      Slot<T>* to = slots<T>(warp, d[j]);
      const Slot<T> value = extended(read<T>(from + j * sizeof(T)));
      WB_LANES to[lane] = value;
    }
  } else {
    for (unsigned j = 0; j < N; ++j) {
      Slot<T>* to = slots<T>(warp, d[j]);
      load_strided<T>(to, from + j * sizeof(T), stride);
    }
  }
}

/// Loads of the lanes of @p run; its first lane reads at @p from.
template <class T, unsigned N>
WB_HOT void load_run(Warp& warp, const Operation* op, const std::byte* from, std::int64_t stride, const Run& run) {
  const std::uint32_t* d = elements<N>(warp, op->d);
  for (unsigned j = 0; j < N; ++j) {
    Slot<T>* to = slots<T>(warp, d[j]) + run.first;
    const std::byte* at = from + j * sizeof(T);
    if (stride == sizeof(T) * N) {
      for (unsigned k = 0; k < run.lanes; ++k) to[k] = extended(read<T>(at + k * sizeof(T) * N));
    } else if (stride == 0) {
      const Slot<T> value = extended(read<T>(at));
      for (unsigned k = 0; k < run.lanes; ++k) to[k] = value;
    } else {
      for (unsigned k = 0; k < run.lanes; ++k, at += stride) to[k] = extended(read<T>(at));
    }
  }
}

/// Loads of the executing lanes from @p base + address[k], where k counts executing lanes.
template <class T, unsigned N, class Address>
WB_HOT void load_lanes(Warp& warp, const Operation* op, const std::byte* base, const Address* address) {
  const std::uint32_t* d = elements<N>(warp, op->d);
  for (unsigned j = 0; j < N; ++j) {
    Slot<T>* to = slots<T>(warp, d[j]);
    const std::byte* from = base + j * sizeof(T);
    if (warp.exec == kFullMask) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) to[lane] = extended(read<T>(from + address[lane]));
    } else {
      unsigned k = 0;
      for (std::uint32_t left = warp.exec; left != 0; left &= left - 1, ++k)
        to[std::countr_zero(left)] = extended(read<T>(from + address[k]));
    }
  }
}

template <class T>
WB_HOT void write(std::byte* to, Slot<T> slot) {
  const T value = static_cast<T>(slot);
  std::memcpy(to, &value, sizeof value);
}

template <class T, unsigned N>
WB_HOT void store_affine(Warp& warp, const Operation* op, std::byte* to, std::int64_t stride) {
  const std::uint32_t* b = elements<N>(warp, op->b);
  if (stride == sizeof(T) * N) {
    for (unsigned j = 0; j < N; ++j) {
      const Slot<T>* from = slots<T>(warp, b[j]);
      WB_LANES write<T>(to + (lane * N + j) * sizeof(T), from[lane]);
    }
  } else {  // With stride 0 the last lane's value remains.
    for (unsigned j = 0; j < N; ++j) {
      const Slot<T>* from = slots<T>(warp, b[j]);
      std::byte* at = to + j * sizeof(T);
#pragma GCC unroll 8
      for (unsigned lane = 0; lane < kWarpSize; ++lane, at += stride) write<T>(at, from[lane]);
    }
  }
}

template <class T, unsigned N>
WB_HOT void store_run(Warp& warp, const Operation* op, std::byte* to, std::int64_t stride, const Run& run) {
  const std::uint32_t* b = elements<N>(warp, op->b);
  for (unsigned j = 0; j < N; ++j) {
    const Slot<T>* from = slots<T>(warp, b[j]) + run.first;
    std::byte* at = to + j * sizeof(T);
    if (stride == sizeof(T) * N) {
      for (unsigned k = 0; k < run.lanes; ++k) write<T>(at + k * sizeof(T) * N, from[k]);
    } else {
      for (unsigned k = 0; k < run.lanes; ++k, at += stride) write<T>(at, from[k]);
    }
  }
}

/// Stores in lane order: if lanes write to one address, the last one's value remains.
template <class T, unsigned N, class Address>
WB_HOT void store_lanes(Warp& warp, const Operation* op, std::byte* base, const Address* address) {
  const std::uint32_t* b = elements<N>(warp, op->b);
  for (unsigned j = 0; j < N; ++j) {
    const Slot<T>* from = slots<T>(warp, b[j]);
    std::byte* to = base + j * sizeof(T);
    if (warp.exec == kFullMask) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) write<T>(to + address[lane], from[lane]);
    } else {
      unsigned k = 0;
      for (std::uint32_t left = warp.exec; left != 0; left &= left - 1, ++k)
        write<T>(to + address[k], from[std::countr_zero(left)]);
    }
  }
}

/// Moves the lanes' values from or to @p bytes: load_affine() or store_affine().
template <class T, unsigned N, AccessKind Kind>
WB_HOT void move_affine(Warp& warp, const Operation* op, std::byte* bytes, std::int64_t stride) {
  if constexpr (Kind == AccessKind::load)
    load_affine<T, N>(warp, op, bytes, stride);
  else
    store_affine<T, N>(warp, op, bytes, stride);
}

template <class T, unsigned N, AccessKind Kind>
WB_HOT void move_run(Warp& warp, const Operation* op, std::byte* bytes, std::int64_t stride, const Run& run) {
  if constexpr (Kind == AccessKind::load)
    load_run<T, N>(warp, op, bytes, stride, run);
  else
    store_run<T, N>(warp, op, bytes, stride, run);
}

template <class T, unsigned N, AccessKind Kind, class Address>
WB_HOT void move_lanes(Warp& warp, const Operation* op, std::byte* base, const Address* address) {
  if constexpr (Kind == AccessKind::load)
    load_lanes<T, N>(warp, op, base, address);
  else
    store_lanes<T, N>(warp, op, base, address);
}

/// The lane number of the @p k-th executing lane.
inline unsigned lane_of(std::uint32_t exec, unsigned k) {
  for (; k > 0; --k) exec &= exec - 1;
  return static_cast<unsigned>(std::countr_zero(exec));
}

WB_HOT void count_stride(MemoryCounters& counters, std::int64_t stride) {
  counters.stride_requests += 1;
  if (stride != counters.stride && is_wider_stride(stride, counters.stride)) counters.stride = stride;
}

/// The stride of compacted addresses, if the executing lanes are adjacent and the stride is constant.
template <class Address>
inline void count_stride_of(MemoryCounters& counters, const Address* address, unsigned n, std::uint32_t exec) {
  const std::uint32_t low = exec >> std::countr_zero(exec);
  if (n < 2 || (low & (low + 1)) != 0) return;
  const Address stride = address[1] - address[0];
  for (unsigned k = 2; k < n; ++k)
    if (address[k] - address[k - 1] != stride) return;
  count_stride(counters, static_cast<std::make_signed_t<Address>>(stride));
}

}  // namespace warpbook::simulator::operations::WB_ISA
