// The number of threads of this process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <system_error>

namespace warpbook::simulator::runtime {

/// Excluding the calling thread and @p own others.
inline std::size_t other_threads_of_process(std::size_t own) {
  std::error_code error;
  std::size_t threads = 0;
  for (std::filesystem::directory_iterator task("/proc/self/task", error), end; !error && task != end;
       task.increment(error))
    ++threads;
  return threads > own + 1 ? threads - own - 1 : 0;
}

}  // namespace warpbook::simulator::runtime
