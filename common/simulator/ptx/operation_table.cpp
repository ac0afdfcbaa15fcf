// The one table of operations: its rows, and finding the row of an instruction.
#include "common/simulator/ptx/operation_table.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/simulator/ptx/modifiers.h"
#include "common/simulator/ptx/operation_pattern.h"
#include "common/simulator/ptx/operation_shapes.h"

namespace warpbook::simulator::ptx {
namespace {

constexpr OperationRow kRows[] = {
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) \
  {OperationId::id, #id, #opcode, modifiers, operands, Pipe::pipe},
#include "common/simulator/ptx/operations.def"
#undef WB_OPERATION
};

struct Candidate {
  OperationId id;
  Pattern pattern;
};

/// The rows of one opcode, in table order.
struct Opcode {
  Vocabulary vocabulary;
  std::vector<Candidate> candidates;
};

/// Compiled when it is first asked for: a program uses few of them. nullptr: there is none of that name. Thread safe.
const Opcode* find_opcode(std::string_view name) {
  static std::mutex mutex;
  static auto* const known = new std::unordered_map<std::string_view, Opcode>;  // Until the process has ended.
  const std::lock_guard lock(mutex);
  if (const auto found = known->find(name); found != known->end()) return &found->second;
  Opcode opcode;
  for (const OperationRow& row : kRows) {
    if (row.opcode != name) continue;
    // A malformed pattern matches nothing; a test checks that there is none.
    auto pattern = Pattern::compile(row.modifiers, opcode.vocabulary);
    if (pattern) opcode.candidates.push_back({row.id, std::move(*pattern)});
  }
  if (opcode.candidates.empty()) return nullptr;
  return &known->emplace(row(opcode.candidates.front().id).opcode, std::move(opcode)).first->second;
}

bool fits(const OperandShape& shape, const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::address:
      return shape.shape == Shape::address || shape.shape == Shape::place || shape.shape == Shape::image;
    case Operand::Kind::vector:
      return shape.shape == Shape::vector;
    case Operand::Kind::pair:
      return shape.pair;
    case Operand::Kind::integer:
    case Operand::Kind::floating:
      return !shape.output && shape.shape != Shape::address && shape.shape != Shape::place &&
             shape.shape != Shape::image && shape.shape != Shape::label;
    case Operand::Kind::symbol:
    case Operand::Kind::reg:
    case Operand::Kind::sink:
      break;
  }
  return shape.shape != Shape::address && shape.shape != Shape::place && shape.shape != Shape::image;
}

/// Whether the row can have as many operands as were given.
bool takes_as_many(const std::vector<OperandShape>& shapes, const std::vector<Operand>& operands) {
  const auto required = std::count_if(shapes.begin(), shapes.end(), [](const auto& shape) { return !shape.optional; });
  return operands.size() >= static_cast<std::size_t>(required) && operands.size() <= shapes.size();
}

/// Whether the operands, whose number is valid, fit the row's shapes: distinguishes rows with the same modifiers.
bool fits(const std::vector<OperandShape>& shapes, const std::vector<Operand>& operands) {
  const auto optional = std::find_if(shapes.begin(), shapes.end(), [](const auto& shape) { return shape.optional; });
  // If optional operands are missing, only those before the first optional one are certain.
  const std::size_t certain =
      operands.size() == shapes.size() ? shapes.size() : static_cast<std::size_t>(optional - shapes.begin());
  for (std::size_t i = 0; i < certain; ++i) {
    if (!fits(shapes[i], operands[i])) return false;
  }
  return true;
}

/// The result of searching the rows of an opcode.
struct Choice {
  const Candidate* row = nullptr;
  const Candidate* miscounted =
      nullptr;  ///< Without a row: one that has the modifiers, and another number of operands.
};

/// The first candidate that @p accepts and whose operands fit, or else the first one that it accepts with a valid
/// number of operands.
template <class Accepts>
Choice first_of(const std::vector<Candidate>& candidates, const Instruction& instruction, Accepts accepts) {
  Choice choice;
  for (const Candidate& candidate : candidates) {
    if (!accepts(candidate.pattern)) continue;
    if (!takes_as_many(shapes(candidate.id), instruction.operands)) {
      choice.miscounted = &candidate;
      continue;
    }
    if (fits(shapes(candidate.id), instruction.operands)) return {&candidate};
    if (choice.row == nullptr) choice.row = &candidate;
  }
  return choice;
}

Choice choose(const Opcode& opcode, const Instruction& instruction) {
  const std::vector<std::string>& modifiers = instruction.modifiers;
  if (modifiers.size() > Pattern::kMostWords) return {};
  std::array<Vocabulary::Id, Pattern::kMostWords> ids{};
  for (std::size_t i = 0; i < modifiers.size(); ++i) {
    ids[i] = opcode.vocabulary.find(modifiers[i]);
    if (ids[i] == Vocabulary::kUnknown) return {};
  }
  const std::span<const Vocabulary::Id> words(ids.data(), modifiers.size());
  const Choice chosen =
      first_of(opcode.candidates, instruction, [&](const Pattern& pattern) { return pattern.matches(words); });
  if (chosen.row != nullptr || chosen.miscounted != nullptr) return chosen;
  std::uint32_t ordered = 0;
  for (std::size_t i = 0; i < modifiers.size(); ++i) {
    if (parse_type(modifiers[i]) != Type::none || parse_space(modifiers[i])) ordered |= std::uint32_t{1} << i;
  }
  return first_of(opcode.candidates, instruction,
                  [&](const Pattern& pattern) { return pattern.matches_in_any_order(words, ordered); });
}

std::string miscounted_operands(const Instruction& instruction, const Candidate& candidate) {
  const std::vector<OperandShape>& all = shapes(candidate.id);
  const auto optional = std::count_if(all.begin(), all.end(), [](const auto& shape) { return shape.optional; });
  std::string text = "'" + instruction.spelling() + "' takes ";
  if (optional != 0) text += std::to_string(all.size() - static_cast<std::size_t>(optional)) + " to ";
  return text + std::to_string(all.size()) + (all.size() == 1 ? " operand, and " : " operands, and ") +
         std::to_string(instruction.operands.size()) + " are written";
}

std::string known_forms(const Instruction& instruction, const Opcode* opcode) {
  if (opcode == nullptr) return "'" + instruction.opcode + "' is not a supported instruction";
  std::string text = "the supported forms of '" + instruction.opcode + "' are:";
  for (const Candidate& candidate : opcode->candidates) text.append("\n  ").append(written_form(row(candidate.id)));
  return text;
}

}  // namespace

