// The solution without the kernel of its part 3: for rungs and wrong answers that differ in that part alone.
#pragma once

#include "bezier.h"

#define measure_lengths right_measure_lengths
#define measure_kernel right_measure_kernel
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef measure_lengths
#undef measure_kernel
