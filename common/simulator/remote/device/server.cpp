// Connections and their threads.
#include "common/simulator/remote/device/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <list>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/channel.h"
#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/lto_link.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::remote {
namespace {

/// Held from the first byte of a large message to the last byte of its answer, so that memory is allocated for only one
/// of them.
std::mutex& large_lock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

/// Handles one message. @returns false at the end of the connection
bool answer_next(int channel, Session& session) {
  Head head;
  if (!receive_all(channel, &head, sizeof head)) return false;
  if (head.magic != kMagic || head.bytes > kLargestMessage) throw WireError("a message has no proper head");
  std::unique_lock<std::mutex> alone;
  if (head.bytes >= kLargeMessage) alone = std::unique_lock(large_lock());
  std::vector<std::byte> message(head.bytes);
  if (!receive_all(channel, message.data(), message.size())) return false;
  Reader from(message);
  Writer results, answer;
  {
    const std::lock_guard guard(remote_host().call_lock());
    std::optional<runtime::PerThreadDefaultStream> own_stream;
    if ((head.flags & kPerThreadStream) != 0) own_stream.emplace();
    remote_host().set_caller(channel, &session);
    answer_call(head.call, session, from, results);
    remote_host().set_caller(-1, nullptr);
    const std::lock_guard runtime_guard(runtime::runtime_lock());
    remote_host().put_effects(answer, session);
  }
  const Head back{kMagic, head.call, 0, answer.bytes().size() + results.bytes().size()};
  return send_all(channel, back, answer.bytes(), results.bytes());
}

void serve_connection(int channel, ArrayOwner* owner) {
  Session session{owner, nullptr};
  try {
    while (answer_next(channel, session)) {
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpbook: a connection of the program is closed: %s\n", error.what());
  }
  ::shutdown(channel, SHUT_RDWR);
}

/// A thread of the program, and the thread here that serves it.
struct Further {
  int channel = -1;
  std::atomic<bool> is_over = false;
  std::thread thread;

  ~Further() {
    ::shutdown(channel, SHUT_RDWR);
    if (thread.joinable()) thread.join();
    ::close(channel);
  }
};

}  // namespace

void serve(int channel, ArrayOwner* owner) {
  runtime::forbid_lto_links();  // NVIDIA's linker would read what the program sends, in this process.
  int lobby[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, lobby) != 0)
    throw std::runtime_error("the sockets of a program's threads cannot be made");
  const Head hello;
  // If the program is already gone, there is nothing to do.
  if (!send_descriptor(channel, hello, remote_host().memory_file()) || !send_descriptor(channel, hello, lobby[1]))
    return;
  ::close(lobby[1]);

  std::thread welcome([&] {
    std::list<Further> threads;
    Head head;
    for (int further = -1; receive_head(lobby[0], head, further);) {
      if (further < 0) continue;
      threads.remove_if([](const Further& each) { return each.is_over.load(); });
      if (threads.size() + 1 >= kMostConnections) {
        ::close(further);
        continue;
      }
      Further& made = threads.emplace_back();
      made.channel = further;
      try {
        made.thread = std::thread([&made, owner] {
          serve_connection(made.channel, owner);
          made.is_over = true;
        });
      } catch (const std::system_error&) {
        threads.pop_back();  // The system has no more threads: that thread of the program gets no answers.
      }
    }
    for (const Further& each : threads) ::shutdown(each.channel, SHUT_RDWR);
  });
  serve_connection(channel, owner);
  // The program is gone, or its first thread will make no more calls: then the other threads will not, either.
  ::shutdown(lobby[0], SHUT_RDWR);
  welcome.join();
  ::close(lobby[0]);
  ::close(channel);
  remote_host().end();
}

}  // namespace warpbook::simulator::remote
