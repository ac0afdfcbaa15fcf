// Stores to global, shared and local memory and to generic addresses.
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class T, unsigned N>
const Operation* st_global(Warp& warp, const Operation* op) {
  if (op->pattern != kNoOperand) return access_global_by_pattern<T, N, AccessKind::store>(warp, op, false);
  alignas(64) std::uint64_t widened[kWarpSize];
  const std::uint64_t* const address = wide_addresses(warp, op, widened);
  const auto displacement = static_cast<std::uint64_t>(op->immediate);
  if constexpr (kRare<T, N>)
    return global_part<T, N, AccessKind::store>(warp, op, address, displacement, false);
  else
    return access_global<T, N, AccessKind::store>(warp, op, address, displacement, false);
}

template <class T, unsigned N>
const Operation* st_shared(Warp& warp, const Operation* op) {
  if (op->pattern != kNoOperand) return access_by_pattern<T, N, AccessKind::store>(warp, op);
  return access_shared_anyhow<T, N, AccessKind::store>(warp, op);
}

template <class T, unsigned N, bool Counted>
const Operation* st_local(Warp& warp, const Operation* op) {
  alignas(64) std::uint32_t narrowed[kWarpSize];
  return access_local<T, N, AccessKind::store>(warp, op, narrow_addresses(warp, op, narrowed),
                                               static_cast<std::uint32_t>(op->immediate), Counted);
}

/// Parameters cannot be written.
template <unsigned Bytes>
const Operation* refuse_param(Warp& warp, const Operation* op, const std::uint32_t* offset) {
  const unsigned lane = static_cast<unsigned>(std::countr_zero(warp.exec));
  return raise(warp, op, FaultKind::out_of_bounds, lane, kParamWindow + offset[lane], Bytes, true,
               describe_outside(Space::param, offset[lane], Bytes, true, warp.worker->launch->parameters.size()));
}

template <class T, unsigned N>
const Operation* st_generic(Warp& warp, const Operation* op) {
  static constexpr SpaceParts kParts{global_part<T, N, AccessKind::store>, shared_part<T, N, AccessKind::store>,
                                     local_part<T, N, AccessKind::store>, refuse_param<sizeof(T) * N>};
  return by_space(warp, op, kParts);
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
