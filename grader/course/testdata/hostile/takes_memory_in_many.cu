// Each of its processes stays under the limit of one.
// ends: failed
// because: memory_limit or time_out
// suspicion: processes
// limit: wall_s 15
// limit: memory_bytes 536870912
#include <unistd.h>

#include <vector>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (int i = 0; i < 40; ++i) {
    if (fork() == 0) {
      std::vector<char> taken(300 << 20, 1);
      for (;;) pause();
    }
  }
  for (;;) pause();
}
