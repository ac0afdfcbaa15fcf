// Says what went wrong in 64 MiB, which every report would have to hold.
// ends: failed
// because: program_error
// says: <<<<<<<<
#include <stdexcept>
#include <string>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) { throw std::runtime_error(std::string(64 << 20, '<')); }
