// If-conversion: which basic blocks ptxas predicates instead of branching over them.
//
// PTX branches around the body of every `if`. ptxas predicates short bodies: every warp then issues them, even without
// active lanes, and loads in them move up like any others. The counters are those of the PTX, so the model has to know.
#pragma once

#include <vector>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {

/// For each of Program::blocks: whether it is the predicated body of an `if`. The preceding block is the one that
/// branches around it.
std::vector<bool> find_predicated_blocks(const Program& program);

}  // namespace warpbook::simulator
