// What is said when host code dereferences a device pointer.
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

/// Whether host code can use an address now.
enum class Served : std::uint8_t {
  no,
  yes,
  once,  ///< For the instruction that waits for it; HostFaults::stepped is called behind that.
};

/// Whether there can be a `once`.
#if defined(__x86_64__)
constexpr bool kCanStep = true;
#else
constexpr bool kCanStep = false;
#endif

/// What is done about an address that host code cannot use.
struct HostFaults {
  /// Makes it usable, if it is memory that the host shares. @p instruction is the address of what uses it; 0: not known
  Served (*serve)(std::uint64_t address, bool write, std::uint64_t instruction);
  void (*stepped)(std::uint64_t address);
  /// It is device memory: says so. @p instruction is the address of what used it; 0: not known.
  void (*explain)(std::uint64_t address, bool write, std::uint64_t instruction);
};

/// Installs a SIGSEGV handler that serves the host's page faults on managed memory, explains a host access to device
/// memory and then lets the signal kill the process.
/// Other faults go to the handler that was there before.
void install_crash_report(HostFaults faults);

/// Faults in this memory of the program's own are served, too, from now on.
void serve_also(std::uint64_t address, std::uint64_t bytes);

}  // namespace warpbook::simulator::runtime
