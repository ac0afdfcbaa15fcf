// Compares results with expected ones, and guesses which kind of mistake explains a difference.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/judge/finding.h"

namespace warpbook::grader {

/// Extents of an array, outermost first: {rows, columns}. Empty means one dimension.
using Shape = std::vector<std::size_t>;

/// |found - expected| <= absolute + relative * |expected|
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// The outcome of a comparison.
struct Comparison {
  bool passed = false;
  std::size_t count = 0;     ///< Elements compared.
  std::size_t wrong = 0;     ///< Elements that differ.
  double largest_error = 0;  ///< Largest |found - expected|; infinite if a NaN was found.
  Finding finding;           ///< How many, the first ones, the largest error, the likely mistake; empty if it passed.
};

/// Compares two arrays. NaN equals nothing. @param untouched which found elements were never written; may be empty
/// @param known_cause of what is wrong, for the finding's `why`; empty: one is guessed
template <class T>
Comparison compare(const std::string& name, const std::vector<T>& found, const std::vector<T>& expected,
                   const Tolerance& tolerance, const Shape& shape, const std::vector<bool>& untouched,
                   const std::string& known_cause = "");

/// Compares an output of an answer exactly.
template <class T>
Comparison compare_exact(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                         const Shape& shape);

/// Compares an output of an answer within a tolerance.
template <class T>
Comparison compare_close(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                         const Tolerance& tolerance, const Shape& shape);

}  // namespace warpbook::grader
