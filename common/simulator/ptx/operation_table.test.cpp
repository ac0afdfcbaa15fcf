// Tests of the table of operations: every row is well-formed, and instructions find their rows.
#include "common/simulator/ptx/operation_table.h"

#include <algorithm>
#include <set>

#include "common/simulator/ptx/modifiers.h"
#include "common/simulator/ptx/operation_pattern.h"
#include "common/simulator/ptx/operation_shapes.h"
#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

namespace warpbook::simulator::ptx {
namespace {

constexpr auto kRowCount = static_cast<std::size_t>(OperationId::count);

Instruction instruction(const std::string& text) {
  const Module module = parse(".entry k()\n{ .reg .pred p, q; " + text + " }");
  return std::get<Instruction>(module.functions.at(0).body.at(0).node);
}

/// The id of the row of @p text, or the message of match().
std::string found(const std::string& text) {
  std::string nearest;
  const auto match_found = match(instruction(text), &nearest);
  return match_found ? std::string(row(match_found->id).name) : nearest;
}

bool matches(std::string_view pattern, const std::vector<std::string_view>& words, bool any_order = false,
             std::uint32_t ordered = 0) {
  Vocabulary vocabulary;
  const auto compiled = Pattern::compile(pattern, vocabulary);
  REQUIRE(compiled.has_value());
  std::vector<Vocabulary::Id> ids;
  for (const std::string_view word : words) ids.push_back(vocabulary.find(word));
  return any_order ? compiled->matches_in_any_order(ids, ordered) : compiled->matches(ids);
}

/// How many slots of @p pattern accept a type.
unsigned type_slots(std::string_view pattern) {
  unsigned slots = 0;
  while (!pattern.empty()) {
    const std::string_view slot = pattern.substr(0, pattern.find(' '));
    pattern.remove_prefix(std::min(pattern.size(), slot.size() + 1));
    bool is_type = false;
    std::string word;
    for (const char c : slot) {
      const bool separator = c == '.' || c == '|' || c == '{' || c == '}';
      is_type = is_type || (separator && parse_type(word) != Type::none);
      if (separator)
        word.clear();
      else
        word += c;
    }
    slots += is_type || parse_type(word) != Type::none;
  }
  return slots;
}

unsigned types_needed(Shape shape) {
  switch (shape) {
    case Shape::type0:
    case Shape::wide:
      return 1;
    case Shape::type1:
      return 2;
    case Shape::type2:
      return 3;
    default:
      return 0;
  }
}

TEST_CASE("every row of the table is well-formed") {
  REQUIRE(kRowCount > 0);
  std::set<std::string_view> names;
  std::set<std::string> written;
  for (std::size_t i = 0; i < kRowCount; ++i) {
    const OperationRow& r = row(static_cast<OperationId>(i));
    CAPTURE(r.name, r.modifiers, r.operands);
    CHECK(static_cast<std::size_t>(r.id) == i);
    CHECK(names.insert(r.name).second);
    CHECK(written.insert(written_form(r) + " " + std::string(r.operands)).second);
    Vocabulary vocabulary;
    CHECK(Pattern::compile(r.modifiers, vocabulary).has_value());
    CHECK(parse_shapes(r.operands).has_value());
    for (const OperandShape& operand : shapes(r.id)) {
      const Shape type = operand.shape == Shape::vector ? operand.element : operand.shape;
      CHECK(type_slots(r.modifiers) >= types_needed(type));
      CHECK(type_slots(r.modifiers) >= types_needed(operand.second));
    }
  }
}

TEST_CASE("a row finds itself when it is written with its first alternatives") {
  for (std::size_t i = 0; i < kRowCount; ++i) {
    const OperationRow& r = row(static_cast<OperationId>(i));
    // Optional slots and all but the first alternative are removed from the pattern.
    Instruction written;
    written.opcode = r.opcode;
    std::string_view rest = r.modifiers;
    while (!rest.empty()) {
      const std::size_t space = rest.find(' ');
      const std::string_view slot = rest.substr(0, space);
      rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
      if (slot.empty() || slot[0] == '{') continue;
      std::string_view alternative = slot.substr(1, slot.find('|') - 1);
      while (!alternative.empty()) {
        const std::size_t dot = alternative.find('.');
        written.modifiers.emplace_back(alternative.substr(0, dot));
        alternative = dot == std::string_view::npos ? std::string_view() : alternative.substr(dot + 1);
      }
    }
    for (const OperandShape& shape : shapes(r.id)) {
      Operand operand;
      const bool in_brackets =
          shape.shape == Shape::address || shape.shape == Shape::place || shape.shape == Shape::image;
      operand.kind = in_brackets                    ? Operand::Kind::address
                     : shape.shape == Shape::vector ? Operand::Kind::vector
                                                    : Operand::Kind::reg;
      if (!shape.optional) written.operands.push_back(operand);
    }
    std::string nearest;
    const auto match_found = match(written, &nearest);
    CAPTURE(r.name, written.spelling(), nearest);
    REQUIRE(match_found.has_value());
    // If two rows have the same syntax, the first one matches.
    CHECK(row(match_found->id).opcode == r.opcode);
    CHECK(static_cast<std::size_t>(match_found->id) <= i);
  }
}

TEST_CASE("slots are matched from left to right") {
  CHECK(matches(".a|b {.c} .d", {"a", "c", "d"}));
  CHECK(matches(".a|b {.c} .d", {"b", "d"}));
  CHECK_FALSE(matches(".a|b {.c} .d", {"d"}));
  CHECK_FALSE(matches(".a|b {.c} .d", {"a", "c"}));
  CHECK_FALSE(matches(".a|b {.c} .d", {"a", "d", "c"}));
  CHECK_FALSE(matches(".a|b {.c} .d", {"a", "x", "d"}));
  CHECK(matches("{.a} .a|b", {"a"}));
  CHECK(matches("{.a} {.b.c} .d", {"b", "c", "d"}));
  CHECK_FALSE(matches("{.a} {.b.c} .d", {"b", "d"}));
  CHECK(matches("{.L2::64B|L2::128B} .u32", {"L2::128B", "u32"}));
  CHECK(matches("", {}));
  CHECK_FALSE(matches("", {"a"}));
}

TEST_CASE("modifiers may be in another order, but types and state spaces may not") {
  CHECK(matches(".a .b .c", {"b", "a", "c"}, true));
  CHECK(matches(".a {.x} .b .c", {"b", "x", "c", "a"}, true));
  CHECK_FALSE(matches(".a .b .c", {"b", "a", "c"}, true, 0b011));
  CHECK(matches(".a .b .c", {"b", "a", "c"}, true, 0b110));
  CHECK_FALSE(matches(".a .b .c", {"b", "a"}, true));
  CHECK_FALSE(matches(".a .b", {"b", "a", "a"}, true));
}

TEST_CASE("malformed patterns are refused") {
  for (const char* pattern : {"a", "{a}", "{.a", ".a}", ".", ".|b", ".a|", "..a", ".a:b", ".a::", ".a,b", "{}"}) {
    CAPTURE(pattern);
    Vocabulary vocabulary;
    CHECK_FALSE(Pattern::compile(pattern, vocabulary).has_value());
  }
}

TEST_CASE("operand shapes") {
  const auto shapes = parse_shapes("=T|pred, addr, U*, b32?, imm, label, any, W, V, pred").value();
  REQUIRE(shapes.size() == 10);
  CHECK((shapes[0].output && shapes[0].pair && shapes[0].shape == Shape::type0));
  CHECK((shapes[0].second == Shape::predicate && shapes[0].second_fixed == Type::pred));
  CHECK((shapes[1].shape == Shape::address && !shapes[1].output));
  CHECK((shapes[2].shape == Shape::vector && shapes[2].element == Shape::type1));
  CHECK((shapes[3].shape == Shape::fixed && shapes[3].fixed == Type::b32 && shapes[3].optional));
  CHECK(shapes[4].shape == Shape::immediate);
  CHECK(shapes[5].shape == Shape::label);
  CHECK(shapes[6].shape == Shape::any);
  CHECK(shapes[7].shape == Shape::wide);
  CHECK(shapes[8].shape == Shape::type2);
  CHECK(shapes[9].shape == Shape::predicate);
  CHECK(parse_shapes("")->empty());
  const auto texture = parse_shapes("=T*|pred, image").value();
  CHECK((texture[0].shape == Shape::vector && texture[0].pair && texture[0].second == Shape::predicate));
  CHECK(texture[1].shape == Shape::image);
  for (const char* malformed : {"X", "T,", ",", "T T", "T|pred", "=T|", "T*|pred", "=T*|", "==T", "b33"}) {
    CAPTURE(malformed);
    CHECK_FALSE(parse_shapes(malformed).has_value());
  }
}

TEST_CASE("instructions find their rows and modifiers") {
  const auto add = match(instruction("add.rn.ftz.f32 %f1, %f2, %f3;"));
  REQUIRE(add.has_value());
  CHECK(row(add->id).name == "add_f32");
  CHECK((add->modifiers.rounding == Rounding::rn && add->modifiers.ftz && add->modifiers.types[0] == Type::f32));
  const auto set = match(instruction("setp.lt.and.s32 p|q, %r1, %r2, !q;"));
  REQUIRE(set.has_value());
  CHECK(row(set->id).opcode == "setp");
  CHECK((set->modifiers.compare == Compare::lt && set->modifiers.bool_op == BoolOp::and_));
  const auto convert = match(instruction("cvt.rzi.s64.f32 %rd1, %f1;"));
  REQUIRE(convert.has_value());
  CHECK((convert->modifiers.types[0] == Type::s64 && convert->modifiers.types[1] == Type::f32));
  CHECK(convert->modifiers.type_count == 2);
}

TEST_CASE("of rows with the same text, the operands decide") {
  CHECK(found("mov.b64 %rd1, %rd2;") == "mov");
  CHECK(found("mov.b64 %rd1, symbol+4;") == "mov");
  CHECK(found("mov.b64 %rd1, {%r1, %r2};") == "mov_pack");
  CHECK(found("mov.b64 {%r1, _}, %rd1;") == "mov_unpack");
}

TEST_CASE("modifiers in the order of NVIDIA's headers") {
  CHECK(found("vote.ballot.sync.b32 %r1, %p1, -1;") == "vote_sync_ballot");
  const auto add = match(instruction("atom.global.cta.add.u32 %r1, [%rd1], %r2;"));
  REQUIRE(add.has_value());
  CHECK((row(add->id).name == "atom" && add->modifiers.scope == Scope::cta));
  CHECK(add->modifiers.space == Space::global);
}

TEST_CASE("an unknown instruction is reported with similar ones") {
  CHECK(found("frobnicate.u32 %r1;") == "'frobnicate' is not a supported instruction");
  const std::string nearest = found("testp.infinite.u32 %p1, %r1;");
  CHECK(nearest ==
        "the supported forms of 'testp' are:\n"
        "  testp.finite|infinite|number|notanumber|normal|subnormal.f32|f64");
  CHECK(found("ret.bogus;").find("the supported forms of 'ret' are:\n  ret") == 0);
}

TEST_CASE("an instruction with too few or too many operands matches none of its rows") {
  CHECK(found("selp.b64 %rd1, %rd2, %rd3, %p1;") == "selp");
  CHECK(found("selp.b64 %rd1, %rd2, %rd3, 2, 64;") == "'selp.b64' takes 4 operands, and 5 are written");
  CHECK(found("bra;") == "'bra' takes 1 operand, and 0 are written");
  CHECK(found("bar.sync;") == "'bar.sync' takes 1 to 2 operands, and 0 are written");
}

TEST_CASE("a word with two meanings sets both fields") {
  Modifiers modifiers;
  CHECK(add_modifier("and", modifiers));
  CHECK((modifiers.bool_op == BoolOp::and_ && modifiers.atomic == AtomicOp::and_));
  CHECK(add_modifier("uni", modifiers));
  CHECK((modifiers.uni && modifiers.vote == Vote::uni));
  CHECK(add_modifier("lo", modifiers));
  CHECK((modifiers.half == Half::lo && modifiers.compare == Compare::lo));
  CHECK_FALSE(add_modifier("L2::128B", modifiers));
}

TEST_CASE("of two state spaces the first stays, and all types are kept in order") {
  Modifiers modifiers;
  for (const char* word : {"shared::cluster", "global", "v4", "f32", "f16", "f16", "f32", "s8"}) {
    add_modifier(word, modifiers);
  }
  CHECK(modifiers.space == Space::shared);
  CHECK(modifiers.vector == 4);
  CHECK(modifiers.type_count == 4);
  CHECK((modifiers.types[0] == Type::f32 && modifiers.types[3] == Type::f32));
}

TEST_CASE("types have names and sizes") {
  CHECK((size_of(Type::none) == 0 && size_of(Type::pred) == 1 && size_of(Type::b128) == 16));
  CHECK((size_of(Type::s16x2) == 4 && size_of(Type::f32x2) == 8 && size_of(Type::e5m2x2) == 2));
  for (int i = static_cast<int>(Type::pred); i <= static_cast<int>(Type::b1); ++i) {
    const auto type = static_cast<Type>(i);
    CAPTURE(name_of(type));
    CHECK(parse_type(name_of(type)) == type);
  }
  CHECK(parse_type("none") == Type::none);
  CHECK(name_of(Space::constant) == "const");
}

}  // namespace
}  // namespace warpbook::simulator::ptx
