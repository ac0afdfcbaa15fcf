// Loads from generic addresses.
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class T, unsigned N, bool Cached>
struct GenericLoad {
  Warp& warp;
  const Operation* op;
  const Operation* global(const std::uint64_t* address, std::uint64_t displacement) const {
    return access_global<T, N, AccessKind::load, Cached>(warp, op, address, displacement);
  }
  const Operation* shared(const std::uint32_t* offset) const {
    return access_shared<T, N, AccessKind::load>(warp, op, offset, 0);
  }
  const Operation* local(const std::uint32_t* offset) const {
    return access_local<T, N, AccessKind::load, true>(warp, op, offset, 0);
  }
  const Operation* param(const std::uint32_t* offset) const { return load_param<T, N>(warp, op, offset, 0); }
  WB_APART const Operation* split(const std::uint64_t* address, std::uint64_t displacement) {
    return split_by_space(warp, op, address, displacement, *this);
  }
};

template <class T, unsigned N, bool Cached>
const Operation* ld_generic(Warp& warp, const Operation* op) {
  return by_space(warp, op, GenericLoad<T, N, Cached>{warp, op});
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
