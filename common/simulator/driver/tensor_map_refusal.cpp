// Reports an unsupported tensor map in the device's process.
#include "common/simulator/driver/tensor_map_refusal.h"

#include "common/simulator/driver/driver_call.h"

namespace warpbook::simulator::driver {

CUresult refuse_tensor_map(const char* call, const std::string& what) { return not_supported(call, what.c_str()); }

}  // namespace warpbook::simulator::driver
