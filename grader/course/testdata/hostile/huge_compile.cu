// Two new types for each type: 2^30 in all.
// ends: build_failed
// because: timed_out subject=compiler or too_much_memory subject=compiler or too_much_output subject=compiler
// limit: build_wall_s 20
#include "vector_add.h"

template <int Depth, unsigned long Path>
struct Tree {
  static constexpr unsigned long value = Tree<Depth - 1, 2 * Path>::value + Tree<Depth - 1, 2 * Path + 1>::value;
};
template <unsigned long Path>
struct Tree<0, Path> {
  static constexpr unsigned long value = Path;
};

void vector_add(const float*, const float*, float* c, int) { c[0] = Tree<30, 1>::value; }
