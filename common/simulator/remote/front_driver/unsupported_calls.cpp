// Calls that the driver exports and the virtual GPU does not support (driver/unsupported_calls.cpp).
#include "common/simulator/remote/front/unsupported.h"

#define WB_UNSUPPORTED(name)                                            \
  extern "C" __attribute__((visibility("default"))) int name() {        \
    return warpbook::simulator::remote::unsupported_driver_call(#name); \
  }
#include "common/simulator/driver/unsupported_calls.def"
