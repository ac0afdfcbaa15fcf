// Reports an unsupported tensor map from the program's process.
#include "common/simulator/driver/tensor_map_refusal.h"

#include "common/simulator/remote/front/unsupported.h"

namespace warpbook::simulator::driver {

CUresult refuse_tensor_map(const char* call, const std::string& what) {
  return static_cast<CUresult>(remote::unsupported_driver_call((call + what).c_str()));
}

}  // namespace warpbook::simulator::driver
