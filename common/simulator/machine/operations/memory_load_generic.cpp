// Loads from generic addresses.
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {

#define WB_PARTS(T, N) WB_GLOBAL_PARTS(extern, T, N) WB_BLOCK_PARTS(extern, T, N)
WB_EACH_LOAD(WB_PARTS)
#undef WB_PARTS

namespace {

template <class T, unsigned N, bool Cached>
const Operation* ld_generic(Warp& warp, const Operation* op) {
  static constexpr SpaceParts kParts{global_part<T, N, AccessKind::load>, shared_part<T, N, AccessKind::load>,
                                     local_part<T, N, AccessKind::load>, param_part<T, N>, Cached};
  return by_space(warp, op, kParts);
}

template <bool Cached>
struct Choose {
  template <class T, unsigned N>
  Handler operator()() const {
    return ld_generic<T, N, Cached>;
  }
};

}  // namespace

Handler load_generic_handler(const Modifiers& modifiers) {
  if (is_cached(modifiers)) return for_memory_type<true>(modifiers.types[0], modifiers.vector, Choose<true>{});
  return for_memory_type<true>(modifiers.types[0], modifiers.vector, Choose<false>{});
}

}  // namespace warpbook::simulator::operations::WB_ISA
