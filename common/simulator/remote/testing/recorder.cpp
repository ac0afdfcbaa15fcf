// Forwards messages, one call and its answer at a time.
#include "common/simulator/remote/testing/recorder.h"

#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "common/simulator/remote/channel.h"
#include "common/simulator/remote/testing/conversation.h"

namespace warpbook::simulator::remote {
namespace {

bool pass(int from, int to, Head& head, std::vector<std::byte>& bytes) {
  if (!receive_all(from, &head, sizeof head)) return false;
  bytes.resize(head.bytes);
  return receive_all(from, bytes.data(), bytes.size()) && send_all(to, head, bytes);
}

}  // namespace

Recorder::Recorder(int program, std::string path) : program_(program), path_(std::move(path)) {
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) != 0) throw std::runtime_error("there is no socket");
  thread_ = std::thread([this] { run(); });
}

bool Recorder::finish() {
  thread_.join();
  return written_;
}

void Recorder::run() {
  Writer kept;
  // The shared memory file, and the socket through which further threads send theirs.
  for (int i = 0; i < 2; ++i) {
    const int descriptor = receive_descriptor(ends_[1]);
    if (descriptor < 0 || !send_descriptor(program_, Head{}, descriptor)) break;
    ::close(descriptor);
  }
  RecordedCall call;
  Head back;
  while (pass(program_, ends_[1], call.head, call.arguments) && pass(ends_[1], program_, back, call.answer))
    put(kept, call);
  ::close(ends_[1]);
  ::shutdown(program_, SHUT_RDWR);
  std::ofstream file(path_, std::ios::binary);
  file.write(reinterpret_cast<const char*>(kept.bytes().data()), static_cast<std::streamsize>(kept.bytes().size()));
  written_ = static_cast<bool>(file.flush());
}

}  // namespace warpbook::simulator::remote
