// tensormap.replace and tensormap.cp_fenceproxy: kernels that modify maps; multimem, for which there is no memory.
//
// A map is modified in place, in global or shared memory. From shared memory a warp copies it to global memory, where
// copies read it. The fences in between do nothing here, because stores are visible at once.
#include <cstring>
#include <string>

#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/asynchronous.h"
#include "common/simulator/machine/bulk.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/lane_values.h"
#include "common/simulator/machine/tensor_map.h"

namespace warpbook::simulator::asynchronous {
namespace {

using ptx::OperationId;

constexpr std::uint32_t kMapAlignment = 64;

/// A map in shared or global memory.
struct MapPlace {
  SharedPlace shared;
  GlobalPlace global;
  std::byte* host() const {
    return shared.block != nullptr        ? shared.block->shared + shared.offset
           : global.allocation != nullptr ? global.host()
                                          : nullptr;
  }
};

MapPlace find_map(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address) {
  MapPlace place;
  if (op->space == ptx::Space::shared || space_of(address) == ptx::Space::shared)
    place.shared = find_shared(warp, op, lane, address, TensorMap::kBytes, kMapAlignment, true);
  else if (address % kMapAlignment != 0)
    raise(warp, op, FaultKind::misaligned, lane, address, TensorMap::kBytes, true,
          describe_misaligned(ptx::Space::global, address, kMapAlignment, true));
  else
    place.global = find_global(warp, op, lane, address, TensorMap::kBytes, true);
  return place;
}

/// PTX numbers the element types differently from CUtensorMapDataType: f32.ftz comes before f64 and bf16.
std::uint8_t type_of_elements(std::int64_t value) {
  constexpr std::uint8_t kHostTypes[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12};
  return value >= 0 && value < static_cast<std::int64_t>(sizeof kHostTypes) ? kHostTypes[value] : 0xff;
}

/// Sets field @p id of @p map as the operation says; its ordinal or its value is the immediate.
void replace_field(TensorMap& map, OperationId id, const Operation* op, std::uint64_t value) {
  const auto ordinal = static_cast<std::size_t>(op->immediate);
  const auto word = static_cast<std::uint32_t>(value);
  switch (id) {
    case OperationId::tensormap_replace_global_address:
      map.address = value;
      break;
    case OperationId::tensormap_replace_rank:  // Counted from 0.
      map.dimensions = static_cast<std::uint8_t>(word + 1);
      break;
    case OperationId::tensormap_replace_box_dim:
      map.box.at(ordinal) = static_cast<std::uint16_t>(word);
      break;
    case OperationId::tensormap_replace_global_dim:
      map.last.at(ordinal) = word - 1;
      break;
    case OperationId::tensormap_replace_global_stride:
      if (ordinal < map.strides.size()) map.strides.at(ordinal) = value;
      break;
    case OperationId::tensormap_replace_element_stride:
      // Without interleaving, the stride of the first dimension is not used.
      if (ordinal != 0 || map.interleave != 0) map.element_strides.at(ordinal) = static_cast<std::uint8_t>(word);
      break;
    case OperationId::tensormap_replace_elemtype:
      map.type = type_of_elements(op->immediate);
      break;
    case OperationId::tensormap_replace_interleave_layout:
      map.interleave = static_cast<std::uint8_t>(op->immediate);
      break;
    case OperationId::tensormap_replace_swizzle_mode:
      map.swizzle = static_cast<std::uint8_t>(op->immediate);
      break;
    default:
      map.fills_nan = static_cast<std::uint8_t>(op->immediate);
      break;
  }
}

/// Size of a field's value: 8 bytes, 4 bytes, or an immediate.
enum class FieldValue { none, word, wide };

/// A field of the map [a] is set to the value in b, or to the immediate.
template <FieldValue Value>
const Operation* replace(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const OperationId id = warp.program->details[op->index].id;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const std::uint64_t address = wide_of(warp, op->a, lane);
    const MapPlace place = find_map(warp, op, lane, address);
    std::byte* const bytes = place.host();
    if (bytes == nullptr) return false;
    TensorMap map;
    std::memcpy(&map, bytes, sizeof map);
    if (map.magic != TensorMap::kMagic) {
      raise(
          warp, op, FaultKind::out_of_bounds, lane, address, TensorMap::kBytes, true,
          {"these 128 bytes are not a tensor map that cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col has made: copy "
           "one there first",
           FaultCause::no_allocation});
      return false;
    }
    if (place.shared.block == nullptr) before_bulk_write(*warp.worker, place.global, TensorMap::kBytes);
    replace_field(map, id, op,
                  Value == FieldValue::wide   ? wide_of(warp, op->b, lane)
                  : Value == FieldValue::word ? word_of(warp, op->b, lane)
                                              : 0);
    std::memcpy(bytes, &map, sizeof map);
    if (state.state->checked && (place.shared.block == nullptr || place.shared.block == state.state))
      warp.worker->checker->wrote_in_bulk(state, op, lane,
                                          place.shared.block != nullptr ? place.shared.offset : place.global.address,
                                          TensorMap::kBytes, false, place.shared.block != nullptr);
    return true;
  });
  return good ? op + 1 : nullptr;
}

