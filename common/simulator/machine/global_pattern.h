// How the lanes of one access to global memory lie, kept where their addresses are linear in the block's index.
//
// In each block the lanes lie as in any other (kernel/block_linear.h): only where the first one is differs, and with it
// which sectors they touch. What an access counts follows from where in its line the first lane is, so it is worked out
// once for each warp, for the lanes that execute it and for that place.
#pragma once

#include <cstdint>

namespace warpbook::simulator {

struct alignas(64) GlobalPattern {
  static constexpr std::uint8_t kMostFound = 64;
  const std::uint64_t* origin = nullptr;  ///< What is added to addresses in this block.
  std::uint64_t first = 0;                ///< Address of the first executing lane without it, displacement included.
  std::int64_t stride = 0;                ///< From one lane to the next.
  std::uint64_t bits = 0;   ///< Its sectors, from that line on in which the lowest address lies; 0: not one stretch.
  std::uint32_t lanes = 0;  ///< For which this holds: neighbours at one distance; 0: for none.
  std::uint32_t reach = 0;  ///< Bytes from the lowest address to behind the highest.
  std::int32_t low = 0;     ///< From the first lane to that with the lowest address.
  std::uint16_t bytes = 0;
  std::uint8_t phase = 0;  ///< Of the first lane in its line, for which the counts hold.
  std::uint8_t sectors = 0, sectors_ideal = 0, lines = 0;
  std::uint8_t first_lane = 0, count = 0;
  std::uint8_t found = 0;  ///< Times that it was worked out: where lanes keep changing, it is given up.
};
static_assert(sizeof(GlobalPattern) == 64);

}  // namespace warpbook::simulator
