// What comes before and after the body of a driver call.
#include "common/simulator/driver/driver_call.h"

#include <string_view>

#include "common/simulator/driver/unsupported_calls.h"
#include "common/simulator/runtime/forked_child.h"

namespace warpbook::simulator::driver {

LastErrorScope::LastErrorScope() : error_(runtime::last_error()) {
  const Runtime* device = Runtime::existing();
  device_ = runtime::current_device();
  primary_ = device != nullptr && device->device_at(device_).primary_context;
}

LastErrorScope::~LastErrorScope() {
  runtime::forget_last_error();
  runtime::remember(error_);
  if (Runtime* device = Runtime::existing()) device->device_at(device_).primary_context = primary_;
}

CUresult missing(Needs needs) {
  if (needs == Needs::nothing) return CUDA_SUCCESS;
  if (runtime::in_forked_child()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!initialised() && current_context() == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  return needs == Needs::context && current_context() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult not_supported(const char* name, const char* detail) {
  runtime::complain_once(std::string(name) + " is not supported by the virtual GPU" + detail);
  return CUDA_ERROR_NOT_SUPPORTED;
}

int unsupported_call(const char* name) {
  const std::string_view call(name);
  const bool reference = call.starts_with("cuTexRef") || call.starts_with("cuSurfRef") || call == "cuModuleGetTexRef" ||
                         call == "cuModuleGetSurfRef";
  if (!reference) return not_supported(name);
  return not_supported("a texture or surface reference",
                       ": CUDA 12 removed them from CUDA C++. Make an object with cuTexObjectCreate or "
                       "cuSurfObjectCreate, and pass its handle to the kernel");
}

}  // namespace warpbook::simulator::driver
