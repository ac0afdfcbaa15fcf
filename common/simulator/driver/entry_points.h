// Calls of a library by their names.
#pragma once

#include "common/simulator/driver/driver_api.h"

namespace warpbook::simulator::driver {

/// Gives the newest version of a call. @param own a function of the library to look in, whatever the process found
/// first under the name libcuda.so.1 @param flags CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM chooses *_ptsz, *_ptds
CUresult find_entry_point(void* own, const char* symbol, void** function, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status);

/// What is said of the static runtime's way in.
inline constexpr const char* kExportTable =
    "cuGetExportTable (this program has NVIDIA's runtime inside, nvcc -cudart static: build it with nvcc -cudart "
    "shared)";

}  // namespace warpbook::simulator::driver
