// Creates the front end that speaks the Debug Adapter Protocol.
#pragma once

#include <memory>

#include "common/simulator/debugger/session.h"

namespace warpbook::simulator::debugger {

/// @param socket carries the protocol
std::unique_ptr<Front> make_debug_adapter(int socket);

}  // namespace warpbook::simulator::debugger
