// cp.async.bulk.tensor: boxes of a tensor, between global memory and shared memory.
#include <cstring>
#include <string>

#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/asynchronous.h"
#include "common/simulator/machine/bulk.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/lane_values.h"
#include "common/simulator/machine/tensor_box.h"

namespace warpbook::simulator::asynchronous {
namespace {

using ptx::OperationId;

constexpr std::uint32_t kBoxAlignment = 128;

bool refuse(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, const std::string& text) {
  raise(warp, op, FaultKind::out_of_bounds, lane, address, 0, false, {text, FaultCause::no_allocation});
  return false;
}

bool read_map(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, TensorMap& map) {
  const std::byte* bytes = nullptr;
  if (address - kParamWindow < kWindowBytes) {
    const std::uint64_t offset = address - kParamWindow;
    if (offset + TensorMap::kBytes <= warp.worker->launch->parameters.size()) bytes = warp.parameters + offset;
  } else if (const Allocation* allocation = warp.worker->find(address);
             allocation != nullptr && allocation->contains(address, TensorMap::kBytes)) {
    bytes = allocation->host + (address - allocation->address);
  }
  if (bytes == nullptr)
    return refuse(warp, op, lane, address,
                  "a tensor map is a kernel's __grid_constant__ parameter or lies in global or constant memory: there "
                  "is none at this address");
  std::memcpy(&map, bytes, sizeof map);
  if (map.magic == TensorMap::kMagic) return true;
  return refuse(warp, op, lane, address, "these 128 bytes are not a tensor map that cuTensorMapEncodeTiled has made");
}

/// Where the operation's im2col offsets are, and for how many dimensions.
struct Offsets {
  std::uint32_t list = kNoOperand, count = 0;
};

bool gathers(const Warp& warp, const Operation* op) {
  const OperationId id = warp.program->details[op->index].id;
  return id == OperationId::cp_async_bulk_tensor_gather || id == OperationId::cp_async_bulk_tensor_gather_multicast ||
         id == OperationId::cp_async_bulk_tensor_scatter;
}

/// The box of the map at @p address, with the operation's coordinates and offsets. An im2col copy has two offsets fewer
/// than coordinates.
template <bool Im2col>
bool find_box(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, Offsets offsets, TensorBox& box) {
  if (!read_map(warp, op, lane, address, box.map)) return false;
  const bool by_rows = gathers(warp, op);
  const unsigned coordinates = by_rows ? 2 : offsets.list != kNoOperand ? offsets.count + 2 : op->count;
  if (coordinates != box.map.dimensions)
    return refuse(warp, op, lane, address,
                  "the instruction gives " + std::to_string(coordinates) + " coordinates, and the tensor has " +
                      std::to_string(box.map.dimensions) + " dimensions");
  if (Im2col != (box.map.im2col != 0))
    return refuse(warp, op, lane, address,
                  Im2col ? "the tensor map describes tiles (cuTensorMapEncodeTiled), but the instruction is .im2col"
                         : "the tensor map is from cuTensorMapEncodeIm2col, but the instruction is .tile");
  if (box.map.flushes_subnormals()) {
    raise(warp, op, FaultKind::unsupported, lane, address, 0, false,
          "tensor maps whose element type flushes subnormals are not supported by the virtual GPU");
    return false;
  }
  if (const std::string problem = box.map.problem(); !problem.empty()) {
    raise(warp, op, FaultKind::illegal, lane, address, 0, false,
          "this tensor map cannot be used for a copy: " + problem);
    return false;
  }
  const std::uint32_t* const lists = warp.program->lists.data();
  for (unsigned i = 0; i < coordinates; ++i)
    box.corner[i] = static_cast<std::int32_t>(word_of(warp, lists[op->immediate + i], lane));
  for (unsigned i = 0; i < offsets.count; ++i) box.offsets[i] = word_of(warp, lists[offsets.list + i], lane);
  box.cut_offsets();
  if (by_rows) {
    std::array<std::int64_t, TensorBox::kGathered> rows;
    for (unsigned i = 0; i < rows.size(); ++i)
      rows[i] = static_cast<std::int32_t>(word_of(warp, lists[op->immediate + 1 + i], lane));
    box.gather(rows);
  }
  if (const std::string wrong = box.wrong_corner(); !wrong.empty()) {
    raise(warp, op, FaultKind::illegal, lane, address, 0, false, wrong);
    return false;
  }
  return true;
}

/// The box's bytes in shared memory at @p address.
SharedPlace find_box_in_shared(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address,
                               const TensorMap& map, bool write) {
  const std::uint64_t bytes = map.box_bytes();
  if (bytes < kWindowBytes) {
    const std::uint32_t reach = map.swizzling().spread(static_cast<std::uint32_t>(bytes - 1)) + 1;
    return find_shared(warp, op, lane, address, reach, kBoxAlignment, write);
  }
  raise(warp, op, FaultKind::out_of_bounds, lane, address, 0, write,
        {"the box is " + std::to_string(bytes) + " bytes: no shared memory is as large", FaultCause::outside_shared});
  return {};
}

/// A row's bytes in global memory: any multiple of the element size.
GlobalPlace find_row(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                     bool write) {
  const Allocation* const allocation = warp.worker->find(address);
  if (allocation != nullptr && allocation->contains(address, bytes) && (!write || !allocation->read_only))
    return {allocation, address};
  raise(warp, op, FaultKind::out_of_bounds, lane, address, bytes, write,
        describe_outside_global(*warp.worker->memory, address, bytes, write));
  return {};
}

void fill(std::vector<std::byte>& data, const TensorMap& map) {
  const std::uint16_t value = map.fill();
  if (value == 0) return;
  for (std::size_t at = 0; at < data.size(); at += sizeof value) std::memcpy(data.data() + at, &value, sizeof value);
}

/// Rounds to 10 fraction bits, ties to even; all NaNs become one.
void round_to_tf32(std::byte* data, std::size_t bytes) {
  constexpr std::uint32_t kDropped = 13, kNan = 0x7fffe000;
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint32_t)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, data + at, sizeof bits);
    const bool no_number = (bits & 0x7fffffff) > 0x7f800000;
    bits += (1u << (kDropped - 1)) - 1 + (bits >> kDropped & 1);
    bits = no_number ? kNan : bits & ~((1u << kDropped) - 1);
    std::memcpy(data + at, &bits, sizeof bits);
  }
}

