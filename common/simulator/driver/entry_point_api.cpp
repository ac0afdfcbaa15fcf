// Finding calls by name at run time.
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/entry_points.h"

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  return warpbook::simulator::driver::find_entry_point(reinterpret_cast<void*>(&cuInit), symbol, function, version,
                                                       flags, status);
}

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
  return warpbook::simulator::driver::find_entry_point_v1(reinterpret_cast<void*>(&cuInit), symbol, function, version,
                                                          flags);
}

/// The undocumented call by which the statically linked runtime finds the driver's functions.
CUresult cuGetExportTable(const void**, const CUuuid*) {
  if (warpbook::simulator::driver::is_compiler(__builtin_return_address(0))) return CUDA_ERROR_NOT_SUPPORTED;
  return warpbook::simulator::driver::not_supported(
      warpbook::simulator::driver::refused_table(__builtin_return_address(0)).c_str());
}