const OperationRow& row(OperationId id) { return kRows[static_cast<std::size_t>(id)]; }

bool is_atomic(OperationId id) { return row(id).opcode == "atom" || row(id).opcode == "red"; }

std::string_view name_of(Pipe pipe) {
  constexpr std::array<std::string_view, 12> kNames = {"none", "alu", "fma",    "fmaheavy", "fp16",    "fp64",
                                                       "xu",   "lsu", "branch", "uniform",  "barrier", "tensor"};
  return kNames[static_cast<std::size_t>(pipe)];
}

std::string written_form(const OperationRow& row) {
  std::string form(row.opcode);
  for (const char c : row.modifiers) {
    if (c != ' ') form.push_back(c);
  }
  return form;
}

std::optional<Match> match(const Instruction& instruction, std::string* nearest) {
  const Opcode* const opcode = find_opcode(instruction.opcode);
  const Choice choice = opcode == nullptr ? Choice() : choose(*opcode, instruction);
  if (choice.row == nullptr) {
    if (nearest != nullptr)
      *nearest = choice.miscounted != nullptr ? miscounted_operands(instruction, *choice.miscounted)
                                              : known_forms(instruction, opcode);
    return std::nullopt;
  }
  Match match{choice.row->id, {}};
  for (const std::string& word : instruction.modifiers) add_modifier(word, match.modifiers);
  return match;
}

}  // namespace warpbook::simulator::ptx
