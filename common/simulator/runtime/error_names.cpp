// Looks up names and texts of the runtime's errors.
#include "common/simulator/runtime/error_names.h"

namespace warpbook::simulator::runtime {
namespace {
constexpr const char* kUnknown = "unrecognized error code";
}

const char* error_name(int code) {
  switch (code) {
#define WB_ERROR(number, name, text) \
  case number:                       \
    return #name;
#include "common/simulator/runtime/errors.def"
#undef WB_ERROR
    default:
      return kUnknown;
  }
}

const char* error_text(int code) {
  switch (code) {
#define WB_ERROR(number, name, text) \
  case number:                       \
    return text;
#include "common/simulator/runtime/errors.def"
#undef WB_ERROR
    default:
      return kUnknown;
  }
}

bool is_sticky(int code) {
  switch (code) {
    case 700:  // cudaErrorIllegalAddress
    case 702:  // cudaErrorLaunchTimeout
    case 710:  // cudaErrorAssert
    case 714:  // cudaErrorHardwareStackError
    case 715:  // cudaErrorIllegalInstruction
    case 716:  // cudaErrorMisalignedAddress
    case 717:  // cudaErrorInvalidAddressSpace
    case 718:  // cudaErrorInvalidPc
    case 719:  // cudaErrorLaunchFailure
      return true;
    default:
      return false;
  }
}

}  // namespace warpbook::simulator::runtime
