// The solution without its product: for wrong answers whose mistake is in the product alone.
#pragma once

#include "bank_conflicts.h"

#define multiply_transposed right_multiply_transposed
#define multiply_transposed_kernel right_multiply_transposed_kernel
#include "solutions/memory/bank_conflicts/bank_conflicts.cu"
#undef multiply_transposed
#undef multiply_transposed_kernel
