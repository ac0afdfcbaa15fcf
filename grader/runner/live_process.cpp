// The parent's side of a process that answers one message after another.
#include "grader/runner/live_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "grader/runner/child.h"

namespace warpbook::grader {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);

}  // namespace

struct LiveProcess::State {
  explicit State(const ProcessRequest& asked) : request(asked), child(start_child(asked)) {}

  ProcessRequest request;
  Child child;
  ProcessResult result;
  bool broken = false;    ///< A limit was exceeded, or the process has ended: no more exchanges.
  bool finished = false;  ///< It is ended, and result is complete.
  std::uint64_t printed = 0;
  double wall_us = 0;
  std::vector<char> buffer = std::vector<char>(1u << 18);

  void give_up(End end) {
    broken = true;
    result.end = end;
  }

  void take_text(Descriptor& from, std::string& text) {
    while (from.open()) {
      const ssize_t got = read(from.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) return from.close();
      printed += static_cast<std::uint64_t>(got);
      const std::size_t kept = request.limits.kept_output_bytes;
      const std::size_t room = kept - std::min(text.size(), kept);
      text.append(buffer.data(), std::min(static_cast<std::size_t>(got), room));
      result.truncated = result.truncated || static_cast<std::size_t>(got) > room;
      if (printed > request.limits.output_bytes) return give_up(End::too_much_output);
    }
  }

  /// Sends what can be sent now: the length, then the bytes. @returns whether the channel is still open
  bool send_some(const std::vector<std::byte>& bytes, std::size_t& sent) {
    const std::uint64_t length = bytes.size();
    while (sent < kLengthBytes + bytes.size()) {
      const bool head = sent < kLengthBytes;
      const auto* from = head ? reinterpret_cast<const std::byte*>(&length) + sent : bytes.data() + sent - kLengthBytes;
      const std::size_t left = head ? kLengthBytes - sent : kLengthBytes + bytes.size() - sent;
      const ssize_t written = ::send(child.channel.get(), from, left, MSG_NOSIGNAL);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno == EAGAIN;
      sent += static_cast<std::size_t>(written);
    }
    return true;
  }

  /// Reads what has arrived. @returns whether the channel is still open
  bool receive_some(std::vector<std::byte>& reply) {
    for (;;) {
      const ssize_t got = read(child.channel.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno == EAGAIN;
      if (got == 0) return false;
      const auto* begin = reinterpret_cast<const std::byte*>(buffer.data());
      if (reply.size() + static_cast<std::size_t>(got) > request.limits.reply_bytes + kLengthBytes) {
        give_up(End::reply_too_large);
        return true;
      }
      reply.insert(reply.end(), begin, begin + got);
    }
  }

  void listen_once(const std::vector<std::byte>& bytes, std::size_t& sent, std::vector<std::byte>& reply) {
    const short wanted = static_cast<short>(POLLIN | (sent < kLengthBytes + bytes.size() ? POLLOUT : 0));
    std::array<pollfd, 3> waits{
        {{child.channel.get(), wanted, 0}, {child.out.get(), POLLIN, 0}, {child.err.get(), POLLIN, 0}}};
    poll(waits.data(), waits.size(), 5);
    const bool open = send_some(bytes, sent) && receive_some(reply);
    take_text(child.out, result.output);
    take_text(child.err, result.error);
    if (!open && !broken) give_up(End::exited);
  }
};

LiveProcess::LiveProcess(const ProcessRequest& request) : state_(std::make_unique<State>(request)) {
  if (state_->child.error != 0) {
    state_->give_up(End::cannot_start);
    state_->result.code = state_->child.error;
  }
}

LiveProcess::~LiveProcess() { finish(); }

double LiveProcess::wall_us() const { return state_->wall_us; }

std::optional<std::vector<std::byte>> LiveProcess::exchange(const std::vector<std::byte>& message) {
  State& state = *state_;
  std::vector<std::byte> reply;
  std::size_t sent = 0;
  const auto start = Clock::now();
  const auto deadline = start + std::chrono::duration<double>(state.request.limits.wall_s);
  while (!state.broken) {
    state.listen_once(message, sent, reply);
    std::uint64_t expected = 0;
    if (reply.size() >= kLengthBytes) std::memcpy(&expected, reply.data(), kLengthBytes);
    if (reply.size() >= kLengthBytes && reply.size() - kLengthBytes >= expected) {
      state.wall_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
      reply.erase(reply.begin(), reply.begin() + kLengthBytes);
      return reply;
    }
    if (state.broken) break;
    if (Clock::now() >= deadline) state.give_up(End::timed_out);
    if (const auto broken = broken_limit(use_of(state.child.pid, state.request.limits), state.request.limits))
      state.give_up(*broken);
  }
  return std::nullopt;
}

ProcessResult LiveProcess::finish() {
  State& state = *state_;
  if (state.finished) return state.result;
  state.finished = true;
  // A closed channel ends it; give it a moment, so that it can end by itself before it is killed.
  if (!state.broken) state.give_up(End::exited);
  state.child.channel.close();
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  while (state.result.end == End::exited && !has_ended(state.child.pid) && Clock::now() < deadline) {
    state.take_text(state.child.out, state.result.output);
    state.take_text(state.child.err, state.result.error);
    usleep(500);
  }
  state.take_text(state.child.out, state.result.output);
  state.take_text(state.child.err, state.result.error);
  const int status = end_all(state.child, state.result.left_behind);
  if (state.result.end != End::exited) return state.result;
  record_exit(state.request, status, state.result);
  return state.result;
}

}  // namespace warpbook::grader
