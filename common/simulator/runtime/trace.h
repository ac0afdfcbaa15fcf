// The trace: a record of what the host and the devices did when, in the format that chrome://tracing and Perfetto read.
//
// Each host thread has a row for its calls and one for its NVTX ranges, each stream of a device a row for its work,
// each copy engine one for its copies. An arrow leads from a call to the work that it put into a stream.
// docs/formats.md describes the document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/machine/launch.h"
#include "common/simulator/model/timeline.h"

namespace warpbook::simulator::runtime {

class Runtime;

class Trace {
 public:
  /// @param target a path or "fd:N"; empty: no trace is wanted
  explicit Trace(std::string target) : target_(std::move(target)) {}
  bool enabled() const { return !target_.empty(); }

  /// An API call begins on this thread. @returns its number, from 1
  std::uint32_t begin(const char* name, double us);
  void end(std::uint32_t call, double us);

  /// Describes the kernel that is @p activity in Timeline::activities().
  void kernel(std::size_t activity, const Dim3& grid, const Dim3& block, unsigned registers, std::uint64_t shared_bytes,
              const std::string& limiter);

  std::string text(const Runtime& runtime, int indent) const;
  /// @returns an error, or nothing
  std::optional<std::string> write(const Runtime& runtime) const;

 private:
  struct Call {
    const char* name;
    std::uint32_t thread;
    double start_us, end_us;
  };
  struct Kernel {
    std::size_t activity;
    Dim3 grid, block;
    unsigned registers;
    std::uint64_t shared_bytes;
    std::string limiter;
  };
  std::string target_;
  std::vector<Call> calls_;
  std::vector<Kernel> kernels_;
};

/// An API call, from here to the end of the scope. Calls that it makes itself are part of it.
class TracedCall {
 public:
  TracedCall(Runtime& runtime, const char* name);
  ~TracedCall();
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

 private:
  Runtime& runtime_;
  std::uint32_t call_ = 0;
};

}  // namespace warpbook::simulator::runtime
