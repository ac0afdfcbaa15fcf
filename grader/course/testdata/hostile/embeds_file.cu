// Puts a file into the program, by the preprocessor.
// ends: build_failed
// because: error subject=compiler
// suspicion: embedded_file
#include "vector_add.h"

const unsigned char kStolen[] = {
#embed "@CANARY@"
};

void vector_add(const float*, const float*, float* c, int) { c[0] = kStolen[0]; }
