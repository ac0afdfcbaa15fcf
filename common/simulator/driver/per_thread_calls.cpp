// Driver calls that use the per-thread default stream: *_ptsz and *_ptds, derived from the plain calls.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/runtime/runtime.h"

using warpbook::simulator::runtime::PerThreadDefaultStream;

#define WB_PER_THREAD(name, base, parameters, arguments)                       \
  extern "C" __attribute__((visibility("default"))) CUresult name parameters { \
    const PerThreadDefaultStream scope;                                        \
    return base arguments;                                                     \
  }
#include "common/simulator/driver/per_thread_calls.def"
