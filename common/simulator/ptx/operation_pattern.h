// The modifier column of the operation table, compiled: which words a row accepts, and in which order.
//
// A pattern is a sequence of slots: ".a|b" (one of them) or "{.a|b}" (one of them or none). An alternative may consist
// of several words that only appear together: "{.xorsign.abs}". The words of an instruction are matched from left to
// right; if an optional slot can be taken or skipped, taking it is tried first. ptxas accepts some words in another
// order than the manual's ("vote.ballot.sync.b32", "atom.global.cta.add.u32", both found in NVIDIA's headers), so there
// is a second way to match, in which only types and state spaces keep their order, because their order has a meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpbook::simulator::ptx {

/// Numbers the words of all patterns, so that matching compares integers.
class Vocabulary {
 public:
  using Id = std::uint16_t;
  static constexpr Id kUnknown = 0xffff;

  Id add(std::string_view word);         ///< @p word must outlive the vocabulary.
  Id find(std::string_view word) const;  ///< kUnknown if no pattern has it.

 private:
  std::unordered_map<std::string_view, Id> ids_;
};

class Pattern {
 public:
  /// Empty if @p text is malformed.
  static std::optional<Pattern> compile(std::string_view text, Vocabulary& vocabulary);

  /// At most kMostWords words.
  bool matches(std::span<const Vocabulary::Id> words) const { return matches(words, 0); }

  /// @param ordered has bit i set if words[i] must keep its order among the words whose bit is set
  bool matches_in_any_order(std::span<const Vocabulary::Id> words, std::uint32_t ordered) const {
    return matches_rest(words, ordered, (std::uint32_t{1} << words.size()) - 1, 0);
  }

  static constexpr std::size_t kMostWords = 24;  ///< More than any instruction of PTX has.

 private:
  using Alternative = std::vector<Vocabulary::Id>;
  struct Slot {
    bool optional = false;
    std::vector<Alternative> alternatives;
  };

  static std::optional<Slot> compile_slot(std::string_view text, Vocabulary& vocabulary);
  bool matches(std::span<const Vocabulary::Id> words, std::size_t slot) const;

  bool matches_rest(std::span<const Vocabulary::Id> words, std::uint32_t ordered, std::uint32_t unused,
                    std::size_t slot) const;
  static std::optional<std::uint32_t> take(const Alternative& alternative, std::span<const Vocabulary::Id> words,
                                           std::uint32_t ordered, std::uint32_t unused);

  std::vector<Slot> slots_;
};

}  // namespace warpbook::simulator::ptx
