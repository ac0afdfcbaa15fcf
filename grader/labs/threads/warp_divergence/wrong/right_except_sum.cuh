// The solution without its sum_groups(): for wrong answers whose mistake is there alone.
#pragma once

#include "warp_divergence.h"

#define sum_groups right_sum_groups
#define sum_groups_kernel right_sum_groups_kernel
#include "solutions/threads/warp_divergence/warp_divergence.cu"
#undef sum_groups
#undef sum_groups_kernel
