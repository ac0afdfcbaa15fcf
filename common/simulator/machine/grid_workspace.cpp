// Where the address of a grid's workspace lies after the parameters.
#include "common/simulator/machine/grid_workspace.h"

#include <cstring>

namespace warpbook::simulator {
namespace {

std::size_t place_of(const Function& kernel) { return (kernel.parameter_bytes + 7u) / 8 * 8; }

/// The word's highest bit flips when all blocks have arrived (cooperative_groups/details/sync.h).
bool phase_of(const Worker& worker) {
  std::uint32_t word = 0;
  std::memcpy(&word, reinterpret_cast<const std::byte*>(worker.grid_barrier.word), sizeof word);
  return word >> 31 != 0;
}

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

void prepare_grid_barrier(Worker& worker) {
  const std::uint64_t workspace = grid_workspace(*worker.launch);
  worker.grid_barrier = {};
  const Allocation* const place = workspace == 0 ? nullptr : worker.memory->find(workspace);
  if (place == nullptr) return;
  worker.grid_barrier.word = reinterpret_cast<std::uint64_t>(place->host) + (workspace - place->address) + 4;
  worker.grid_barrier.arrived.assign(worker.launch->grid.count(), false);
}

void at_grid_barrier(Worker& worker, std::uint64_t block) {
  Worker::GridBarrier& barrier = worker.grid_barrier;
  if (!barrier.arrived[block]) ++barrier.count;
  barrier.arrived[block] = true;
  const bool phase = phase_of(worker);
  if (phase == barrier.phase) return;
  barrier.phase = phase;
  const bool all = barrier.count == barrier.arrived.size();
  barrier.arrived.assign(barrier.arrived.size(), false);
  barrier.count = 0;
  if (all) ++worker.counters.grid_barriers;  // Otherwise the program wrote to the word itself.
}

}  // namespace warpbook::simulator
