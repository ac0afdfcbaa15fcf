// Makes name spaces of its own, in which it would be root.
// ends: failed
// because: crashed topic=ABRT
// says: unshare: Operation not permitted
// says: clone: Operation not permitted
// says: mount: Operation not permitted
// suspicion: signals
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  if (unshare(CLONE_NEWUSER) != 0) std::perror("unshare");
  if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr) < 0) std::perror("clone");
  if (mount("none", "/tmp", "tmpfs", 0, nullptr) != 0) std::perror("mount");
  std::abort();
}
