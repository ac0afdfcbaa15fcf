// The entry points of programs built with --default-stream per-thread: the same calls with another default stream.
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/cuda_api.h"

// Deprecated calls exist like the others.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define WB_PER_THREAD(name, base, parameters, arguments)                          \
  extern "C" __attribute__((visibility("default"))) cudaError_t name parameters { \
    const warpbook::simulator::remote::PerThreadDefaultStream scope;              \
    return base arguments;                                                        \
  }
#include "common/simulator/runtime/per_thread_calls.def"
