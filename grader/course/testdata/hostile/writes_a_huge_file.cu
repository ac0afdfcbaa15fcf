// Writes one file of a terabyte, with a hole.
// ends: failed
// because: output_limit topic=file
// suspicion: include
#include <fcntl.h>
#include <unistd.h>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  const int file = open("large", O_WRONLY | O_CREAT, 0600);
  [[maybe_unused]] const int result = ftruncate(file, 1l << 40);
}
