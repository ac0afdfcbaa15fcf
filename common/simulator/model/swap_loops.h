// Loops that continue until memory has a certain value: repeated compare-and-swaps, polled flags.
#pragma once

#include <cstdint>

#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// Whether a loop around a load or an atomic continues depending on its result.
enum class Repeats : std::uint8_t {
  no,
  until_found,  ///< Until the result is the value that the loop waits for: each compare-and-swap succeeds in the end.
  until_passed  ///< A compare-and-swap that gives up once memory has a larger (or a smaller) value: a maximum.
};
Repeats repeats(const Program& program, std::uint32_t index);

/// How often lanes try to store an extreme value in one word if all of them start from the same old value.
struct Attempts {
  double tries = 0;   ///< Of all lanes together,
  double rounds = 0;  ///< in so many rounds: one lane succeeds in each, and those that it has passed give up.
};
Attempts attempts_at_extreme(double lanes);

/// Where the loop around the compare-and-swap at @p index has its first old value from: all lanes come here, whether
/// they try or find that they need not.
struct OldValues {
  double lanes = 0, sectors = 0;  ///< 0 if it loads none.
};
OldValues old_values(const KernelWork& work, std::uint32_t index);

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
