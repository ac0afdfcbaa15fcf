// Host functions and callbacks of the driver: a thread of their own runs them.
#include <thread>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/host_function.h"
#include "common/simulator/runtime/host_function.h"

namespace {

using namespace warpbook::simulator::remote;

template <class Function>
CUresult run_on_own_thread(CUstream stream, HostFunctionKind kind, Function function) {
  const auto without_error = [function] { function(CUDA_SUCCESS); };
  using Later = LaterFunction<decltype(without_error)>;
  auto later = std::make_unique<Later>(Later{without_error});
  const HostFunctionTurn turn =
      host_function_turn(kind, stream, true, 0, reinterpret_cast<const void*>(&Later::run), later.get());
  if (turn.later) {
    static_cast<void>(later.release());
    return CUDA_SUCCESS;
  }
  if (turn.error != CUDA_SUCCESS) return static_cast<CUresult>(turn.error);
  std::thread([&] {
    host_function_turn(HostFunctionKind::thread, nullptr, true);
    const HostFunctionScope scope;
    function(turn.failed ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS);
  }).join();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data, unsigned flags) {
  if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const bool is_silent = warpbook::simulator::runtime::is_of_libgomp(reinterpret_cast<const void*>(callback));
  return run_on_own_thread(stream, is_silent ? HostFunctionKind::openacc : HostFunctionKind::driver,
                           [=](CUresult status) { callback(stream, status, user_data); });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (const CUresult error = cuStreamIsCapturing(stream, &status)) return error;
  if (status != CU_STREAM_CAPTURE_STATUS_NONE)
    return static_cast<CUresult>(host_function_turn(HostFunctionKind::launch, stream, true, 0,
                                                    reinterpret_cast<const void*>(function), user_data)
                                     .error);
  return run_on_own_thread(stream, HostFunctionKind::driver, [=](CUresult) { function(user_data); });
}
