// Loads from global memory: ld.global, ldu.
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class T, unsigned N, bool Cached>
const Operation* ld_global(Warp& warp, const Operation* op) {
  alignas(64) std::uint64_t widened[kWarpSize];
  return access_global<T, N, AccessKind::load, Cached>(warp, op, wide_addresses(warp, op, widened),
                                                       static_cast<std::uint64_t>(op->immediate));
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
