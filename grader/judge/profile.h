// Profile: the file that the virtual GPU writes, as values.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpbook::grader {

/// One kind of access on one source line (docs/formats.md).
struct AccessCounters {
  std::string op;     ///< ld, st, atom, red, ldgsts (cp.async), tex, bulk_ld, bulk_st
  std::string space;  ///< global, shared, local, texture, surface
  double bytes_per_lane = 0;
  double requests = 0, sectors = 0, sectors_ideal = 0, sectors_hit = 0, lines = 0, bytes = 0;
  double wavefronts = 0, wavefronts_ideal = 0, conflicts = 0;
  std::optional<double> stride;  ///< Bytes between neighbouring lanes, if always the same.
};

/// The counters of one source line.
struct LineCounters {
  std::string file;
  int line = 0;
  double inst_executed = 0, thread_inst_executed = 0, thread_inst_executed_true = 0;
  double branches = 0, divergent_branches = 0;
  std::vector<AccessCounters> accesses;
};

/// Page faults and migrations of managed memory.
struct UnifiedMemory {
  double gpu_page_faults = 0, cpu_page_faults = 0;
  double htod_migration_bytes = 0, dtoh_migration_bytes = 0;
  double populated_bytes = 0, remote_bytes = 0;
};

/// One launch.
struct KernelRecord {
  std::string name;
  std::array<int, 3> grid{}, block{};
  int stream = 0;  ///< 0: the default stream.
  double start_us = 0, time_us = 0;
  double parameter_bytes = 0;
  std::string limiter;
  std::map<std::string, double> metrics;  ///< By Nsight Compute's names.
  std::map<std::string, double> model;    ///< Components of the predicted time, microseconds.
  std::vector<LineCounters> lines;
  UnifiedMemory unified_memory;
  std::optional<int> parent;  ///< For a grid that a kernel launched: the number of that kernel's record.
  int depth = 0;              ///< Of such a grid: 1 if its parent was launched by the host.
  std::string queue;          ///< Of such a grid: block, named, fire_and_forget or tail.
  double waits_for = 0;       ///< Of such a grid: launches of the same parent that its stream put before it.
};

/// One copy or fill that the host asked for.
struct CopyRecord {
  std::string kind;  ///< host_to_device, device_to_host, device_to_device, memset
  double bytes = 0;
  int stream = 0;
  double start_us = 0, time_us = 0;
  std::string host_memory =
      "";  ///< pageable, pinned, registered or array (docs/formats.md); empty if no host takes part
};

/// Pages of managed memory that migrated over the bus.
struct MigrationRecord {
  std::string direction;  ///< host_to_device, device_to_host
  std::string cause;      ///< gpu_page_faults, cpu_page_faults, prefetch
  double bytes = 0;
  int stream = 0;
  double start_us = 0, time_us = 0;
};

/// Use of the device heap (malloc in a kernel), in bytes.
struct HeapUse {
  double allocations = 0, bytes = 0, refused = 0, live_bytes = 0, peak_bytes = 0;
};

/// A launch from the host that the device refused (docs/formats.md).
struct RefusedLaunch {
  std::string kernel, error;
  std::array<int, 3> grid{}, block{};
  double shared_bytes = 0;
  std::string what;  ///< The limit that it exceeds: "threads in a block"; empty if none.
  double found = 0, allowed = 0;
  bool at_most = true;
};

/// "transpose_kernel" of "transpose_kernel(const float *, float *, int, int)": enough for a student's message.
std::string short_name(const std::string& kernel);

/// A fault that the virtual GPU found. Empty texts and -1 mean that it does not apply.
struct FaultRecord {
  int code = 0;
  std::string name, kind, cause, message, kernel, file, instruction, nearest_allocation;
  std::vector<int> block, thread;
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t host_offset = 0;  ///< Of host code in the program's file; 0: not known.
  bool write = false;
  int line = 0;
};

/// One side of what a checker found (docs/formats.md).
struct CheckSite {
  std::string role, file, kernel, instruction;
  int line = 0;
  std::vector<int> block, thread;  ///< Empty: a call of the host's.
  std::string value_is, value;     ///< Of a race: what was read or written; empty: not known.
};

/// What a checker found.
struct CheckRecord {
  std::string check, kind, tier, kernel, space, message, missing, advice;
  std::uint64_t count = 0;
  std::vector<CheckSite> sites;
};

/// A profile file.
struct Profile {
  std::string device;
  std::vector<KernelRecord> kernels;
  std::vector<CopyRecord> copies;
  std::vector<MigrationRecord> migrations;
  /// Bytes of managed and pinned memory that was allocated, without arrays of the case.
  double shared_allocations = 0;
  double printed_bytes = 0;     ///< Of what kernels printed.
  std::optional<HeapUse> heap;  ///< If a kernel may have used it.
  std::vector<FaultRecord> errors;
  std::vector<RefusedLaunch> refused_launches;  ///< The first few.
  std::vector<std::string> complaints;          ///< What else the virtual GPU said, a line each.
  std::vector<CheckRecord> findings;            ///< Of checkers, if any ran.
  UnifiedMemory unified_memory;                 ///< Of the whole program.
  std::vector<double> events_us;                ///< Time stamps of recorded events, in the order of the calls.
  std::string text;                             ///< The file as it was, for reports.
};

/// A file that is not a profile, or of an unknown version.
class ProfileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// @throws ProfileError that says what is wrong, and where
Profile parse_profile(const std::string& text);

}  // namespace warpbook::grader
