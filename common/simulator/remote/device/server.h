// The device's side: takes calls of a program from sockets and makes them on the virtual GPU of this process.
#pragma once

#include "common/simulator/remote/arrays.h"

namespace warpbook::simulator::remote {

/// Serves the program at the other end of @p channel until it closes it; every further thread of the program has a
/// socket and a thread of its own. What the program sends is data: it is checked, and what makes no sense ends that
/// connection with a line on the standard error.
/// @param owner of arrays that the program may ask for; nullptr: there are none
void serve(int channel, ArrayOwner* owner);

}  // namespace warpbook::simulator::remote
