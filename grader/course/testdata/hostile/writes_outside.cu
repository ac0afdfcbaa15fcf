// Writes wherever it must not.
// ends: failed
// because: crashed topic=ABRT
// says: nothing was written
// suspicion: include
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  bool wrote = false;
  for (const char* path :
       {"/x", "/usr/x", "/usr/bin/x", "/etc/x", "/dev/x", "/proc/x", "/var/x", "/answer", "/sandbox_init",
        "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
        "/proc/1/oom_score_adj", "@CANARY@", "@OUT@/x"}) {
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file >= 0) wrote = std::fprintf(stderr, "ESCAPED: opened %s for writing\n", path) > 0;
  }
  if (mkdir("/x", 0700) == 0 || chmod("/answer", 0777) == 0 || mknod("disk", S_IFBLK | 0600, 254 << 8) == 0)
    wrote = std::fprintf(stderr, "ESCAPED: made something\n") > 0;
  if (!wrote) std::fprintf(stderr, "nothing was written\n");
  std::abort();
}
