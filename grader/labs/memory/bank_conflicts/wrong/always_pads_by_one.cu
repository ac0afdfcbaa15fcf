// One word of padding, whatever the width: an odd width becomes even, and an element of 16 bytes loses its alignment.
// rejected-by: correctness.the pitch is the smallest without conflicts
// because: choose_pitch(33, 4) returned 34
#include <algorithm>

#include "bank_conflicts.h"

#define choose_pitch right_choose_pitch
#include "solutions/memory/bank_conflicts/bank_conflicts.cu"
#undef choose_pitch

int choose_pitch(int width, int) { return width + 1; }
