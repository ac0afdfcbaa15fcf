// Calls of a library by their names.
#pragma once

#include <string>

#include "common/simulator/driver/driver_api.h"

namespace warpbook::simulator::driver {

/// Gives the version of a call that @p version of CUDA means (13000).
/// @param own a function of the library to look in, whatever the process found first under the name libcuda.so.1
/// @param flags CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM chooses *_ptsz, *_ptds
CUresult find_entry_point(void* own, const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status);

/// True if the code at @p caller is one of NVIDIA's compilers (libnvrtc, libnvJitLink): these ask for private tables of
/// the driver, and do without.
bool is_compiler(const void* caller);

/// The call of private tables, and what is said of who made it: NVIDIA's runtime, which a program or a library holds.
std::string refused_table(const void* caller);

}  // namespace warpbook::simulator::driver
