// Packs the bytes that a copy reads from the program's own memory, and unpacks those that it writes there.
#include "common/simulator/remote/front/copy.h"

#include "common/simulator/remote/front/process.h"

namespace warpbook::simulator::remote {
namespace {

bool is_symbol_target(CopyKind kind) { return kind == CopyKind::to_symbol || kind == CopyKind::to_symbol_async; }
bool is_symbol_source(CopyKind kind) { return kind == CopyKind::from_symbol || kind == CopyKind::from_symbol_async; }

/// Ordinary memory of this process: its bytes are part of the message.
bool travels(const CopySide& side, bool is_symbol) {
  return !is_symbol && side.base != nullptr && !is_known_to_device(side.base);
}

/// Bytes of the message; 0 if the device will reject the copy before it looks at them.
std::uint64_t bytes_of(const CopyMessage& message) {
  std::uint64_t rows = 0, bytes = 0;
  if (__builtin_mul_overflow(message.height, message.depth, &rows) ||
      __builtin_mul_overflow(rows, message.width, &bytes))
    return 0;
  const auto holds = [&](const CopySide& side) { return side.array != 0 || message.width <= side.pitch; };
  const bool fits = rows <= 1 || (holds(message.to) && holds(message.from));
  return fits && bytes < kLargestMessage ? bytes : 0;
}

template <class Row>
void each_row(const CopyMessage& message, const CopySide& side, Row row) {
  for (std::uint64_t slice = 0; slice < message.depth; ++slice)
    for (std::uint64_t y = 0; y < message.height; ++y)
      row(static_cast<const std::byte*>(side.base) + (slice * side.slice_rows + y) * side.pitch);
}

void put_side(Writer& to, const CopySide& side, bool travelling) {
  to.put<std::uint8_t>(travelling);
  to.put(reinterpret_cast<std::uint64_t>(side.base));
  to.put(side.pitch);
  to.put(side.slice_rows);
}

void put_array(Writer& to, const CopySide& side) {
  to.put(side.array);
  to.put(side.x);
  to.put(side.y);
  to.put(side.z);
}

}  // namespace

std::uint64_t copy(const CopyMessage& message) {
  Exchange exchange(Call::copy);
  Writer& to = exchange.arguments();
  const std::uint64_t bytes = bytes_of(message);
  const bool takes = bytes != 0 && travels(message.from, is_symbol_source(message.kind));
  const bool brings = bytes != 0 && travels(message.to, is_symbol_target(message.kind));
  to.put(message.kind);
  put_side(to, message.to, brings);
  put_side(to, message.from, takes);
  to.put(message.width);
  to.put(message.height);
  to.put(message.depth);
  to.put(message.direction);
  to.put(reinterpret_cast<std::uint64_t>(message.stream));
  to.put(message.to_device);
  to.put(message.from_device);
  to.put(message.offset);
  const bool arrays = message.to.array != 0 || message.from.array != 0 || message.kind == CopyKind::array ||
                      message.kind == CopyKind::driver_array;
  to.put<std::uint8_t>(arrays);
  if (arrays) {
    put_array(to, message.to);
    put_array(to, message.from);
    to.put<std::uint8_t>(message.blocking);
  }
  std::byte* packed = to.room(takes ? bytes : 0);
  if (takes) {
    each_row(message, message.from, [&](const std::byte* row) {
      std::memcpy(packed, row, message.width);
      packed += message.width;
    });
  }
  Reader answer = exchange.ask();
  const auto result = answer.get<std::uint64_t>();
  const auto brought = answer.block();
  if (brings && brought.size() == bytes) {
    const std::byte* from = brought.data();
    each_row(message, message.to, [&](const std::byte* row) {
      std::memcpy(const_cast<std::byte*>(row), from, message.width);
      from += message.width;
    });
  }
  return result;
}

}  // namespace warpbook::simulator::remote
