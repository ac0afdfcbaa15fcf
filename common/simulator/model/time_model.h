// The time model: from the counted work of a launch and a device description to microseconds and a limiter.
//
// Each component below is the time that one resource alone would need; the kernel takes about as long as the slowest
// one, plus the fixed costs. README.md in this folder says what each component consists of and what is not modelled.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/model/device.h"
#include "common/simulator/model/managed_memory.h"
#include "common/simulator/model/occupancy.h"
#include "common/simulator/observe/counters.h"

namespace warpbook::simulator {

/// A completed launch: its configuration and its work.
struct KernelWork {
  const Program& program;
  const Function& function;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< Static and dynamic, per block.
  std::uint32_t registers = 0;     ///< Per thread.
  const Counters& counters;
  std::uint64_t cluster_blocks = 1;  ///< Blocks of a cluster.
  double heap_bytes = 0;             ///< Of a piece that it allocated, on average.
};

struct KernelTime {
  double us = 0;        ///< From the kernel's start to its end on the device (gpu__time_duration).
  std::string limiter;  ///< The largest component: "issue", "fma", ..., "lsu", "l1", "l2", "dram", "latency", "launch",
                        ///< "grid_sync", "waits".
  std::vector<std::pair<std::string, double>> components;  ///< Microseconds by name, in a fixed order.
  Occupancy occupancy;                                     ///< Theoretical.
  double waves = 0;                                        ///< launch__waves_per_multiprocessor
  double device_share = 0;   ///< Share of the device's block slots that the grid fills, at most 1.
  double grid_barriers = 0;  ///< Number of grid barriers (grid.sync()).
  double dram_read_bytes = 0, dram_write_bytes = 0;  ///< Estimated traffic, for the roofline.
  double l2_read_bytes = 0, l2_write_bytes = 0;      ///< Between L1 and L2.
};

/// Accesses of a kernel to the memory of another device: distinct sectors.
struct PeerTraffic {
  const Link* link = nullptr;
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::uint64_t bytes = 0;  ///< Read or written.
};

/// Adds the cost of accesses over links to @p time: the component "peer". @param footprint_bytes everything that the
/// kernel touched
void add_peer_traffic(const Device& device, const PeerTraffic& traffic, std::uint64_t footprint_bytes,
                      KernelTime& time);

/// How long a kernel or a copy waits for the driver to serve its page faults.
double fault_time_us(const Device& device, const PageTraffic& traffic);

/// Adds the cost of page faults and of pages that stay on the host to @p time: the components "page_faults" and
/// "remote".
void add_page_traffic(const Device& device, const PageTraffic& traffic, KernelTime& time);

/// Deterministic: the same work and device give the same bits.
KernelTime predict(const Device& device, const KernelWork& work);

}  // namespace warpbook::simulator
