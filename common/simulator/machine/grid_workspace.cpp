// Where the address of a grid's workspace lies behind the parameters.
#include "common/simulator/machine/grid_workspace.h"

#include <cstring>

namespace warpbook::simulator {
namespace {

std::size_t place_of(const Function& kernel) { return (kernel.parameter_bytes + 7u) / 8 * 8; }

}  // namespace

void append_grid_workspace(const Function& kernel, std::vector<std::byte>& parameters, std::uint64_t address) {
  const std::size_t place = place_of(kernel);
  parameters.resize(place + sizeof address);
  std::memcpy(parameters.data() + place, &address, sizeof address);
}

std::uint64_t grid_workspace(const Launch& launch) {
  const std::size_t place = place_of(*launch.kernel);
  std::uint64_t address = 0;
  if (launch.parameters.size() >= place + sizeof address) {
    std::memcpy(&address, launch.parameters.data() + place, sizeof address);
  }
  return address;
}

}  // namespace warpbook::simulator
