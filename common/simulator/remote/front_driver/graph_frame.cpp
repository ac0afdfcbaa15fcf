// Calls on graphs with the device in another process.
#include "common/simulator/driver/graph_frame.h"

#include "common/simulator/remote/front/graph_call.h"

namespace warpbook::simulator::driver {

CUresult as_driver(const std::function<cudaError_t()>& call) {
  const remote::GraphCallsOfDriver scope;
  return result_of(call());
}

}  // namespace warpbook::simulator::driver
