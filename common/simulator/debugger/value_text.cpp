// Values and types in gdb's notation.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "common/simulator/debugger/value.h"

namespace warpbook::simulator::debugger {
namespace {

/// This many equal elements in a row are written once.
constexpr std::uint64_t kRepeats = 10;

std::string printed(const char* format, auto value) {
  char text[128];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string floating_text(double value, std::uint64_t bytes) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return printed(bytes == 8 ? "%.17g" : bytes == 4 ? "%.9g" : "%.5g", value);
}

std::string character_in_quotes(unsigned char c) {
  if (c == '\n') return "\\n";
  if (c == '\'' || c == '\\') return std::string("\\") + static_cast<char>(c);
  if (c >= 32 && c < 127) return std::string(1, static_cast<char>(c));
  return printed("\\%03o", static_cast<unsigned>(c));
}

std::string character_text(std::int64_t value) {
  return std::to_string(value) + " '" + character_in_quotes(static_cast<unsigned char>(value)) + "'";
}

std::string binary_text(std::uint64_t bits) {
  std::string text;
  do text += static_cast<char>('0' + (bits & 1));
  while ((bits >>= 1) != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

std::string number_text(const Number& number, char letter) {
  const Type& type = plain(number.type);
  const unsigned unused = type.bytes >= 8 ? 0 : static_cast<unsigned>(64 - 8 * type.bytes);
  const std::uint64_t raw =
      number.is_floating ? static_cast<std::uint64_t>(number.whole()) : number.bits << unused >> unused;
  switch (letter) {
    case 'x':
      return printed("0x%llx", static_cast<unsigned long long>(raw));
    case 'z':
      return "0x" + printed(type.bytes == 8   ? "%016llx"
                            : type.bytes == 4 ? "%08llx"
                            : type.bytes == 2 ? "%04llx"
                                              : "%02llx",
                            static_cast<unsigned long long>(raw));
    case 'a':
      return printed("0x%llx", static_cast<unsigned long long>(raw));
    case 'o':
      return raw == 0 ? "0" : printed("0%llo", static_cast<unsigned long long>(raw));
    case 't':
      return binary_text(raw);
    case 'u':
      return std::to_string(raw);
    case 'd':
      return std::to_string(static_cast<std::int64_t>(raw << unused) >> unused);
    case 'c':
      return character_text(number.whole());
    case 'f':
      return number.is_floating ? floating_text(number.floating, type.bytes) : std::to_string(number.whole());
    default:
      break;
  }
  if (number.is_floating) return floating_text(number.floating, type.bytes);
  switch (type.kind) {
    case Type::Kind::boolean:
      return number.bits == 0 ? "false" : "true";
    case Type::Kind::character:
      return character_text(number.whole());
    case Type::Kind::enumeration:
      for (const auto& [name, value] : type.enumerators)
        if (value == number.whole()) return name;
      return std::to_string(number.whole());
    case Type::Kind::pointer:
      return "(" + type_text(&type) + ") " + printed("0x%llx", static_cast<unsigned long long>(number.bits));
    default:
      return type.is_signed ? std::to_string(number.whole()) : std::to_string(number.bits);
  }
}

class Writer {
 public:
  Writer(Context& context, const Format& format) : context_(context), format_(format), left_(format.most_elements) {}

  std::string text(const Value& value) {
    const Type& type = plain(value.type);
    switch (type.kind) {
      case Type::Kind::array:
        return array(value, type);
      case Type::Kind::structure:
        return structure(value, type);
      case Type::Kind::void_:
        return "void";
      case Type::Kind::function:
        return "{" + type_text(&type) + "}";
      default:
        if (left_ > 0) --left_;
        return number_text(number_of(context_, value), format_.letter);
    }
  }

 private:
  static Value part(const Value& whole, const Type* type, std::uint64_t offset) {
    Value value;
    value.type = type;
    const auto from =
        whole.bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(offset, whole.bytes.size()));
    const std::uint64_t rest = static_cast<std::uint64_t>(whole.bytes.end() - from);
    value.bytes.assign(from, from + static_cast<std::ptrdiff_t>(std::min(rest, size_of(type))));
    return value;
  }

  Value read(const Value& value) {
    Value whole = value;
    whole.bytes = bytes_of(context_, value);
    return whole;
  }

  std::string array(const Value& value, const Type& type) {
    if (type.count == 0) return "<an array of unknown length>";
    const Value whole = read(value);
    if (is_text(type)) return quoted(whole.bytes);
    const std::uint64_t step = size_of(type.target);
    std::string all = "{";
    for (std::uint64_t i = 0; i < type.count;) {
      if (left_ == 0) return all + "...}";
      const Value element = part(whole, type.target, i * step);
      std::uint64_t same = 1;
      while (i + same < type.count && part(whole, type.target, (i + same) * step).bytes == element.bytes) ++same;
      const std::uint64_t times = same >= kRepeats ? same : 1;
      all += (i == 0 ? "" : ", ") + text(element);
      if (times > 1) all += " <repeats " + std::to_string(times) + " times>";
      i += times;
    }
    return all + "}";
  }

  /// Plain char is text; signed and unsigned char are mostly numbers.
  bool is_text(const Type& of) const {
    return format_.letter == 0 && plain(of.target).kind == Type::Kind::character && plain(of.target).name == "char";
  }

  /// A terminating zero at the end is left out.
  static std::string quoted(const std::vector<std::uint8_t>& bytes) {
    const auto end = std::find_if(bytes.rbegin(), bytes.rend(), [](std::uint8_t c) { return c != 0; }).base();
    const auto zeros = static_cast<std::uint64_t>(bytes.end() - end);
    std::string text = "\"";
    for (auto c = bytes.begin(); c != end; ++c) text += *c == '"' ? "\\\"" : *c == '\'' ? "'" : character_in_quotes(*c);
    if (zeros <= kRepeats)
      for (std::uint64_t i = 1; i < zeros; ++i) text += "\\000";
    text += "\"";
    return zeros <= kRepeats ? text : text + ", '\\000' <repeats " + std::to_string(zeros - 1) + " times>";
  }

  std::string structure(const Value& value, const Type& type) {
    const Value whole = read(value);
    // Floating-point classes of the toolkit.
    if ((type.name == "__half" || type.name == "__nv_bfloat16") && format_.letter == 0 && whole.bytes.size() == 2) {
      const auto bits = static_cast<std::uint16_t>(whole.bytes[0] | whole.bytes[1] << 8);
      const double number =
          type.name == "__half" ? half_value(bits) : double{std::bit_cast<float>(std::uint32_t{bits} << 16)};
      return floating_text(number, 2);
    }
    std::string all = "{";
    for (const Member& member : type.members) {
      if (all.size() > 1) all += ", ";
      Value inner = part(whole, member.type, member.offset);
      if (member.bits != 0) inner = bit_field(inner, member);
      const std::string& base = plain(member.type).name;
      all += !member.name.empty() ? member.name + " = " : base.empty() ? "" : "<" + base + "> = ";
      all += text(inner);
    }
    return all + "}";
  }

  static Value bit_field(const Value& storage, const Member& member) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < storage.bytes.size() && i < sizeof bits; ++i)
      bits |= std::uint64_t{storage.bytes[i]} << (8 * i);
    const unsigned rest = 64 - member.bits;
    bits = bits >> member.first_bit << rest;
    bits = plain(member.type).is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> rest)
                                        : bits >> rest;
    return integer_value(bits, member.type);
  }

