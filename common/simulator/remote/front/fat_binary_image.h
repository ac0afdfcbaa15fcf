// Fat binaries of this process as bytes.
#pragma once

#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

/// Writes the containers of a wrapper (format: runtime/fat_binary.cpp): their number and their bytes. For an unknown
/// wrapper only its first word, about which the device will complain.
void put_fat_binary(Writer& to, const void* wrapper);

/// Bytes of the container at @p data; 0 if there is none.
std::uint64_t container_bytes(const void* data);

}  // namespace warpbook::simulator::remote
