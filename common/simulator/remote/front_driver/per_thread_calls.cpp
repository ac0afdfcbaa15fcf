// Driver calls that use the per-thread default stream: *_ptsz and *_ptds, derived from the plain calls.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/process.h"

#define WB_PER_THREAD(name, base, parameters, arguments)                       \
  extern "C" __attribute__((visibility("default"))) CUresult name parameters { \
    const warpbook::simulator::remote::PerThreadDefaultStream scope;           \
    return base arguments;                                                     \
  }
#include "common/simulator/driver/per_thread_calls.def"
