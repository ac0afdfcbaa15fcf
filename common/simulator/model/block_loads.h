// How blocks that differ in work load the multiprocessors.
//
// The first blocks are distributed in turn, as many as fit; each later one goes to the multiprocessor where one has
// ended first. (Which multiprocessor held each block, H100, 2026-11-27: with eight blocks on each, blocks of one
// multiprocessor are 132 or a few more apart.) Blocks that run at the same time are taken to be as fast as each other.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::simulator {

/// @param work of each block, by its number
/// @param blocks of the grid
/// @param resident blocks that a multiprocessor holds
/// @returns the share of all work that the multiprocessor with most of it has; 0 if all blocks have the same, or the
/// work of some is not known
double busiest_share(const std::vector<std::uint32_t>& work, std::uint64_t blocks, unsigned multiprocessors,
                     unsigned resident);

}  // namespace warpbook::simulator
