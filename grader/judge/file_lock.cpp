// Locks by flock(), which the kernel releases when a process ends.
#include "grader/judge/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace warpbook::grader {

FileLock::FileLock(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
}

FileLock::~FileLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace warpbook::grader
