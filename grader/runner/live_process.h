// LiveProcess: a limited process that stays alive and answers one message after another.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "grader/runner/process.h"

namespace warpbook::grader {

/// Timing on a real GPU needs processes that take turns, each with its GPU context ready. A message in either direction
/// is its length (u64, little endian) and that many bytes. The same limits hold as for run_process(); `wall_s` is for
/// each message, and `input` of the request is not sent.
class LiveProcess {
 public:
  /// Starts it. The first exchange() reports whether that worked.
  explicit LiveProcess(const ProcessRequest& request);
  ~LiveProcess();  ///< Ends it and everything that it started.
  LiveProcess(const LiveProcess&) = delete;
  LiveProcess& operator=(const LiveProcess&) = delete;

  /// Sends a message and waits for the reply. Nothing: the process ended or exceeded a limit; finish() says which.
  std::optional<std::vector<std::byte>> exchange(const std::vector<std::byte>& message);

  /// Wall-clock time of the last exchange, microseconds.
  double wall_us() const;

  /// Ends the process if it still runs. @returns why it was ended, or how it ended, and what it printed
  ProcessResult finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpbook::grader
