// Types, and scalars as numbers.
#include "common/simulator/debugger/value.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>

namespace warpbook::simulator::debugger {
namespace {

Type basic(Type::Kind kind, const char* name, std::uint64_t bytes, bool is_signed) {
  Type type;
  type.kind = kind;
  type.name = name;
  type.bytes = bytes;
  type.is_signed = is_signed;
  return type;
}

using BasicKind = Type::Kind;
const Type kVoid = basic(BasicKind::void_, "void", 0, false);
const Type kBasic[] = {
    basic(BasicKind::boolean, "bool", 1, false),
    basic(BasicKind::character, "char", 1, true),
    basic(BasicKind::character, "unsigned char", 1, false),
    basic(BasicKind::integer, "short", 2, true),
    basic(BasicKind::integer, "unsigned short", 2, false),
    basic(BasicKind::integer, "int", 4, true),
    basic(BasicKind::integer, "unsigned int", 4, false),
    basic(BasicKind::integer, "long", 8, true),
    basic(BasicKind::integer, "unsigned long", 8, false),
    basic(BasicKind::floating, "float", 4, true),
    basic(BasicKind::floating, "double", 8, true),
    // Half precision, as registers hold it.
    basic(BasicKind::floating, "__half", 2, true),
};
const std::pair<const char*, const char*> kOtherNames[] = {
    {"unsigned", "unsigned int"},
    {"signed char", "char"},
    {"signed", "int"},
    {"signed int", "int"},
    {"long long", "long"},
    {"unsigned long long", "unsigned long"},
    {"long int", "long"},
    {"unsigned long int", "unsigned long"},
    {"long long int", "long"},
    {"unsigned long long int", "unsigned long"},
    {"short int", "short"},
    {"unsigned short int", "unsigned short"},
    {"int8_t", "char"},
    {"uint8_t", "unsigned char"},
    {"int16_t", "short"},
    {"uint16_t", "unsigned short"},
    {"int32_t", "int"},
    {"uint32_t", "unsigned int"},
    {"int64_t", "long"},
    {"uint64_t", "unsigned long"},
    {"size_t", "unsigned long"},
};

}  // namespace

double half_value(std::uint16_t bits) {
  const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return fraction == 0 ? sign * __builtin_inf() : __builtin_nan("");
  const double scaled = exponent == 0 ? fraction : fraction + 1024;
  return sign * __builtin_ldexp(scaled, (exponent == 0 ? 1 : exponent) - 25);
}

const Type& plain(const Type* type) {
  while (type != nullptr && type->kind == Type::Kind::alias) type = type->target;
  return type == nullptr ? kVoid : *type;
}

std::uint64_t size_of(const Type* type) { return plain(type).bytes; }

bool is_scalar(const Type& type) {
  switch (type.kind) {
    case Type::Kind::boolean:
    case Type::Kind::character:
    case Type::Kind::integer:
    case Type::Kind::floating:
    case Type::Kind::pointer:
    case Type::Kind::enumeration:
      return true;
    default:
      return false;
  }
}

const Type* basic_type(const std::string& name) {
  if (name == "void") return &kVoid;
  for (const Type& type : kBasic)
    if (type.name == name) return &type;
  for (const auto& [other, usual] : kOtherNames)
    if (name == other) return basic_type(usual);
  return nullptr;
}

const Type* integer_type(unsigned bytes, bool is_signed) {
  for (const Type& type : kBasic)
    if (type.kind != Type::Kind::boolean && type.kind != Type::Kind::floating && type.bytes == bytes &&
        type.is_signed == is_signed)
      return &type;
  return basic_type("int");
}

const Type* floating_type(unsigned bytes) {
  return basic_type(bytes == 2 ? "__half" : bytes == 4 ? "float" : "double");
}
const Type* boolean_type() { return basic_type("bool"); }

const Type* pointer_to(const Type* target) {
  static TypePool pool;
  static std::map<const Type*, const Type*> known;
  const Type*& made = known[target];
  if (made == nullptr) {
    Type& type = pool.emplace_back(basic(Type::Kind::pointer, "", 8, false));
    type.target = target;
    made = &type;
  }
  return made;
}

const Type* array_of(const Type* element, std::uint64_t count) {
  static TypePool pool;
  static std::map<std::pair<const Type*, std::uint64_t>, const Type*> known;
  const Type*& made = known[{element, count}];
  if (made == nullptr) {
    Type& type = pool.emplace_back(basic(Type::Kind::array, "", count * size_of(element), false));
    type.target = element;
    type.count = count;
    made = &type;
  }
  return made;
}

const Type* dim3_type() {
  static const Type type = [] {
    Type made = basic(Type::Kind::structure, "dim3", 12, false);
    const Type* const member = integer_type(4, false);
    made.members = {{"x", member, 0, 0, 0}, {"y", member, 4, 0, 0}, {"z", member, 8, 0, 0}};
    return made;
  }();
  return &type;
}

/// Extracts a bit field's value from the bytes that contain it.
static void take_bits(std::vector<std::uint8_t>& bytes, const Type* type, std::uint32_t bits, std::uint32_t first_bit) {
  std::uint64_t whole = 0;
  std::memcpy(&whole, bytes.data(), std::min<std::size_t>(sizeof whole, bytes.size()));
  const unsigned rest = 64 - bits;
  whole = whole >> first_bit << rest;
  whole = plain(type).is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole) >> rest) : whole >> rest;
  std::memcpy(bytes.data(), &whole, std::min<std::size_t>(sizeof whole, bytes.size()));
}

