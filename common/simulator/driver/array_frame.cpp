// Array copies in this process.
#include "common/simulator/driver/array_frame.h"

#include "common/simulator/driver/driver_call.h"

namespace warpbook::simulator::driver {

CUresult copy_as_driver(const std::function<cudaError_t()>& copy) { return forward(copy); }

}  // namespace warpbook::simulator::driver
