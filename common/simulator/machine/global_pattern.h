// The lane pattern of one access to global memory, kept if its addresses are linear in the block index.
//
// The distances between lanes are the same in every block (kernel/block_linear.h): only the address of the first lane
// differs, and with it the sectors that are touched. What an access counts follows from the first lane's position in
// its line, so it is computed once for each warp, for the lanes that execute it and for that position.
#pragma once

#include <cstdint>

namespace warpbook::simulator {

/// What is added to linear addresses in the running block, and in the one after it.
struct LinearOrigin {
  std::uint64_t here = 0, next = 0;
};

struct alignas(64) GlobalPattern {
  static constexpr std::uint8_t kMostFound = 64;
  const LinearOrigin* origin = nullptr;
  std::uint64_t first = 0;  ///< Address of the first executing lane without the origin, including the displacement.
  std::int64_t stride = 0;  ///< From one lane to the next.
  std::uint64_t bits = 0;   ///< Its sectors, starting at the line of the lowest address; 0: not one range.
  std::uint32_t lanes = 0;  ///< Lanes for which this holds: adjacent, with one stride; 0: none.
  std::uint32_t reach = 0;  ///< Bytes from the lowest address to the end of the highest access.
  std::int32_t low = 0;     ///< Offset of the lowest address from the first lane's.
  std::uint16_t bytes = 0;
  std::uint8_t phase = 0;  ///< Position of the first lane in its line, for which the counts hold.
  std::uint8_t sectors = 0, sectors_ideal = 0, lines = 0;
  std::uint8_t first_lane = 0, count = 0;
  std::uint8_t found = 0;  ///< How often it was computed; given up if the lanes keep changing.
};
static_assert(sizeof(GlobalPattern) == 64);

}  // namespace warpbook::simulator
