// Writes documents completely or not at all.
#include "common/simulator/runtime/output_target.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace warpbook::simulator::runtime {
namespace {

bool write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

std::string failure(const char* what, const std::string& path) {
  return std::string(what) + ": cannot write " + path + ": " + std::strerror(errno);
}

}  // namespace

bool is_descriptor(const std::string& target) { return target.rfind("fd:", 0) == 0; }

std::string fixed_target(const std::string& target) {
  if (target.empty() || is_descriptor(target)) return target;
  return std::filesystem::absolute(target).string();
}

std::optional<std::string> write_document(const std::string& target, const std::string& document, const char* what) {
  if (is_descriptor(target)) {
    char* end = nullptr;
    const long fd = std::strtol(target.c_str() + 3, &end, 10);
    if (end == target.c_str() + 3 || *end != '\0' || fd < 0)
      return std::string(what) + ": '" + target + "' is not a file descriptor: write fd:3 or a path";
    if (!write_all(static_cast<int>(fd), document)) return failure(what, target);
    return std::nullopt;
  }
  const std::string temporary = target + ".tmp" + std::to_string(::getpid());
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return failure(what, temporary);
  const bool written = write_all(fd, document);
  const bool closed = ::close(fd) == 0;
  if (!written || !closed || ::rename(temporary.c_str(), target.c_str()) != 0) {
    std::string error = failure(what, target);
    ::unlink(temporary.c_str());
    return error;
  }
  return std::nullopt;
}

}  // namespace warpbook::simulator::runtime
