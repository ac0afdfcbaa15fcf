// A fuzzer's input as a sequence of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpbook::simulator {

/// Takes values off the front of the input; zeros after its end.
class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  template <class T = std::uint8_t>
  T take() {
    T value{};
    const std::size_t bytes = size_ < sizeof value ? size_ : sizeof value;
    if (bytes != 0) std::memcpy(&value, data_, bytes);
    data_ += bytes;
    size_ -= bytes;
    return value;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace warpbook::simulator
