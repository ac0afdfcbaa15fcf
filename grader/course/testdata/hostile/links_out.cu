// Writes through symbolic links that lead out of its folder.
// ends: failed
// because: crashed topic=ABRT
// says: No such file or directory
// suspicion: include
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (const char* target : {"@CANARY@", "/proc/1/root@CANARY@", "/proc/1/cwd/../../@CANARY@"}) {
    unlink("link");
    if (symlink(target, "link") != 0) std::perror("symlink");
    const int file = open("link", O_WRONLY);
    if (file < 0) std::perror(target);
    if (file >= 0) std::fprintf(stderr, "ESCAPED: opened %s\n", target);
  }
  std::abort();
}
