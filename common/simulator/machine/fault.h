// A fault is a value: what went wrong, where in the program, and which lane did it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace warpbook::simulator {

enum class FaultKind : std::uint8_t {
  none,
  out_of_bounds,  ///< 700 cudaErrorIllegalAddress
  misaligned,     ///< 716 cudaErrorMisalignedAddress
  wrong_space,    ///< 717 cudaErrorInvalidAddressSpace
  invalid_pc,     ///< 718 cudaErrorInvalidPc (a call through a bad pointer)
  illegal,    ///< 715 cudaErrorIllegalInstruction: a tensor copy with impossible coordinates, st.async without clusters
  trap,       ///< 719 cudaErrorLaunchFailure (trap, brkpt)
  assertion,  ///< 710 cudaErrorAssert
  stack_overflow,     ///< 700; recursion deeper than cudaLimitStackSize allows, or a larger alloca
  deadlock,           ///< 719; no warp can make progress
  divergent_barrier,  ///< 719
  step_limit,         ///< 702 cudaErrorLaunchTimeout: the launch exceeded its step limit
  unsupported,        ///< an operation that is not valid here; message says which
};

/// The cause of a fault beyond its kind, for code that must tell faults apart: the message is for people.
// clang-format off
#define WB_NAMED_FAULT_CAUSES(X)                                                                    \
  X(null_pointer) X(other_grids_memory) X(past_allocation) X(before_allocation) X(freed_memory)     \
  X(host_pointer) X(no_allocation) X(constant_memory) X(outside_shared) X(no_shared)                \
  X(outside_local) X(outside_parameters) X(unknown_free) X(lanes) X(barrier) X(grid_barrier) X(loop)        \
  X(outside_surface) X(no_image) X(other_devices_memory)
// clang-format on

enum class FaultCause : std::uint8_t {
  none,
#define WB_ENUMERATOR(name) name,
  WB_NAMED_FAULT_CAUSES(WB_ENUMERATOR)
#undef WB_ENUMERATOR
};

/// The text of a fault and its cause.
struct FaultText {
  FaultText(std::string words, FaultCause why = FaultCause::none) : text(std::move(words)), cause(why) {}
  FaultText(const char* words, FaultCause why = FaultCause::none) : text(words), cause(why) {}
  std::string text;
  FaultCause cause;
};

struct Fault {
  FaultKind kind = FaultKind::none;
  FaultCause cause = FaultCause::none;
  std::uint32_t operation = 0;  ///< Index into Program::operations; its source line is there.
  std::uint32_t block[3] = {0, 0, 0};
  std::uint32_t thread[3] = {0, 0, 0};
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;  ///< Of the access.
  bool write = false;
  std::string message;  ///< What happened, in one line, without the location.
  explicit operator bool() const { return kind != FaultKind::none; }
};

}  // namespace warpbook::simulator
