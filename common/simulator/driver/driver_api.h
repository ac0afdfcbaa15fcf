// The CUDA driver's own declarations, with default visibility: what this library defines and exports.
//
// Calls are defined under the names that they are exported by (cuMemAlloc_v2). cuda.h declares the newest version of
// each; older versions that programs still look up are declared here.
#pragma once

#pragma GCC visibility push(default)
#include <cuda.h>

#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuGetProcAddress
#undef cuStreamDestroy
#undef cuCtxGetDevice
#undef cuCtxSynchronize
extern "C" {
CUresult cuCtxAttach(CUcontext* context, unsigned flags);
CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* parameters, int count, unsigned flags,
                        CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxDetach(CUcontext context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context);
CUresult cuCtxPopCurrent(CUcontext* context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxSynchronize();
CUresult cuCtxSynchronize_v2(CUcontext context);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxReset(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags);
CUresult cuProfilerStart();
CUresult cuProfilerStop();
CUresult cuStreamDestroy(CUstream stream);
}
#pragma GCC visibility pop