/// [a] = the box of map [b] at its coordinates, for mbarrier [c]; multicast to the blocks in mask f. With im2col, f is
/// the list of offsets and e the mask.
template <bool Multicast, bool Im2col>
const Operation* load(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    TensorBox box;
    const Offsets offsets = Im2col ? Offsets{op->f, op->count} : Offsets{};
    if (!find_box<Im2col>(warp, op, lane, wide_of(warp, op->b, lane), offsets, box)) return false;
    const SharedPlace target = find_box_in_shared(warp, op, lane, wide_of(warp, op->a, lane), box.map, true);
    if (target.block == nullptr) return false;
    const auto bytes = static_cast<std::uint32_t>(box.map.box_bytes());
    const SharedPlace barrier = find_shared(warp, op, lane, wide_of(warp, op->c, lane), 8, 8, true);
    if (barrier.block == nullptr) return false;
    Landing landing;
    landing.barrier = barrier.offset;
    landing.to = target.offset;
    landing.bytes = static_cast<std::int32_t>(bytes);
    landing.swizzle = box.map.swizzling();
    landing.lane = lane;
    landing.operation = op;
    landing.data.resize(bytes);
    fill(landing.data, box.map);
    const bool found = TensorRows(box).for_each([&](const TensorStretch& stretch) {
      const GlobalPlace place = find_row(warp, op, lane, stretch.address, stretch.bytes, false);
      if (place.allocation == nullptr) return false;
      count_bulk(*warp.worker, op, place, stretch.bytes, false);
      if (state.state->checked)
        warp.worker->checker->read_in_bulk(state, op, lane, stretch.address, stretch.bytes, false);
      std::memcpy(landing.data.data() + stretch.at, place.host(), stretch.bytes);
      if (box.map.rounds_to_tf32()) round_to_tf32(landing.data.data() + stretch.at, stretch.bytes);
      return true;
    });
    if (!found) return false;
    counters.bytes += bytes;
    std::vector<BlockState*> blocks{target.block};
    if constexpr (Multicast) {
      blocks.clear();
      const std::uint32_t ranks = word_of(warp, Im2col ? op->e : op->f, lane) & 0xffffu;
      if (!find_ranks(warp, op, lane, ranks, blocks)) return false;
    }
    for (BlockState* block : blocks) {
      if ((!Multicast && barrier.block != block) || !block->mbarrier_at(barrier.offset)) {
        raise(warp, op, FaultKind::trap, lane, barrier.offset, 8, true,
              {"the mbarrier at offset " + std::to_string(barrier.offset) +
                   " of shared memory, which must count the bytes, has not been initialised in the block that receives "
                   "them",
               FaultCause::barrier});
        return false;
      }
      Landing copy = landing;
      copy.by = block == state.state ? &state : nullptr;
      block->begin(std::move(copy));
    }
    return true;
  });
  return good ? op + 1 : nullptr;
}

