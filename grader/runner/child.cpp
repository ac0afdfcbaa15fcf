// Starts a limited process, and ends it with everything that it started.
#include "grader/runner/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "grader/runner/protocol.h"

namespace warpbook::grader {

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + " failed: " + std::strerror(errno)); }

std::array<Descriptor, 2> make_pipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) fail("pipe2");
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

/// Resident memory of a process; 0 if it has ended.
std::uint64_t resident_bytes(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The part of /proc/.../stat after the name: it begins with the state.
std::istringstream fields_of(const std::filesystem::path& stat) {
  std::ifstream in(stat);
  std::string line;
  std::getline(in, line);
  const auto name_ends = line.rfind(") ");
  return std::istringstream(name_ends == std::string::npos ? "" : line.substr(name_ends + 2));
}

/// CPU time of a process and of those that it waited for; 0 if it has ended.
double cpu_seconds(pid_t pid) {
  std::istringstream in = fields_of("/proc/" + std::to_string(pid) + "/stat");
  std::string skipped;
  for (int field = 0; field < 11; ++field) in >> skipped;  // From the state to what comes before utime.
  double ticks = 0, value = 0;
  for (int field = 0; field < 4 && in >> value; ++field) ticks += value;
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Whether a thread of a process runs, or is ready to run.
bool is_runnable(pid_t pid) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", error)) {
    char state = 0;
    if (fields_of(task.path() / "stat") >> state && state == 'R') return true;
  }
  return false;
}

/// Tasks on the whole system now: RLIMIT_NPROC counts all of a user's, so a limit must be above the current number.
std::uint64_t tasks_now() {
  std::ifstream load("/proc/loadavg");
  std::string one, five, fifteen, tasks;
  load >> one >> five >> fifteen >> tasks;
  const auto slash = tasks.find('/');
  return slash == std::string::npos ? 4096 : std::strtoull(tasks.c_str() + slash + 1, nullptr, 10);
}

/// Sets a limit; the hard limit is `room` above it, but never above its old value.
void limit(int resource, std::uint64_t value, std::uint64_t room = 0) {
  rlimit bound{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &bound);
  bound.rlim_cur = bound.rlim_max == RLIM_INFINITY ? value : std::min<rlim_t>(value, bound.rlim_max);
  bound.rlim_max = std::min<rlim_t>(bound.rlim_max, bound.rlim_cur + room);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &bound);
}

