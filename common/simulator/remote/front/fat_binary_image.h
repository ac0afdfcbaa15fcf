// Fat binaries of this process as bytes.
#pragma once

#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

/// Puts the containers behind a wrapper (runtime/fat_binary.cpp says how these look): their number and their bytes. Of
/// a wrapper of another kind its first word only, which the device will complain of.
void put_fat_binary(Writer& to, const void* wrapper);

/// Bytes of the container at @p data; 0 if there is none.
std::uint64_t container_bytes(const void* data);

}  // namespace warpbook::simulator::remote
