// The message when host code dereferences a device pointer.
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

/// Whether host code can access an address now.
enum class Served : std::uint8_t {
  no,
  yes,
  once,  ///< For the faulting instruction; then HostFaults::stepped is called.
};

/// Whether `once` is possible.
#if defined(__x86_64__)
constexpr bool kCanStep = true;
#else
constexpr bool kCanStep = false;
#endif

/// How to handle an address that host code cannot access.
struct HostFaults {
  /// Makes it accessible if it is shared with the host. @p instruction is the address of the access; 0: unknown
  Served (*serve)(std::uint64_t address, bool write, std::uint64_t instruction);
  void (*stepped)(std::uint64_t address);
  /// It is device memory: prints a message. @p instruction is the address of the access; 0: unknown.
  void (*explain)(std::uint64_t address, bool write, std::uint64_t instruction);
};

/// Installs a SIGSEGV handler that resolves the host's page faults on managed memory, and explains a host access to
/// device memory before the signal kills the process. Other faults go to the previous handler.
void install_crash_report(HostFaults faults);

/// From now on, faults in this memory of the program are resolved, too.
void serve_also(std::uint64_t address, std::uint64_t bytes);

}  // namespace warpbook::simulator::runtime