/// Everything that the child needs before exec, prepared in advance: until then it shares its parent's
/// memory.
struct ChildPlan {
  std::vector<char*> argv, envp;
  const char* folder;
  std::uint64_t tasks;
  const Limits& limits;
  int channel, out, err, failure, returned, device, in;  ///< returned, device, in: -1 if there is none
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
  const int returned = plan.returned < 0 ? -1 : fcntl(plan.returned, F_DUPFD, 16);
  const int device = plan.device < 0 ? -1 : fcntl(plan.device, F_DUPFD, 16);
  const int in = plan.in < 0 ? open("/dev/null", O_RDONLY) : fcntl(plan.in, F_DUPFD, 16);
  if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0 && dup2(channel, kWorkerChannel) >= 0) {
    // Everything else that is open closes at exec: the copies above, the parent's descriptors, and `failure`.
    if (close_range(kWorkerChannel + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0)
      for (int fd = kWorkerChannel + 1; fd < 1024; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (returned >= 0) dup2(returned, kReturnChannel);
    if (device >= 0) dup2(device, kDeviceChannel);
    if (chdir(plan.folder) == 0) execve(plan.argv[0], plan.argv.data(), plan.envp.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t told = write(failure, &error, sizeof error);
  _exit(127);
}

/// Starts the child. It shares its parent's memory, and its parent waits, until exec: copying a
/// parent with large cases took a tenth of a test's time.
[[gnu::noinline]] pid_t start(const ChildPlan& plan) {
  const pid_t pid = vfork();
  if (pid == 0) become(plan);
  return pid;
}

/// Children that were started and have not ended: several can live at a time.
std::set<pid_t>& live_children() {
  static std::set<pid_t> pids;
  return pids;
}

}  // namespace

std::array<Descriptor, 2> make_socket_pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) fail("socketpair");
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Use use_of(pid_t pid, const Limits& limits) {
  const auto enough = static_cast<std::size_t>(limits.processes);
  Use use;
  const auto add = [&](pid_t one) {
    use.resident_bytes += resident_bytes(one);
    if (limits.busy_s <= 0) return;
    use.cpu_s += cpu_seconds(one);
    use.runnable = use.runnable || is_runnable(one);
  };
  add(pid);
  std::vector<pid_t> open = children_of(pid);
  while (!open.empty() && use.descendants <= enough) {
    const pid_t next = open.back();
    open.pop_back();
    ++use.descendants;
    add(next);
    const auto more = children_of(next);
    open.insert(open.end(), more.begin(), more.end());
  }
  return use;
}

void record_exit(const ProcessRequest& request, int status, ProcessResult& result) {
  constexpr int kSignalled = 128;  // As a shell does, sandbox_init and bubblewrap exit with 128 + the signal's number.
  result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.end = End::signalled;
  if (!request.confined || WIFSIGNALED(status)) return;
  if (result.code > kSignalled && result.code <= kSignalled + SIGRTMAX) {
    result.end = End::signalled;
    result.code -= kSignalled;
  } else if (result.code == kLeftProcesses) {
    result.left_behind = std::max(result.left_behind, 1u);
    result.code = 0;
  }
}

std::optional<End> broken_limit(const Use& use, const Limits& limits) {
  if (use.descendants > static_cast<std::size_t>(limits.processes)) return End::too_many_processes;
  if (limits.resident_bytes > 0 && use.resident_bytes > limits.resident_bytes) return End::too_much_memory;
  if (limits.busy_s > 0 && use.cpu_s > limits.busy_s) return End::too_much_work;
  return std::nullopt;
}

std::optional<End> late(double passed_s, double asleep_s, const Limits& limits) {
  if ((limits.busy_s > 0 ? asleep_s : passed_s) >= limits.wall_s) return End::timed_out;
  if (passed_s >= limits.most_s()) return End::machine_busy;
  return std::nullopt;
}

bool has_ended(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

Child start_child(const ProcessRequest& request, int device) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto channel = make_socket_pair();
  auto out = make_pipe();
  auto err = make_pipe();
  auto failure = make_pipe();
  auto returned = request.returns ? make_pipe() : std::array<Descriptor, 2>();

  std::vector<std::string> environment;
  for (const auto& [name, value] : request.environment)
    environment.push_back(std::string(name).append("=").append(value));
  ChildPlan plan{
      {},           {},           request.folder.c_str(), tasks_now(),       request.limits, channel[1].get(),
      out[1].get(), err[1].get(), failure[1].get(),       returned[1].get(), device,         request.standard_input};
  plan.argv.push_back(const_cast<char*>(request.program.c_str()));
  for (const std::string& argument : request.arguments) plan.argv.push_back(const_cast<char*>(argument.c_str()));
  plan.argv.push_back(nullptr);
  for (std::string& entry : environment) plan.envp.push_back(entry.data());
  plan.envp.push_back(nullptr);

  Child child;
  for (const pid_t pid : children_of(getpid())) child.before.insert(pid);
  child.pid = start(plan);
  if (child.pid < 0) fail("vfork");
  live_children().insert(child.pid);
  channel[1].close();
  out[1].close();
  err[1].close();
  failure[1].close();
  returned[1].close();
  if (read(failure[0].get(), &child.error, sizeof child.error) != sizeof child.error) child.error = 0;
  child.channel = std::move(channel[0]);
  child.out = std::move(out[0]);
  child.err = std::move(err[0]);
  child.returned = std::move(returned[0]);
  for (const Descriptor* descriptor : {&child.channel, &child.out, &child.err, &child.returned})
    make_nonblocking(*descriptor);
  return child;
}

int end_all(const Child& child, unsigned& left_behind) {
  const pid_t pid = child.pid;
  live_children().erase(pid);
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  for (int round = 0; round < 200; ++round) {
    bool found = false;
    for (const pid_t orphan : children_of(getpid())) {
      if (child.before.count(orphan) > 0 || live_children().count(orphan) > 0) continue;
      found = true;
      ++left_behind;
      kill(-orphan, SIGKILL);
      kill(orphan, SIGKILL);
      waitpid(orphan, nullptr, 0);
    }
    if (!found) break;
  }
  return status;
}

}  // namespace warpbook::grader
