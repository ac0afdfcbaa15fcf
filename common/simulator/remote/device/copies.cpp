// Copies: the calls behind a message, with the program's bytes in this process's memory.
#include <cstring>
#include <vector>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/remote/device/scratch.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/array_copy.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_state.h"

namespace warpbook::simulator::remote {
namespace {

struct Side {
  bool travels = false;  ///< Its bytes are part of the messages: the program's ordinary memory.
  std::uint64_t base = 0, pitch = 0, slice_rows = 0;
  std::uint64_t array = 0, x = 0, y = 0, z = 0;
};

Side read_side(Reader& from) {
  Side side;
  side.travels = from.get<std::uint8_t>() != 0;
  side.base = from.get<std::uint64_t>();
  side.pitch = from.get<std::uint64_t>();
  side.slice_rows = from.get<std::uint64_t>();
  return side;
}

void read_array(Reader& from, Side& side) {
  side.array = from.get<std::uint64_t>();
  side.x = from.get<std::uint64_t>();
  side.y = from.get<std::uint64_t>();
  side.z = from.get<std::uint64_t>();
}

runtime::ArrayCopySide side_of_copy(const Side& side) {
  return {reinterpret_cast<const void*>(side.base), side.pitch, side.slice_rows, side.array, side.x, side.y, side.z};
}

/// The device's copy of a side in program memory, if it belongs to an owner's array: from its first byte to its last.
std::span<std::byte> array_of(const Side& side, std::uint64_t width, std::uint64_t height, std::uint64_t depth) {
  std::uint64_t rows = 0, bytes = 0;
  if (!side.travels || __builtin_mul_overflow(depth - 1, side.slice_rows, &rows) ||
      __builtin_add_overflow(rows, height - 1, &rows) || __builtin_mul_overflow(rows, side.pitch, &bytes) ||
      __builtin_add_overflow(bytes, width, &bytes))
    return {};
  return remote_host().pageable(side.base, bytes);
}

/// Calls @p row(place in the array, place in the packed bytes) for each row of a copy.
template <class Row>
void each_row(std::span<std::byte> array, const Side& side, std::byte* packed, std::uint64_t width,
              std::uint64_t height, std::uint64_t depth, Row row) {
  for (std::uint64_t slice = 0; slice < depth; ++slice)
    for (std::uint64_t y = 0; y < height; ++y, packed += width)
      row(array.data() + (slice * side.slice_rows + y) * side.pitch, packed);
}

bool is_symbol_copy(CopyKind kind) {
  return kind == CopyKind::to_symbol || kind == CopyKind::to_symbol_async || kind == CopyKind::from_symbol ||
         kind == CopyKind::from_symbol_async;
}

/// Memory that the runtime knows. Any other program address could be anything in this process.
bool is_known(std::uint64_t address) {
  if (address == 0 || GlobalMemory::is_device(address)) return true;
  const std::lock_guard guard(runtime::runtime_lock());
  const runtime::Runtime* const device = runtime::Runtime::existing();
  return device != nullptr && device->memory.find(address) != nullptr;
}

}  // namespace

void answer_copy(Session& session, Reader& from, Writer& to) {
  const auto kind = from.get<CopyKind>();
  Side target = read_side(from), source = read_side(from);
  const auto width = from.get<std::uint64_t>(), height = from.get<std::uint64_t>(), depth = from.get<std::uint64_t>();
  const auto direction = static_cast<cudaMemcpyKind>(from.get<std::int32_t>());
  auto* const stream = reinterpret_cast<cudaStream_t>(from.get<std::uint64_t>());
  const auto to_device = from.get<std::int32_t>(), from_device = from.get<std::int32_t>();
  const auto offset = from.get<std::uint64_t>();
  bool blocking = true;
  if (from.get<std::uint8_t>() != 0) {  // For a copy with arrays.
    read_array(from, target);
    read_array(from, source);
    blocking = from.get<std::uint8_t>() != 0;
  }
  const auto payload = from.block();
  from.end();

  std::uint64_t rows = 0, bytes = 0;
  const bool overflows = __builtin_mul_overflow(height, depth, &rows) || __builtin_mul_overflow(rows, width, &bytes);
  if ((source.travels || target.travels) && (overflows || bytes == 0 || bytes > kLargestMessage))
    throw WireError("a copy has no size that a message can have");
  if (source.travels && payload.size() != bytes) throw WireError("a copy has other bytes than its size says");
  if (source.travels && target.travels && is_symbol_copy(kind)) throw WireError("a symbol is no memory of the program");

  // Packed, in memory without addresses of the program.
  const auto place = [&](Side& side, const Scratch& scratch) {
    if (!side.travels) return;
    side.base = reinterpret_cast<std::uint64_t>(scratch.data());
    side.pitch = width;
    side.slice_rows = height;
  };
  const Scratch sent(source.travels ? bytes : 0), brought(target.travels ? bytes : 0);
  if (source.travels) std::memcpy(sent.data(), payload.data(), bytes);
  const Side program_target = target;
  const auto source_array = array_of(source, width, height, depth),
             target_array = array_of(target, width, height, depth);
  if (!source_array.empty()) {
    each_row(source_array, source, sent.data(), width, height, depth,
             [&](const std::byte* array, std::byte* packed) { std::memcpy(packed, array, width); });
  } else if (source.travels && session.owner != nullptr) {
    const std::lock_guard guard(runtime::runtime_lock());
    session.owner->arriving({sent.data(), bytes});
  }
  if (!source_array.empty() || !target_array.empty())
    remote_host().set_on_their_way(!source_array.empty() ? sent.data() : brought.data());
  // A captured copy accesses the program's memory when the graph runs, and requests the bytes then.
  const bool captured = is_capturing(stream);
  if (!captured) {
    place(source, sent);
    place(target, brought);
  }
  const bool symbol_target = kind == CopyKind::to_symbol || kind == CopyKind::to_symbol_async;
  const bool symbol_source = kind == CopyKind::from_symbol || kind == CopyKind::from_symbol_async;
  // Replaces an unknown address by null, which every call rejects like an address without memory.
  if (!target.travels && !symbol_target && !is_known(target.base)) target.base = 0;
  if (!source.travels && !symbol_source && !is_known(source.base)) source.base = 0;

  auto* const t = reinterpret_cast<void*>(target.base);
  const auto* const s = reinterpret_cast<const void*>(source.base);
  cudaMemcpy3DParms box{};
  box.dstPtr = {t, target.pitch, 0, target.slice_rows};
  box.srcPtr = {const_cast<void*>(s), source.pitch, 0, source.slice_rows};
  box.extent = {width, height, depth};
  box.kind = direction;
  const std::uint64_t n = width;
  std::uint64_t error = 0;
  switch (kind) {
    case CopyKind::plain:
      error = cudaMemcpy(t, s, n, direction);
      break;
    case CopyKind::plain_async:
      error = cudaMemcpyAsync(t, s, n, direction, stream);
      break;
    case CopyKind::rows:
      error = cudaMemcpy2D(t, target.pitch, s, source.pitch, width, height, direction);
      break;
    case CopyKind::rows_async:
      error = cudaMemcpy2DAsync(t, target.pitch, s, source.pitch, width, height, direction, stream);
      break;
    case CopyKind::box:
      error = cudaMemcpy3D(&box);
      break;
    case CopyKind::box_async:
      error = cudaMemcpy3DAsync(&box, stream);
      break;
    case CopyKind::peer:
      error = cudaMemcpyPeer(t, to_device, s, from_device, n);
      break;
    case CopyKind::peer_async:
      error = cudaMemcpyPeerAsync(t, to_device, s, from_device, n, stream);
      break;
    case CopyKind::to_symbol:
      error = cudaMemcpyToSymbol(t, s, n, offset, direction);
      break;
    case CopyKind::to_symbol_async:
      error = cudaMemcpyToSymbolAsync(t, s, n, offset, direction, stream);
      break;
    case CopyKind::from_symbol:
      error = cudaMemcpyFromSymbol(t, s, n, offset, direction);
      break;
    case CopyKind::from_symbol_async:
      error = cudaMemcpyFromSymbolAsync(t, s, n, offset, direction, stream);
      break;
    case CopyKind::driver:
      error = cuMemcpy(target.base, source.base, n);
      break;
    case CopyKind::driver_async:
      error = cuMemcpyAsync(target.base, source.base, n, stream);
      break;
    case CopyKind::driver_to_device:
      error = cuMemcpyHtoD_v2(target.base, s, n);
      break;
    case CopyKind::driver_to_device_async:
      error = cuMemcpyHtoDAsync_v2(target.base, s, n, stream);
      break;
    case CopyKind::driver_to_host:
      error = cuMemcpyDtoH_v2(t, source.base, n);
      break;
    case CopyKind::driver_to_host_async:
      error = cuMemcpyDtoHAsync_v2(t, source.base, n, stream);
      break;
    case CopyKind::array:
    case CopyKind::driver_array: {
      runtime::ArrayCopy request;
      // Names of calls are only for messages: several calls are sent under one name.
      request.name = kind == CopyKind::array ? (blocking ? "cudaMemcpy3D" : "cudaMemcpy3DAsync")
                                             : (blocking ? "cuMemcpy3D" : "cuMemcpy3DAsync");
      request.to = side_of_copy(target);
      request.from = side_of_copy(source);
      request.width = width;
      request.height = height;
      request.depth = depth;
      request.kind = direction;
      request.stream = stream;
      request.blocking = blocking;
      if (kind == CopyKind::array)
        error = runtime::copy_array(request);
      else
        error = driver::forward([&] { return runtime::copy_array(request); });
      break;
    }
    default:
      throw WireError("there is no such copy");
  }
  remote_host().set_on_their_way(nullptr);
  if (!target_array.empty() && error == 0 && !captured) {
    each_row(target_array, program_target, brought.data(), width, height, depth,
             [&](std::byte* array, const std::byte* packed) { std::memcpy(array, packed, width); });
  }
  to.put(error);
  to.block(brought.data(), target.travels && error == 0 && !captured ? bytes : 0);
}

}  // namespace warpbook::simulator::remote