std::vector<std::uint8_t> bytes_of(Context& context, const Value& value) {
  if (!value.bytes.empty()) return value.bytes;
  const std::uint64_t size = size_of(value.type);
  if (size > kMostBytes)
    throw EvaluationError("value requires " + std::to_string(size) + " bytes, which is more than " +
                          std::to_string(kMostBytes));
  if (size == 0) return {};
  if (value.place.kind == Place::Kind::in_register) {
    std::vector<std::uint8_t> bytes = context.read_register(value.place.name);
    bytes.resize(size);
    return bytes;
  }
  if (value.place.kind == Place::Kind::none) throw EvaluationError("no value here: not set yet, or optimized out");
  std::vector<std::uint8_t> bytes = context.read(value.place.space, value.place.address, size);
  if (value.bits != 0) take_bits(bytes, value.type, value.bits, value.first_bit);
  return bytes;
}

Number number_of(Context& context, const Value& value) {
  const Type& type = plain(value.type);
  Number number;
  number.type = &type;
  if (type.kind == Type::Kind::array) {  // An array decays to the address of its first element.
    if (value.place.kind != Place::Kind::memory)
      throw EvaluationError("Attempt to take address of value not located in memory.");
    number.type = pointer_to(type.target);
    number.bits = value.place.address;
    return number;
  }
  if (!is_scalar(type)) throw EvaluationError("Argument to arithmetic operation not a number or boolean.");
  const std::vector<std::uint8_t> bytes = bytes_of(context, value);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min<std::size_t>(sizeof bits, bytes.size()));
  if (type.kind == Type::Kind::floating) {
    number.is_floating = true;
    number.floating = type.bytes == 2   ? half_value(static_cast<std::uint16_t>(bits))
                      : type.bytes == 4 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))}
                                        : std::bit_cast<double>(bits);
    return number;
  }
  const unsigned unused = type.bytes >= 8 ? 0 : static_cast<unsigned>(64 - 8 * type.bytes);
  number.bits = type.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused)
                               : bits << unused >> unused;
  return number;
}

std::vector<std::pair<std::string, Value>> parts_of(Context& context, const Value& whole) {
  constexpr std::uint64_t kMost = 1000;
  std::vector<std::pair<std::string, Value>> parts;
  const Type& type = plain(whole.type);
  const std::vector<std::uint8_t> bytes = bytes_of(context, whole);
  const auto add = [&](std::string name, const Type* of, std::uint64_t offset, std::uint32_t bits = 0,
                       std::uint32_t first_bit = 0) {
    Value part;
    part.type = of;
    const std::uint64_t end = std::min<std::uint64_t>(offset + size_of(of), bytes.size());
    part.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(offset, end)),
                      bytes.begin() + static_cast<std::ptrdiff_t>(end));
    if (bits != 0) take_bits(part.bytes, of, bits, first_bit);
    parts.emplace_back(std::move(name), std::move(part));
  };
  for (const Member& member : type.members)
    add(member.name.empty() ? "<base>" : member.name, member.type, member.offset, member.bits, member.first_bit);
  for (std::uint64_t i = 0; type.kind == Type::Kind::array && i < std::min(type.count, kMost); ++i)
    add("[" + std::to_string(i) + "]", type.target, i * size_of(type.target));
  return parts;
}

Value integer_value(std::uint64_t bits, const Type* type) {
  Value value;
  value.type = type;
  value.bytes.resize(size_of(type));
  std::memcpy(value.bytes.data(), &bits, std::min<std::size_t>(sizeof bits, value.bytes.size()));
  return value;
}

Value value_of(const Number& number) {
  if (!number.is_floating) return integer_value(number.bits, number.type);
  if (size_of(number.type) == 4)
    return integer_value(std::bit_cast<std::uint32_t>(static_cast<float>(number.floating)), number.type);
  return integer_value(std::bit_cast<std::uint64_t>(number.floating), floating_type(8));
}

}  // namespace warpbook::simulator::debugger
