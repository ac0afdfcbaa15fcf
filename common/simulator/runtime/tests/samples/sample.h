// What the sample programs share: each call is checked, results are compared with the host's and printed.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

/// Ends the program if a runtime call failed.
#define CUDA(call)                                                                          \
  do {                                                                                      \
    const cudaError_t answer_ = (call);                                                     \
    if (answer_ != cudaSuccess) {                                                           \
      std::printf("line %d: %s answered %s\n", __LINE__, #call, cudaGetErrorName(answer_)); \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (0)

/// After a launch: checks the errors of the launch and of the kernel.
#define FINISH()                   \
  do {                             \
    CUDA(cudaGetLastError());      \
    CUDA(cudaDeviceSynchronize()); \
  } while (0)

namespace sample {

/// Pseudorandom numbers that are the same on every machine.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : state_(seed) {}
  std::uint32_t next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }
  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint32_t>(limit)); }
  /// In [0, 1), with 24 bits.
  float unit() { return static_cast<float>(next()) / 16777216.0f; }

 private:
  std::uint32_t state_;
};

/// Device memory that is freed at the end of its scope.
template <class T>
class Device {
 public:
  explicit Device(std::size_t count) : count_(count) {
    CUDA(cudaMalloc(&data_, count * sizeof(T)));
    CUDA(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit Device(const std::vector<T>& values) : Device(values.size()) { put(values); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data_); }
  operator T*() const { return data_; }
  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  void put(const std::vector<T>& values) {
    CUDA(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> get() const {
    std::vector<T> values(count_);
    CUDA(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

inline int differences = 0;

/// Prints whether @p got equals the host's result, and counts differences.
template <class T>
void compare(const char* what, const std::vector<T>& got, const std::vector<T>& wanted) {
  std::uint32_t hash = 2166136261u;
  for (const T& value : got) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof bytes);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 16777619u;
  }
  std::size_t first = 0;
  const bool same_size = got.size() == wanted.size();
  while (same_size && first < got.size() && std::memcmp(&got[first], &wanted[first], sizeof(T)) == 0) ++first;
  const bool same = same_size && first == got.size();
  std::printf("%s: %zu values, digest %08x", what, got.size(), hash);
  if (!same) std::printf(", wrong from number %zu of %zu on", first, wanted.size());
  std::printf("\n");
  differences += !same;
}

template <class T>
void compare(const char* what, T got, T wanted) {
  if constexpr (std::is_floating_point_v<T>) {
    std::printf("%s: %.9g", what, static_cast<double>(got));
    if (!(got == wanted)) std::printf(", not %.9g", static_cast<double>(wanted));
  } else {
    std::printf("%s: %lld", what, static_cast<long long>(got));
    if (got != wanted) std::printf(", not %lld", static_cast<long long>(wanted));
  }
  std::printf("\n");
  differences += !(got == wanted);
}

/// Values whose last bits depend on the hardware's approximate functions: none may deviate by more than @p tolerance,
/// relative to the larger of the wanted value and 1.
template <class T>
void near(const char* what, const std::vector<T>& got, const std::vector<T>& wanted, double tolerance) {
  double worst = 0;
  for (std::size_t i = 0; i < wanted.size() && i < got.size(); ++i) {
    const double error = std::fabs(static_cast<double>(got[i]) - static_cast<double>(wanted[i])) /
                         std::fmax(1.0, std::fabs(static_cast<double>(wanted[i])));
    if (!(error <= worst)) worst = error;
  }
  const bool close = got.size() == wanted.size() && worst <= tolerance;
  std::printf("%s: %zu values, %s %g\n", what, got.size(), close ? "within" : "farther off than", tolerance);
  differences += !close;
}

inline void holds(const char* what, bool so) {
  std::printf("%s: %s\n", what, so ? "yes" : "no");
  differences += !so;
}

/// The last line of main.
inline int passed() {
  std::printf(differences == 0 ? "passed\n" : "%d answers are wrong\n", differences);
  return differences == 0 ? 0 : 1;
}

}  // namespace sample