/// Copies the map [b] in shared memory to [a] in global memory, once for the warp.
const Operation* copy_map(Warp& warp, const Operation* op) {
  if (warp.exec == 0) return op + 1;
  WarpState& state = state_of(warp);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  counters.requests += 1;
  const auto lane = static_cast<unsigned>(std::countr_zero(warp.exec));
  const SharedPlace from =
      find_shared(warp, op, lane, wide_of(warp, op->b, lane), TensorMap::kBytes, kMapAlignment, false);
  if (from.block == nullptr) return nullptr;
  const GlobalPlace to = find_global(warp, op, lane, wide_of(warp, op->a, lane), TensorMap::kBytes, true);
  if (to.allocation == nullptr) return nullptr;
  count_bulk(*warp.worker, op, to, TensorMap::kBytes, true);
  counters.bytes += TensorMap::kBytes;
  if (state.state->checked) {
    warp.worker->checker->read_in_bulk(state, op, lane, from.offset, TensorMap::kBytes, true);
    warp.worker->checker->wrote_in_bulk(state, op, lane, to.address, TensorMap::kBytes, false);
  }
  before_bulk_write(*warp.worker, to, TensorMap::kBytes);
  std::memcpy(to.host(), from.block->shared + from.offset, TensorMap::kBytes);
  return op + 1;
}

/// No device here can be part of a multicast object, so no address belongs to one. PTX leaves the behaviour for other
/// addresses open: on an H200 (2026-11-23) multimem.ld_reduce ends in error 700, while stores and reductions behave
/// like st and red.
const Operation* find_no_multicast(Warp& warp, const Operation* op) {
  if (warp.exec == 0) return op + 1;
  const auto lane = static_cast<unsigned>(std::countr_zero(warp.exec));
  const bool loads = warp.program->details[op->index].id == OperationId::multimem_ld_reduce;
  const std::uint64_t address = wide_of(warp, op->a, lane);
  raise(warp, op, FaultKind::out_of_bounds, lane, address, 0, !loads,
        {"there is no multicast object at this address: this device cannot be part of one (cuDeviceGetAttribute "
         "returns 0 "
         "for CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED). Check that before you use multimem instructions",
         FaultCause::no_allocation});
  return nullptr;
}

}  // namespace

Handler resolve_tensor_map(OperationId id) {
  switch (id) {
    case OperationId::tensormap_replace_global_address:
    case OperationId::tensormap_replace_global_stride:
      return replace<FieldValue::wide>;
    case OperationId::tensormap_replace_rank:
    case OperationId::tensormap_replace_box_dim:
    case OperationId::tensormap_replace_global_dim:
    case OperationId::tensormap_replace_element_stride:
      return replace<FieldValue::word>;
    case OperationId::tensormap_replace_elemtype:
    case OperationId::tensormap_replace_interleave_layout:
    case OperationId::tensormap_replace_swizzle_mode:
    case OperationId::tensormap_replace_fill_mode:
      return replace<FieldValue::none>;
    case OperationId::tensormap_cp_fenceproxy:
      return copy_map;
    case OperationId::multimem_ld_reduce:
    case OperationId::multimem_st:
    case OperationId::multimem_red:
      return find_no_multicast;
    default:
      return nullptr;
  }
}

}  // namespace warpbook::simulator::asynchronous
