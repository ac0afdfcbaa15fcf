// Looks into the process that started it, and writes into it.
// ends: failed
// because: crashed topic=ABRT
// says: ptrace: Operation not permitted
// says: process_vm_writev: Operation not permitted
// says: /proc/1/mem: Permission denied
// suspicion: signals
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  if (ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) != 0) std::perror("ptrace");
  char byte = 0;
  const iovec here{&byte, 1}, there{reinterpret_cast<void*>(0x400000), 1};
  if (process_vm_writev(getppid(), &here, 1, &there, 1, 0) < 0) std::perror("process_vm_writev");
  if (open("/proc/1/mem", O_RDWR) < 0) std::perror("/proc/1/mem");
  std::abort();
}
