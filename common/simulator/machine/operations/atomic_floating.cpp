// The floating-point rows of atomic.def: sums only.
#include "common/simulator/machine/operations/atomic.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class T, class G, class S = G>
Handler of_length(const Modifiers& m) {
  if (m.vector != 1 && m.space != Space::global && m.space != Space::generic) return nullptr;
  switch (m.vector) {
    case 1:
      return atomic_handler<T, 1, G, S>(m);
    case 2:
      return atomic_handler<T, 2, G, S>(m);
    case 4:
      return atomic_handler<T, 4, G, S>(m);
    default:
      return nullptr;
  }
}

}  // namespace

Handler floating_atomic_handler(const Modifiers& m) {
  if (m.atomic != AtomicOp::add) return nullptr;
  switch (m.types[0]) {
    case Type::f32:
      return of_length<std::uint32_t, AtomicAddFloat<true>, AtomicAddFloat<false>>(m);
    case Type::f64:
      return m.vector == 1 ? atomic_handler<std::uint64_t, 1, AtomicAddDouble<true>, AtomicAddDouble<false>>(m)
                           : nullptr;
    case Type::f16:
      return of_length<std::uint16_t, AtomicAddHalf<HalfSum>>(m);
    case Type::bf16:
      return of_length<std::uint16_t, AtomicAddHalf<BrainSum>>(m);
    case Type::f16x2:
      return of_length<std::uint32_t, AtomicAddHalves<HalfSum>>(m);
    case Type::bf16x2:
      return of_length<std::uint32_t, AtomicAddHalves<BrainSum>>(m);
    default:
      return nullptr;
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA
