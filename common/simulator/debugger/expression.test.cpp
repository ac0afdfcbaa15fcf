// Expressions over a few variables, and how values are written.
#include "common/simulator/debugger/expression.h"

#include <cstring>
#include <map>

#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::debugger;

namespace {

/// Memory at 1000, and variables in it.
class FewVariables : public Context {
 public:
  FewVariables() {
    point_.kind = Type::Kind::structure;
    point_.name = "Point";
    point_.bytes = 16;
    point_.members = {{"x", floating_type(4), 0, 0, 0},
                      {"id", integer_type(4, true), 4, 0, 0},
                      {"low", integer_type(4, false), 8, 3, 1},
                      {"next", pointer_to(&point_), 8, 0, 0}};
    add("i", integer_type(4, true), -7);
    add("n", integer_type(4, false), 4000000000u);
    add("c", integer_type(1, true), static_cast<signed char>('a'));
    add("f", floating_type(4), 1.5f);
    add("d", floating_type(8), 0.1);
    const int cells[] = {10, 11, 12, 13};
    add("cells", array_of(integer_type(4, true), 4), cells);
    add("p", pointer_to(integer_type(4, true)), named("cells").place.address);
    add("q", pointer_to(&point_), kBase + memory_.size() + 8);
    struct {
      float x = 2.5f;
      int id = 42;
      std::uint64_t next = 0b1010;
    } point;
    add("point", &point_, point);
  }
  Value named(const std::string& name) override {
    const auto found = variables_.find(name);
    if (found == variables_.end()) throw EvaluationError("No symbol \"" + name + "\" in current context.");
    return found->second;
  }
  Value special(const std::string& name) override {
    if (name != "r1") throw EvaluationError("Invalid register `" + name + "'");
    Value value;
    value.type = integer_type(4, true);
    value.place.kind = Place::Kind::in_register;
    value.place.name = "%r1";
    return value;
  }
  std::vector<std::uint8_t> read(ptx::Space, std::uint64_t address, std::uint64_t bytes) override {
    if (address < kBase || address + bytes > kBase + memory_.size())
      throw EvaluationError("Cannot access memory at address " + std::to_string(address));
    const auto from = memory_.begin() + static_cast<std::ptrdiff_t>(address - kBase);
    return {from, from + static_cast<std::ptrdiff_t>(bytes)};
  }
  std::vector<std::uint8_t> read_register(const std::string&) override { return {9, 0, 0, 0, 0, 0, 0, 0}; }
  const Type* type_named(const std::string& name) override { return name == "Point" ? &point_ : nullptr; }

 private:
  static constexpr std::uint64_t kBase = 1000;
  template <class T>
  void add(const std::string& name, const Type* type, const T& contents) {
    memory_.resize((memory_.size() + 7) / 8 * 8);
    Value value;
    value.type = type;
    value.place = {Place::Kind::memory, ptx::Space::generic, kBase + memory_.size(), ""};
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&contents);
    memory_.insert(memory_.end(), bytes, bytes + sizeof contents);
    variables_[name] = value;
  }
  Type point_;
  std::vector<std::uint8_t> memory_;
  std::map<std::string, Value> variables_;
};

