// User objects that graphs keep alive: counted references, and a destructor that runs when none is left.
#pragma once

#include <cstdint>
#include <map>

namespace warpbook::simulator::runtime {

class UserObjects {
 public:
  /// @returns a handle
  std::uint64_t create(std::uint64_t destructor, std::uint64_t object, std::uint32_t references);
  bool is_live(std::uint64_t handle) const { return live_.count(handle) != 0; }
  void retain(std::uint64_t handle, std::uint32_t count);
  /// @returns false if there are fewer references
  bool release(std::uint64_t handle, std::uint32_t count);

 private:
  struct Object {
    std::uint64_t destructor = 0, object = 0, references = 0;
  };
  std::map<std::uint64_t, Object> live_;
  std::uint64_t last_ = 0;
};

}  // namespace warpbook::simulator::runtime
