// Which register slots an operation reads and writes, including those in its lists.
#pragma once

#include <cstdint>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/fragments.h"
#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator {

/// Calls @p use with each of @p count slots of a list.
template <typename Use>
void for_list(const Program& program, std::uint32_t first, unsigned count, const Use& use) {
  for (unsigned k = 0; first != kNoOperand && k < count && first + k < program.operation_lists.size(); ++k)
    use(program.operation_lists[first + k]);
}

/// Calls @p use with each slot that an operation reads, its guard included.
template <typename Use>
void for_inputs(const Program& program, const Operation& operation, const OperationDetail& detail, const Use& use) {
  const auto one = [&](std::uint32_t slot) {
    if (slot != kNoOperand) use(slot);
  };
  const auto list = [&](std::uint32_t first, unsigned count) { for_list(program, first, count, use); };
  const auto either = [&](std::uint32_t operand, unsigned count) { count != 0 ? list(operand, count) : one(operand); };
  one(operation.guard);
  if (is_image_operation(detail.id)) {
    one(operation.a);
    list(operation.b, coordinates_of(detail.modifiers.geometry));
    if (is_surface_store(detail.id)) {
      list(operation.c, operation.count);
    } else if (detail.id == ptx::OperationId::tex_grad) {
      list(operation.c, gradients_of(detail.modifiers.geometry));
      list(operation.f, gradients_of(detail.modifiers.geometry));
    } else {
      one(operation.c);
    }
    return;
  }
  // Fragments are lists; if there is no D, the list is the second operand (stores of matrices).
  const auto fragments = ptx::fragment_registers(detail.id, detail.modifiers);
  const bool product = fragments[2] != 0, group = ptx::is_group_product(detail.id);
  const bool lists = operation.count > 1 && (detail.id == ptx::OperationId::st || ptx::is_atomic(detail.id));
  either(operation.a, product || group ? fragments[1] : 0);
  if (group) list(operation.d, fragments[0]);
  either(operation.b, group               ? 0
                      : product           ? fragments[2]
                      : fragments[1] != 0 ? fragments[1]
                      : lists             ? operation.count
                                          : 0);
  either(operation.c, product ? fragments[3] : lists && operation.atomic == ptx::AtomicOp::cas ? operation.count : 0);
  one(operation.f);
}

/// Calls @p set with each slot that an operation writes.
template <typename Set>
void for_outputs(const Program& program, const Operation& operation, const OperationDetail& detail, const Set& set) {
  const unsigned fragment = ptx::fragment_registers(detail.id, detail.modifiers)[0];
  if (fragment != 0)
    for_list(program, operation.d, fragment, set);
  else if (operation.d != kNoOperand && (operation.count > 1 || reads_or_writes_image(detail.id)))
    for_list(program, operation.d, operation.count, set);
  else if (operation.d != kNoOperand)
    set(operation.d);
  if (operation.e != kNoOperand) set(operation.e);
}

}  // namespace warpbook::simulator
