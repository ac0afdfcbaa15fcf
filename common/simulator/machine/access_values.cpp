// Reads the values of accesses from registers and memory.
#include "common/simulator/machine/access_values.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

namespace warpbook::simulator {
namespace {

enum class Form : std::uint8_t { bits, natural, whole, floating };

Form form_of_values(ptx::Type type) {
  using ptx::Type;
  switch (type) {
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
      return Form::natural;
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return Form::whole;
    case Type::f32:
    case Type::f64:
      return Form::floating;
    default:
      return Form::bits;
  }
}

template <class... T>
std::string formatted(const char* format, T... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

/// One element of up to 8 bytes, without its bit pattern.
std::string element_text(std::uint64_t bits, unsigned bytes, Form form) {
  const unsigned unused = 64 - 8 * bytes;
  const std::int64_t negative = static_cast<std::int64_t>(bits << unused) >> unused;
  switch (form) {
    case Form::whole:
      return std::to_string(negative);
    case Form::natural:  // nvcc stores signed numbers with unsigned types.
      return negative < 0 ? std::to_string(negative) + " or " + std::to_string(bits) : std::to_string(bits);
    case Form::floating: {
      if (bytes == 8) {
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return formatted("%.17g", value);
      }
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return formatted("%.9g", static_cast<double>(value));
    }
    default:
      return formatted("0x%0*llx", static_cast<int>(2 * bytes), static_cast<unsigned long long>(bits));
  }
}

std::uint64_t bits_of(const std::byte* value, unsigned bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, bytes);
  return bits;
}

}  // namespace

bool AccessValues::stored(unsigned lane, std::byte* out) const {
  if (!stores_its_registers || bytes > kMostBytes) return false;
  const std::uint32_t size = bytes / op->count;
  for (unsigned j = 0; j < op->count; ++j) {
    const std::uint32_t slot = op->count == 1 ? op->b : warp.program->lists[op->b + j];
    if (size == 8)
      std::memcpy(out + 8 * j, reinterpret_cast<const std::uint64_t*>(warp.registers + slot) + lane, 8);
    else
      std::memcpy(out + size * j, reinterpret_cast<const std::uint32_t*>(warp.registers + slot) + lane, size);
  }
  return true;
}

bool AccessValues::is_same(const void* context, unsigned lane, std::uint32_t thread) {
  const AccessValues& access = *static_cast<const AccessValues*>(context);
  std::byte mine[kMostBytes], theirs[kMostBytes];
  if (!access.stored(lane, mine)) return false;
  const unsigned other = thread % kWarpSize;
  const bool together = thread / kWarpSize == access.warp.index && ((access.lanes >> other) & 1) != 0 &&
                        other != lane && access.address[other] == access.address[lane];
  if (together)
    access.stored(other, theirs);
  else
    std::memcpy(theirs, access.memory[lane], access.bytes);
  return std::memcmp(mine, theirs, access.bytes) == 0;
}

bool read_any_page(const std::byte* from, std::uint32_t bytes, std::byte* out) {
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (memory < 0) return false;
  const auto got = pread(memory, out, bytes, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(from)));
  close(memory);
  return got == static_cast<ssize_t>(bytes);
}

std::string value_text(const std::byte* value, std::uint32_t bytes, ptx::Type type) {
  const Form form = form_of_values(type);
  const unsigned size = type == ptx::Type::none ? 0 : ptx::size_of(type);
  if (size == 0 || size > 8 || bytes % size != 0) {
    std::string text = bytes == 1 ? "the byte" : "the bytes";
    for (std::uint32_t i = 0; i < bytes; ++i) text += formatted(" %02x", std::to_integer<unsigned>(value[i]));
    return text;
  }
  if (bytes != size) {
    std::string text = "{";
    for (std::uint32_t at = 0; at < bytes; at += size)
      text += (at == 0 ? "" : ", ") + element_text(bits_of(value + at, size), size, form);
    return text + "}";
  }
  const std::uint64_t bits = bits_of(value, size);
  const std::string text = element_text(bits, size, form);
  return form == Form::bits ? text : text + " (" + element_text(bits, size, Form::bits) + ")";
}

}  // namespace warpbook::simulator
