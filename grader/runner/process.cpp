// The parent's side of a limited process that gets one message and gives one reply.
#include "grader/runner/process.h"

#include <poll.h>
#include <sys/mman.h>
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

#include "grader/runner/child.h"

namespace warpbook::grader {

namespace {

using Clock = std::chrono::steady_clock;

/// The input and output of one running child.
class Conversation {
 public:
  /// Where its output goes.
  struct Sinks {
    std::vector<std::byte>& reply;
    std::vector<std::byte>& returned;
    std::string& output;
    std::string& error;
    bool& truncated;
  };

  Conversation(const std::vector<std::byte>& input, const Limits& limits, Child& child, Sinks sinks)
      : input_(input), limits_(limits), child_(child), sinks_(sinks) {}

  pid_t pid() const { return child_.pid; }
  /// Its descriptors for poll().
  void add_waits(std::vector<pollfd>& waits) const {
    waits.push_back({child_.channel.get(), static_cast<short>(POLLIN | (all_sent() ? 0 : POLLOUT)), 0});
    for (const Descriptor* one : {&child_.out, &child_.err, &child_.returned}) waits.push_back({one->get(), POLLIN, 0});
  }
  /// Writes and reads as much as is possible now. @returns a limit that it has exceeded
  std::optional<End> talk() {
    if (!all_sent()) send_some();
    listen();
    return broken_;
  }

 private:
  bool all_sent() const { return sent_ == input_.size() && shut_; }

  void send_some() {
    while (sent_ < input_.size()) {
      const ssize_t written = ::send(child_.channel.get(), input_.data() + sent_, input_.size() - sent_, MSG_NOSIGNAL);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        if (errno != EAGAIN) sent_ = input_.size();  // It closed its end: nothing more can be sent.
        break;
      }
      sent_ += static_cast<std::size_t>(written);
    }
    if (sent_ == input_.size() && !shut_) {
      shutdown(child_.channel.get(), SHUT_WR);
      shut_ = true;
    }
  }

  void listen() {
    const auto collect = [&](std::vector<std::byte>& bytes) {
      return [&](const char* data, std::size_t size) {
        const auto* begin = reinterpret_cast<const std::byte*>(data);
        if (sinks_.reply.size() + sinks_.returned.size() + size > limits_.reply_bytes) {
          broken_ = End::reply_too_large;
        } else {
          bytes.insert(bytes.end(), begin, begin + size);
        }
      };
    };
    take(child_.channel, collect(sinks_.reply));
    take(child_.returned, collect(sinks_.returned));
    const auto keep = [&](std::string& text) {
      return [&](const char* data, std::size_t size) {
        printed_ += size;
        const std::size_t room = limits_.kept_output_bytes - std::min(text.size(), limits_.kept_output_bytes);
        text.append(data, std::min(size, room));
        sinks_.truncated = sinks_.truncated || size > room;
        if (printed_ > limits_.output_bytes) broken_ = End::too_much_output;
      };
    };
    take(child_.out, keep(sinks_.output));
    take(child_.err, keep(sinks_.error));
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

  const std::vector<std::byte>& input_;
  const Limits& limits_;
  Child& child_;
  Sinks sinks_;
  std::size_t sent_ = 0;
  bool shut_ = false;
  std::uint64_t printed_ = 0;
  std::optional<End> broken_;
  std::vector<char> buffer_ = std::vector<char>(1u << 18);
};

/// Resources of all processes of a run, checked 20 times a second.
class Watch {
 public:
  explicit Watch(const Limits& limits) : limits_(limits) {}

  /// @returns a limit that is exceeded by now. @param running children that were not waited for
  std::optional<End> look(const std::vector<pid_t>& running) {
    const auto now = Clock::now();
    if (const auto end = late(Seconds(now - start_).count(), asleep_.count(), limits_)) return end;
    if (now < next_count_) return std::nullopt;
    Use all;
    for (const pid_t pid : running) {
      const Use use = use_of(pid, limits_);
      all.descendants = std::max(all.descendants, use.descendants);
      all.resident_bytes += use.resident_bytes;
      all.cpu_s += use.cpu_s;
      all.runnable = all.runnable || use.runnable;
    }
    all.cpu_s += waited_cpu_s_;
    if (!all.runnable && all.cpu_s <= cpu_s_) asleep_ += std::min<Seconds>(now - counted_, Seconds(0.1));
    cpu_s_ = all.cpu_s;
    counted_ = now;
    next_count_ = now + std::chrono::milliseconds(50);
    return broken_limit(all, limits_);
  }
  /// One of them has been waited for: what it had used still counts.
  void ended(double cpu_s) { waited_cpu_s_ += cpu_s; }

 private:
  using Seconds = std::chrono::duration<double>;

