// Which kernels may wait for what somebody outside of their grid writes: the host, or other work of the device.
#pragma once

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {

/// Sets Function::may_wait of all kernels. A kernel may wait if it has a loop that can see memory change: one with a
/// load that is not weak, an atomic operation with a result, a weak load beside a fence
/// or a pause, or a call. A flag that is read by a weak load beside a barrier alone is no way to wait: too many kernels
/// that do not wait look like that.
void find_outside_waits(Program& program);

}  // namespace warpbook::simulator
