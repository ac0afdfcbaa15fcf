// How a shared pool is passed to the processes that import it: a small file that the exporter writes, whose descriptor
// the program sends. The files belong to the program's process, even if the device is in another one.
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

struct PoolDescription {
  char mark[4] = {};
  std::int32_t process = 0;  ///< The process that owns the pool's memory.
  std::uint32_t pool = 0;    ///< Its number in that process.
  std::uint32_t device = 0;  ///< As the machine counts devices.
};

/// Creates a file with the description; -1 if the system refuses.
int make_pool_file(const PoolDescription& description);
/// @returns false if the file has no such description
bool read_pool_file(int file, PoolDescription& description);

}  // namespace warpbook::simulator::runtime
