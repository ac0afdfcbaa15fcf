// Turns scalar video instructions that are plain sums, as GCC writes them, into additions.
#pragma once

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::runtime {

/// "vsub.u32.u32.u32.add d, a, b, c" is d = a - b + c: for 32-bit words without saturation or sub-word selectors, the
/// video unit's wider intermediate result makes no difference (PTX ISA, "Scalar Video Instructions"). Such a vadd or
/// vsub becomes two instructions; every other video instruction stays, and is not supported.
void split_video_sums(ptx::Module& module);

}  // namespace warpbook::simulator::runtime
