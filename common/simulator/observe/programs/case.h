// Cases of a program: each is run by its name and states what a checker must report for it (README.md).
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

struct Case {
  const char *name, *expect;
  bool (*run)();
};

inline std::vector<Case> cases;

/// A case and its expectation: clean, race, race_same_value, race_in_another_order, race_with_a_free, host_race,
/// memory, init, sync, sync_hang or leak. The body returns whether all went well; a faulty case returns what CUDA
/// reports.
#define CASE(name, expectation)                                                    \
  static bool name##_case();                                                       \
  static const int name##_place = [] {                                             \
    return cases.push_back({#name, #expectation, name##_case}), int(cases.size()); \
  }();                                                                             \
  static bool name##_case()

/// Whether all work completed without a CUDA error, and @p right holds.
inline bool done(bool right = true) {
  const cudaError_t ended = cudaDeviceSynchronize(), last = cudaGetLastError();
  if (ended != cudaSuccess || last != cudaSuccess)
    std::printf("%s, %s\n", cudaGetErrorName(ended), cudaGetErrorName(last));
  return ended == cudaSuccess && last == cudaSuccess && right;
}

/// Device memory that frees itself and is ready for every stream.
template <class T>
class Device {
 public:
  explicit Device(int count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }  ///< Uninitialised.
  Device(int count, T value) : Device(std::vector<T>(count, value)) {}
  explicit Device(const std::vector<T>& values) : Device(static_cast<int>(values.size())) {
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
  }
  Device(const Device&) = delete;
  ~Device() { cudaFree(data_); }
  operator T*() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> copy(count_);
    return cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), copy;
  }
  /// Whether every element i equals wanted(i).
  template <class F>
  bool are(F wanted) const {
    const std::vector<T> got = values();
    for (int i = 0; i < count_; ++i)
      if (got[i] != wanted(i)) return std::printf("element %d is wrong\n", i), false;
    return true;
  }

 private:
  T* data_ = nullptr;
  int count_;
};

/// 0, 1, 2, ...
inline std::vector<int> numbers(int count) {
  std::vector<int> all(count);
  for (int i = 0; i < count; ++i) all[i] = i;
  return all;
}

int main(int argc, char** argv) {
  const bool list = argc < 2 || std::strcmp(argv[1], "--list") == 0;
  for (const Case& one : cases) {
    if (list) std::printf("{\"case\": \"%s\", \"expect\": \"%s\"}\n", one.name, one.expect);
    if (!list && std::strcmp(argv[1], one.name) == 0) return one.run() ? 0 : 1;
  }
  if (!list) std::fprintf(stderr, "There is no case '%s'; without a name the program lists its cases.\n", argv[1]);
  return list ? 0 : 2;
}
