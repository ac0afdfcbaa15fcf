// Random: reproducible random numbers and arrays, the same on every machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace warpbook {

/// A SplitMix64 generator. The standard library's distributions differ between implementations; these do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// 64 random bits.
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// A whole number in [low, high], both included.
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t offset = range == 0 ? bits() : bits() % range;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  }

  /// A whole number in [low, high], low at least 1, for sizes: a value between 1 and 10 is as likely as one between
  /// 1000 and 10,000.
  std::int64_t size(std::int64_t low, std::int64_t high) {
    const double ratio = (static_cast<double>(high) + 1) / static_cast<double>(low);
    const auto drawn = static_cast<std::int64_t>(static_cast<double>(low) * std::pow(ratio, real(0, 1)));
    return drawn < low ? low : drawn > high ? high : drawn;
  }

  /// Any value that a float can hold except NaN: tiny, huge and infinite ones too.
  float any_float() {
    for (;;) {
      const auto word = static_cast<std::uint32_t>(bits() >> 32);
      float value;
      std::memcpy(&value, &word, sizeof value);
      if (value == value) return value;
    }
  }

  /// 0, or a number too small for full precision (subnormal).
  float tiny_float() {
    const auto word = static_cast<std::uint32_t>(integer(0, 3) == 0 ? 0 : integer(1, (1 << 23) - 1));
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }

  /// A real number in [low, high).
  double real(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  /// `count` values in [low, high] (whole numbers) or [low, high) (real ones).
  template <class T>
  std::vector<T> array(std::size_t count, T low, T high) {
    std::vector<T> values(count);
    for (T& value : values) {
      if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(real(low, high));
      } else {
        value = static_cast<T>(integer(low, high));
      }
    }
    return values;
  }

 private:
  std::uint64_t state_;
};

}  // namespace warpbook
