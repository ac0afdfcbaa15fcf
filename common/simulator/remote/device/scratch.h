// Memory for bytes of the program on their way, at addresses that no memory of a program has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpbook::simulator::remote {

/// The runtime takes it for ordinary memory of the program: pageable. It lies in a part of the address space that
/// registered memory may not lie in, so that it is never mistaken for that.
class Scratch {
 public:
  explicit Scratch(std::uint64_t bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::byte* data() const { return data_; }

  /// True if [@p address, @p address + @p bytes) meets that part.
  static bool meets(std::uint64_t address, std::uint64_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace warpbook::simulator::remote
