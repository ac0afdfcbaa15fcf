// cp.async.bulk.tensor: boxes of a tensor, between global memory and shared memory.
#include <algorithm>
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

constexpr std::uint32_t kBoxAlignment = 128;

/// A box of a tensor that one lane names.
struct Box {
  TensorMap map;
  std::array<std::int64_t, TensorMap::kMostDimensions> corner = {};
};

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

/// The box of the map at @p address and the coordinates of the operation.
bool find_box(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, Box& box) {
  if (!read_map(warp, op, lane, address, box.map)) return false;
  if (op->count != box.map.dimensions)
    return refuse(warp, op, lane, address,
                  "the instruction gives " + std::to_string(op->count) + " coordinates, and the tensor has " +
                      std::to_string(box.map.dimensions) + " dimensions");
  const std::uint32_t* const list = warp.program->lists.data() + op->immediate;
  for (unsigned i = 0; i < op->count; ++i) box.corner[i] = static_cast<std::int32_t>(word_of(warp, list[i], lane));
  return true;
}

/// f(first element in global memory, number of elements, offset of the row in the box, elements to skip before them)
/// for each row of the box that is inside the tensor at all. Rows are along the first dimension.
template <class F>
bool for_rows(const Box& box, F f) {
  const TensorMap& map = box.map;
  const unsigned size = map.element_bytes();
  const std::uint32_t row_bytes = map.count(0) * size;
  const std::int64_t begin = std::max<std::int64_t>(box.corner[0], 0);
  const std::int64_t end = std::min<std::int64_t>(box.corner[0] + map.count(0), static_cast<std::int64_t>(map.size(0)));
  std::array<std::uint32_t, TensorMap::kMostDimensions> at = {};
  for (std::uint32_t offset = 0;; offset += row_bytes) {
    bool inside = begin < end;
    std::uint64_t address = map.address + static_cast<std::uint64_t>(begin) * size;
    for (unsigned i = 1; i < map.dimensions; ++i) {
      const std::int64_t coordinate = box.corner[i] + std::int64_t{at[i]} * map.element_strides[i];
      inside &= coordinate >= 0 && coordinate < static_cast<std::int64_t>(map.size(i));
      address += static_cast<std::uint64_t>(coordinate) * map.strides[i - 1];
    }
    if (inside && !f(address, static_cast<std::uint32_t>(end - begin) * size, offset,
                     static_cast<std::uint32_t>(begin - box.corner[0]) * size))
      return false;
    unsigned i = 1;
    for (; i < map.dimensions; ++i) {
      if (++at[i] < map.count(i)) break;
      at[i] = 0;
    }
    if (i >= map.dimensions) return true;
  }
}

/// A row's bytes in global memory: any multiple of an element.
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
  const std::uint64_t value = map.fill();
  if (value == 0) return;
  for (std::size_t at = 0; at < data.size(); at += map.element_bytes())
    std::memcpy(data.data() + at, &value, map.element_bytes());
}

/// [a] = the box of map [b] at its coordinates, for mbarrier [c]; multicast to the blocks that f names.
template <bool Multicast>
const Operation* load(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    Box box;
    if (!find_box(warp, op, lane, wide_of(warp, op->b, lane), box)) return false;
    const std::uint32_t bytes = box.map.box_bytes();
    const SharedPlace target = find_shared(warp, op, lane, wide_of(warp, op->a, lane), bytes, kBoxAlignment, true);
    if (target.block == nullptr) return false;
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
    const bool found =
        for_rows(box, [&](std::uint64_t address, std::uint32_t length, std::uint32_t offset, std::uint32_t skipped) {
          const GlobalPlace place = find_row(warp, op, lane, address, length, false);
          if (place.allocation == nullptr) return false;
          count_bulk(*warp.worker, op, place, length, false);
          if (state.state->checked) warp.worker->checker->read_in_bulk(state, op, lane, address, length, false);
          std::memcpy(landing.data.data() + offset + skipped, place.host(), length);
          return true;
        });
    if (!found) return false;
    counters.bytes += bytes;
    std::vector<BlockState*> blocks{target.block};
    if constexpr (Multicast) {
      blocks.clear();
      if (!find_ranks(warp, op, lane, word_of(warp, op->f, lane) & 0xffffu, blocks)) return false;
    }
    for (BlockState* block : blocks) {
      if ((!Multicast && barrier.block != block) || !block->mbarrier_at(barrier.offset)) {
        raise(
            warp, op, FaultKind::trap, lane, barrier.offset, 8, true,
            {"the mbarrier at offset " + std::to_string(barrier.offset) +
                 " of shared memory, which is to count the bytes, has not been initialised in the block that gets them",
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

/// The box of map [a] at its coordinates = [b], or op=, in a group of the lane.
template <bool Reduces>
const Operation* store(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  counters.requests += 1;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    Box box;
    if (!find_box(warp, op, lane, wide_of(warp, op->a, lane), box)) return false;
    const std::uint32_t bytes = box.map.box_bytes();
    const SharedPlace source = find_shared(warp, op, lane, wide_of(warp, op->b, lane), bytes, kBoxAlignment, false);
    if (source.block == nullptr) return false;
    if (state.state->checked) warp.worker->checker->read_in_bulk(state, op, lane, source.offset, bytes, true);
    const bool found = for_rows(box, [&](std::uint64_t address, std::uint32_t length, std::uint32_t, std::uint32_t) {
      const GlobalPlace place = find_row(warp, op, lane, address, length, true);
      if (place.allocation == nullptr) return false;
      count_bulk(*warp.worker, op, place, length, true);
      if (Reduces) count_bulk(*warp.worker, op, place, length, false);
      if (state.state->checked) warp.worker->checker->wrote_in_bulk(state, op, lane, address, length, Reduces);
      return true;
    });
    if (!found) return false;
    counters.bytes += bytes;
    const auto perform = [&warp, op, source, box, bytes] {
      std::vector<std::byte> data(bytes);
      const Swizzle swizzle = box.map.swizzling();
      for (std::uint32_t at = 0; at < bytes; at += kBulkBytes) {
        const std::uint32_t from = swizzle(source.offset + at);
        if (from + kBulkBytes <= source.block->shared_bytes)
          std::memcpy(data.data() + at, source.block->shared + from, kBulkBytes);
      }
      for_rows(box, [&](std::uint64_t address, std::uint32_t length, std::uint32_t offset, std::uint32_t skipped) {
        const Allocation* const allocation = warp.worker->find(address);
        if (allocation == nullptr) return false;
        const GlobalPlace place{allocation, address};
        before_bulk_write(*warp.worker, place, length);
        const std::byte* const from = data.data() + offset + skipped;
        if constexpr (Reduces)
          reduce_bytes(place.host(), from, length, warp.program->details[op->index].modifiers.atomic,
                       box.map.element_type());
        else
          std::memcpy(place.host(), from, length);
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
      return load<false>;
    case OperationId::cp_async_bulk_tensor_load_multicast:
      return load<true>;
    case OperationId::cp_async_bulk_tensor_store:
      return store<false>;
    case OperationId::cp_reduce_async_bulk_tensor:
      return store<true>;
    default:
      return nullptr;
  }
}

}  // namespace warpbook::simulator::asynchronous
