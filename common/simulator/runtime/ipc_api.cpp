// Memory and events of other processes.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/ipc.h"

using namespace warpbook::simulator::runtime;

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call(CallKind::ordinary, "cudaIpcGetMemHandle", [&](Runtime& runtime) {
    return handle == nullptr ? cudaErrorInvalidValue : runtime.ipc->handle_of(pointer, *handle);
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return call(CallKind::ordinary, "cudaIpcOpenMemHandle", [&](Runtime& runtime) {
    if (pointer == nullptr || (flags & ~unsigned{cudaIpcMemLazyEnablePeerAccess}) != 0) return cudaErrorInvalidValue;
    return runtime.ipc->open(handle, pointer);
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return call(CallKind::ordinary, "cudaIpcCloseMemHandle",
              [&](Runtime& runtime) { return runtime.ipc->close(pointer); });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event_handle) {
  return call(CallKind::ordinary, "cudaIpcGetEventHandle", [&](Runtime& runtime) {
    const Event* const event = runtime.events.find(event_handle);
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    return handle == nullptr ? cudaErrorInvalidValue : runtime.ipc->handle_of(*event, *handle);
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return call(CallKind::ordinary, "cudaIpcOpenEventHandle", [&](Runtime& runtime) {
    return event == nullptr ? cudaErrorInvalidValue : runtime.ipc->open(handle, event);
  });
}
