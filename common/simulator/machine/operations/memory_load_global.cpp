// Loads from global memory: ld.global, ldu.
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {

#define WB_PARTS(T, N) WB_GLOBAL_PARTS(, T, N)
WB_EACH_LOAD(WB_PARTS)
#undef WB_PARTS

namespace {

template <class T, unsigned N, bool Cached>
const Operation* ld_global(Warp& warp, const Operation* op) {
  if (op->pattern != kNoOperand) {
    if constexpr (Cached)
      return access_global_by_pattern<T, N, AccessKind::load>(warp, op, true);
    else
      return access_global_anew<T, N, AccessKind::load>(warp, op, false);
  }
  alignas(64) std::uint64_t widened[kWarpSize];
  const std::uint64_t* const address = wide_addresses(warp, op, widened);
  const auto displacement = static_cast<std::uint64_t>(op->immediate);
  if constexpr (Cached && !kRare<T, N>)
    return access_global<T, N, AccessKind::load>(warp, op, address, displacement, true);
  else
    return global_part<T, N, AccessKind::load>(warp, op, address, displacement, Cached);
}

template <bool Cached>
struct Choose {
  template <class T, unsigned N>
  Handler operator()() const {
    return ld_global<T, N, Cached>;
  }
};

}  // namespace

Handler load_global_handler(const Modifiers& modifiers) {
  if (is_cached(modifiers)) return for_memory_type<true>(modifiers.types[0], modifiers.vector, Choose<true>{});
  return for_memory_type<true>(modifiers.types[0], modifiers.vector, Choose<false>{});
}

}  // namespace warpbook::simulator::operations::WB_ISA
