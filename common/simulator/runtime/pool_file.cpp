// Writes and reads the files of shared pools.
#include "common/simulator/runtime/pool_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace warpbook::simulator::runtime {
namespace {

constexpr char kPoolMark[4] = {'W', 'B', 'I', 'P'};

}  // namespace

int make_pool_file(const PoolDescription& description) {
  const int file = ::memfd_create("warpbook-shared-pool", MFD_CLOEXEC);
  if (file < 0) return -1;
  PoolDescription marked = description;
  std::memcpy(marked.mark, kPoolMark, sizeof marked.mark);
  if (::pwrite(file, &marked, sizeof marked, 0) == static_cast<ssize_t>(sizeof marked)) return file;
  ::close(file);
  return -1;
}

bool read_pool_file(int file, PoolDescription& description) {
  return ::pread(file, &description, sizeof description, 0) == static_cast<ssize_t>(sizeof description) &&
         std::memcmp(description.mark, kPoolMark, sizeof kPoolMark) == 0;
}

}  // namespace warpbook::simulator::runtime
