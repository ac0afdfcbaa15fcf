// Reads what a student must not see.
// ends: failed
// because: crashed topic=ABRT
// says: nothing was read
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  bool found = false;
  for (const char* path :
       {"/etc/passwd", "/etc/shadow", "@HOME@/.bashrc", "@CANARY@", "@OTHER@", "@OUT@/secret",
        "@PROJECT@/solutions/first_steps/vector_add/vector_add.cu", "@PROJECT@/README.md",
        "@PROJECT@/grader/labs/first_steps/vector_add/vector_add.test.cpp", "/proc/1/root/etc/passwd",
        "/proc/1/environ", "/proc/kcore", "/dev/mem", "/dev/kmsg", "/var/log/dpkg.log"}) {
    std::ifstream in(path);
    if (std::string line; !std::getline(in, line) || std::string(path) == "/proc/1/environ") continue;
    found = true;
    std::fprintf(stderr, "ESCAPED: read %s\n", path);
  }
  if (!found) std::fprintf(stderr, "nothing was read\n");
  std::abort();
}
