// Defines another function than the lab asks for.
// ends: failed
// because: Your file has no function vector_add() with the parameters that the lab's header declares
#include "vector_add.h"

void add_vectors(const float*, const float*, float*, int) {}
