// A folder that goes away with all it holds.
#pragma once

#include <string>

namespace warpbook::grader {

/// A folder of its own under $TMPDIR or /tmp, removed with all it holds at the end.
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
