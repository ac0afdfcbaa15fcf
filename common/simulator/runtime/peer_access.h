// Access of one device to the memory of another.
#pragma once

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Enables or disables access of the active device's kernels to the memory of @p peer.
cudaError_t enable_peer_access(Runtime& runtime, unsigned peer);
cudaError_t disable_peer_access(Runtime& runtime, unsigned peer);

}  // namespace warpbook::simulator::runtime
