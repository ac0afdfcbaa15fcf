// Finding calls by name at run time.
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/entry_points.h"

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  return warpbook::simulator::driver::find_entry_point(reinterpret_cast<void*>(&cuInit), symbol, function, flags,
                                                       status);
}

/// The undocumented call through which the static runtime finds the driver's functions.
CUresult cuGetExportTable(const void**, const CUuuid*) {
  return warpbook::simulator::driver::not_supported(warpbook::simulator::driver::kExportTable);
}
