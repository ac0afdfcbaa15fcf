// Connections and their threads.
#include "common/simulator/remote/device/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/channel.h"
#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::remote {
namespace {

/// The lock makes effects of a call go with its own answer.
std::mutex& call_lock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

/// One message and its answer. @returns false at the end of the connection
bool answer_next(int channel, Session& session) {
  Head head;
  if (!receive_all(channel, &head, sizeof head)) return false;
  if (head.magic != kMagic || head.bytes > kLargestMessage) throw WireError("a message has no proper head");
  std::vector<std::byte> message(head.bytes);
  if (!receive_all(channel, message.data(), message.size())) return false;
  Reader from(message);
  Writer results, answer;
  {
    const std::lock_guard guard(call_lock());
    std::optional<runtime::PerThreadDefaultStream> own_stream;
    if ((head.flags & kPerThreadStream) != 0) own_stream.emplace();
    answer_call(head.call, session, from, results);
    const std::lock_guard runtime_guard(runtime::runtime_lock());
    remote_host().put_effects(answer);
  }
  answer.raw(results.bytes().data(), results.bytes().size());
  const Head back{kMagic, head.call, 0, answer.bytes().size()};
  return send_all(channel, back, answer.bytes());
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
  ::close(channel);
}

}  // namespace

void serve(int channel, ArrayOwner* owner) {
  int lobby[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, lobby) != 0)
    throw std::runtime_error("the sockets of a program's threads cannot be made");
  const Head hello;
  // A program that has gone already is served nothing.
  if (!send_descriptor(channel, hello, remote_host().memory_file()) || !send_descriptor(channel, hello, lobby[1]))
    return;
  ::close(lobby[1]);

  std::list<std::thread> threads;
  std::list<int> channels;
  std::mutex lock;
  bool ended = false;
  std::thread welcome([&] {
    Head head;
    for (int further = -1; receive_head(lobby[0], head, further);) {
      if (further < 0) continue;
      const std::lock_guard guard(lock);
      if (ended || threads.size() + 1 >= kMostConnections) {
        ::close(further);
        continue;
      }
      channels.push_back(::dup(further));
      threads.emplace_back([further, owner] { serve_connection(further, owner); });
    }
  });
  serve_connection(channel, owner);
  {
    // The program is gone, or its first thread will make no more calls: nor will the others.
    const std::lock_guard guard(lock);
    ended = true;
    for (const int further : channels) {
      ::shutdown(further, SHUT_RDWR);
      ::close(further);
    }
  }
  ::shutdown(lobby[0], SHUT_RDWR);
  welcome.join();
  for (std::thread& thread : threads) thread.join();
  ::close(lobby[0]);
}

}  // namespace warpbook::simulator::remote
