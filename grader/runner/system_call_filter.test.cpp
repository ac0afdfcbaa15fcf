// System calls that are refused to a confined program, tried in a process of its own.
#include "grader/runner/system_call_filter.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>

#include "common/testing/catch.h"

namespace {

/// errno of a call that fails in a filtered process; 0 if it does not; 255 if it was killed.
int refused(const std::function<long()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    if (warpbook::grader::refuse_system_calls() != 0) _exit(254);
    errno = 0;
    const long result = call();
    _exit(result < 0 ? errno : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

}  // namespace

TEST_CASE("a filtered process cannot inspect others, mount, or make namespaces or sockets that lead out") {
  CHECK(refused([] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }) == EPERM);
  CHECK(refused([] { return syscall(SYS_process_vm_readv, getpid(), nullptr, 0, nullptr, 0, 0); }) == EPERM);
  CHECK(refused([] { return syscall(SYS_mount, "none", "/nowhere", "tmpfs", 0, nullptr); }) == EPERM);
  CHECK(refused([] { return unshare(CLONE_NEWUSER); }) == EPERM);
  CHECK(refused([] { return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr); }) ==
        EPERM);
  CHECK(refused([] { return syscall(SYS_clone3, nullptr, 0); }) == ENOSYS);
  CHECK(refused([] { return memfd_create("x", 0); }) == EPERM);
  CHECK(refused([] { return syscall(SYS_bpf, 0, nullptr, 0); }) == EPERM);
  for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG}) {
    INFO(family);
    CHECK(refused([&] { return socket(family, SOCK_STREAM, 0); }) == EPERM);
  }
}

TEST_CASE("a filtered process can do what lab programs do") {
  CHECK(refused([] { return socket(AF_UNIX, SOCK_STREAM, 0); }) == 0);
  CHECK(refused([] {
          const pid_t child = fork();
          if (child == 0) _exit(7);
          int status = 0;
          return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7 ? 0 : -1;
        }) == 0);
  CHECK(refused([] { return mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED; }) == 0);
}
