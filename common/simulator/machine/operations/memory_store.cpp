// Stores to global, shared and local memory and to generic addresses.
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class T, unsigned N>
const Operation* st_global(Warp& warp, const Operation* op) {
  alignas(64) std::uint64_t widened[kWarpSize];
  return access_global<T, N, AccessKind::store, false>(warp, op, wide_addresses(warp, op, widened),
                                                       static_cast<std::uint64_t>(op->immediate));
}

template <class T, unsigned N>
const Operation* st_shared(Warp& warp, const Operation* op) {
  if (op->pattern != kNoOperand) return access_by_pattern<T, N, AccessKind::store>(warp, op);
  return access_shared_anyhow<T, N, AccessKind::store>(warp, op);
}

template <class T, unsigned N, bool Counted>
const Operation* st_local(Warp& warp, const Operation* op) {
  alignas(64) std::uint32_t narrowed[kWarpSize];
  return access_local<T, N, AccessKind::store, Counted>(warp, op, narrow_addresses(warp, op, narrowed),
                                                        static_cast<std::uint32_t>(op->immediate));
}

template <class T, unsigned N>
struct GenericStore {
  Warp& warp;
  const Operation* op;
  const Operation* global(const std::uint64_t* address, std::uint64_t displacement) const {
    return access_global<T, N, AccessKind::store, false>(warp, op, address, displacement);
  }
  const Operation* shared(const std::uint32_t* offset) const {
    return access_shared<T, N, AccessKind::store>(warp, op, offset, 0);
  }
  const Operation* local(const std::uint32_t* offset) const {
    return access_local<T, N, AccessKind::store, true>(warp, op, offset, 0);
  }
  const Operation* param(const std::uint32_t* offset) const {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(warp.exec));
    return raise(
        warp, op, FaultKind::out_of_bounds, lane, kParamWindow + offset[lane], sizeof(T) * N, true,
        describe_outside(Space::param, offset[lane], sizeof(T) * N, true, warp.worker->launch->parameters.size()));
  }
  WB_APART const Operation* split(const std::uint64_t* address, std::uint64_t displacement) {
    return split_by_space(warp, op, address, displacement, *this);
  }
};

template <class T, unsigned N>
const Operation* st_generic(Warp& warp, const Operation* op) {
  return by_space(warp, op, GenericStore<T, N>{warp, op});
}

struct Global {
  template <class T, unsigned N>
  Handler operator()() const {
    return st_global<T, N>;
  }
};
struct Generic {
  template <class T, unsigned N>
  Handler operator()() const {
    return st_generic<T, N>;
  }
};
struct Shared {
  template <class T, unsigned N>
  Handler operator()() const {
    return st_shared<T, N>;
  }
};
template <bool Counted>
struct Local {
  template <class T, unsigned N>
  Handler operator()() const {
    return st_local<T, N, Counted>;
  }
};

}  // namespace

Handler store_global_handler(const Modifiers& modifiers) {
  return for_memory_type<false>(modifiers.types[0], modifiers.vector, Global{});
}

Handler store_generic_handler(const Modifiers& modifiers) {
  return for_memory_type<false>(modifiers.types[0], modifiers.vector, Generic{});
}

Handler store_block_handler(const Modifiers& modifiers) {
  if (modifiers.space == Space::shared) return for_memory_type<false>(modifiers.types[0], modifiers.vector, Shared{});
  return for_memory_type<false>(modifiers.types[0], modifiers.vector, Local<true>{});
}

Handler store_param_handler(const Modifiers& modifiers) {
  if (modifiers.space != Space::local) return nullptr;  // The parameters of a kernel cannot be written.
  return for_memory_type<false>(modifiers.types[0], modifiers.vector, Local<false>{});
}

}  // namespace warpbook::simulator::operations::WB_ISA
