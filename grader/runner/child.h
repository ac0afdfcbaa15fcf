// Child: a limited process that was started, with the descriptors to talk to it. Part of process.cpp and
// live_process.cpp.
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <set>
#include <utility>

#include "grader/runner/process.h"

namespace warpbook::grader {

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_;
};

/// A process under its limits.
struct Child {
  pid_t pid = -1;
  int error = 0;                           ///< Why it could not be started: errno; 0 if it was.
  Descriptor channel, out, err, returned;  ///< The parent's ends; reading and writing never block.
  std::set<pid_t> before;  ///< Children that this process already had, which the new child did not start.
};

/// Starts a process. @param device its descriptor 5; -1: none @throws std::runtime_error if the system cannot start
/// it
Child start_child(const ProcessRequest& request, int device = -1);

/// Two ends of a local socket. @throws std::runtime_error
std::array<Descriptor, 2> make_socket_pair();

/// Whether it has ended; it must still be waited for.
bool has_ended(pid_t pid);

/// Resources used by a process and its descendants.
struct Use {
  std::size_t descendants = 0;       ///< Without the process itself.
  std::uint64_t resident_bytes = 0;  ///< Of all of them; pages that several share are counted for each.
  double cpu_s = 0;                  ///< Of all of them, and of those that they waited for.
  bool runnable = false;             ///< One of their threads runs, or waits for a core.
};

/// Adds up what `pid` and its descendants use; stops early if there are more than the limits allow. CPU
/// time and states are read only if busy_s is a limit.
Use use_of(pid_t pid, const Limits& limits);

/// Fills end, code and left_behind of a process that ended by itself, from its status.
void record_exit(const ProcessRequest& request, int status, ProcessResult& result);

/// The limit that a process and its descendants exceed, if any.
std::optional<End> broken_limit(const Use& use, const Limits& limits);

/// The limit on time that a process exceeds that began @p passed_s ago and has slept @p asleep_s, if there is one.
std::optional<End> late(double passed_s, double asleep_s, const Limits& limits);

/// Ends the child's process group, then whatever escaped from it: those orphans are adopted by this process, dead ones
/// too, and counted in @p left_behind. @returns the status that waitpid() gives
int end_all(const Child& child, unsigned& left_behind);

}  // namespace warpbook::grader
