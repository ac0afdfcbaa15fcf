// Where the handle of a grid's graph lies after the parameters.
#include "common/simulator/machine/graph_exec.h"

#include <cstring>

namespace warpbook::simulator {
namespace {

/// After the address of a workspace, which is 0 if there is none.
std::size_t place_of_exec(const Function& kernel) { return (kernel.parameter_bytes + 7u) / 8 * 8 + 8; }

}  // namespace

void append_graph_exec(const Function& kernel, std::vector<std::byte>& parameters, std::uint64_t exec) {
  const std::size_t place = place_of_exec(kernel);
  parameters.resize(place + sizeof exec);
  std::memcpy(parameters.data() + place, &exec, sizeof exec);
}

std::uint64_t graph_exec(const Launch& launch) {
  const std::size_t place = place_of_exec(*launch.kernel);
  std::uint64_t exec = 0;
  if (launch.parameters.size() >= place + sizeof exec)
    std::memcpy(&exec, launch.parameters.data() + place, sizeof exec);
  return exec;
}

}  // namespace warpbook::simulator
