// Device code that came with a message, in the format in which the runtime reads it from a program's memory.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "common/simulator/remote/wire.h"
#include "common/simulator/runtime/fat_binary_layout.h"

namespace warpbook::simulator::remote {

/// A fat binary. It must live as long as the module made from it.
class Image {
 public:
  Image() = default;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  /// Reads what front/fat_binary_image.h sent, and checks that every container has the length that it states. @throws
  /// WireError
  void read(Reader& from);
  const void* wrapper() const { return &wrapper_; }

 private:
  runtime::FatBinaryWrapper wrapper_{0, 2, nullptr, nullptr};
  std::deque<std::vector<std::byte>> containers_;
  std::vector<const void*> places_;
};

}  // namespace warpbook::simulator::remote
