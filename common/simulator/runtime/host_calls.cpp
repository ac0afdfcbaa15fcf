// Calls of the C library that pass a buffer to the system. Where host code would fault on a managed page, the system
// returns EFAULT; so these functions first move the pages to the host and then call the C library. Programs find them
// because the loader searches this library before the C library; libcuda.so.1 has them too, for programs that link only
// to that. Calls that are not here (sendmsg, io_uring and the like) only work with managed memory that the host has
// accessed since the device last did.
#undef _FORTIFY_SOURCE
#include "common/simulator/runtime/host_calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

using warpbook::simulator::runtime::use_on_host;

constexpr bool kRead = false, kWritten = true;  // what the system does to the buffer

void use_parts(const iovec* parts, int count, bool write) {
  for (int i = 0; i < count; ++i) use_on_host(parts[i].iov_base, parts[i].iov_len, write);
}

template <class Function>
Function* next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  // In a program that only uses the driver API, this library comes after the C library, and nothing comes after it.
  if (found == nullptr) found = dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

// Looked up when the library is loaded, because dlsym must not be called in a signal handler; or at the first call if
// that is earlier.
#define WB_FORWARD(Result, name, parameters, arguments, bring)                \
  static Result(*next_##name) parameters = next<Result parameters>(#name);    \
  extern "C" [[gnu::visibility("default")]] Result name parameters {          \
    bring;                                                                    \
    if (next_##name == nullptr) next_##name = next<Result parameters>(#name); \
    return next_##name arguments;                                             \
  }

WB_FORWARD(ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes), use_on_host(to, bytes, kWritten))
WB_FORWARD(ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes),
           use_on_host(from, bytes, kRead))
WB_FORWARD(ssize_t, pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at),
           use_on_host(to, bytes, kWritten))
WB_FORWARD(ssize_t, pread64, (int file, void* to, size_t bytes, off64_t at), (file, to, bytes, at),
           use_on_host(to, bytes, kWritten))
WB_FORWARD(ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at),
           use_on_host(from, bytes, kRead))
WB_FORWARD(ssize_t, pwrite64, (int file, const void* from, size_t bytes, off64_t at), (file, from, bytes, at),
           use_on_host(from, bytes, kRead))
WB_FORWARD(ssize_t, readv, (int file, const iovec* parts, int count), (file, parts, count),
           use_parts(parts, count, kWritten))
WB_FORWARD(ssize_t, writev, (int file, const iovec* parts, int count), (file, parts, count),
           use_parts(parts, count, kRead))
WB_FORWARD(ssize_t, recv, (int socket, void* to, size_t bytes, int flags), (socket, to, bytes, flags),
           use_on_host(to, bytes, kWritten))
WB_FORWARD(ssize_t, send, (int socket, const void* from, size_t bytes, int flags), (socket, from, bytes, flags),
           use_on_host(from, bytes, kRead))
WB_FORWARD(size_t, fread, (void* to, size_t bytes, size_t count, FILE* file), (to, bytes, count, file),
           use_on_host(to, bytes* count, kWritten))
WB_FORWARD(size_t, fread_unlocked, (void* to, size_t bytes, size_t count, FILE* file), (to, bytes, count, file),
           use_on_host(to, bytes* count, kWritten))
WB_FORWARD(size_t, fwrite, (const void* from, size_t bytes, size_t count, FILE* file), (from, bytes, count, file),
           use_on_host(from, bytes* count, kRead))
WB_FORWARD(size_t, fwrite_unlocked, (const void* from, size_t bytes, size_t count, FILE* file),
           (from, bytes, count, file), use_on_host(from, bytes* count, kRead))
