// The modifier column of the operation table, compiled.
#include "common/simulator/ptx/operation_pattern.h"

#include <algorithm>
#include <bit>

namespace warpbook::simulator::ptx {
namespace {

/// Removes the part of @p rest before @p separator and returns it.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

/// Letters and digits, and ':' in pairs: "L2::128B".
bool is_word(std::string_view text) {
  if (text.empty()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (plain) continue;
    if (i == 0 || text.substr(i, 2) != "::" || ++i + 1 == text.size()) return false;
  }
  return true;
}

}  // namespace

Vocabulary::Id Vocabulary::add(std::string_view word) {
  return ids_.try_emplace(word, static_cast<Id>(ids_.size())).first->second;
}

Vocabulary::Id Vocabulary::find(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? kUnknown : found->second;
}

std::optional<Pattern::Slot> Pattern::compile_slot(std::string_view text, Vocabulary& vocabulary) {
  Slot slot;
  if (text.starts_with('{')) {
    if (!text.ends_with('}')) return std::nullopt;
    slot.optional = true;
    text = text.substr(1, text.size() - 2);
  }
  if (!text.starts_with('.') || text.ends_with('|')) return std::nullopt;
  text.remove_prefix(1);
  for (bool first = true; first || !text.empty(); first = false) {
    std::string_view words = take_until(text, '|');
    if (!first && words.starts_with('.')) words.remove_prefix(1);
    if (words.empty() || words.ends_with('.')) return std::nullopt;
    Alternative alternative;
    while (!words.empty()) {
      const std::string_view word = take_until(words, '.');
      if (!is_word(word)) return std::nullopt;
      alternative.push_back(vocabulary.add(word));
    }
    slot.alternatives.push_back(std::move(alternative));
  }
  return slot;
}

std::optional<Pattern> Pattern::compile(std::string_view text, Vocabulary& vocabulary) {
  Pattern pattern;
  while (!text.empty()) {
    const std::string_view slot_text = take_until(text, ' ');
    if (slot_text.empty()) continue;
    const auto slot = compile_slot(slot_text, vocabulary);
    if (!slot) return std::nullopt;
    pattern.slots_.push_back(*slot);
  }
  return pattern;
}

bool Pattern::matches(std::span<const Vocabulary::Id> words, std::size_t slot) const {
  if (slot == slots_.size()) return words.empty();
  for (const Alternative& alternative : slots_[slot].alternatives) {
    const std::size_t length = alternative.size();
    if (words.size() >= length && std::equal(alternative.begin(), alternative.end(), words.begin()) &&
        matches(words.subspan(length), slot + 1)) {
      return true;
    }
  }
  return slots_[slot].optional && matches(words, slot + 1);
}

/// The remainder of @p unused after taking the words of @p alternative; empty if one of them is missing.
std::optional<std::uint32_t> Pattern::take(const Alternative& alternative, std::span<const Vocabulary::Id> words,
                                           std::uint32_t ordered, std::uint32_t unused) {
  for (const Vocabulary::Id wanted : alternative) {
    std::uint32_t candidates = unused;
    while (candidates != 0 && words[std::countr_zero(candidates)] != wanted) candidates &= candidates - 1;
    if (candidates == 0) return std::nullopt;
    const std::uint32_t bit = candidates & -candidates;
    if ((bit & ordered) != 0 && (unused & ordered & (bit - 1)) != 0) return std::nullopt;
    unused &= ~bit;
  }
  return unused;
}

bool Pattern::matches_rest(std::span<const Vocabulary::Id> words, std::uint32_t ordered, std::uint32_t unused,
                           std::size_t slot) const {
  if (slot == slots_.size()) return unused == 0;
  for (const Alternative& alternative : slots_[slot].alternatives) {
    const auto rest = take(alternative, words, ordered, unused);
    if (rest && matches_rest(words, ordered, *rest, slot + 1)) return true;
  }
  return slots_[slot].optional && matches_rest(words, ordered, unused, slot + 1);
}

}  // namespace warpbook::simulator::ptx
