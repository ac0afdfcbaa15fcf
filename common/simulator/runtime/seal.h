// The seal of a profile: what shows a grader that the virtual GPU wrote it, to the last byte.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace warpbook::simulator::runtime {

/// Environment variable with the key, 32 hexadecimal digits. The virtual GPU takes it away before the program begins.
inline constexpr const char* kSealVariable = "WARPBOOK_PROFILE_KEY";
inline constexpr std::string_view kSealWord = "warpbook.seal ";

using SealKey = std::array<std::uint64_t, 2>;

/// SipHash-2-4 (Aumasson and Bernstein, 2012): 64 bits that nobody can compute without the key.
inline std::uint64_t siphash(const SealKey& key, std::string_view text) {
  std::uint64_t v0 = key[0] ^ 0x736f6d6570736575u, v1 = key[1] ^ 0x646f72616e646f6du;
  std::uint64_t v2 = key[0] ^ 0x6c7967656e657261u, v3 = key[1] ^ 0x7465646279746573u;
  const auto round = [&] {
    v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
  };
  const auto take = [&](std::uint64_t word) {
    v3 ^= word;
    round(), round();
    v0 ^= word;
  };
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    take(word);
  }
  std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56;
  for (std::size_t i = at; i < text.size(); ++i)
    last |= std::uint64_t{static_cast<std::uint8_t>(text[i])} << 8 * (i - at);
  take(last);
  v2 ^= 0xff;
  round(), round(), round(), round();
  return v0 ^ v1 ^ v2 ^ v3;
}

/// A key as the environment variable has it. @returns whether it is one
inline bool parse_key(const char* text, SealKey& key) {
  unsigned long long high = 0, low = 0;
  if (text == nullptr || std::strlen(text) != 32 || std::sscanf(text, "%16llx%16llx", &high, &low) != 2) return false;
  key = {high, low};
  return true;
}

/// The line that goes behind a sealed text.
inline std::string seal_of(const SealKey& key, std::string_view text) {
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx\n", static_cast<unsigned long long>(siphash(key, text)));
  return std::string(kSealWord) + digits;
}

/// The text without its seal; empty if it has none or a wrong one.
inline std::string_view unsealed(const SealKey& key, std::string_view text) {
  const std::size_t size = kSealWord.size() + 17;
  if (text.size() < size) return {};
  const std::string_view document = text.substr(0, text.size() - size);
  return seal_of(key, document) == text.substr(document.size()) ? document : std::string_view{};
}

}  // namespace warpbook::simulator::runtime
