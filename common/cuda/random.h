// Random: reproducible random numbers and arrays, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
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
