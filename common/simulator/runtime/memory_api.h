// Allocates and frees for the API's many allocation calls.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Allocates @p bytes for the call @p name and sets *pointer; zero bytes give a null pointer and succeed.
cudaError_t allocate(Runtime& runtime, void** pointer, std::uint64_t bytes, MemoryKind kind, const char* name,
                     std::uint64_t alignment = 256);

/// Frees what allocate() returned. @param host it must be pinned memory, otherwise device or managed memory
cudaError_t release(Runtime& runtime, void* pointer, bool host);

/// Free device memory.
std::uint64_t free_bytes(const Runtime& runtime);

/// Memory of a pool that is freed.
void forget_pooled(std::uint64_t address);

/// The program has asked to wait for a stream, an event or a device: pools give back what they do not keep. Other calls
/// that wait, as those that copy and free, don't do so on an H200 (2026-11-24).
void settle_pools(const Runtime& runtime);
/// What work in @p stream has behind it of memory that was freed: an event takes it along,
FreesSeen frees_seen_by(std::uint32_t stream);
/// and a stream that waits for the event has it behind it, too.
void see_frees(std::uint32_t stream, const FreesSeen& event);

}  // namespace warpbook::simulator::runtime
