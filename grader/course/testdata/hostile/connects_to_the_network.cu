// Connects to a listener of this machine, and by every kind of socket there is.
// ends: failed
// because: crashed topic=ABRT
// says: no socket led out
// suspicion: network
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  bool out = false;
  for (int family = 0; family < 48; ++family) {
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET}) {
      const int made = socket(family, type, 0);
      if (made >= 0 && family != AF_UNIX) out = std::fprintf(stderr, "ESCAPED: a socket of family %d\n", family) > 0;
      close(made);
    }
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<unsigned short>(std::atoi("@PORT@")));
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    out = std::fprintf(stderr, "ESCAPED: connected\n") > 0;
  if (!out) std::fprintf(stderr, "no socket led out\n");
  std::abort();
}
