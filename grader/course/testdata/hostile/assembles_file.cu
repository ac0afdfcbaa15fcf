// Puts a file into the program, by the assembler.
// ends: build_failed
// because: error subject=compiler
// says: file not found
// suspicion: assembler
// suspicion: embedded_file
#include "vector_add.h"

asm(".data\n.globl stolen\nstolen: .incbin \"@CANARY@\"\n.byte 0\n.text");
extern "C" const char stolen[];

void vector_add(const float*, const float*, float* c, int) { c[0] = stolen[0]; }
