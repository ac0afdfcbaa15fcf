// Turns a kernel's fault into a finding of the check that it belongs to.
#pragma once

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/fault.h"
#include "common/simulator/runtime/profile.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Adds the fault to the findings if it concerns memory or a barrier and the check for that is on.
void add_fault(Runtime& runtime, const FaultReport& report, const Program& program, const Fault& fault);

}  // namespace warpbook::simulator::runtime
