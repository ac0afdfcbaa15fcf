// Takes memory that counts as nobody's private memory.
// ends: failed
// because: memory_limit
// suspicion: include
// limit: wall_s 15
// limit: memory_bytes 268435456
#include <sys/mman.h>

#include <cstring>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  constexpr size_t kBytes = 64 << 20;
  for (;;) {
    void* shared = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    std::memset(shared, 1, kBytes);
  }
}
