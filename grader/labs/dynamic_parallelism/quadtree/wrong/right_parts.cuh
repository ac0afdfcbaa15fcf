// The solution without build(): for rungs and wrong answers that differ in that function alone.
#pragma once

#include "quadtree.h"

#define build right_build
#define build_kernel right_build_kernel
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef build
#undef build_kernel
