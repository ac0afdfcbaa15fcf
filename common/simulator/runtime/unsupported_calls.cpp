// Calls that the runtime exports and the virtual GPU does not have: each names itself and fails.
//
// Declared without parameters, which they ignore. That fits the x86-64 calling convention; the CUDA headers, whose
// declarations would disagree, are not included here.
#include "common/simulator/runtime/unsupported_calls.h"

#define WB_UNSUPPORTED(name)                                      \
  extern "C" __attribute__((visibility("default"))) int name() {  \
    return warpbook::simulator::runtime::unsupported_call(#name); \
  }
#include "common/simulator/runtime/unsupported_calls.def"
