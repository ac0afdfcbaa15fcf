// Memory and events of other processes. Each call forwards to its counterpart in the runtime API.
#include <cstring>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/cuda_api.h"

using namespace warpbook::simulator::driver;

static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t) &&
              sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t));

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr address) {
  return forward([&] {
    return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(handle), reinterpret_cast<void*>(address));
  });
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* address, CUipcMemHandle handle, unsigned flags) {
  return forward([&] {
    cudaIpcMemHandle_t same;
    std::memcpy(&same, &handle, sizeof same);
    return cudaIpcOpenMemHandle(reinterpret_cast<void**>(address), same, flags);
  });
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  return forward([&] { return cudaIpcCloseMemHandle(reinterpret_cast<void*>(address)); });
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return forward([&] { return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t*>(handle), event); });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  return forward([&] {
    cudaIpcEventHandle_t same;
    std::memcpy(&same, &handle, sizeof same);
    return cudaIpcOpenEventHandle(event, same);
  });
}
