// The patterns, most specific first. Each returns a sentence or nothing.
#include "grader/judge/mistakes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "grader/judge/finding.h"

namespace warpbook::grader {

namespace {

using Guess = std::optional<Mistake>;

std::size_t count_true(const std::vector<bool>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
}

std::size_t count_both(const std::vector<bool>& flags, const std::vector<bool>& others) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) count += flags[i] && others[i] ? 1 : 0;
  return count;
}

std::string text(double value) { return number_text(value); }

/// All indices with a flag are in [result.first, result.second).
std::pair<std::size_t, std::size_t> range_of(const std::vector<bool>& flags) {
  const auto first = std::find(flags.begin(), flags.end(), true);
  const auto last = std::find(flags.rbegin(), flags.rend(), true);
  return {static_cast<std::size_t>(first - flags.begin()),
          flags.size() - static_cast<std::size_t>(last - flags.rbegin())};
}

/// True if `matches` holds for nearly all elements that it applies to, and for enough of them, not all alike.
bool holds(const Evidence& e, const std::function<std::optional<bool>(std::size_t)>& matches) {
  std::size_t asked = 0, held = 0;
  for (std::size_t i = 0; i < e.found.size(); ++i) {
    const std::optional<bool> match = matches(i);
    if (!match) continue;
    ++asked;
    held += *match ? 1 : 0;
  }
  return asked >= 4 && held * 100 >= asked * 98;
}

