// Byte and half selectors: from operand names to numbers.
#include "common/simulator/kernel/video_parts.h"

#include <algorithm>
#include <cctype>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

constexpr unsigned kBits = 16;

[[noreturn]] void refuse(const ptx::Instruction& instruction, const std::string& name, const std::string& takes) {
  throw DecodeError("'" + instruction.spelling() + "' names '" + name + "': this operand takes " + takes);
}

/// A byte or half of one register.
std::uint16_t scalar_part(const ptx::Instruction& instruction, const std::string& name) {
  const std::string_view part = part_of_register(name);
  if (part.empty()) return 0;
  const unsigned number = static_cast<unsigned>(part[1] - '0');
  if (part.size() != 2 || number >= (part[0] == 'b' ? 4u : 2u))
    refuse(instruction, name, ".b0 to .b3, .h0, .h1 or no part");
  return static_cast<std::uint16_t>((part[0] == 'b' ? 1 : 5) + number);
}

/// As many elements of a register pair as the instruction has, highest first.
std::uint16_t source_parts(const ptx::Instruction& instruction, const std::string& name, unsigned width,
                           unsigned first) {
  std::string_view part = part_of_register(name);
  std::uint16_t packed = 0;
  for (unsigned i = 0; i < width; ++i) packed |= static_cast<std::uint16_t>((first + i) << (4 * i));
  if (part.empty()) return packed;
  const bool valid =
      part[0] == (width == 2 ? 'h' : 'b') && part.size() == width + 1 &&
      std::all_of(part.begin() + 1, part.end(), [&](char c) { return c < static_cast<char>('0' + 2 * width); });
  if (!valid) refuse(instruction, name, width == 2 ? "'.h' and two digits up to 3" : "'.b' and four digits up to 7");
  packed = 0;
  for (unsigned i = 0; i < width; ++i) packed |= static_cast<std::uint16_t>((part[width - i] - '0') << (4 * i));
  return packed;
}

/// The elements that are written.
std::uint16_t mask_of_parts(const ptx::Instruction& instruction, const std::string& name, unsigned width) {
  const std::string_view part = part_of_register(name);
  if (part.empty()) return static_cast<std::uint16_t>((1u << width) - 1);
  std::uint16_t mask = 0;
  bool valid = part[0] == (width == 2 ? 'h' : 'b');
  char last = static_cast<char>('0' + width);
  for (const char c : part.substr(1)) {
    valid = valid && c < last;
    last = c;
    mask |= static_cast<std::uint16_t>(1u << (c - '0'));
  }
  if (!valid) refuse(instruction, name, width == 2 ? ".h0, .h1 or .h10" : "'.b' and digits from 3 down to 0");
  return mask;
}

}  // namespace

std::int64_t VideoParts::packed() const {
  return static_cast<std::int64_t>(d | std::uint64_t{a} << kBits | std::uint64_t{b} << 2 * kBits |
                                   std::uint64_t{negated} << 3 * kBits);
}

VideoParts VideoParts::unpack(std::int64_t immediate) {
  const auto bits = static_cast<std::uint64_t>(immediate);
  return {static_cast<std::uint16_t>(bits), static_cast<std::uint16_t>(bits >> kBits),
          static_cast<std::uint16_t>(bits >> 2 * kBits), static_cast<std::uint8_t>(bits >> 3 * kBits)};
}

unsigned video_width(OperationId id) {
  switch (id) {
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) case OperationId::id:
#include "common/simulator/ptx/operations/video.def"
#undef WB_OPERATION
    break;
    default:
      return 0;
  }
  const char last = ptx::row(id).opcode.back();
  return last == '2' || last == '4' ? static_cast<unsigned>(last - '0') : 1;
}

std::string_view part_of_register(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot + 1 >= name.size()) return {};
  const std::string_view part = name.substr(dot + 1);
  if ((part[0] != 'b' && part[0] != 'h') || part.size() < 2) return {};
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return std::all_of(part.begin() + 1, part.end(), is_digit) ? part : std::string_view();
}

VideoParts video_parts(OperationId id, const ptx::Instruction& instruction) {
  const unsigned width = video_width(id);
  const auto& operands = instruction.operands;
  VideoParts parts;
  if (width == 1) {
    parts.d = scalar_part(instruction, operands[0].name);
    parts.a = scalar_part(instruction, operands[1].name);
    parts.b = scalar_part(instruction, operands[2].name);
    const bool second =
        std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                    [](const std::string& word) { return word == "add" || word == "min" || word == "max"; });
    const bool third = operands.size() == 4;
    if (id != OperationId::vmad && third != (second || parts.d != 0))
      throw DecodeError("'" + instruction.spelling() + "' has " + (third ? "a fourth operand" : "no fourth operand") +
                        ": it goes with .add, .min, .max, or a part of the destination");
    if (second && parts.d != 0)
      throw DecodeError("'" + instruction.spelling() + "' has a second operation and writes a part of a register");
    if (id == OperationId::vmad && parts.d != 0) refuse(instruction, operands[0].name, "a whole register");
  } else {
    parts.d = mask_of_parts(instruction, operands[0].name, width);
    parts.a = source_parts(instruction, operands[1].name, width, 0);
    parts.b = source_parts(instruction, operands[2].name, width, width);
  }
  if (operands.size() == 4 && !part_of_register(operands[3].name).empty())
    refuse(instruction, operands[3].name, "a whole register");
  for (std::size_t i = 1; i < operands.size(); ++i)
    if (operands[i].negated) parts.negated |= static_cast<std::uint8_t>(1u << (i - 1));
  if (parts.negated != 0 && id != OperationId::vmad)
    throw DecodeError("'" + instruction.spelling() + "' takes no negated operands");
  if (parts.negated != 0 &&
      std::find(instruction.modifiers.begin(), instruction.modifiers.end(), "po") != instruction.modifiers.end())
    throw DecodeError("'" + instruction.spelling() + "' takes no negated operands: it has .po");
  return parts;
}

}  // namespace warpbook::simulator
