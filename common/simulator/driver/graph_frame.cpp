// Calls on graphs in this process.
#include "common/simulator/driver/graph_frame.h"

#include "common/simulator/driver/driver_call.h"

namespace warpbook::simulator::driver {

CUresult as_driver(const std::function<cudaError_t()>& call) { return forward(call); }

}  // namespace warpbook::simulator::driver
