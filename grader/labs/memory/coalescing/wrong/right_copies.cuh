// The solution without its transpose: for wrong answers whose mistake is in the transpose alone.
#pragma once

#include "coalescing.h"

#define transpose right_transpose
#define transpose_kernel right_transpose_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef transpose
#undef transpose_kernel
