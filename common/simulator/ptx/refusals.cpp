// The table of rejected combinations, parsed once and looked up by row.
#include "common/simulator/ptx/refusals.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/simulator/ptx/modifiers.h"

namespace warpbook::simulator::ptx {
namespace {

struct RefusedRow {
  OperationId id;
  std::string_view terms, reason;
};

constexpr RefusedRow kRefused[] = {
#define WB_REFUSED(id, terms, reason) {OperationId::id, terms, reason},
#include "common/simulator/ptx/refusals.def"
#undef WB_REFUSED
};

/// A form of PTX that no row has.
struct ElsewhereRow {
  std::string_view opcode, terms, what;
};

constexpr ElsewhereRow kElsewhere[] = {
#define WB_ELSEWHERE(opcode, terms, what) {#opcode, terms, what},
#include "common/simulator/ptx/elsewhere.def"
#undef WB_ELSEWHERE
};

std::string_view take_refusal_word(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return word;
}

/// One condition on an instruction.
struct Term {
  bool negated = false, pair = false;
  unsigned type = 0;  ///< The type that it applies to, counted from 1; 0 for any word.
  std::vector<std::string_view> words;

  explicit Term(std::string_view text) {
    negated = text.front() == '!';
    if (negated) text.remove_prefix(1);
    pair = text == "pair";
    if (pair) return;
    if (text.front() == '.') {
      text.remove_prefix(1);
    } else {
      type = static_cast<unsigned>(text.front() - '0');
      text.remove_prefix(2);
    }
    while (!text.empty()) words.push_back(take_refusal_word(text, '|'));
  }

  bool has(std::string_view word) const { return std::find(words.begin(), words.end(), word) != words.end(); }

  bool holds(const Instruction& instruction) const {
    if (pair) return negated != (!instruction.operands.empty() && instruction.operands[0].kind == Operand::Kind::pair);
    unsigned types = 0;
    for (const std::string& word : instruction.modifiers) {
      if (type == 0 ? has(word) : parse_type(word) != Type::none && ++types == type && has(word)) return !negated;
    }
    return negated;
  }
};

struct Refused {
  std::vector<Term> terms;
  std::string_view reason;
};

std::vector<Term> parse_terms(std::string_view text) {
  std::vector<Term> terms;
  while (!text.empty()) terms.emplace_back(take_refusal_word(text, ' '));
  return terms;
}

bool all_hold(const std::vector<Term>& terms, const Instruction& instruction) {
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return term.holds(instruction); });
}

std::vector<std::vector<Refused>> make_refusals() {
  std::vector<std::vector<Refused>> all(static_cast<std::size_t>(OperationId::count));
  for (const RefusedRow& row : kRefused) {
    Refused refused;
    refused.reason = row.reason;
    refused.terms = parse_terms(row.terms);
    all[static_cast<std::size_t>(row.id)].push_back(std::move(refused));
  }
  return all;
}

}  // namespace

std::string refusal(OperationId id, const Instruction& instruction) {
  static const std::vector<std::vector<Refused>> refusals = make_refusals();
  for (const Refused& refused : refusals[static_cast<std::size_t>(id)]) {
    if (all_hold(refused.terms, instruction)) return std::string(refused.reason);
  }
  return {};
}

std::string elsewhere(const Instruction& instruction) {
  for (const ElsewhereRow& row : kElsewhere)
    if (row.opcode == instruction.opcode && all_hold(parse_terms(row.terms), instruction)) return std::string(row.what);
  // Offsets and comparisons of depths follow the coordinates.
  const bool samples = instruction.opcode == "tex" || instruction.opcode == "tld4";
  if (samples && instruction.operands.size() > 2) return "a texture's offsets and comparison of depths";
  if ((instruction.opcode == "min" || instruction.opcode == "max") && instruction.operands.size() == 4)
    return "the smallest or greatest of three, of sm_100";
  return {};
}

}  // namespace warpbook::simulator::ptx
