// The main function of every worker: one case in, one reply out.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "common/cuda/lab.h"
#include "grader/core/protocol.h"
#include "grader/core/worker.h"

namespace {

using namespace warpbook::grader;

std::vector<std::byte> read_all() {
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  for (;;) {
    if (bytes.size() - used < (1u << 16)) bytes.resize(bytes.size() * 2 + (1u << 16));
    const ssize_t got = read(kWorkerChannel, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FrameError(std::string("the channel to the grader cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

void write_all(const std::vector<std::byte>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(kWorkerChannel, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw FrameError(std::string("the channel to the grader cannot be written: ") + std::strerror(errno));
    done += static_cast<std::size_t>(written);
  }
}

Reply run(const Case& given) {
  Reply reply;
  try {
    run_case(given, reply);
    reply.set(kStatus, "completed");
  } catch (const warpbook::NotStarted& where) {
    reply = Reply();
    reply.set(kStatus, "not_started");
    reply.set(kMessage, std::string(where.file) + ":" + std::to_string(where.line));
  } catch (const std::exception& error) {
    reply = Reply();
    reply.set(kStatus, "error");
    reply.set(kMessage, error.what());
  }
  return reply;
}

}  // namespace

int main() {
  try {
    const Frame frame = decode(read_all());
    write_all(encode(run(frame.values), frame.nonce));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "worker: %s\nThis program is started by the grader, with a case on descriptor %d.\n",
                 error.what(), kWorkerChannel);
    return 2;
  }
}
