// Finding calls by name at run time, and names of errors: answered in the program's process.
#include <dlfcn.h>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/entry_points.h"
#include "common/simulator/remote/front/unsupported.h"

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  return warpbook::simulator::driver::find_entry_point(reinterpret_cast<void*>(&cuInit), symbol, function, flags,
                                                       status);
}

CUresult cuGetExportTable(const void**, const CUuuid*) {
  return static_cast<CUresult>(
      warpbook::simulator::remote::unsupported_driver_call(warpbook::simulator::driver::kExportTable));
}
