// The first process of a sandbox: gives up its user and many system calls, runs a program, and ends what that leaves.
//
//   sandbox_init [--user N] [--tasks N] [--return FILE] PROGRAM ARGUMENTS...
//
// bubblewrap starts it as process 1 of namespaces in which no outside file can be written. When the program has ended
// well, FILE is written to descriptor 4: so results come out as bytes, and their size is limited. Exit
// status: the program's; 128 + the number of the signal that ended it; kLeftProcesses if it left processes behind;
// 126 if the sandbox cannot be set up.
//
// It parses its options by hand and links no library: it has rights that an answer must not get, so it must stay easy
// to review.
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "grader/runner/process.h"
#include "grader/runner/system_call_filter.h"

namespace {

using namespace warpbook::grader;

constexpr int kBroken = 126, kNotFound = 127, kSignalled = 128;

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "sandbox_init: %s: %s\n", what, std::strerror(errno));
  _exit(kBroken);
}

struct Options {
  long user = -1, tasks = -1;
  const char* returned = nullptr;
  char** program = nullptr;
};

Options parse(char** argument) {
  Options options;
  for (++argument; *argument != nullptr && **argument == '-' && argument[1] != nullptr; argument += 2) {
    const std::string name = *argument;
    if (name == "--user") options.user = std::atol(argument[1]);
    if (name == "--tasks") options.tasks = std::atol(argument[1]);
    if (name == "--return") options.returned = argument[1];
  }
  options.program = argument;
  if (*argument == nullptr || getpid() != 1) {
    std::fprintf(stderr,
                 "sandbox_init [--user N] [--tasks N] [--return FILE] PROGRAM ARGUMENTS...: started by the "
                 "grader, in a sandbox, as process 1.\n");
    _exit(kBroken);
  }
  return options;
}

void give_up_rights(const Options& options) {
  if (options.user > 0) {
    const auto id = static_cast<uid_t>(options.user);
    if (setgroups(0, nullptr) != 0 || setresgid(id, id, id) != 0 || setresuid(id, id, id) != 0) give_up("setresuid");
  }
  // A change of user resets the parent-death signal; no process in here may read this one's memory.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  if (options.tasks > 0) {
    const rlimit limit{static_cast<rlim_t>(options.tasks), static_cast<rlim_t>(options.tasks)};
    if (setrlimit(RLIMIT_NPROC, &limit) != 0) give_up("setrlimit");
  }
  errno = refuse_system_calls();
  if (errno != 0) give_up("seccomp");
}

/// Whether nobody reads the program's output: then the grader that started the sandbox is gone.
bool is_deserted(std::span<pollfd> printed) {
  for (pollfd& one : printed) {
    if ((one.revents & (POLLERR | POLLHUP)) != 0) return true;
    if (one.revents != 0) one.fd = -1;  // It is closed here: nothing can be seen.
  }
  return false;
}

/// Waits for the program; others that end meanwhile are its children that it did not wait for. Ends at once, and with
/// it all processes here, when nobody is left to be told: bubblewrap may not end a process of another user when it is
/// ended itself.
int wait_for(pid_t program, const sigset_t& usual) {
  pollfd printed[] = {{STDOUT_FILENO, 0, 0}, {STDERR_FILENO, 0, 0}};
  for (;;) {
    int status = 0;
    for (pid_t ended = 1; ended > 0;) {
      ended = waitpid(-1, &status, WNOHANG);
      if (ended == program) return status;
      if (ended < 0 && errno != EINTR) give_up("waitpid");
    }
    if (ppoll(printed, std::size(printed), nullptr, &usual) > 0 && is_deserted(printed)) _exit(kBroken);
  }
}

/// Ends everything else in the sandbox. @returns how many processes there were, including zombies
int end_the_rest() {
  int count = 0;
  for (;;) {
    kill(-1, SIGKILL);
    const pid_t ended = waitpid(-1, nullptr, 0);
    if (ended < 0 && errno == ECHILD) return count;
    if (ended > 0) ++count;
  }
}

/// Copies a file to descriptor 4. Only a plain file that is no link.
void hand_out(const char* path) {
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct stat state {};
  if (file < 0 || fstat(file, &state) != 0 || !S_ISREG(state.st_mode)) give_up(path);
  static char buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(file, buffer, sizeof buffer);
    if (got == 0) break;
    if (got < 0) give_up(path);
    for (ssize_t done = 0; done < got;) {
      const ssize_t written = write(kReturnChannel, buffer + done, static_cast<std::size_t>(got - done));
      if (written < 0 && errno != EINTR) give_up("descriptor 4");
      if (written > 0) done += written;
    }
  }
  close(file);
}

}  // namespace

int main(int, char** arguments) {
  const Options options = parse(arguments);
  give_up_rights(options);
  sigset_t usual, ends;  // Only the end of a child interrupts ppoll().
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, &usual);
  std::signal(SIGCHLD, [](int) {});
  const pid_t program = fork();
  if (program < 0) give_up("fork");
  if (program == 0) {
    if (options.returned != nullptr) close(kReturnChannel);
    std::signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &usual, nullptr);
    execv(options.program[0], options.program);
    std::fprintf(stderr, "sandbox_init: %s: %s\n", options.program[0], std::strerror(errno));
    _exit(kNotFound);
  }
  const int status = wait_for(program, usual);
  const int left = end_the_rest();
  if (WIFSIGNALED(status)) return kSignalled + WTERMSIG(status);
  if (WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
  if (options.returned != nullptr) {
    hand_out(options.returned);
    return 0;  // For a compiler it does not matter if it leaves processes behind.
  }
  return left > 0 ? kLeftProcesses : 0;
}
