// Calls that the runtime exports and the virtual GPU does not support (runtime/unsupported_calls.cpp).
#include <string>

#include "common/simulator/remote/front/unsupported.h"

#define WB_UNSUPPORTED(name)                                     \
  extern "C" __attribute__((visibility("default"))) int name() { \
    return warpbook::simulator::remote::unsupported_call(#name); \
  }
#include "common/simulator/runtime/unsupported_calls.def"
