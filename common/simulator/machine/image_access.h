// Executes texture and surface operations for a warp, and counts them. The same code for every instruction set.
#pragma once

#include "common/simulator/kernel/operation.h"
#include "common/simulator/machine/warp.h"

namespace warpbook::simulator::image {

const Operation* read_texture(Warp& warp, const Operation* op);
const Operation* load_surface(Warp& warp, const Operation* op);
const Operation* store_surface(Warp& warp, const Operation* op);
const Operation* query(Warp& warp, const Operation* op);

}  // namespace warpbook::simulator::image
