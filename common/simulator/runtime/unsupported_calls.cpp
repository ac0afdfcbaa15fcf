// Calls that the runtime exports but the virtual GPU does not support: each prints its name and fails.
//
// They are declared without parameters, which they ignore; this fits the x86-64 calling convention. The CUDA headers,
// whose declarations would conflict, are not included here.
#include "common/simulator/runtime/unsupported_calls.h"

#define WB_UNSUPPORTED(name)                                      \
  extern "C" __attribute__((visibility("default"))) int name() {  \
    return warpbook::simulator::runtime::unsupported_call(#name); \
  }
#include "common/simulator/runtime/unsupported_calls.def"
