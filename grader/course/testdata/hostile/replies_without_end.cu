// Sends a reply that never ends.
// ends: failed
// because: output_limit topic=reply or time_out
#include <unistd.h>

#include <vector>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  const std::vector<char> block(1 << 20, 1);
  while (write(3, block.data(), block.size()) > 0) {
  }
}
