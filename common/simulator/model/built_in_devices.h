// The device descriptions embedded in the library; the build generates the definition from devices/*.json.
#pragma once

#include <span>
#include <string_view>

namespace warpbook::simulator {

struct BuiltInDevice {
  std::string_view name;
  std::string_view json;
};

/// Sorted by name.
std::span<const BuiltInDevice> built_in_devices();

}  // namespace warpbook::simulator
