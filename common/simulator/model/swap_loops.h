// Loops that continue until memory has a certain value: repeated compare-and-swaps, polled flags.
#pragma once

#include <cstdint>

#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// Whether a loop continues or ends depending on the result of the load or atomic at @p index of the program's
/// operations.
bool is_tried_again(const Program& program, std::uint32_t index);

/// Cycles from one success of the repeated compare-and-swap at @p index to the next one on the same word; for a lock,
/// including all that is done before it is released.
double cycles_of_round(const ModelConstants& model, const KernelWork& work, std::uint32_t index);

/// Whether ptxas has the address of the access at @p index in a uniform register: it depends neither on the lane nor on
/// what a load brings, as far as the code says.
bool has_uniform_address(const KernelWork& work, std::uint32_t index);

/// Whether blocks have different addresses for the access at @p index: the address depends on the block index, or on a
/// value that a thread has passed to its block or taken from a counter.
bool differs_by_block(const KernelWork& work, std::uint32_t index);

/// How blocks wait for each other in a kernel in which every block waits for an earlier one.
struct BlockWaits {
  double chain_cycles = 0;  ///< From a block's flag to the next block's, summed over all blocks that follow in this
                            ///< way.
  double look_back = 0;  ///< For blocks that publish their own result before they look back: number of lanes that poll
                         ///< at a time.
};

/// Blocks run in order here and never wait long. What they would wait for on a device follows from the program: a loop
/// that only polls a word that other blocks write (a volatile or stronger load, or an atomic), and what is written in
/// the same way before and after it. A block that writes only afterwards delays the next one; a block that also writes
/// before lets others look further back.
BlockWaits waits_of_blocks(const ModelConstants& model, const KernelWork& work);

}  // namespace warpbook::simulator
