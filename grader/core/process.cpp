// The parent's side of a limited process: starting, feeding, listening, ending.
#include "grader/core/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "grader/core/protocol.h"

namespace warpbook::grader {

namespace {

using Clock = std::chrono::steady_clock;

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
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + " failed: " + std::strerror(errno)); }

std::array<Descriptor, 2> make_pipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) fail("pipe2");
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

std::array<Descriptor, 2> make_socket_pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) fail("socketpair");
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

void make_nonblocking(const Descriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

/// Direct children of a process, by the kernel's list.
std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> result;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child; list >> child;) result.push_back(child);
  }
  return result;
}

/// All processes under `pid`, without it; stops looking beyond `enough`.
std::size_t count_descendants(pid_t pid, std::size_t enough) {
  std::vector<pid_t> open = children_of(pid);
  std::size_t count = 0;
  while (!open.empty() && count <= enough) {
    const pid_t next = open.back();
    open.pop_back();
    ++count;
    const auto more = children_of(next);
    open.insert(open.end(), more.begin(), more.end());
  }
  return count;
}

/// Tasks on the whole system now: RLIMIT_NPROC counts all of a user's, so a limit must lie above what is there.
std::uint64_t tasks_now() {
  std::ifstream load("/proc/loadavg");
  std::string one, five, fifteen, tasks;
  load >> one >> five >> fifteen >> tasks;
  const auto slash = tasks.find('/');
  return slash == std::string::npos ? 4096 : std::strtoull(tasks.c_str() + slash + 1, nullptr, 10);
}

/// Sets a limit; the hard one lies `room` above it, never above what it was.
void limit(int resource, std::uint64_t value, std::uint64_t room = 0) {
  rlimit bound{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &bound);
  bound.rlim_cur = bound.rlim_max == RLIM_INFINITY ? value : std::min<rlim_t>(value, bound.rlim_max);
  bound.rlim_max = std::min<rlim_t>(bound.rlim_max, bound.rlim_cur + room);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &bound);
}

/// Everything that the child needs between fork and exec, made before the fork: no allocation in between.
struct ChildPlan {
  std::vector<char*> argv, envp;
  const char* folder;
  std::uint64_t tasks;
  const Limits& limits;
  int channel, out, err, failure;
};

