// Which kernels may wait for a value that something outside their grid writes: the host, or other work on the device.
#pragma once

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {

/// Sets Function::may_wait of all kernels. A kernel may wait if it has a loop that can see memory change: one with a
/// load that is not weak, an atomic operation with a result, a weak load together with a fence or nanosleep, or a call.
/// A weak load of a flag together with only a barrier is not taken for waiting: too many kernels that do not wait look
/// like that.
void find_outside_waits(Program& program);

}  // namespace warpbook::simulator
