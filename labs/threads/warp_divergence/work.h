// The work for each element and job of lab warp_divergence, the same on the host and on the device.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define WB_BOTH_SIDES __host__ __device__
#else
#define WB_BOTH_SIDES
#endif

/// @addtogroup warp_divergence
/// @{

/// The work for an element with an even index: 24 rounds of mixing its bits.
WB_BOTH_SIDES inline std::uint32_t mix_even(std::uint32_t x) {
  for (int round = 0; round < 24; ++round) x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  return x;
}

/// The work for an element with an odd index: as much work as mix_even(), but different.
WB_BOTH_SIDES inline std::uint32_t mix_odd(std::uint32_t x) {
  for (int round = 0; round < 24; ++round) x = (x + (x << 7)) ^ 0x9e3779b9u;
  return x;
}

/// One turn of a job.
WB_BOTH_SIDES inline std::uint32_t one_turn(std::uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ (x << 5);
}

/// @}
