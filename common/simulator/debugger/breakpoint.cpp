// Parses the locations of breakpoints.
#include "common/simulator/debugger/breakpoint.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "common/simulator/machine/address_space.h"

namespace warpbook::simulator::debugger {

const std::uint8_t* WatchedPlace::bytes_now(const WarpState& warp) const {
  const std::byte* place = host;
  if (simulator::space_of(address) == ptx::Space::shared) {
    place = warp.shared + (address - kSharedWindow);
  } else if (simulator::space_of(address) == ptx::Space::local) {
    const WarpState& owner = *warp.state->warps[thread->warp()];
    place = owner.local + thread->lane() * owner.local_stride + (address - kLocalWindow);
  }
  return reinterpret_cast<const std::uint8_t*>(place);
}

std::optional<CodePlaces> find_places(const ModuleView& module, const std::string& location, const std::string& file) {
  const auto is_line = [](std::string_view text) {
    return !text.empty() && text.size() < 9 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  const auto line_in = [&](const std::string& in, const std::string& line) {
    return module.lines().at_line(in, static_cast<std::uint32_t>(std::strtoul(line.c_str(), nullptr, 10)));
  };
  if (is_line(location)) return line_in(file, location);
  const std::size_t colon = location.rfind(':');
  if (colon != std::string::npos && colon != 0 && location[colon - 1] != ':' && is_line(location.substr(colon + 1)))
    return line_in(location.substr(0, colon), location.substr(colon + 1));
  return module.lines().at_function(location);
}

}  // namespace warpbook::simulator::debugger
