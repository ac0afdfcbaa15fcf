// The solution without sum(): for wrong answers whose mistake is in part 3 alone.
#pragma once

#include "reduction.h"

#define sum right_sum
#define sum_kernel right_sum_kernel
#include "solutions/threads/reduction/reduction.cu"
#undef sum
#undef sum_kernel
