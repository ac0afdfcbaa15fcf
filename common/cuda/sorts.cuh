// Thrust's sorts, without what arrays of less than 2^31 numbers do not need: that halves the compilation.
#pragma once

#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_FP8_SUPPORT
#define CCCL_DISABLE_NVTX
#define THRUST_FORCE_32_BIT_OFFSET_TYPE
#define _CG_LIMIT_INCLUDED_DEPENDENCIES  // Cooperative groups without <cuda/atomic>, which takes a tenth of the rest.

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sort.h>
