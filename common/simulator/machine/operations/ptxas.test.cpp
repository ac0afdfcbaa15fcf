// Exactly the forms that ptxas accepts can run: every way to write a row, against ptxas's answers (ptx/sweep.py).
#include <fstream>
#include <sstream>

#include "common/simulator/machine/control.h"
#include "common/simulator/ptx/modifiers.h"
#include "common/simulator/ptx/parser.h"
#include "common/simulator/ptx/refusals.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

std::vector<std::string> pieces(const std::string& text, char separator) {
  std::vector<std::string> found;
  std::istringstream in(text);
  for (std::string piece; std::getline(in, piece, separator);)
    if (!piece.empty()) found.push_back(piece);
  return found;
}

/// The ways to write a pattern, in the order of sweep.py: later slots vary fastest.
std::vector<std::vector<std::string>> ways(const std::string& pattern) {
  std::vector<std::vector<std::string>> all = {{}};
  for (const std::string& slot : pieces(pattern, ' ')) {
    std::vector<std::vector<std::string>> alternatives;
    std::string text = slot;
    if (slot.front() == '{') {
      alternatives.emplace_back();
      text = slot.substr(1, slot.size() - 2);
    }
    for (const std::string& words : pieces(text, '|')) alternatives.push_back(pieces(words, '.'));
    std::vector<std::vector<std::string>> longer;
    for (const auto& words : all) {
      for (const auto& more : alternatives) {
        longer.push_back(words);
        longer.back().insert(longer.back().end(), more.begin(), more.end());
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// An operand that matches @p shape; registers need no type there.
std::string operand_for(const std::string& shape, bool pair) {
  if (shape.find("imm") != std::string::npos) return "1";
  if (shape == "addr") return "[%a]";
  return pair ? "%a|%b" : "%a";
}

/// Whether a form written as a row can run.
bool runs(const ptx::Instruction& instruction) {
  const auto match = ptx::match(instruction);
  return match && ptx::refusal(match->id, instruction).empty() &&
         handler_set().find(match->id, match->modifiers) != nullptr;
}

bool has_second_operation(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word == "add" || word == "min" || word == "max") return true;
  return false;
}

/// The forms of a row as text, one instruction each.
std::vector<std::string> forms_of(const ptx::OperationRow& row) {
  std::vector<std::string> forms;
  std::vector<std::string> shapes;
  for (std::string shape : pieces(std::string(row.operands), ',')) {
    shape.erase(0, shape.find_first_not_of(' '));
    shapes.push_back(shape);
  }
  const bool optional = row.operands.find('?') != std::string_view::npos;
  const bool paired = !shapes.empty() && shapes[0].find('|') != std::string::npos;
  // Of atomics without vectors and cache policies.
  const bool atomic = row.opcode == "atom" || row.opcode == "red";
  std::string pattern(row.modifiers);
  for (const std::string slot : {" {.L2::cache_hint}", " {.v2|v4|v8}"})
    if (const std::size_t place = pattern.find(slot); place != std::string::npos) pattern.erase(place, slot.size());
  for (const auto& words : ways(pattern)) {
    for (const bool shorter : {false, true}) {
      if ((shorter && !optional) || (!shorter && optional && atomic)) continue;
      if (row.opcode[0] == 'v' && optional && shorter == has_second_operation(words)) continue;
      for (const bool pair : {false, true}) {
        if (pair && !paired) continue;
        std::string text(row.opcode);
        for (const std::string& word : words) text += "." + word;
        std::string separator = " ";
        for (std::size_t i = 0; i < shapes.size(); ++i) {
          if (shorter && shapes[i].back() == '?') continue;
          text += separator + operand_for(shapes[i], pair && i == 0);
          separator = ", ";
        }
        forms.push_back(text + ";\n");
      }
    }
  }
  return forms;
}

}  // namespace

TEST_CASE("a form of a row runs if and only if ptxas accepts it") {
  std::map<std::string, const ptx::OperationRow*> rows;
  for (unsigned id = 0; id < static_cast<unsigned>(ptx::OperationId::count); ++id) {
    const ptx::OperationRow& row = ptx::row(static_cast<ptx::OperationId>(id));
    rows[std::string(row.name)] = &row;
  }
  std::ifstream record(WB_PTXAS_FORMS);
  REQUIRE(record);
  unsigned compared = 0;
  std::string name, bits;
  for (std::size_t count = 0; record >> name >> count >> bits;) {
    INFO(name << ": see common/simulator/ptx/sweep.py --list " << name);
    REQUIRE(rows.count(name) == 1);
    const std::vector<std::string> forms = forms_of(*rows[name]);
    REQUIRE(forms.size() == count);
    std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n";
    for (const std::string& form : forms) text += form;
    const ptx::Module module = ptx::parse(text + "}\n");
    REQUIRE(module.functions[0].body.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      // The first form is in the highest bit.
      const std::size_t place = count - 1 - i;
      const std::size_t digit = bits.size() - 1 - place / 4;
      const bool takes =
          place / 4 < bits.size() && (std::stoi(bits.substr(digit, 1), nullptr, 16) >> (place % 4) & 1) != 0;
      INFO("ptxas " << (takes ? "takes " : "refuses ") << forms[i]);
      if (runs(std::get<ptx::Instruction>(module.functions[0].body[i].node)) != takes) CHECK(false);
      ++compared;
    }
  }
  CHECK(compared > 13000);
}
