// Guessing what kind of mistake a wrong array shows, from the pattern of its wrong elements.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/judge/compare.h"

namespace warpbook::grader {

/// What the guess looks at. Values are doubles: good enough for patterns, never used for the verdict.
struct Evidence {
  std::vector<double> found, expected;
  std::vector<bool> wrong;        ///< By element.
  std::vector<bool> untouched;    ///< Still poisoned; may be empty.
  Shape shape;                    ///< At least one dimension.
  bool whole_numbers = false;     ///< The elements are integers: no rounding.
  std::size_t element_bytes = 0;  ///< Size of an element, if known.
};

/// A guess at the kind of mistake.
struct Mistake {
  std::string pattern;  ///< "transposed", "partial_tile": for statistics. Empty: no pattern fits.
  std::string text;     ///< One or two sentences.
};

/// The first pattern that fits.
Mistake guess_mistake(const Evidence& evidence);

}  // namespace warpbook::grader
