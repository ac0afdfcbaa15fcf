// What a pool that processes share is to those that import it: a small file that the exporter fills, whose descriptor
// the program hands on. The program's process has the files, wherever the device is.
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

struct PoolDescription {
  char mark[4] = {};
  std::int32_t process = 0;  ///< That has the pool's memory.
  std::uint32_t pool = 0;    ///< Its number there.
  std::uint32_t device = 0;  ///< As the machine counts them.
};

/// A new file that says it; -1 if the system refuses.
int make_pool_file(const PoolDescription& description);
/// @returns false if the file says nothing of that kind
bool read_pool_file(int file, PoolDescription& description);

}  // namespace warpbook::simulator::runtime