  const Limits& limits_;
  Clock::time_point start_ = Clock::now(), next_count_ = start_;
  Clock::time_point counted_ = start_;  ///< When their use was counted last.
  double cpu_s_ = 0;                    ///< What they had used then.
  double waited_cpu_s_ = 0;
  Seconds asleep_{0};
};

/// Runs the program and, if it has one, its device, to the end of both.
class Run {
 public:
  Run(const ProcessRequest& request, ProcessResult& result)
      : request_(request), result_(result), watch_(request.limits) {}

  void go() {
    std::array<Descriptor, 2> link;
    if (request_.device) {
      link = make_socket_pair();
      device_request_ = request_of_device(request_);
      device_input_ = file_with(request_.device->input);
      device_request_->standard_input = device_input_.get();
      device_ = start_child(*device_request_, link[0].get());
    }
    program_ = start_child(request_, link[1].get());
    link = std::array<Descriptor, 2>();
    if (program_.error != 0 || (request_.device && device_.error != 0)) {
      result_.end = End::cannot_start;
      result_.code = program_.error != 0 ? program_.error : device_.error;
      if (program_.error == 0)
        result_.error = "The program's device process cannot be started: " + request_.device->program + "\n";
      end_program();
      end_device();
      return;
    }
    result_.end = End::exited;
    talk();
    const int status = end_program();
    end_device();
    if (result_.end == End::exited) record_exit(request_, status, result_);
  }

 private:
  /// A file in memory, positioned at its beginning: a case may be long, and is written there in one piece.
  static Descriptor file_with(const std::vector<std::byte>& bytes) {
    Descriptor file(memfd_create("case", MFD_CLOEXEC));
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t written = pwrite(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw std::runtime_error(std::string("a file in memory failed: ") + std::strerror(errno));
      done += static_cast<std::size_t>(written);
    }
    return file;
  }

  static ProcessRequest request_of_device(const ProcessRequest& of) {
    ProcessRequest request;
    request.program = of.device->program;
    request.environment = of.device->environment;
    request.folder = "/";
    request.limits = of.limits;
    request.limits.file_bytes = std::uint64_t{1}
                                << 50;  // For the memory that it shares with the program: a sparse file.
    request.returns = true;
    return request;
  }

  /// Until both have ended, or a limit is exceeded.
  void talk() {
    Conversation program(request_.input, request_.limits, program_,
                         {result_.reply, result_.returned, result_.output, result_.error, result_.truncated});
    std::optional<Conversation> device;
    bool ignored = false;
    std::string device_output;
    if (request_.device) {
      device.emplace(nothing_, request_.limits, device_,
                     Conversation::Sinks{result_.device_reply, result_.device_returned, device_output,
                                         result_.device_error, ignored});
    }
    while (program_running_ || (device && device_running_)) {
      if (program_running_ && has_ended(program_.pid)) {
        if (const auto broken = program.talk()) return break_off(*broken);
        program_status_ = end_program();  // With everything that it started: only then does its device see the end.
      }
      if (device && device_running_ && has_ended(device_.pid)) {
        if (const auto broken = device->talk()) return break_off(*broken);
        end_device();
        // A device that ends normally has seen the end of the program, which may still be exiting. One that fails
        // leaves the program nothing more to do.
        if (result_.device_status == kDeviceIsFull) return break_off(End::too_much_memory);
        if (program_running_ && result_.device_status != 0) return;
      }
      std::vector<pollfd> waits;
      std::vector<pid_t> running;
      if (program_running_) program.add_waits(waits), running.push_back(program_.pid);
      if (device && device_running_) device->add_waits(waits), running.push_back(device_.pid);
      if (running.empty()) break;
      poll(waits.data(), waits.size(), 5);
      if (program_running_) {
        if (const auto broken = program.talk()) return break_off(*broken);
      }
      if (device && device_running_) {
        if (const auto broken = device->talk()) return break_off(*broken);
      }
      if (const auto broken = watch_.look(running)) return break_off(*broken);
    }
  }

  void break_off(End how) { result_.end = how; }

  int end_program() {
    if (!program_running_ || program_.pid < 0) return program_status_;
    program_running_ = false;
    watch_.ended(use_of(program_.pid, request_.limits).cpu_s);
    program_status_ = end_all(program_, result_.left_behind);
    return program_status_;
  }

  void end_device() {
    if (!device_running_ || device_.pid < 0) return;
    device_running_ = false;
    unsigned ignored = 0;
    const int status = end_all(device_, ignored);
    if (WIFSIGNALED(status)) result_.device_status = WTERMSIG(status);
    if (WIFEXITED(status)) result_.device_status = WEXITSTATUS(status);
  }

  const ProcessRequest& request_;
  ProcessResult& result_;
  Watch watch_;
  std::optional<ProcessRequest> device_request_;
  Descriptor device_input_;
  const std::vector<std::byte> nothing_;
  Child program_, device_;
  bool program_running_ = true, device_running_ = true;
  int program_status_ = 0;
};

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  ProcessResult result;
  const auto start = Clock::now();
  Run(request, result).go();
  result.wall_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  return result;
}

}  // namespace warpbook::grader
