// The device's side: receives a program's calls from sockets and executes them on the virtual GPU of this process.
#pragma once

#include "common/simulator/remote/arrays.h"

namespace warpbook::simulator::remote {

/// Serves the program at the other end of @p channel until it closes the channel; every additional thread of the
/// program has a socket and a thread of its own. Whatever the program sends is untrusted data: it is checked, and an
/// invalid message closes that connection with a line on stderr.
/// @param owner of arrays that the program may request; nullptr: none
void serve(int channel, ArrayOwner* owner);

}  // namespace warpbook::simulator::remote
