// What the form of a texture or surface operation says about its operands.
#pragma once

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {

constexpr bool is_image_operation(ptx::OperationId id) {
  switch (id) {
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) case ptx::OperationId::id:
#include "common/simulator/ptx/operations/image.def"
#undef WB_OPERATION
    return true;
    default:
      return false;
  }
}

constexpr bool is_image_query(ptx::OperationId id) {
  return id == ptx::OperationId::txq || id == ptx::OperationId::txq_level || id == ptx::OperationId::suq;
}

constexpr bool reads_or_writes_image(ptx::OperationId id) { return is_image_operation(id) && !is_image_query(id); }

constexpr bool is_surface_store(ptx::OperationId id) {
  return id == ptx::OperationId::sust || id == ptx::OperationId::sust_formatted;
}

constexpr bool reads_image(ptx::OperationId id) { return reads_or_writes_image(id) && !is_surface_store(id); }

constexpr bool is_layered(ptx::Geometry geometry) {
  return geometry == ptx::Geometry::a1d || geometry == ptx::Geometry::a2d || geometry == ptx::Geometry::acube;
}

/// Coordinates without the layer; a direction of a cube has three.
constexpr unsigned dimensions_of(ptx::Geometry geometry) {
  switch (geometry) {
    case ptx::Geometry::d1:
    case ptx::Geometry::a1d:
      return 1;
    case ptx::Geometry::d2:
    case ptx::Geometry::a2d:
      return 2;
    case ptx::Geometry::d3:
    case ptx::Geometry::cube:
    case ptx::Geometry::acube:
      return 3;
    case ptx::Geometry::none:
      break;
  }
  return 0;
}

/// Registers that hold coordinates; the PTX may list more, to fill a vector.
constexpr unsigned coordinates_of(ptx::Geometry geometry) {
  return dimensions_of(geometry) + (is_layered(geometry) ? 1 : 0);
}
/// The same for the derivatives of tex.grad: none for a layer.
constexpr unsigned gradients_of(ptx::Geometry geometry) { return dimensions_of(geometry); }

}  // namespace warpbook::simulator
