// The solution without its transpose: for wrong answers whose mistake is in the transpose alone.
#pragma once

#include "bank_conflicts.h"

#define transpose_tiles right_transpose_tiles
#define transpose_tiles_kernel right_transpose_tiles_kernel
#include "solutions/memory/bank_conflicts/bank_conflicts.cu"
#undef transpose_tiles
#undef transpose_tiles_kernel
