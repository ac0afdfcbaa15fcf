// From a kernel's fault to a finding of the check that it concerns.
#pragma once

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/fault.h"
#include "common/simulator/runtime/profile.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Adds the fault to the findings if it concerns memory or a barrier, and the check for that runs.
void add_fault(Runtime& runtime, const FaultReport& report, const Program& program, const Fault& fault);

}  // namespace warpbook::simulator::runtime