bool all_alike(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

Guess nothing_written(const Evidence& e) {
  if (e.untouched.empty() || count_true(e.untouched) != e.found.size()) return {};
  return Mistake{
      "nothing_written",
      "Nothing was written at all. Is the kernel launched, is its grid not empty, and is the result stored?"};
}

/// The last partial tile: every wrong element lies past the last whole multiple of a tile in a row or a column.
Guess partial_tile(const Evidence& e, const std::vector<bool>& flags, const char* what) {
  if (e.shape.size() > 2) return {};
  const std::size_t columns = e.shape.back();
  const std::size_t rows = e.shape.size() == 2 ? e.shape[0] : 1;
  for (const std::size_t tile : {1024, 512, 256, 128, 64, 32, 16, 8}) {
    const std::size_t whole_rows = rows / tile * tile, whole_columns = columns / tile * tile;
    if (whole_columns == 0 || (rows > 1 && whole_rows == 0)) continue;
    if (whole_columns == columns && (rows == 1 || whole_rows == rows)) continue;
    bool outside = true, all = true;
    for (std::size_t i = 0; i < flags.size() && outside; ++i) {
      const bool past = i % columns >= whole_columns || (rows > 1 && i / columns >= whole_rows);
      if (flags[i] && !past) outside = false;
      if (!flags[i] && past) all = false;
    }
    if (!outside) continue;
    const std::string size = e.shape.size() == 2 ? std::to_string(rows) + " x " + std::to_string(columns)
                                                 : std::to_string(columns) + " elements";
    return Mistake{"partial_tile", std::string(all ? "All" : "Only") +
                                       " elements of the last, partial tile (tile width " + std::to_string(tile) +
                                       ", " + size + ") " + what + ". Is the grid rounded up, (n + tile - 1) / tile" +
                                       (e.shape.size() == 2 ? ", and is each bound checked on its own?" : "?")};
  }
  return {};
}

std::size_t count_nans(const Evidence& e) {
  return static_cast<std::size_t>(
      std::count_if(e.found.begin(), e.found.end(), [](double v) { return std::isnan(v); }));
}

Guess partly_written(const Evidence& e) {
  if (e.untouched.empty()) return {};
  const std::size_t missing = count_true(e.untouched);
  // A computed NaN can be equal to the poison by chance: a few among many say nothing.
  if (missing == 0 || missing * 100 < count_nans(e)) return {};
  // One byte in 256 is equal to the poison by chance, and every fourth of those that are 127: right ones say nothing.
  if (e.element_bytes == 1 && count_both(e.untouched, e.wrong) * 64 < e.found.size()) return {};
  const auto [begin, end] = range_of(e.untouched);
  if (begin == 1 && missing > 1 && missing + 1 == e.found.size())
    return Mistake{"only_first_written", "Only the first element was written. Which element is each thread's?"};
  if (e.shape.size() < 2 && missing <= 3 && missing < begin && count_true(e.wrong) == missing &&
      end - begin == missing && end == e.found.size()) {
    return Mistake{"last_unwritten", "All but the last " + (missing == 1 ? "one" : std::to_string(missing)) +
                                         " were written. If a thread takes several at once (float4), who takes what is "
                                         "left over? If not, is the grid rounded up, (n + block - 1) / block?"};
  }
  if (Guess guess = partial_tile(e, e.untouched, "were never written")) return guess;
  if (end - begin == missing && end == e.found.size()) {
    const bool power = (begin & (begin - 1)) == 0;
    return Mistake{"end_unwritten",
                   "Only the first " + (begin == 1 ? "element was" : std::to_string(begin) + " elements were") +
                       " written" +
                       (power && begin >= 32 && begin <= 1024
                            ? ", as many as one block writes. Does the index use blockIdx, and is the grid "
                              "large enough?"
                            : ". Is the grid large enough, rounded up?")};
  }
  return Mistake{"some_unwritten", std::to_string(missing) + (missing == 1 ? " element was" : " elements were") +
                                       " never written. Does every element have a thread that writes it?"};
}

Guess transposed(const Evidence& e) {
  if (e.shape.size() != 2 || e.shape[0] < 2 || e.shape[1] < 2 || all_alike(e.expected)) return {};
  const std::size_t rows = e.shape[0], columns = e.shape[1];
  if (!holds(e, [&](std::size_t i) -> std::optional<bool> {
        return e.found[i % columns * rows + i / columns] == e.expected[i];
      })) {
    return {};
  }
  return Mistake{
      "transposed",
      "The result is the transpose of what it should be: are row and column swapped once too often, or not at all?"};
}

Guess shifted(const Evidence& e) {
  if (e.found.size() < 6 || all_alike(e.expected)) return {};
  const auto size = static_cast<std::ptrdiff_t>(e.found.size());
  std::vector<std::ptrdiff_t> offsets = {1, -1, 2, -2, 32, -32};
  if (e.shape.size() == 2) {
    offsets.push_back(static_cast<std::ptrdiff_t>(e.shape[1]));
    offsets.push_back(-static_cast<std::ptrdiff_t>(e.shape[1]));
  }
  for (const std::ptrdiff_t offset : offsets) {
    if (!holds(e, [&](std::size_t i) -> std::optional<bool> {
          const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(i) + offset;
          if (from < 0 || from >= size) return std::nullopt;
          return e.found[i] == e.expected[static_cast<std::size_t>(from)];
        })) {
      continue;
    }
    const std::ptrdiff_t distance = std::abs(offset);
    return Mistake{"shifted", "Everything is shifted by " + std::to_string(distance) +
                                  (distance == 1 ? " element" : " elements") +
                                  ": element i holds what belongs to element i " + (offset > 0 ? "+ " : "- ") +
                                  std::to_string(distance) + ". Look at the index arithmetic."};
  }
  return {};
}

bool close(double a, double b) { return std::fabs(a - b) <= 1e-5 * (std::fabs(a) + std::fabs(b)); }

Guess scaled(const Evidence& e) {
  const auto [first, end] = range_of(e.wrong);
  if (first >= end || e.expected[first] == 0) return {};
  const double factor = e.found[first] / e.expected[first];
  if (!std::isfinite(factor) || factor == 0 || std::fabs(factor - 1) <= 1e-3) return {};
  if (count_true(e.wrong) < 4 || all_alike(e.expected)) return {};
  if (!holds(e, [&](std::size_t i) -> std::optional<bool> { return close(e.found[i], factor * e.expected[i]); })) {
    return {};
  }
  if (factor == -1) return Mistake{"negated", "Every element has the wrong sign."};
  const bool counted_often = e.whole_numbers && factor > 1 && factor == std::round(factor);
  return Mistake{"scaled", "Every element is " + text(factor) + " times what it should be" +
                               (counted_often ? ": do " + text(factor) + " threads each do what one should?" : ".")};
}

Guess displaced(const Evidence& e) {
  const auto [first, end] = range_of(e.wrong);
  if (first >= end) return {};
  const double offset = e.found[first] - e.expected[first];
  if (!std::isfinite(offset) || count_true(e.wrong) < 4 || all_alike(e.expected)) return {};
  if (holds(e, [&](std::size_t i) -> std::optional<bool> { return close(e.found[i], e.expected[i] + offset); })) {
    return Mistake{"displaced", "Every element is off by the same amount, " + text(offset) + "."};
  }
  return {};
}

Guess one_block_right(const Evidence& e) {
  const auto [begin, end] = range_of(e.wrong);
  if (begin < 32 || (begin & (begin - 1)) != 0 || begin > 1024) return {};
  if (count_true(e.wrong) * 10 < (end - begin) * 9 || end != e.found.size()) return {};
  return Mistake{
      "one_block_right",
      "The first " + std::to_string(begin) +
          " elements are right and those after them are wrong: does every block, or every pass of a loop, do "
          "the work of the first?"};
}

Guess wrong_partial_tile(const Evidence& e) { return partial_tile(e, e.wrong, "are wrong"); }

Guess every_kth(const Evidence& e) {
  const std::size_t wrong = count_true(e.wrong);
  for (const std::size_t period : {2, 4, 8, 16, 32, 64, 128, 256}) {
    const auto first = range_of(e.wrong).first;
    const std::size_t in_class = (e.found.size() - first % period + period - 1) / period;
    if (wrong < 3 || in_class < 3 || wrong * 10 < in_class * 9) continue;
    bool same = true;
    for (std::size_t i = 0; i < e.wrong.size() && same; ++i) same = !e.wrong[i] || i % period == first % period;
    if (same) {
      return Mistake{"every_kth", "The wrong elements are " + std::to_string(period) + " apart (" +
                                      std::to_string(first % period) + ", " + std::to_string(first % period + period) +
                                      ", ...): one thread of each group of " + std::to_string(period) + " goes wrong."};
    }
  }
  return {};
}

Guess zeros(const Evidence& e) {
  for (std::size_t i = 0; i < e.found.size(); ++i) {
    if (e.wrong[i] && e.found[i] != 0) return {};
  }
  return Mistake{
      "zeros",
      "Every wrong element is 0: does no thread write it, is something summed into a variable that nobody stores, "
      "or read before it is written?"};
}

Guess not_a_number(const Evidence& e) {
  const std::size_t nans = count_nans(e);
  if (nans == 0) return {};
  return Mistake{"not_a_number",
                 std::to_string(nans) + (nans == 1 ? " element is" : " elements are") +
                     " NaN: something was read before it was written, or 0/0 was computed. Where a thread reads "
                     "from shared memory what another one writes, there must be a __syncthreads() between."};
}

Guess permuted(const Evidence& e) {
  if (e.found.size() < 4 || all_alike(e.expected)) return {};
  std::vector<double> found = e.found, expected = e.expected;
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  if (found != expected) return {};
  return Mistake{
      "permuted",
      "All the right values are there, but in the wrong places: look at the indices, where elements are loaded and "
      "where they are stored. Where they pass through shared memory, do both sides agree on which element is where?"};
}

/// Every wrong element is the right one truncated to a narrower type.
Guess overflowed(const Evidence& e) {
  constexpr int kWidest = 32;
  for (int bits = kWidest; bits >= 8; bits /= 2) {
    if (e.whole_numbers && e.element_bytes * 8 <= static_cast<std::size_t>(bits)) continue;
    const double values = std::ldexp(1.0, bits);
    std::size_t wrong = 0;
    bool fits = true, not_zero = false;
    for (std::size_t i = 0; i < e.found.size() && fits; ++i) {
      if (!e.wrong[i]) continue;
      ++wrong;
      const double found = e.found[i], expected = e.expected[i];
      fits = std::isfinite(found) && std::isfinite(expected) && found == std::round(found) &&
             expected == std::round(expected) && std::fabs(expected) < std::ldexp(1.0, 53) && found >= -values / 2 &&
             found < values && std::fmod(found - expected, values) == 0;
      not_zero = not_zero || found != 0;
    }
    // One number in 256 is right modulo 2^8 by chance.
    if (!fits || !not_zero || (bits == 8 && wrong < 4)) continue;
    const std::string width = std::to_string(bits), type = bits == 32 ? "int" : bits == 16 ? "short" : "char";
    return Mistake{"overflow",
                   "Every wrong element is the right one modulo 2^" + width + ": a number that is too large for " +
                       width +
                       " bits was kept in them. Which sum, product or index overflows? Give it a wider type "
                       "than " +
                       type + (bits == 32 ? ": long long, or std::size_t for an index." : ".")};
  }
  return {};
}

/// Every wrong element should be an end of its type's range, but has the other sign.
Guess wrapped(const Evidence& e) {
  if (!e.whole_numbers || (e.element_bytes != 2 && e.element_bytes != 4)) return {};
  const double largest = std::ldexp(1.0, 8 * static_cast<int>(e.element_bytes) - 1) - 1;
  for (std::size_t i = 0; i < e.found.size(); ++i) {
    if (!e.wrong[i]) continue;
    const bool above = e.expected[i] == largest && e.found[i] < 0;
    if (!above && !(e.expected[i] == -largest - 1 && e.found[i] > 0)) return {};
  }
  return Mistake{
      "wrapped",
      "Every wrong element should be the largest or smallest number of its type, because the sum is too large "
      "for it, but it has wrapped around to the other sign: the operation does not saturate."};
}

Guess last_only(const Evidence& e) {
  // Among few elements, the last is often the only wrong one, whatever the mistake.
  constexpr std::size_t kFew = 16;
  if (e.found.size() < kFew || count_true(e.wrong) != 1 || !e.wrong.back()) return {};
  return Mistake{
      "last_only",
      "Only the last element is wrong. Does it have less to work on than the others, say a group that is cut off? Look "
      "at what threads without an element do: one that others wait for, or whose value is read, must not just return."};
}

Guess imprecise(const Evidence& e) {
  if (e.whole_numbers) return {};
  // A case may hold a few huge values, compared with which any error looks small: the scale is that of the median.
  std::vector<double> sizes;
  for (const double value : e.expected)
    if (value != 0 && std::isfinite(value)) sizes.push_back(std::fabs(value));
  if (sizes.empty() || count_true(e.wrong) * 4 < e.found.size()) return {};
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double scale = *middle;
  double largest = 0;
  for (std::size_t i = 0; i < e.found.size(); ++i) {
    if (!e.wrong[i]) continue;
    // If terms cancel, the error is small relative to the terms, not relative to their sum.
    const double error = std::fabs(e.found[i] - e.expected[i]);
    if (!(error < 2e-3 * std::fabs(e.expected[i]) || error < 5e-3 * scale)) return {};
    largest = std::max(largest, error);
  }
  return Mistake{"imprecise", "Every difference is small (at most " + text(largest) + ", where values are some " +
                                  text(scale) +
                                  "): rounding. Is the arithmetic done in the precision that the lab asks for?"};
}

}  // namespace

Mistake guess_mistake(const Evidence& evidence) {
  if (evidence.found.empty() || evidence.found.size() != evidence.expected.size() || count_true(evidence.wrong) == 0) {
    return {};
  }
  Evidence e = evidence;
  std::size_t elements = 1;
  for (const std::size_t extent : e.shape) elements *= extent;
  if (e.shape.empty() || elements != e.found.size()) e.shape = {e.found.size()};
  using Rule = Guess (*)(const Evidence&);
  for (const Rule rule :
       {Rule{nothing_written}, Rule{partly_written}, Rule{not_a_number}, Rule{overflowed}, Rule{wrapped},
        Rule{last_only}, Rule{transposed}, Rule{scaled}, Rule{shifted}, Rule{permuted}, Rule{imprecise},
        Rule{displaced}, Rule{wrong_partial_tile}, Rule{one_block_right}, Rule{zeros}, Rule{every_kth}}) {
    if (const Guess guess = rule(e)) return *guess;
  }
  return {};
}

}  // namespace warpbook::grader
