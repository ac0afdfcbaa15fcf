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

}  // namespace warpbook::simulator::runtime
