// Tests on modules that nvcc wrote (testdata/), in both dialects, and on mutations of them.
#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

namespace warpbook::simulator::ptx {
namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(WARPBOOK_PTX_TESTDATA) + "/" + name);
  INFO("testdata/" << name);
  REQUIRE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const Function& find_function(const Module& module, const std::string& name) {
  for (const Function& function : module.functions) {
    if (function.name == name) return function;
  }
  FAIL("no function " << name);
  throw std::logic_error("unreachable");
}

const Variable& find_variable(const Module& module, const std::string& name) {
  for (const Variable& variable : module.variables) {
    if (variable.name == name) return variable;
  }
  FAIL("no variable " << name);
  throw std::logic_error("unreachable");
}

std::vector<std::uint32_t> lines_of(const Function& function, const std::string& opcode) {
  std::vector<std::uint32_t> lines;
  for (const Statement& statement : function.body) {
    const auto* instruction = std::get_if<Instruction>(&statement.node);
    if (instruction != nullptr && instruction->opcode == opcode) lines.push_back(instruction->source.line);
  }
  return lines;
}

void check_language(const Module& module) {
  CHECK(module.files == std::map<std::uint32_t, std::string>{{1, "language.cu"}});

  const Variable& record = find_variable(module, "record");
  CHECK((record.bytes() == 40 && record.relocations.size() == 3));
  CHECK(record.initial[0] == 'a');
  CHECK((record.relocations[0].symbol == "target" && record.relocations[0].addend == 20));
  CHECK(record.relocations[2].symbol == "_Z3actPi");
  const Variable& packed = find_variable(module, "packed");
  REQUIRE(packed.relocations.size() == 1);
  CHECK((packed.relocations[0].offset == 1 && packed.relocations[0].bytes == 8 && packed.relocations[0].addend == 8));
  CHECK(find_variable(module, "managed").managed);
  CHECK(find_variable(module, "coefficients").space == Space::constant);
  CHECK((find_variable(module, "dynamic").external && find_variable(module, "dynamic").elements == 0));
  CHECK(find_variable(module, "pointer").relocations.at(0).addend == 12);

  const Function& limits = find_function(module, "_Z6limitsPi");
  CHECK((limits.max_threads[0] == 256u && limits.min_blocks == 2u && limits.source.line == 59));
  const Function& cluster = find_function(module, "_Z7clusterPi");
  CHECK((cluster.required_cluster[0] == 2u && cluster.required_cluster[1] == 2u));
  CHECK((find_function(module, "vprintf").external && !find_function(module, "vprintf").defined));

  const Function& calls = find_function(module, "_Z5calls3BigS_PFiifEPi");
  CHECK(calls.parameters.size() == 4);
  CHECK(calls.parameters[0].bytes() == 48);
  CHECK(calls.prototypes.size() == 1);
  std::size_t indirect = 0;
  for (const Statement& statement : calls.body) {
    if (!statement.call || statement.call->callee.kind != Operand::Kind::reg) continue;
    ++indirect;
    CHECK(statement.call->prototype == calls.prototypes[0].name);
  }
  CHECK(indirect == 1);
  // The loads of the inlined function have that function's line.
  const std::vector<std::uint32_t> loads = lines_of(calls, "ld");
  CHECK(std::count(loads.begin(), loads.end(), 43u) == 3);
}

TEST_CASE("a module of the dialect up to sm_90") {
  const Module module = parse(text_of("language_sm_90.ptx"));
  CHECK(module.target == "sm_90");
  check_language(module);
}

TEST_CASE("a module of the dialect from sm_100 on") {
  const Module module = parse(text_of("language_sm_100.ptx"));
  CHECK(module.target == "sm_100");
  check_language(module);
}

TEST_CASE("the two copies of one inline assembly block have labels of their own") {
  const Module module = parse(text_of("language_sm_90.ptx"));
  const Function& assembly = find_function(module, "_Z8assemblyPiPfPy");
  std::vector<std::string> labels;
  for (const Statement& statement : assembly.body) {
    if (const auto* label = std::get_if<Label>(&statement.node)) labels.push_back(label->name);
  }
  REQUIRE(labels.size() == 4);
  CHECK(labels[0].starts_with("again@"));
  CHECK(labels[1].starts_with("done@"));
  CHECK(labels[0] != labels[2]);
}

TEST_CASE("debug information is skipped") {
  const Module module = parse(text_of("debug.ptx"));
  CHECK(module.target == "sm_90");
  REQUIRE(module.functions.size() == 1);
  CHECK(lines_of(module.functions[0], "mul") == std::vector<std::uint32_t>{3, 6});
}

/// Parses @p text; a ParseError is a good result, any other exception is not.
bool parses(const std::string& text) {
  try {
    parse(text);
    return true;
  } catch (const ParseError& error) {
    CHECK(std::string(error.what()).find("ptx line ") == 0);
    CHECK(error.line() >= 1);
    return false;
  }
}

TEST_CASE("mutated modules are parsed or refused, and nothing else") {
  const unsigned seed = 20261121;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  // Typical pieces of PTX, so that mutations reach deep into the parser.
  const std::vector<std::string> pieces = {
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      "<",
      ">",
      ",",
      ";",
      ":",
      "|",
      "@",
      "!",
      "_",
      "+",
      "-",
      "-1",
      "0",
      "0x",
      "0f3F800000",
      "4294967296",
      "18446744073709551615",
      "99999999999999999999",
      "\"",
      "/*",
      "//",
      ".reg",
      ".global",
      ".align 3",
      ".b8",
      ".param",
      "call",
      "generic(",
      "0xFF(",
      ".loc",
      ".entry",
      ".func",
      ".section .x {",
      "%",
      "%r1",
      "x[",
      "]=",
      "\n",
      "\x7f",
      "WARP_SZ",
      ".callprototype",
      ".branchtargets",
      ".alias",
      ".version",
      "?",
      "1.5",
      "=",
      "={{",
  };
  std::size_t parsed = 0;
  std::size_t refused = 0;
  for (const char* name : {"language_sm_90.ptx", "language_sm_100.ptx", "debug.ptx"}) {
    const std::string original = text_of(name);
    for (int round = 0; round < 700; ++round) {
      std::string text = original;
      for (std::size_t i = below(3) + 1; i > 0; --i) {
        const std::size_t at = below(text.size());
        const std::size_t length = std::min(below(24) + 1, text.size() - at);
        switch (below(5)) {
          case 0:
            text.erase(at, length);
            break;
          case 1:
            text.replace(at, length, pieces[below(pieces.size())]);
            break;
          case 2:
            text.insert(at, pieces[below(pieces.size())]);
            break;
          case 3:
            text.insert(at, text.substr(below(text.size()), length));
            break;
          default:
            text.resize(at + 1);
            break;
        }
      }
      ++(parses(text) ? parsed : refused);
    }
  }
  CHECK(parsed > 0);
  CHECK(refused > parsed);
}

}  // namespace
}  // namespace warpbook::simulator::ptx
