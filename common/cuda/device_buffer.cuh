// DeviceBuffer: an array in device memory that frees itself.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "common/cuda/check.cuh"

namespace warpbook {

/// Owns `count` elements of device memory. It can be moved but not copied: a copy would free the memory twice.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;

  /// Allocates without initialising. If count is 0, nothing is allocated and data() is null.
  explicit DeviceBuffer(std::size_t count) : count_(count) {
    if (count > 0) WB_CHECK(cudaMalloc(&data_, count * sizeof(T)));
  }

  /// Allocates and copies from the host.
  explicit DeviceBuffer(std::span<const T> values) : DeviceBuffer(values.size()) { upload(values); }

  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}

  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  /// Errors of cudaFree surface in the next checked call: a destructor has no way to report them.
  ~DeviceBuffer() {
    if (data_ != nullptr) cudaFree(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }

  /// Copies host values to the front of the buffer.
  void upload(std::span<const T> values) {
    if (!values.empty()) WB_CHECK(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  }

  /// Copies the whole buffer to the host, after all work submitted earlier to the default stream.
  std::vector<T> download() const {
    std::vector<T> values(count_);
    if (count_ > 0) WB_CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace warpbook
