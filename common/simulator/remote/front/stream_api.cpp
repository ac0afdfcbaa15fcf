// Host functions and callbacks of streams.
#include "common/simulator/remote/front/host_function.h"
#include "common/simulator/runtime/cuda_api.h"

using namespace warpbook::simulator::remote;

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  const HostFunctionTurn turn = host_function_turn(HostFunctionKind::launch, stream, function != nullptr, 0,
                                                   reinterpret_cast<const void*>(function), user_data);
  if (turn.runs) {
    const HostFunctionScope scope;
    function(user_data);
  }
  return static_cast<cudaError_t>(turn.error);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned flags) {
  const auto function = [=] { callback(stream, cudaSuccess, user_data); };
  using Later = LaterFunction<decltype(function)>;
  auto later = std::make_unique<Later>(Later{function});
  const HostFunctionTurn turn = host_function_turn(HostFunctionKind::callback, stream, callback != nullptr, flags,
                                                   reinterpret_cast<const void*>(&Later::run), later.get());
  if (turn.later) static_cast<void>(later.release());
  if (turn.runs) {
    const HostFunctionScope scope;
    callback(stream, cudaSuccess, user_data);
  }
  return static_cast<cudaError_t>(turn.error);
}
