// A lock that processes share: a file that one of them at a time has locked.
#pragma once

#include <string>

namespace warpbook::grader {

/// Waits until no other process holds the lock, and holds it until the destructor. A file system without locks is used
/// without them.
class FileLock {
 public:
  /// @param path of the file; it and its folder are made if they are missing, and stay
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace warpbook::grader
