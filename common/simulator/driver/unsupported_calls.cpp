// Calls that the driver exports and the virtual GPU does not support: each reports its name and fails.
//
// They are declared without parameters, and ignore those that are passed. That fits the x86-64 calling convention.
// cuda.h is not included here, because its declarations would conflict.
#include "common/simulator/driver/unsupported_calls.h"

#define WB_UNSUPPORTED(name)                                     \
  extern "C" __attribute__((visibility("default"))) int name() { \
    return warpbook::simulator::driver::unsupported_call(#name); \
  }
#include "common/simulator/driver/unsupported_calls.def"
