// Which key of a part is its pivot.
#pragma once

/// @ingroup quicksort
/// Which key of a part is its pivot: what choose_pivot() in pieces.cuh does.
enum class Pivot {
  first,     ///< The first one.
  sampled,   ///< The median of 32 keys at places that look random.
  smallest,  ///< The smallest one: the worst case, which keys made against known pivots can force. For tests.
};
