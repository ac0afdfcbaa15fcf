// Names and texts of the driver's errors.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/runtime/error_names.h"

namespace {

const char* name_of(CUresult error) {
  switch (static_cast<int>(error)) {
#define WB_ERROR(number, name) \
  case number:                 \
    return #name;
#include "common/simulator/driver/errors.def"
#undef WB_ERROR
    default:
      return nullptr;
  }
}

}  // namespace

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = name_of(error);
  return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // The runtime has the same numbers and the same texts for them.
  *text = name_of(error) == nullptr ? nullptr : warpbook::simulator::runtime::error_text(error);
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