[[noreturn]] void become(const ChildPlan& plan) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(plan.limits.cpu_s) + 1, 2);  // First SIGXCPU, then SIGKILL.
  limit(RLIMIT_FSIZE, plan.limits.file_bytes);
  limit(RLIMIT_NPROC, plan.tasks + static_cast<std::uint64_t>(plan.limits.processes) + 256);
  if (plan.limits.memory_bytes > 0) limit(RLIMIT_DATA, plan.limits.memory_bytes);
  // Move the descriptors out of the way of 0-3 before placing them there.
  const int channel = fcntl(plan.channel, F_DUPFD, 16);
  const int out = fcntl(plan.out, F_DUPFD, 16);
  const int err = fcntl(plan.err, F_DUPFD, 16);
  const int failure = fcntl(plan.failure, F_DUPFD_CLOEXEC, 16);
  const int null = open("/dev/null", O_RDONLY);
  if (dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0 && dup2(channel, kWorkerChannel) >= 0) {
    for (int fd = kWorkerChannel + 1; fd < 1024; ++fd) {
      if (fd != failure) close(fd);
    }
    if (chdir(plan.folder) == 0) execve(plan.argv[0], plan.argv.data(), plan.envp.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t told = write(failure, &error, sizeof error);
  _exit(127);
}

/// The conversation with a running child.
class Conversation {
 public:
  Conversation(const ProcessRequest& request, pid_t pid, Descriptor channel, Descriptor out, Descriptor err)
      : request_(request), pid_(pid), channel_(std::move(channel)), out_(std::move(out)), err_(std::move(err)) {
    make_nonblocking(channel_);
    make_nonblocking(out_);
    make_nonblocking(err_);
  }

  /// Talks until the child has ended or has broken a limit; sets result.end only in the second case.
  void run(ProcessResult& result) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(request_.limits.wall_s);
    auto next_count = Clock::now();
    for (;;) {
      if (ended()) break;
      std::array<pollfd, 3> waits{{{channel_.get(), static_cast<short>(POLLIN | (all_sent() ? 0 : POLLOUT)), 0},
                                   {out_.get(), POLLIN, 0},
                                   {err_.get(), POLLIN, 0}}};
      poll(waits.data(), waits.size(), 5);
      if (!all_sent()) send_some();
      listen(result);
      if (broken_) {
        result.end = *broken_;
        return;
      }
      const auto now = Clock::now();
      if (now >= deadline) {
        result.end = End::timed_out;
        return;
      }
      if (now >= next_count) {
        next_count = now + std::chrono::milliseconds(50);
        const auto allowed = static_cast<std::size_t>(request_.limits.processes);
        if (count_descendants(pid_, allowed) > allowed) {
          result.end = End::too_many_processes;
          return;
        }
      }
    }
    listen(result);
    if (broken_) result.end = *broken_;
  }

 private:
  bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
  }

  bool all_sent() const { return sent_ == request_.input.size() && shut_; }

  void send_some() {
    while (sent_ < request_.input.size()) {
      const ssize_t written =
          ::send(channel_.get(), request_.input.data() + sent_, request_.input.size() - sent_, MSG_NOSIGNAL);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        if (errno != EAGAIN) sent_ = request_.input.size();  // It closed its end: nothing more can be said.
        break;
      }
      sent_ += static_cast<std::size_t>(written);
    }
    if (sent_ == request_.input.size() && !shut_) {
      shutdown(channel_.get(), SHUT_WR);
      shut_ = true;
    }
  }

  void listen(ProcessResult& result) {
    take(channel_, [&](const char* data, std::size_t size) {
      const auto* begin = reinterpret_cast<const std::byte*>(data);
      if (result.reply.size() + size > request_.limits.reply_bytes) {
        broken_ = End::reply_too_large;
      } else {
        result.reply.insert(result.reply.end(), begin, begin + size);
      }
    });
    const auto keep = [&](std::string& text) {
      return [&](const char* data, std::size_t size) {
        printed_ += size;
        const std::size_t room =
            request_.limits.kept_output_bytes - std::min(text.size(), request_.limits.kept_output_bytes);
        text.append(data, std::min(size, room));
        result.truncated = result.truncated || size > room;
        if (printed_ > request_.limits.output_bytes) broken_ = End::too_much_output;
      };
    };
    take(out_, keep(result.output));
    take(err_, keep(result.error));
  }

  template <class Sink>
  void take(Descriptor& from, Sink&& sink) {
    while (from.open() && !broken_) {
      const ssize_t got = read(from.get(), buffer_.data(), buffer_.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        from.close();
        return;
      }
      sink(buffer_.data(), static_cast<std::size_t>(got));
    }
  }

  const ProcessRequest& request_;
  pid_t pid_;
  Descriptor channel_, out_, err_;
  std::size_t sent_ = 0;
  bool shut_ = false;
  std::uint64_t printed_ = 0;
  std::optional<End> broken_;
  std::vector<char> buffer_ = std::vector<char>(1u << 18);
};

/// Ends the child's process group, then whatever escaped from it: those orphans are adopted by this process, dead ones
/// too, and counted in @p left_behind.
int end_all(pid_t pid, const std::set<pid_t>& before, unsigned& left_behind) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  for (int round = 0; round < 200; ++round) {
    bool found = false;
    for (const pid_t child : children_of(getpid())) {
      if (before.count(child) > 0) continue;
      found = true;
      ++left_behind;
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    if (!found) break;
  }
  return status;
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto channel = make_socket_pair();
  auto out = make_pipe();
  auto err = make_pipe();
  auto failure = make_pipe();

  std::vector<std::string> environment;
  for (const auto& [name, value] : request.environment)
    environment.push_back(std::string(name).append("=").append(value));
  ChildPlan plan{{},           {},           request.folder.c_str(), tasks_now(), request.limits, channel[1].get(),
                 out[1].get(), err[1].get(), failure[1].get()};
  plan.argv.push_back(const_cast<char*>(request.program.c_str()));
  for (const std::string& argument : request.arguments) plan.argv.push_back(const_cast<char*>(argument.c_str()));
  plan.argv.push_back(nullptr);
  for (std::string& entry : environment) plan.envp.push_back(entry.data());
  plan.envp.push_back(nullptr);

  std::set<pid_t> before;
  for (const pid_t child : children_of(getpid())) before.insert(child);

  ProcessResult result;
  const auto start = Clock::now();
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) become(plan);
  channel[1].close();
  out[1].close();
  err[1].close();
  failure[1].close();

  int error = 0;
  if (read(failure[0].get(), &error, sizeof error) == sizeof error) {
    end_all(pid, before, result.left_behind);
    result.end = End::cannot_start;
    result.code = error;
    return result;
  }

  result.end = End::exited;
  Conversation conversation(request, pid, std::move(channel[0]), std::move(out[0]), std::move(err[0]));
  conversation.run(result);
  result.wall_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  const int status = end_all(pid, before, result.left_behind);
  if (result.end != End::exited) return result;
  if (WIFSIGNALED(status)) {
    result.end = End::signalled;
    result.code = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
  }
  return result;
}

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  std::string pattern = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/warpbook-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) fail("creating a folder like " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpbook::grader
