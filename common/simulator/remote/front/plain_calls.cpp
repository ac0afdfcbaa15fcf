// Runtime calls whose arguments are sent by type.
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::remote {
#define WB_REMOTE(result, name, parameters, arguments)                                                         \
  extern "C" __attribute__((visibility("default"))) result name parameters {                                   \
    const auto go = [](auto function, const auto&... each) { return forward(Call::name, function, each...); }; \
    return go arguments;                                                                                       \
  }
#include "common/simulator/remote/runtime_calls.def"
}  // namespace warpbook::simulator::remote
