// Given: Thrust's sorts, without what they do not need here: that halves the compilation. Arrays here have less than 2^31 elements.
#pragma once

#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_FP8_SUPPORT
#define CCCL_DISABLE_NVTX
#define THRUST_FORCE_32_BIT_OFFSET_TYPE

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sort.h>
