// Translates a fault of the machine into what a programmer needs to know.
#pragma once

#include <string>

#include "common/simulator/machine/fault.h"
#include "common/simulator/runtime/profile.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

FaultReport describe_fault(const Runtime& runtime, const Kernel& kernel, const Program& program, const Fault& fault);

/// The report for stderr, in the manner of compute-sanitizer: several lines, none ending the text.
std::string text_of(const FaultReport& report);

/// "the 400 bytes at 0x... of the 2nd cudaMalloc"
std::string allocation_text(const Runtime& runtime, const Allocation& allocation);

/// The runtime's error for a kind of fault.
int error_of(const Fault& fault);
const char* name_of(FaultKind kind);

}  // namespace warpbook::simulator::runtime
