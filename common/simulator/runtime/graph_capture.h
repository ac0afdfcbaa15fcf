// Turns work of each kind into a node while its stream is capturing. Only called while there are captures
// (Runtime::capturing).
#pragma once

#include <optional>

#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/grid_run.h"

namespace warpbook::simulator::runtime {

/// Nothing if the work is to run now; else the result of the call.
using Captured = std::optional<cudaError_t>;

Captured capture_launch(Runtime& runtime, const Stream& stream, const GridRun& run);
Captured capture_copy(Runtime& runtime, const Stream& stream, const Box& to, const Box& from, const BoxSize& size,
                      cudaMemcpyKind kind);
Captured capture_fill(Runtime& runtime, const Stream& stream, const Box& to, const BoxSize& size, std::uint32_t value,
                      unsigned element);
Captured capture_host_function(Runtime& runtime, const Stream& stream, const void* function, void* user_data);
Captured capture_allocation(Runtime& runtime, const Stream& stream, void** pointer, std::uint64_t bytes);
Captured capture_free(Runtime& runtime, const Stream& stream, void* pointer);
/// Work that cannot be captured.
Captured capture_nothing(Runtime& runtime, const Stream& stream);

}  // namespace warpbook::simulator::runtime
