// Array copies, with the device in another process.
#include "common/simulator/driver/array_frame.h"

#include "common/simulator/remote/front/array_copy.h"

namespace warpbook::simulator::driver {

CUresult copy_as_driver(const std::function<cudaError_t()>& copy) {
  const remote::ArrayCopiesOfDriver scope;
  return result_of(copy());
}

}  // namespace warpbook::simulator::driver
