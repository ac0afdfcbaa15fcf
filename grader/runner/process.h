// Running a program that nobody trusts: in a process of its own, with limits, a clean environment and a fresh folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpbook::grader {

/// What a process may use. Exceeding any of them ends it and all that it started.
struct Limits {
  double wall_s = 30;                         ///< Wall-clock time. With busy_s, only what it sleeps counts: time in
                                              ///< which none of its threads could run; in all it gets 12 times as much.
  double cpu_s = 120;                         ///< CPU time over all threads (RLIMIT_CPU).
  double busy_s = 0;                          ///< CPU time of all its processes together, counted 20 times a second;
                                              ///< 0: no limit. A machine that is busy otherwise takes none of it.
  std::uint64_t memory_bytes = 6ull << 30;    ///< Private writable memory (RLIMIT_DATA); 0: no limit. Address space
                                              ///< is not limited: the virtual GPU reserves much and uses little.
  std::uint64_t resident_bytes = 0;           ///< Memory that all its processes hold together, mapped files and shared
                                              ///< memory included; counted 20 times a second; 0: no limit.
  int processes = 64;                         ///< Processes that it may start, all levels together.
  std::uint64_t file_bytes = 64ull << 20;     ///< Size of any file it writes (RLIMIT_FSIZE).
  std::size_t kept_output_bytes = 64u << 10;  ///< Of stdout and of stderr: kept; the rest is dropped.
  std::uint64_t output_bytes = 16ull << 20;   ///< Of stdout and stderr together: beyond it the process is ended.
  std::uint64_t reply_bytes = 1ull << 30;     ///< On the channel.
  std::string told;                           ///< What a message says of busy_s, "5 s of CPU time"; empty: that number.
};

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
  int standard_input = -1;                         ///< A file to read from, -1: nothing. The caller's.
  Limits limits;
  bool confined =
      false;  ///< The program is bubblewrap with sandbox_init: its exit status tells how the inner one ended.
  bool returns = false;                 ///< There is a descriptor 4, and what is written to it is kept.
  std::optional<DeviceRequest> device;  ///< Its limits are those of the program; what both use is added up.
};

/// How a process ended.
enum class End {
  exited,
  signalled,
  timed_out,
  too_much_work,  ///< busy_s
  too_much_output,
  reply_too_large,
  too_many_processes,
  too_much_memory,
  cannot_start,
};

/// What became of a process.
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

/// Leads from a program to its device.
constexpr int kDeviceChannel = 5;

/// Exit status of a device whose program has filled the memory that both share.
constexpr int kDeviceIsFull = 76;

/// Exit status of sandbox_init where the program ended well but left processes behind.
constexpr int kLeftProcesses = 125;

/// Runs one process to its end. When it returns, nothing that the process started is alive.
/// Must not run twice at the same time in one process: it adopts and ends orphans.
ProcessResult run_process(const ProcessRequest& request);

}  // namespace warpbook::grader
