// What one device may do with the memory of another one.
#pragma once

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// From now on, until the opposite, kernels of the active device may use the memory of @p peer.
cudaError_t enable_peer_access(Runtime& runtime, unsigned peer);
cudaError_t disable_peer_access(Runtime& runtime, unsigned peer);

}  // namespace warpbook::simulator::runtime
