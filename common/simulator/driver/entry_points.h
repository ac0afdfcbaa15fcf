// Looks up a library's calls by name.
#pragma once

#include <string>

#include "common/simulator/driver/driver_api.h"

namespace warpbook::simulator::driver {

/// Finds the version of a call that belongs to CUDA @p version (13000). If there is none, the result is CUDA_SUCCESS,
/// @p function gets nullptr and @p status the reason.
/// @param own a function of the library to search, whatever library the process found first as libcuda.so.1
/// @param flags CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM chooses *_ptsz, *_ptds
CUresult find_entry_point(void* own, const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status);

/// The same without a status, as CUDA 11 had it: CUDA_ERROR_NOT_FOUND, and @p function is unchanged.
CUresult find_entry_point_v1(void* own, const char* symbol, void** function, int version, cuuint64_t flags);

/// True if the code at @p caller belongs to one of NVIDIA's compilers (libnvrtc, libnvJitLink): these ask for private
/// tables of the driver, and work without them.
bool is_compiler(const void* caller);

/// The name of the call for private tables, with what is reported about the caller: NVIDIA's runtime, inside a program
/// or a library.
std::string refused_table(const void* caller);

}  // namespace warpbook::simulator::driver
