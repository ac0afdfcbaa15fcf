// A folder that is removed with its contents.
#pragma once

#include <string>

namespace warpbook::grader {

/// A new folder under $TMPDIR or /tmp, removed with its contents in the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace warpbook::grader
