// A lock is held by one process at a time, and for as long as its object lives.
#include "grader/judge/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "common/testing/catch.h"

namespace warpbook::grader {
namespace {

/// Whether nobody holds the lock.
bool is_free(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(file >= 0);
  const bool locked = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  ::close(file);
  return locked;
}

TEST_CASE("a file lock makes its folder, and is held until it is destroyed") {
  const auto folder = std::filesystem::temp_directory_path() / ("warpbook_lock." + std::to_string(getpid()));
  const std::string path = (folder / "inner" / "file.lock").string();
  {
    const FileLock lock(path);
    CHECK_FALSE(is_free(path));
  }
  CHECK(is_free(path));
  const FileLock again(path);  // The file stays, and can be locked again.
  CHECK_FALSE(is_free(path));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warpbook::grader
