// Runs an untrusted program: in a process of its own, with limits, a clean environment and a fresh folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/runner/limits.h"

namespace warpbook::grader {

/// The device of a program in a process of its own. The two are connected: descriptor 5 of each (kDeviceChannel).
struct DeviceRequest {
  std::string program;                             ///< device_main.cpp
  std::map<std::string, std::string> environment;  ///< All of it.
  std::vector<std::byte> input;                    ///< Sent on its channel (descriptor 3), then end of file.
};

/// What to run.
struct ProcessRequest {
  std::string program;                             ///< Path of an executable.
  std::vector<std::string> arguments;              ///< After the program's name.
  std::map<std::string, std::string> environment;  ///< All of it: nothing is inherited.
  std::string folder;                              ///< Working folder.
  std::vector<std::byte> input;                    ///< Sent on the channel (descriptor 3), then end of file.
  int standard_input = -1;                         ///< A file to read from, owned by the caller; -1: none.
  Limits limits;
  bool confined =
      false;  ///< The program is bubblewrap with sandbox_init: its exit status tells how the inner one ended.
  bool returns = false;                 ///< There is a descriptor 4, and data written to it is kept.
  std::optional<DeviceRequest> device;  ///< The program's limits hold for both together.
};

/// How a process ended.
enum class End {
  exited,
  signalled,
  timed_out,      ///< wall_s
  machine_busy,   ///< most_s(), of which it had neither slept wall_s nor computed for busy_s
  too_much_work,  ///< busy_s
  too_much_output,
  reply_too_large,
  too_many_processes,
  too_much_memory,
  cannot_start,
};

/// The outcome of a process.
struct ProcessResult {
  End end = End::cannot_start;
  int code = 0;                     ///< Exit status, signal number, or errno of cannot_start.
  std::string output, error;        ///< stdout and stderr, the first kept_output_bytes of each.
  bool truncated = false;           ///< Some of them was dropped.
  std::vector<std::byte> reply;     ///< What it wrote to the channel.
  std::vector<std::byte> returned;  ///< What it wrote to descriptor 4. Both together: at most reply_bytes.
  double wall_us = 0;
  unsigned left_behind = 0;  ///< Processes that it had started and that outlived it; they were ended.
  /// Of its device, which ends when the program has ended: its reply, what it wrote to descriptor 4, what it printed,
  /// and the signal or exit status that ended it, 0 if all was well.
  std::vector<std::byte> device_reply, device_returned;
  std::string device_error;
  int device_status = 0;
};

/// What is written to descriptor 4 (kReturnChannel) comes from a sandbox out of which no file can come.
constexpr int kReturnChannel = 4;

/// The descriptor that connects a program to its device.
constexpr int kDeviceChannel = 5;

/// Exit status of a device whose program has filled the memory that both share.
constexpr int kDeviceIsFull = 76;

/// Exit status of sandbox_init if the program ended well but left processes behind.
constexpr int kLeftProcesses = 125;

/// Runs one process to its end. When it returns, nothing that the process started is alive.
/// Must not run twice at the same time in one process: it adopts and ends orphans.
ProcessResult run_process(const ProcessRequest& request);

}  // namespace warpbook::grader