  Context& context_;
  const Format& format_;
  std::uint64_t left_;
};

}  // namespace

namespace {

/// That of the rows' elements, for an array of arrays.
const Type* element_of(const Type* array) {
  while (array != nullptr && array->kind == Type::Kind::array) array = array->target;
  return array;
}

/// "[4][8]"
std::string counts_text(const Type* array) {
  std::string text;
  for (; array != nullptr && array->kind == Type::Kind::array; array = array->target)
    text += "[" + (array->count == 0 ? "" : std::to_string(array->count)) + "]";
  return text;
}

}  // namespace

std::string type_text(const Type* type) {
  if (type == nullptr) return "void";
  switch (type->kind) {
    case Type::Kind::pointer:
      if (type->target != nullptr && type->target->kind == Type::Kind::array)
        return type_text(element_of(type->target)) + " (*)" + counts_text(type->target);
      return type_text(type->target) + (type->target != nullptr && plain(type->target).kind == Type::Kind::pointer &&
                                                type->target->kind == Type::Kind::pointer
                                            ? "*"
                                            : " *");
    case Type::Kind::array:
      return type_text(element_of(type)) + " " + counts_text(type);
    case Type::Kind::alias:
      if (type->name == "const" || type->name == "volatile" || type->name == "__restrict__") {
        const bool behind = type->target != nullptr && type->target->kind == Type::Kind::pointer;
        return behind ? type_text(type->target) + " " + type->name : type->name + " " + type_text(type->target);
      }
      return type->name;
    case Type::Kind::function:
      return "function";
    default:
      return type->name.empty() ? "struct {...}" : type->name;
  }
}

std::string value_text(Context& context, const Value& value, const Format& format) {
  const Type& type = plain(value.type);
  if (type.kind == Type::Kind::pointer && type.is_reference) {
    Value referred;
    referred.type = type.target;
    referred.place = {Place::Kind::memory, ptx::Space::generic, number_of(context, value).bits, ""};
    return value_text(context, referred, format);
  }
  Writer writer(context, format);
  return writer.text(value);
}

}  // namespace warpbook::simulator::debugger
