// Wrong answer: a cheat: the process ends with exit code 0 before anything is compared.
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) { std::exit(0); }
