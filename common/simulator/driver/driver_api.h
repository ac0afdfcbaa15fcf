// The CUDA driver's own declarations, made visible: what this library defines and exports.
//
// Calls are defined under the names that they are exported by (cuMemAlloc_v2). cuda.h declares the newest version of
// each; older versions that programs still look up are declared here.
#pragma once

#pragma GCC visibility push(default)
#include <cuda.h>

#undef cuEventElapsedTime
extern "C" {
CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
}
#pragma GCC visibility pop
