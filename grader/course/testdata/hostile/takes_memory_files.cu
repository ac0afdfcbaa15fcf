// Takes memory as files without a name and as System V segments.
// ends: failed
// because: crashed topic=ABRT
// says: memfd_create: Operation not permitted
// says: shmget: Operation not permitted
#include <sys/mman.h>
#include <sys/shm.h>

#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  if (memfd_create("taken", 0) < 0) std::perror("memfd_create");
  if (shmget(IPC_PRIVATE, 1 << 30, 0600) < 0) std::perror("shmget");
  std::abort();
}
