// Undefined bits and textures: an undefined handle or coordinate is reported like an address. The value read is
// undefined if one of its texels is uninitialised (end_image_reads). Stored texels count as defined: undefined values
// are not tracked through arrays.
#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/machine/taint.h"

namespace warpbook::simulator {

void TaintChecker::image(WarpState& warp, const Operation* op, const TaintRule& rule) {
  const OperationDetail& detail = warp.program->details[op->index];
  const std::uint32_t* const lists = warp.program->lists.data();
  decide(warp, op, rule, op->a, 8, warp.exec, Use::address);
  if (op->b != kNoOperand)
    for (unsigned k = 0; k < coordinates_of(detail.modifiers.geometry); ++k)
      decide(warp, op, rule, lists[op->b + k], 4, warp.exec, Use::address);
  if (is_surface_store(detail.id)) return;
  if (is_image_query(detail.id)) {
    taint::define(warp, rule, op->d, 4);
    return;
  }
  const std::uint8_t size = ptx::size_of(detail.modifiers.types[0]) == 8 ? 8 : 4;
  for (unsigned k = 0; k < op->count; ++k)
    if (lists[op->d + k] != kNoOperand) taint::define(warp, rule, lists[op->d + k], size);
  if (op->e != kNoOperand) taint::define(warp, rule, op->e, TaintRule::kPredicate);
}

}  // namespace warpbook::simulator
