// Memory that a program maps itself and passes to other processes: not supported with the device in a process of its
// own, whose files the program does not have.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/unsupported.h"

using warpbook::simulator::remote::unsupported_driver_call;

CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                      unsigned long long) {
  return static_cast<CUresult>(unsupported_driver_call("cuMemExportToShareableHandle"));
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) {
  return static_cast<CUresult>(unsupported_driver_call("cuMemImportFromShareableHandle"));
}
