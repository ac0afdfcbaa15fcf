// The parent's side of a limited process that gets one message and gives one reply.
#include "grader/core/process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "grader/core/child.h"

namespace warpbook::grader {

namespace {

using Clock = std::chrono::steady_clock;

/// The conversation with a running child.
class Conversation {
 public:
  Conversation(const ProcessRequest& request, Child& child)
      : request_(request),
        pid_(child.pid),
        channel_(child.channel),
        out_(child.out),
        err_(child.err),
        returned_(child.returned) {}

  /// Talks until the child has ended or has broken a limit; sets result.end only in the second case.
  void run(ProcessResult& result) {
    const auto start = Clock::now();
    auto next_count = start;
    for (;;) {
      if (has_ended(pid_)) break;
      std::array<pollfd, 4> waits{{{channel_.get(), static_cast<short>(POLLIN | (all_sent() ? 0 : POLLOUT)), 0},
                                   {out_.get(), POLLIN, 0},
                                   {err_.get(), POLLIN, 0},
                                   {returned_.get(), POLLIN, 0}}};
      poll(waits.data(), waits.size(), 5);
      if (!all_sent()) send_some();
      listen(result);
      if (broken_) {
        result.end = *broken_;
        return;
      }
      const auto now = Clock::now();
      if (is_late(now - start)) {
        result.end = End::timed_out;
        return;
      }
      if (now >= next_count) {
        const Use use = use_of(pid_, request_.limits);
        if (!use.runnable && use.cpu_s <= cpu_s_) asleep_ += std::min<Seconds>(now - counted_, Seconds(0.1));
        cpu_s_ = use.cpu_s;
        counted_ = now;
        next_count = now + std::chrono::milliseconds(50);
        if (const auto broken = broken_limit(use, request_.limits)) {
          result.end = *broken;
          return;
        }
      }
    }
    listen(result);
    if (broken_) result.end = *broken_;
  }

 private:
  using Seconds = std::chrono::duration<double>;

  /// Whether the clock has run out. What the process waits for a processor is no fault of its own.
  bool is_late(Seconds passed) const {
    constexpr double kPatience = 12;
    const double allowed = request_.limits.wall_s;
    if (request_.limits.busy_s <= 0) return passed.count() >= allowed;
    return asleep_.count() >= allowed || passed.count() >= kPatience * allowed;
  }

  bool all_sent() const { return sent_ == request_.input.size() && shut_; }

  void send_some() {
    while (sent_ < request_.input.size()) {
      const ssize_t written =
          ::send(channel_.get(), request_.input.data() + sent_, request_.input.size() - sent_, MSG_NOSIGNAL);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        if (errno != EAGAIN) sent_ = request_.input.size();  // It closed its end: nothing more can be said.
        break;
      }
      sent_ += static_cast<std::size_t>(written);
    }
    if (sent_ == request_.input.size() && !shut_) {
      shutdown(channel_.get(), SHUT_WR);
      shut_ = true;
    }
  }

  void listen(ProcessResult& result) {
    const auto collect = [&](std::vector<std::byte>& bytes) {
      return [&](const char* data, std::size_t size) {
        const auto* begin = reinterpret_cast<const std::byte*>(data);
        if (result.reply.size() + result.returned.size() + size > request_.limits.reply_bytes) {
          broken_ = End::reply_too_large;
        } else {
          bytes.insert(bytes.end(), begin, begin + size);
        }
      };
    };
    take(channel_, collect(result.reply));
    take(returned_, collect(result.returned));
    const auto keep = [&](std::string& text) {
      return [&](const char* data, std::size_t size) {
        printed_ += size;
        const std::size_t room =
            request_.limits.kept_output_bytes - std::min(text.size(), request_.limits.kept_output_bytes);
        text.append(data, std::min(size, room));
        result.truncated = result.truncated || size > room;
        if (printed_ > request_.limits.output_bytes) broken_ = End::too_much_output;
      };
    };
    take(out_, keep(result.output));
    take(err_, keep(result.error));
  }

  template <class Sink>
  void take(Descriptor& from, Sink&& sink) {
    while (from.open() && !broken_) {
      const ssize_t got = read(from.get(), buffer_.data(), buffer_.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        from.close();
        return;
      }
      sink(buffer_.data(), static_cast<std::size_t>(got));
    }
  }

  const ProcessRequest& request_;
  pid_t pid_;
  Descriptor &channel_, &out_, &err_, &returned_;
  std::size_t sent_ = 0;
  bool shut_ = false;
  std::uint64_t printed_ = 0;
  Clock::time_point counted_ = Clock::now();  ///< When its use was counted last.
  double cpu_s_ = 0;                          ///< What it had used then.
  Seconds asleep_{0};
  std::optional<End> broken_;
  std::vector<char> buffer_ = std::vector<char>(1u << 18);
};

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  ProcessResult result;
  const auto start = Clock::now();
  Child child = start_child(request);
  if (child.error != 0) {
    end_all(child, result.left_behind);
    result.end = End::cannot_start;
    result.code = child.error;
    return result;
  }
  result.end = End::exited;
  Conversation(request, child).run(result);
  result.wall_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  const int status = end_all(child, result.left_behind);
  if (result.end != End::exited) return result;
  tell_end(request, status, result);
  return result;
}

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  std::string pattern = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/warpbook-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("creating a folder like " + pattern + " failed: " + std::strerror(errno));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpbook::grader
