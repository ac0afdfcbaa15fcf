// Memory for a program's bytes during a call, at addresses that no memory of a program can have.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpbook::simulator::remote {

/// The runtime treats it as pageable memory of the program. It is in a part of the address space where registered
/// memory is not allowed, so it is never mistaken for that.
class Scratch {
 public:
  explicit Scratch(std::uint64_t bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::byte* data() const { return data_; }

  /// True if [@p address, @p address + @p bytes) overlaps that part.
  static bool meets(std::uint64_t address, std::uint64_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace warpbook::simulator::remote
