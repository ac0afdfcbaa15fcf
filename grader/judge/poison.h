// The poison that fills outputs and guard zones before an answer runs: NaNs with random payloads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace warpbook::grader {

/// Names of the values that the grader adds to every case.
inline const std::string kGuardBytes = "warpbook.guard_bytes";
inline const std::string kPoisonSeed = "warpbook.poison_seed";

/// Suffix of an output's name for the number of bytes that were written in the memory after it.
inline const std::string kChangedBehind = ".changed_behind";

/// Suffix for the bytes in the program's memory that differ from what the device has written there. They
/// never count; messages use them to say who did the work.
inline const std::string kHostsView = ".hosts_view";

/// The four bytes at position 4 * index of a poisoned buffer. Read as float, double or half2 it is a NaN; its low bits
/// depend on the seed, the name and the position, so copying poison about is seen too.
inline std::uint32_t poison_word(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return 0x7ff80000u | static_cast<std::uint32_t>((z >> 40) & 0x7ffffu);
}

/// Mixes the name of a buffer into the seed.
inline std::uint64_t poison_seed_of(std::uint64_t seed, const std::string& name) {
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return seed;
}

/// The byte at a position of a poisoned buffer. @param mixed poison_seed_of()
inline std::uint8_t poison_byte(std::uint64_t mixed, std::uint64_t at) {
  return static_cast<std::uint8_t>(poison_word(mixed, at / 4) >> (8 * (at % 4)));
}

/// Fills a whole buffer, guard zones included.
template <class Byte>
void fill_poison(std::span<Byte> bytes, std::uint64_t seed, const std::string& name) {
  static_assert(sizeof(Byte) == 1);
  const std::uint64_t mixed = poison_seed_of(seed, name);
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    const std::uint32_t word = poison_word(mixed, at / 4);
    std::memcpy(bytes.data() + at, &word, bytes.size() - at < 4 ? bytes.size() - at : 4);
  }
}

}  // namespace warpbook::grader
