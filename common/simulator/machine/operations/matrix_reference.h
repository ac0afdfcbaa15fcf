// For tests: one element of a matrix product by the documented rule (matrix_floating.h), implemented independently.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/machine/operations/matrix_forms.h"

namespace warpbook::simulator {

using Wide = __int128;

/// @p sum * 2^last as an f32 (truncated) or as an f16 (rounded to nearest even).
std::uint32_t rounded_sum(Wide sum, int last, bool half);

/// One element of D. @p a and @p b are raw elements along k, @p c is the element of C.
std::uint64_t matrix_element(const MatrixForm& form, const std::vector<std::uint64_t>& a,
                             const std::vector<std::uint64_t>& b, std::uint64_t c);

}  // namespace warpbook::simulator
