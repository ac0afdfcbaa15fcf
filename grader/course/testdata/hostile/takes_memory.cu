// Takes memory until there is none.
// ends: failed
// because: memory_limit or crashed topic=KILL
// limit: wall_s 15
// limit: memory_bytes 268435456
#include <vector>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  std::vector<std::vector<char>> taken;
  for (;;) taken.emplace_back(64 << 20, 1);
}