std::string text(const std::string& expression, char letter = 0) {
  FewVariables context;
  try {
    return value_text(context, Expression(expression).evaluate(context), {letter, 200});
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("an expression is computed as C++ computes it") {
  CHECK(text("1 + 2 * 3") == "7");
  CHECK(text("(1 + 2) * 3") == "9");
  CHECK(text("10 - 4 - 3") == "3");
  CHECK(text("7 / 2") == "3");
  CHECK(text("7 / 2.0") == "3.5");
  CHECK(text("-7 % 4") == "-3");
  CHECK(text("1 << 4 | 1") == "17");
  CHECK(text("i") == "-7");
  CHECK(text("i >> 1") == "-4");
  CHECK(text("n + 1") == "4000000001");
  CHECK(text("n * 2") == "3705032704");
  CHECK(text("i < 0 && f > 1") == "true");
  CHECK(text("i == -7 ? 10 : 20") == "10");
  CHECK(text("!i") == "false");
  CHECK(text("~0") == "-1");
  CHECK(text("f * 2") == "3");
  CHECK(text("d") == "0.10000000000000001");
  CHECK(text("c") == "97 'a'");
  CHECK(text("c + 1") == "98");
  CHECK(text("2147483647 + 1") == "-2147483648");
  CHECK(text("0x10 + 010") == "24");
  CHECK(text("$r1 * 2") == "18");
}

TEST_CASE("arrays, pointers and members lead to memory") {
  CHECK(text("cells") == "{10, 11, 12, 13}");
  CHECK(text("cells[2]") == "12");
  CHECK(text("*p") == "10");
  CHECK(text("p[3] - *(p + 1)") == "2");
  CHECK(text("*p@3") == "{10, 11, 12}");
  CHECK(text("&cells[2] - p") == "2");
  CHECK(text("*&i") == "-7");
  CHECK(text("point.x") == "2.5");
  CHECK(text("q->id") == "42");
  CHECK(text("(*q).id") == "42");
  CHECK(text("point.low") == "5");
  CHECK(text("sizeof(point)") == "16");
  CHECK(text("sizeof(struct Point*)") == "8");
  CHECK(text("sizeof(Point)") == "16");
  CHECK(text("(int)f") == "1");
  CHECK(text("(unsigned char)300") == "44 ','");
  CHECK(text("*(unsigned int*)p") == "10");
  CHECK(text("((Point*)q)->id") == "42");
  CHECK(text("(float)i / 2") == "-3.5");
}

TEST_CASE("a format says how a value is written") {
  CHECK(text("i", 'x') == "0xfffffff9");
  CHECK(text("n", 'd') == "-294967296");
  CHECK(text("i", 'u') == "4294967289");
  CHECK(text("10", 't') == "1010");
  CHECK(text("8", 'o') == "010");
  CHECK(text("98", 'c') == "98 'b'");
  CHECK(text("cells", 'x') == "{0xa, 0xb, 0xc, 0xd}");
  CHECK(text("5", 'z') == "0x00000005");
}

TEST_CASE("types are written as in C++") {
  const Type* const row = array_of(floating_type(4), 8);
  CHECK(type_text(row) == "float [8]");
  CHECK(type_text(array_of(row, 4)) == "float [4][8]");
  CHECK(type_text(pointer_to(row)) == "float (*)[8]");
  CHECK(type_text(pointer_to(pointer_to(floating_type(4)))) == "float **");
}

TEST_CASE("what means nothing is refused in words") {
  CHECK(text("wrong") == "No symbol \"wrong\" in current context.");
  CHECK(text("1 +") == "A syntax error in expression, near `'.");
  CHECK(text("(1") == "A syntax error in expression, near `'.");
  CHECK(text("1 2") == "A syntax error in expression, near `'.");
  CHECK(text("*i") == "Attempt to take contents of a non-pointer value.");
  CHECK(text("point.y") == "There is no member named y.");
  CHECK(text("i.x") == "Attempt to extract a component of a value that is not a structure.");
  CHECK(text("1 / 0") == "Division by zero");
  CHECK(text("&$r1") == "Attempt to take address of value not located in memory: it is in register %r1.");
  CHECK(text("*(int*)8") == "Cannot access memory at address 8");
  CHECK(text("1.5 % 2") == "Integer or bool arguments needed for '%'.");
  CHECK(text("i = 3") == "Values cannot be changed; a comparison is written ==.");
  CHECK(text("i(3)") == "Functions of the program cannot be called: i().");
  CHECK(text("sizeof(wrong)") == "No symbol \"wrong\" in current context.");
  CHECK(text("i`") == "Invalid character '`' in expression.");
  CHECK(text("12abc").substr(0, 14) == "Invalid number");
  CHECK(text(std::string(500, '(') + "1") == "The expression is nested too deeply.");
}
