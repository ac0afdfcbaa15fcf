// Tests of the parser: module directives, function headers, instructions and error messages.
#include "common/simulator/ptx/parser.h"

#include <algorithm>

#include "common/testing/catch.h"

namespace warpbook::simulator::ptx {
namespace {

constexpr std::string_view kHead = ".version 9.0\n.target sm_90a, debug\n.address_size 64\n";

Module module(std::string_view text) { return parse(std::string(kHead) + std::string(text)); }

/// The only function of a module: an entry with @p body.
Function function(std::string_view body) {
  Module parsed = module(".visible .entry k()\n{\n" + std::string(body) + "\n}\n");
  REQUIRE(parsed.functions.size() == 1);
  return std::move(parsed.functions[0]);
}

const Instruction& instruction(const Function& function, std::size_t index = 0) {
  REQUIRE(function.body.size() > index);
  const auto* node = std::get_if<Instruction>(&function.body[index].node);
  REQUIRE(node != nullptr);
  return *node;
}

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("a module knows its version, target and files") {
  const Module parsed = module(".file 1 \"a.cu\"\n.file 12 \"dir/b.cuh\", 1234, 56\n");
  CHECK(parsed.version_major == 9);
  CHECK(parsed.version_minor == 0);
  CHECK(parsed.target == "sm_90a");
  CHECK(parsed.files == std::map<std::uint32_t, std::string>{{1, "a.cu"}, {12, "dir/b.cuh"}});
  CHECK(parse(".version 7.10\n").version_minor == 10);
  CHECK(parse(std::string_view(".version 8.1\n\0\0\0", 16)).version_major == 8);
}

TEST_CASE("sections are skipped whatever is in them") {
  const Module parsed = module(".section .debug_str {\n$L__info_string0:\n.b8 95,90,0\n{ .b8 1 } }\n.global .u32 x;");
  CHECK(parsed.variables.size() == 1);
}

TEST_CASE("module variables: space, type, alignment, extents and linkage") {
  const Module parsed = module(
      ".visible .global .align 16 .b8 a[24];\n.extern .shared .align 4 .b8 dynamic[];\n.const .f64 c[2][3];\n"
      ".weak .global .attribute(.managed) .s32 m, n;\n.global .attribute(.managed, .unified(1, 2)) .v4 .f32 v[2];\n"
      ".global .surfref s;\n.common .global .u64 w;\n");
  REQUIRE(parsed.variables.size() == 8);
  const std::vector<Variable>& v = parsed.variables;
  CHECK((v[0].name == "a" && v[0].space == Space::global && v[0].visible && v[0].alignment == 16));
  CHECK(v[0].bytes() == 24);
  CHECK((v[1].name == "dynamic" && v[1].space == Space::shared && v[1].external && v[1].elements == 0));
  CHECK((v[2].space == Space::constant && v[2].type == Type::f64 && v[2].alignment == 8 && v[2].bytes() == 48));
  CHECK((v[3].name == "m" && v[3].managed && v[3].weak));
  CHECK((v[4].name == "n" && v[4].managed && v[4].type == Type::s32));
  CHECK((v[5].managed && v[5].elements == 8 && v[5].alignment == 16));
  CHECK((v[6].name == "s" && v[6].bytes() == 8));
  CHECK((v[7].name == "w" && v[7].weak));
}

TEST_CASE("the head of a function") {
  const Module parsed = module(
      ".visible .entry kernel(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 big[24], .param .u32 n)\n"
      ".maxntid 256\n.minnctapersm 2\n.maxnreg 40\n.explicitcluster\n.reqnctapercluster 2, 4, 1\n.maxclusterrank 8\n"
      "{ ret; }\n"
      ".func (.param .b32 result) helper(.reg .b32 x) .noreturn .abi_preserve 4 { ret; }\n"
      ".entry fixed .reqntid 8, 8 .blocksareclusters .pragma \"x\"; { ret; }\n"
      ".extern .func outside();\n");
  REQUIRE(parsed.functions.size() == 4);
  const Function& kernel = parsed.functions[0];
  CHECK((kernel.entry && kernel.visible && kernel.defined));
  REQUIRE(kernel.parameters.size() == 3);
  CHECK((kernel.parameters[0].name == "p" && kernel.parameters[0].alignment == 8));
  CHECK((kernel.parameters[1].alignment == 8 && kernel.parameters[1].bytes() == 24));
  CHECK(kernel.parameters[2].space == Space::param);
  CHECK((kernel.max_threads[0] == 256u && kernel.max_threads[1] == 1u && kernel.max_threads[2] == 1u));
  CHECK((kernel.min_blocks == 2u && kernel.max_registers == 40u));
  CHECK((kernel.required_cluster[0] == 2u && kernel.required_cluster[1] == 4u));
  CHECK_FALSE(kernel.required_threads[0].has_value());
  const Function& helper = parsed.functions[1];
  CHECK((!helper.entry && helper.noreturn));
  CHECK(helper.returns.at(0).name == "result");
  CHECK(helper.parameters.at(0).space == Space::reg);
  CHECK((parsed.functions[2].required_threads[1] == 8u && parsed.functions[2].required_threads[2] == 1u));
  CHECK((parsed.functions[3].external && !parsed.functions[3].defined));
}

TEST_CASE("a definition replaces its declaration, and an alias copies its function") {
  const Module parsed = module(".func f();\n.weak .func f() { ret; }\n.func f();\n.visible .func g();\n.alias g, f;\n");
  REQUIRE(parsed.functions.size() == 2);
  CHECK((parsed.functions[0].name == "f" && parsed.functions[0].defined && parsed.functions[0].weak));
  CHECK((parsed.functions[1].name == "g" && parsed.functions[1].defined && parsed.functions[1].visible));
  CHECK(parsed.functions[1].body.size() == 1);
}

TEST_CASE("every kind of operand") {
  const Function f = function(
      ".reg .b32 plain, t<4>;\n"
      "a.x.y %r1, plain, t3, t4, symbol, symbol+8, 5, -5, 0f3F800000, 1.5, _, !%p1, %tid.x, %r1.b0;\n"
      "b [%rd1], [%rd1+4], [%rd1+-4], [%rd1-4], [symbol], [16], [t, {%f1, %f2}];\n"
      "c {%r1, _, 3}, %p1|%p2, _|%p3, 3|4;\n");
  CHECK(f.registers.at(0).name == "plain");
  CHECK((f.registers.at(1).name == "t" && f.registers.at(1).count == 4));
  const Instruction& a = instruction(f, 0);
  CHECK(a.spelling() == "a.x.y");
  using Kind = Operand::Kind;
  const std::vector<Kind> kinds = {Kind::reg,    Kind::reg,     Kind::reg,     Kind::symbol,   Kind::symbol,
                                   Kind::symbol, Kind::integer, Kind::integer, Kind::floating, Kind::floating,
                                   Kind::sink,   Kind::reg,     Kind::reg,     Kind::reg};
  REQUIRE(a.operands.size() == kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    CAPTURE(i);
    CHECK(a.operands[i].kind == kinds[i]);
  }
  CHECK((a.operands[5].name == "symbol" && a.operands[5].addend == 8));
  CHECK(a.operands[7].integer == static_cast<std::uint64_t>(-5));
  CHECK((a.operands[8].integer == 0x3f800000u && a.operands[8].float_type == Type::f32));
  CHECK(a.operands[9].float_type == Type::f64);
  CHECK((a.operands[11].negated && a.operands[11].name == "%p1"));
  CHECK(a.operands[12].name == "%tid.x");
  CHECK(a.operands[13].name == "%r1.b0");

  const Instruction& b = instruction(f, 1);
  const std::vector<std::int64_t> addends = {0, 4, -4, -4, 0, 16, 0};
  REQUIRE(b.operands.size() == addends.size());
  for (std::size_t i = 0; i < addends.size(); ++i) {
    CAPTURE(i);
    CHECK(b.operands[i].kind == Kind::address);
    CHECK(b.operands[i].addend == addends[i]);
  }
  CHECK(b.operands[5].name.empty());
  REQUIRE(b.operands[6].elements.size() == 1);
  CHECK(b.operands[6].elements[0].elements.size() == 2);

  const Instruction& c = instruction(f, 2);
  CHECK((c.operands[0].kind == Kind::vector && c.operands[0].elements.size() == 3));
  CHECK((c.operands[1].kind == Kind::pair && c.operands[1].elements[1].name == "%p2"));
  CHECK((c.operands[2].kind == Kind::pair && c.operands[2].elements[0].kind == Kind::sink));
  CHECK((c.operands[3].kind == Kind::integer && c.operands[3].integer == 7));
}

TEST_CASE("guards and labels") {
  const Function f = function("@%p1 bra L1;\n@!p add.s32 %r1, %r1, 1;\nL1:\nret;");
  CHECK((instruction(f, 0).guard->name == "%p1" && !instruction(f, 0).guard->negated));
  CHECK((instruction(f, 1).guard->name == "p" && instruction(f, 1).guard->negated));
  CHECK(std::get<Label>(f.body[2].node).name == "L1");
  CHECK_FALSE(instruction(f, 3).guard.has_value());
  CHECK(instruction(f, 3).ptx_line == 9);
}

TEST_CASE("all forms of call") {
  const Function f = function(
      "call f;\ncall.uni f, (%r1);\ncall (%r2), f;\ncall.uni (%r2), f, (%r1, 5);\ncall (r), %rd1, (a, b), proto;\n"
      "call %rd1, proto;\ncall (), f, ();\n"
      "proto : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 4 .b8 _[8]) .noreturn;\n"
      "none : .callprototype ()_ ();\n"
      "list : .calltargets f, g;\ntable : .branchtargets L1, L2;\n");
  REQUIRE(f.body.size() == 7);
  const auto call = [&](std::size_t i) -> const Call& { return f.body[i].call.value(); };
  CHECK((call(0).callee.name == "f" && call(0).returns.empty() && call(0).arguments.empty()));
  CHECK((instruction(f, 1).spelling() == "call.uni" && call(1).arguments.size() == 1));
  CHECK((call(2).returns.at(0).name == "%r2" && call(2).arguments.empty()));
  CHECK((call(3).returns.size() == 1 && call(3).arguments.at(1).integer == 5));
  CHECK((call(4).callee.kind == Operand::Kind::reg && call(4).prototype == "proto"));
  CHECK((call(5).callee.name == "%rd1" && call(5).prototype == "proto" && call(5).arguments.empty()));
  CHECK((call(6).returns.empty() && call(6).arguments.empty()));
  REQUIRE(f.prototypes.size() == 2);
  CHECK((f.prototypes[0].name == "proto" && f.prototypes[0].parameters.at(1).bytes() == 8));
  CHECK((f.prototypes[1].returns.empty() && f.prototypes[1].parameters.empty()));
  REQUIRE(f.target_lists.size() == 2);
  CHECK(f.target_lists[1].targets == std::vector<std::string>{"L1", "L2"});
}

TEST_CASE("the position is the innermost one of the last .loc that has a line") {
  const Function f = function(
      ".loc 1 7 0\n.loc 2 40 9, function_name $L__info_string1, inlined_at 1 12 3\nret;\n.loc 2 0 9\nret;\n"
      ".loc 1 13 1, function_name $L__info_string0+4, inlined_at 1 2 3\nret;\n.pragma \"nounroll\";\n");
  CHECK((f.source.file == 1 && f.source.line == 7));
  CHECK((instruction(f, 0).source.file == 2 && instruction(f, 0).source.line == 40));
  CHECK(instruction(f, 0).source.column == 9);
  CHECK(instruction(f, 1).source.line == 40);
  CHECK(instruction(f, 2).source.line == 13);
}

TEST_CASE("an error names the line, what was expected and what was found") {
  const std::string head = ".entry k()\n{\n";
  CHECK(error_of(head + "add.s32 %r1, %r2, %r3 }") ==
        "ptx line 3: expected ';' after the operands of 'add.s32', found '}'");
  CHECK(error_of(head + "add.s32 %r1, ;") == "ptx line 3: expected an operand, found ';'");
  CHECK(error_of(head + "ret;") ==
        "ptx line 3: expected an instruction, a directive, a label or '}', found the end of the text");
  CHECK(error_of(head + "ld.u32 %r1, [%rd1;") == "ptx line 3: expected ']' to close the address, found ';'");
  CHECK(error_of(head + "mov.b64 {%r1, %r2;") == "ptx line 3: expected '}' to close the vector, found ';'");
  CHECK(error_of(head + ".bogus 1;") ==
        "ptx line 3: expected a directive that may stand in a function, found '.bogus'");
  CHECK(error_of(head + ".reg .v8 .f32 v;") == "ptx line 3: expected the type of the registers, found '.v8'");
  CHECK(error_of(head + ".global .u32 x;") ==
        "ptx line 3: a .global variable inside a function: declare it at module scope");
  CHECK(error_of("add.s32 %r1;") == "ptx line 1: expected a directive, found 'add'");
  CHECK(error_of(".visible .bogus x;") ==
        "ptx line 1: expected a directive that may stand in a module, found '.bogus'");
  CHECK(error_of(".global .align 3 .u32 x;") == "ptx line 1: expected a power of two as alignment, found 3");
  CHECK(error_of(".global .u32 x[4][];") == "ptx line 1: only the first extent of an array may be empty");
  CHECK(error_of(".global .b8 x[0xffffffffffff][4096];") == "ptx line 1: an array of more than 2^48 bytes");
  CHECK(error_of(".address_size 32") == "ptx line 1: expected 64-bit addresses, found '.address_size 32'");
  CHECK(error_of(".version 9") == "ptx line 1: expected a version such as 9.0, found '9'");
  CHECK(error_of(".func f() .bogus 3;") == "ptx line 1: expected a directive of function 'f', found '.bogus'");
  CHECK(error_of(".func f() { ret; }\n.func f() { ret; }") == "ptx line 2: function 'f' is defined twice");
  CHECK(error_of(".func g();\n.func f();\n.alias g, f;") == "ptx line 3: alias 'g' of 'f', which is not defined");
  CHECK(error_of(".section .x { ") == "ptx line 1: expected '}' to close the section, found the end of the text");
  CHECK(error_of(head + "call 5;") == "ptx line 3: expected a function or a register as the target of a call");
}

TEST_CASE("a vector register stands for its elements") {
  const Function kernel = function(R"(
.reg .u64 %a;
.reg .v2 .u32 %v;
{
.reg .v2 .u32 %v;
mov.v2.u32 %v,{ 1,2 };
}
mov.v2.u32 %v,{ 3,4 };
mov.u32 %v.x,%v.y;
st.v2.u32 [%a],%v;
)");
  REQUIRE(kernel.registers.size() == 5);
  CHECK(kernel.registers[1].name == "%v.x");
  CHECK(kernel.registers[4].name == "%v@1.y");
  REQUIRE(kernel.body.size() == 6);
  CHECK(instruction(kernel, 0).spelling() == "mov.u32");
  CHECK(instruction(kernel, 1).operands[0].name == "%v@1.y");
  CHECK(instruction(kernel, 1).operands[1].integer == 2);
  CHECK(instruction(kernel, 4).operands[0].name == "%v.x");
  CHECK(instruction(kernel, 4).operands[1].name == "%v.y");
  CHECK(instruction(kernel, 5).operands[1].elements[1].name == "%v.y");
}

TEST_CASE("a move of vectors reads all elements before it writes one") {
  const Module module =
      parse(std::string(kHead) + ".entry k()\n{\n.reg .v2 .u32 %v;\nmov.v2.u32 %v, {%v.y, %v.x};\n}\n");
  const Function& kernel = module.functions[0];
  REQUIRE(kernel.body.size() == 3);
  const std::string aside = instruction(kernel, 0).operands[0].name;
  CHECK(instruction(kernel, 0).operands[1].name == "%v.x");
  CHECK((instruction(kernel, 1).operands[0].name == "%v.x" && instruction(kernel, 1).operands[1].name == "%v.y"));
  CHECK((instruction(kernel, 2).operands[0].name == "%v.y" && instruction(kernel, 2).operands[1].name == aside));
}

TEST_CASE("a body that nobody wants is skipped up to its own brace, wherever its marks lie") {
  for (std::size_t padding = 0; padding < 20; ++padding) {
    const std::string body = "{\n" + std::string(padding, 'y') + " { \"}/\" } // }\n/* } \n{ */ / {}\x7f\n}";
    const std::string text = std::string(kHead) + ".entry skipped()\n" + body + "\n.entry wanted()\n{\nret;\n}\n";
    std::string_view seen;
    const auto wants = [&](const std::string& function, std::string_view of) {
      if (function == "skipped") seen = of;
      return function == "wanted";
    };
    const Module module = parse(text, wants);
    CHECK(seen == body);
    REQUIRE(module.functions.size() == 2);
    CHECK((module.functions[0].defined && module.functions[0].body.empty()));
    CHECK(module.functions[1].body.size() == 1);
    try {  // What follows is where it is: the error names the line.
      parse(text + "?", wants);
      FAIL("'?' was taken for a part of a module");
    } catch (const ParseError& error) {
      CHECK(error.line() == static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1);
    }
  }
  const auto none = [](const std::string&, std::string_view) { return false; };
  CHECK_THROWS_AS(parse(std::string(kHead) + ".entry k()\n{\n{}", none), ParseError);
}

TEST_CASE("a declaration may number vector registers") {
  const Module module = parse(std::string(kHead) + ".entry k()\n{\n.reg .v2 .b16 x<3>;\nmov.v2.b16 x2, x0;\n}\n");
  const Function& kernel = module.functions[0];
  CHECK(kernel.registers.size() == 6);
  CHECK((instruction(kernel, 1).operands[0].name == "x2.y" && instruction(kernel, 1).operands[1].name == "x0.y"));
}

}  // namespace
}  // namespace warpbook::simulator::ptx
