// Limits: what a program may use, and the names of limits in requests and files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace warpbook::grader {

/// CPU time that depends on what a reference needs. Messages tell this, which is the same on every machine.
struct Patience {
  double times_reference = 0;  ///< So many times what the reference needs,
  double least_s = 0;          ///< but at least so much.
};

/// What a process may use. Exceeding any limit ends it and everything that it started.
struct Limits {
  double wall_s = 30;                       ///< Wall-clock time. With busy_s, only what it sleeps counts: time in
                                            ///< which none of its threads could run; most_s() is for both together.
  double cpu_s = 120;                       ///< CPU time over all threads (RLIMIT_CPU).
  double busy_s = 0;                        ///< CPU time of all its processes together, counted 20 times a second;
                                            ///< 0: no limit. Other work on the machine does not count.
  std::uint64_t memory_bytes = 6ull << 30;  ///< Private writable memory (RLIMIT_DATA); 0: no limit. Address space
                                            ///< is not limited: the virtual GPU reserves much and uses little.
  std::uint64_t resident_bytes = 0;         ///< Memory that all its processes hold together, mapped files and shared
                                            ///< memory included; counted 20 times a second; 0: no limit.
  int processes = 64;                       ///< Processes that it may start, all levels together.
  std::uint64_t file_bytes = 64ull << 20;   ///< Size of any file it writes (RLIMIT_FSIZE).
  std::uint64_t kept_output_bytes = 64u << 10;  ///< Of stdout and of stderr: kept; the rest is dropped.
  std::uint64_t output_bytes = 16ull << 20;     ///< Of stdout and stderr together: beyond it the process is ended.
  std::uint64_t reply_bytes = 1ull << 30;       ///< On the channel.
  std::optional<Patience> patience;             ///< Where busy_s comes from, if it is measured.

  /// Wall-clock time in all: with busy_s, 12 times what it may sleep or compute, as it may have to wait for a core.
  double most_s() const { return busy_s > 0 ? 12 * std::max(wall_s, busy_s) : wall_s; }
};

/// Reads limits for limited_run and files of a confinement (docs/formats.md): a limit that is not named has its
/// default. @throws std::runtime_error that names an unknown limit, or one that is not a number of 0 or more
Limits limits_from(const nlohmann::json& object);

}  // namespace warpbook::grader