/// The box of map [a] at its coordinates = [b], or op= [b], in one of the lane's bulk groups.
template <bool Reduces, bool Im2col>
const Operation* store(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    TensorBox box;
    const std::uint64_t map = wide_of(warp, op->a, lane);
    if (!find_box<Im2col>(warp, op, lane, map, {}, box)) return false;
    std::string wrong = box.wrong_store();
    const ptx::AtomicOp reduction = warp.program->details[op->index].modifiers.atomic;
    if (Reduces && box.map.element_type() == ptx::Type::f32 && reduction != ptx::AtomicOp::add)
      wrong = "32-bit floats support only .add";
    if (!wrong.empty()) {
      raise(warp, op, FaultKind::illegal, lane, map, 0, true, wrong);
      return false;
    }
    const SharedPlace source = find_box_in_shared(warp, op, lane, wide_of(warp, op->b, lane), box.map, false);
    if (source.block == nullptr) return false;
    const auto bytes = static_cast<std::uint32_t>(box.map.box_bytes());
    if (state.state->checked) {
      const Swizzle swizzle = box.map.swizzling();
      const std::uint32_t row = swizzle.row == 0 ? bytes : swizzle.row;
      for (std::uint32_t at = 0; at < bytes; at += row)
        warp.worker->checker->read_in_bulk(state, op, lane, source.offset + swizzle.spread(at), row, true);
    }
    const bool found = TensorRows(box).for_each([&](const TensorStretch& stretch) {
      const GlobalPlace place = find_row(warp, op, lane, stretch.address, stretch.bytes, true);
      if (place.allocation == nullptr) return false;
      count_bulk(*warp.worker, op, place, stretch.bytes, true);
      if (Reduces) count_bulk(*warp.worker, op, place, stretch.bytes, false);
      if (state.state->checked)
        warp.worker->checker->wrote_in_bulk(state, op, lane, stretch.address, stretch.bytes, Reduces);
      return true;
    });
    if (!found) return false;
    counters.bytes += bytes;
    const auto perform = [=, &warp] {
      std::vector<std::byte> data(bytes);
      const Swizzle swizzle = box.map.swizzling();
      for (std::uint32_t at = 0; at < bytes; at += kBulkBytes) {
        const std::uint32_t from = swizzle(source.offset + swizzle.spread(at));
        if (from + kBulkBytes <= source.block->shared_bytes)
          std::memcpy(data.data() + at, source.block->shared + from, kBulkBytes);
      }
      TensorRows(box).for_each([&](const TensorStretch& stretch) {
        const Allocation* const allocation = warp.worker->find(stretch.address);
        if (allocation == nullptr) return false;
        const GlobalPlace place{allocation, stretch.address};
        before_bulk_write(*warp.worker, place, stretch.bytes);
        const std::byte* const from = data.data() + stretch.at;
        if constexpr (Reduces)
          reduce_bytes(place.host(), from, stretch.bytes, warp.program->details[op->index].modifiers.atomic,
                       box.map.element_type());
        else
          std::memcpy(place.host(), from, stretch.bytes);
        return true;
      });
    };
    if (state.state->at_once())
      perform();
    else
      state.bulk_groups.add(lane, perform);
    return true;
  });
  return good ? op + 1 : nullptr;
}

}  // namespace

Handler resolve_tensor(OperationId id) {
  switch (id) {
    case OperationId::cp_async_bulk_tensor_load:
    case OperationId::cp_async_bulk_tensor_gather:
      return load<false, false>;
    case OperationId::cp_async_bulk_tensor_load_multicast:
    case OperationId::cp_async_bulk_tensor_gather_multicast:
      return load<true, false>;
    case OperationId::cp_async_bulk_tensor_load_im2col:
      return load<false, true>;
    case OperationId::cp_async_bulk_tensor_load_im2col_multicast:
      return load<true, true>;
    case OperationId::cp_async_bulk_tensor_store:
    case OperationId::cp_async_bulk_tensor_scatter:
      return store<false, false>;
    case OperationId::cp_async_bulk_tensor_store_im2col:
      return store<false, true>;
    case OperationId::cp_reduce_async_bulk_tensor:
      return store<true, false>;
    case OperationId::cp_reduce_async_bulk_tensor_im2col:
      return store<true, true>;
    default:
      return nullptr;
  }
}

}  // namespace warpbook::simulator::asynchronous
