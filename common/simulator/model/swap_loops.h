// Loops that go on until memory holds something: compare and swaps that are tried again, looks at a flag.
#pragma once

#include <cstdint>

#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// Whether a loop goes on, or ends, by what the load or atomic at @p index of the program's operations has answered.
bool is_tried_again(const Program& program, std::uint32_t index);

/// Cycles from one success of the compare and swap at @p index, which is tried again, to the next one on the same word:
/// of a lock, with all that is done before it is given back.
double cycles_of_round(const ModelConstants& model, const KernelWork& work, std::uint32_t index);

/// Whether blocks have addresses of their own for the access at @p index: these follow from the block's number, or from
/// what a thread has handed to its block or taken from a counter.
bool differs_by_block(const KernelWork& work, std::uint32_t index);

/// How blocks wait for each other in a kernel whose every block waits for one before it.
struct BlockWaits {
  double chain_cycles = 0;  ///< From the flag of a block to that of the next, summed over all blocks that follow so.
  double look_back = 0;     ///< Blocks that tell what they have before they look back: so many lanes look at a time.
};

/// Blocks run in order here and never wait long. What they would wait for on a device follows from the program: a loop
/// of nothing but looks at a word that others write (a volatile or stronger load, an atomic), and what is written so
/// before and after it. A block that writes only afterwards holds up the next one; one that writes before, too, lets
/// others look further back.
BlockWaits waits_of_blocks(const ModelConstants& model, const KernelWork& work);

}  // namespace warpbook::simulator
