// Bytes and descriptors over a local socket, and the file behind memory that both processes share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

/// All of these return false (or -1) if the other side is gone.
bool send_all(int to, const Head& head, const std::vector<std::byte>& bytes, const std::vector<std::byte>& more = {});
bool receive_all(int from, void* bytes, std::size_t count);
bool send_descriptor(int to, const Head& head, int descriptor);
/// A header without a message, and its descriptor.
int receive_descriptor(int from);
/// Receives a header; @p descriptor is set if one came with it, else -1.
bool receive_head(int from, Head& head, int& descriptor);

/// Offset in the shared file of a page of registered memory: a page always has the same offset. Managed and pinned
/// memory comes first, at its distance from GlobalMemory::kHostBegin.
constexpr std::uint64_t registered_offset(std::uint64_t address) { return GlobalMemory::kHostBytes + address; }
/// Size of the file. It is sparse, so it costs only what is touched. Addresses of a process have up to 47 bits on
/// x86-64 and 48 on 64-bit ARM.
constexpr std::uint64_t kSharedBytes = GlobalMemory::kHostBytes + (std::uint64_t{1} << 48);

}  // namespace warpbook::simulator::remote
