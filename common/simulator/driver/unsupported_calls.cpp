// Calls that the driver exports and the virtual GPU does not have: each names itself and fails.
//
// Declared without parameters, which they ignore. That fits the x86-64 calling convention; cuda.h, whose declarations
// would disagree, is not included here.
#include "common/simulator/driver/unsupported_calls.h"

#define WB_UNSUPPORTED(name)                                     \
  extern "C" __attribute__((visibility("default"))) int name() { \
    return warpbook::simulator::driver::unsupported_call(#name); \
  }
#include "common/simulator/driver/unsupported_calls.def"
