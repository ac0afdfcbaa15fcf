// How blocks that differ in work load the multiprocessors.
//
// The first blocks are distributed in turn, as many as fit; each later one goes to the multiprocessor where one has
// ended first. Some multiprocessors may take their turns earlier (validation/block_places). Blocks that run at the same
// time are taken to be as fast as each other.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::simulator {

/// The multiprocessors that a device's first blocks are distributed to.
struct BlockTurns {
  unsigned multiprocessors = 0;  ///< All of them.
  unsigned early = 0;            ///< Those that take their turns before the others are due; none if that would be all,
  double first = 0;              ///< the second turn after so many blocks of the others,
  double further = 0;            ///< each further one after so many.
};

/// @param work of each block, by its number
/// @param blocks of the grid
/// @param resident blocks that a multiprocessor holds
/// @returns the share of all work that the multiprocessor with most of it has; 0 if all blocks have the same, or the
/// work of some is not known
double busiest_share(const std::vector<std::uint32_t>& work, std::uint64_t blocks, const BlockTurns& turns,
                     unsigned resident);

}  // namespace warpbook::simulator
