// Children of fork(), in which CUDA does not work.
#pragma once

namespace warpbook::simulator::runtime {

/// True in a child whose parent had a device when it forked: the child has a copy of the memory, but no device. On an
/// H200 every call there returns 3 (cudaErrorInitializationError, CUDA_ERROR_NOT_INITIALIZED; 2026-11-23).
bool in_forked_child();

}  // namespace warpbook::simulator::runtime
