// The profile: what the program did on the device, in the format of docs/formats.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/machine/device_heap.h"
#include "common/simulator/machine/fault.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/model/managed_memory.h"
#include "common/simulator/model/timeline.h"
#include "common/simulator/observe/findings.h"
#include "common/simulator/runtime/source_lines.h"

namespace warpbook::simulator::runtime {

struct KernelRecord {
  std::string name, mangled;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::uint32_t parameter_bytes = 0;
  unsigned registers = 0;
  bool registers_from_cubin = false;
  std::uint32_t stream = 0;
  double start_us = 0, time_us = 0;
  std::string limiter;
  std::vector<std::pair<std::string, double>> model;
  std::map<std::string, double> metrics;
  std::vector<SourceLine> lines;
  std::optional<double> complete_us;  ///< For a grid that launched others: when the last of them was complete.
  std::optional<std::size_t> parent;  ///< For a grid that a kernel launched: the number of that kernel's record.
  std::uint32_t depth = 0;            ///< Nesting depth of launches by kernels: 0 for a grid that the host launched.
  std::string queue;          ///< Stream kind of a launch by a kernel: "block", "named", "fire_and_forget", "tail"
  std::string launched_file;  ///< The source file of the launch by a kernel.
  std::uint32_t launched_line = 0;
  std::size_t waits_for = 0;          ///< Launches and copies that precede it in its stream.
  PageTraffic traffic;                ///< Managed memory traffic of this launch.
  std::uint64_t peer_bytes = 0;       ///< Read and written in memory of other devices.
  std::vector<std::uint32_t> ranges;  ///< Of NVTX, open at the launch.
};

struct CopyRecord {
  std::string kind;  ///< "host_to_device", "device_to_host", "device_to_device", "memset"
  std::uint64_t bytes = 0;
  std::uint32_t stream = 0;
  double start_us = 0, time_us = 0;
  std::string host_memory = "";  ///< Of a copy from or to the host: "pageable", "pinned", "registered"; "array" if it
                                 ///< belongs to the process that started the device. Empty otherwise.
  int from_device = -1, to_device = -1;  ///< Of a copy between devices.
};

struct MigrationRecord {
  std::string direction;  ///< "host_to_device", "device_to_host"
  std::string cause;      ///< "gpu_page_faults", "cpu_page_faults", "prefetch"
  std::uint64_t bytes = 0;
  std::uint32_t stream = 0;
  double start_us = 0, time_us = 0;
};

/// A launch by the host whose configuration the device does not support.
struct RefusedLaunch {
  std::string kernel;
  Dim3 grid, block;
  std::uint64_t dynamic_shared = 0;
  std::string error;          ///< "cudaErrorInvalidValue"
  std::string what;           ///< The limit that is exceeded; empty if none.
  std::uint64_t found = 0;    ///< The requested value.
  std::uint64_t allowed = 0;  ///< The maximum or minimum.
  bool at_most = true;
};

struct AllocationRecord {
  std::uint64_t address = 0, bytes = 0;
  std::string kind;  ///< "device", "managed", "pinned"
  bool freed = false;
  bool is_array = false;      ///< It belongs to the process that started the device.
  std::string call;           ///< "cudaMalloc": not written, for messages
  std::uint64_t ordinal = 0;  ///< The number of this call among calls of that name, from 1: not written, for messages
  std::size_t host_place = 0, freed_place = 0;  ///< Of the calls (HostPlaces): not written, for findings
  PageTraffic traffic = {};                     ///< Of managed memory.
  std::string array = {};                       ///< Its name, if is_array.
  unsigned device = 0;                          ///< The device that owns it, or that was current.
};

/// A fault with everything that a reader needs to find it.
struct FaultReport {
  int code = 0;
  std::string name;     ///< "cudaErrorIllegalAddress"
  std::string kind;     ///< "out_of_bounds"
  std::string cause;    ///< "past_allocation"; empty: only the kind is known.
  std::string message;  ///< What happened, one line.
  std::string kernel;
  Dim3 block, thread;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool write = false;
  std::string file;
  std::uint32_t line = 0, ptx_line = 0;
  std::string instruction;         ///< With all its modifiers.
  std::string nearest_allocation;  ///< A sentence; empty if there is none.
  std::string source_text;         ///< The source line, if the file can be read: not written
  std::uint64_t host_offset = 0;   ///< For host code that accessed device memory, in the program's file; 0: unknown.
};

class Profile {
 public:
  /// @param target a path or "fd:N"; empty: only records what messages need
  Profile(std::string device, std::string target);
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// Adds a device of the machine.
  void add_device(const std::string& name) { devices_.push_back(name); }

  /// False if nobody will read the records of kernels and copies: they can be skipped.
  bool enabled() const { return !target_.empty(); }

  void add(KernelRecord record);
  std::size_t kernels() const;  ///< Records of kernels so far.
  void add(CopyRecord record);
  void add(MigrationRecord record);
  /// cudaEventRecord. @param time_us the event's time stamp
  void add_event(std::uint32_t stream, double time_us);
  void add(const FaultReport& report);
  /// Keeps only the first few.
  void add(const RefusedLaunch& launch);
  /// Replaces the findings of the checkers, and the set of checks that ran.
  void found(CheckSet checks, std::vector<CheckFinding> findings) {
    checks_ = checks;
    findings_ = std::move(findings);
  }
  /// Replaces the statistics of the device heap.
  void heap(const HeapUse& use) { heap_ = use; }

  void allocated(std::uint64_t address, std::uint64_t bytes, const char* kind, const char* call,
                 std::size_t host_place = 0, unsigned device = 0);
  /// Adds the size of kernel output.
  void printed(std::uint64_t bytes) { printed_ += bytes; }
  void freed(std::uint64_t address, std::size_t host_place = 0);
  const std::vector<AllocationRecord>& allocations() const { return allocations_; }
  void is_array(std::uint64_t address, const std::string& name = "");
  /// Page faults and migrations of the managed memory at @p address.
  void add(std::uint64_t address, const PageTraffic& traffic);
  /// The latest allocation that contained @p address, live or freed.
  const AllocationRecord* allocation_at(std::uint64_t address) const;

  static constexpr int kCompact = -1, kReadable = 1;
  /// The whole document. @param timeline for the records of `timeline`
  /// @param indent columns for each level, or kCompact
  std::string text(const Timeline& timeline, int indent) const;
  /// Writes the document to its target; to a path through a temporary file, so that a reader never sees part of it.
  /// @returns an error, or nothing
  std::optional<std::string> write(const Timeline& timeline) const;

 private:
  struct Records;
  std::vector<std::string> devices_;
  std::string target_;
  std::unique_ptr<Records> records_;
  std::vector<AllocationRecord> allocations_;
  std::map<std::uint64_t, std::size_t> latest_;  ///< Address to index in allocations_.
  std::map<std::string, std::uint64_t> calls_;
  std::optional<HeapUse> heap_;
  CheckSet checks_;
  std::vector<CheckFinding> findings_;
  PageTraffic traffic_;
  std::uint64_t printed_ = 0;
};

}  // namespace warpbook::simulator::runtime
