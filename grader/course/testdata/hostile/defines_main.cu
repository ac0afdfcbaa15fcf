// Brings a main function of its own.
// ends: build_failed
// because: defined_twice subject=main
// suspicion: main
#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {}
int main() { return 0; }
