// A device description: what the runtime answers about the device and the constants of the time model.
//
// The descriptions are data files, devices/<name>.json, embedded in the library when it is built. Every constant of the
// time model stands there once, with its unit and where it comes from; this header only gives it a name and a type.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator {

/// Rates, latencies and overheads of the time model. Cycles are those of the multiprocessors' clock; "us" are
/// microseconds. The data file says where each value comes from.
struct ModelConstants {
  // Instruction issue, per multiprocessor and cycle.
  double issue_per_cycle = 0;                       ///< Warp instructions that the schedulers issue together.
  std::array<double, 12> pipe_threads_per_cycle{};  ///< Indexed by ptx::Pipe: lanes that the pipe takes per cycle.

  // Level 1 and shared memory, per multiprocessor.
  double lsu_wavefronts_per_cycle = 0;  ///< Passes through the data stage: shared wavefronts, global lines, shuffles.
  double l1_fill_bytes_per_cycle = 0;   ///< Sectors that come from L2.

  // Level 2 and memory, of the whole device.
  double l2_read_bytes_per_us = 0;
  double l2_write_sectors_per_us = 0;        ///< Sectors whose bytes are all written by one request.
  double l2_partial_write_lines_per_us = 0;  ///< Lines with sectors that a request writes in part.
  double l2_lines_per_us = 0;                ///< Lines of requests that miss the L1: looked up in L2.
  double l2_sector_copies = 0;               ///< Sectors that the slices count for one between L1 and L2.
  double l2_dirty_bytes = 0;                 ///< Written data that stays in L2 when the kernel ends.
  double l2_scattered_sectors = 0;           ///< The same of sectors that lanes which go anywhere write in part.
  double l2_far_reuse = 0;                   ///< Share of repeated reads that miss once the data exceed the capacity.
  double dram_bytes_per_us = 0;              ///< Reads and writes together.
  double dram_granule_bytes = 0;             ///< Fetched for a missing sector.
  double dram_random_share = 0;              ///< Of dram_bytes_per_us, where neighbouring lanes go anywhere.

  // Latencies in cycles, unloaded.
  double wide_product_work = 0;
  double alu_latency = 0;
  double fp64_latency = 0;
  double tensor_latency = 0;               ///< A machine instruction of tensor cores on its way,
  double tensor_depth_latency = 0;         ///< and for each 1024 multiplications and additions of f16.
  double tensor_f64_latency = 0;           ///< The same of f64,
  double tensor_f64_step_latency = 0;      ///< and for each 4 of k.
  double tensor_group_column_work = 0;     ///< wgmma, of one warp and one column of D, in multiply-adds of f16;
  double tensor_group_least_work = 0;      ///< at least so many in all.
  double tensor_group_column_latency = 0;  ///< Cycles until a column's accumulators can be accumulated to again,
  double tensor_group_latency = 0;         ///< and of the instruction;
  double tensor_group_least_latency = 0;   ///< at least so many in all.
  double tensor_f64_weight = 0;            ///< Tensor cores take as long for an f64 as for so many f16.
  double tensor_instruction_work = 0;      ///< Of each machine instruction, in multiplications and additions of f16.
  double xu_latency = 0;
  double shared_latency = 0;
  double l1_latency = 0;
  double l2_latency = 0;
  double dram_latency = 0;
  double line_latency = 0;  ///< For each further line of one request that misses the L1.
  double barrier_latency = 0;
  double barrier_warp_latency = 0;  ///< For each warp that the barrier waits for.
  double issue_latency = 0;         ///< Between two instructions of one warp that do not depend on each other.

  // Atomics on global memory. A slice of L2 visits one sector after the other; in one pass over it each address is
  // changed once.
  double atomic_operations_per_us = 0;        ///< Further passes of one visit, of one slice.
  double atomic_sectors_per_us = 0;           ///< Visits of one slice; of f64 and compare and swap half as many.
  double atomic_float_operations_per_us = 0;  ///< Passes of floats over one sector.
  double atomic_slices = 0;                   ///< Slices of the device.
  double atomic_slice_bytes = 0;              ///< Neighbouring memory that one slice has.
  double atomic_latency = 0;                  ///< Cycles from one to the next that needs its result.
  double swap_retries =
      0;  ///< Loops of compare and swap: tries, in those of all that want a word each time it changes.

  // Blocks that wait for each other.
  double hand_over_latency = 0;  ///< Cycles from a block's write to what another block does that has waited for it.
  double fence_latency = 0;      ///< Of __threadfence().

  // Constant memory, per multiprocessor.
  double constant_passes_per_cycle = 0;     ///< Different addresses of a request.
  double constant_cache_bytes = 0;          ///< Of the first cache.
  double constant_latency = 0;              ///< Cycles of a load that it has,
  double constant_far_latency = 0;          ///< and of one that the second has.
  double constant_miss_cycles = 0;          ///< Until a warp has a line that the first has not,
  double constant_warp_miss_share = 0;      ///< so much more often for each further warp that wants it, too,
  double constant_further_line_cycles = 0;  ///< and for each further line of their request.
  double constant_fetch_cycles = 0;         ///< A line of the second cache that nobody has read before.

  // Further units.
  double texture_quads_per_cycle = 0;       ///< Groups of four lanes, per multiprocessor.
  double cluster_wavefronts_per_cycle = 0;  ///< Shared memory of other blocks of a cluster, per multiprocessor.
  double cluster_barrier_latency = 0;       ///< Cycles.
  double shared_loop_latency = 0;  ///< Cycles of a shared atomic that is a loop of compare and swap, uncontended.
  double heap_call_us = 0;         ///< malloc() or free() of one lane of a warp after the other,
  double heap_calls_per_us = 0;    ///< and of the whole device.

  // Launching.
  double kernel_overhead_us = 0;       ///< Duration of an empty kernel.
  double code_fetch_us = 0;            ///< At most, until the instructions of a kernel are there,
  double code_fetch_instructions = 0;  ///< and how many of them it takes to come near that.
  double blocks_per_us = 0;            ///< Blocks started, whole device.
  double warp_start_cycles = 0;        ///< Between two warps that start on one multiprocessor.
  double block_turn_cycles = 0;        ///< From the end of a block to the first instruction of the next in its place,
  double warp_turn_cycles = 0;         ///< and for each of its warps.
  double overlap_exponent = 0;         ///< Latency against throughput: (a^p + b^p)^(1/p).
  double throughput_exponent = 0;      ///< Among throughputs.
  double launch_gap_us = 0;            ///< Between the end of a kernel and the start of the next in the same stream.
  double launch_latency_us = 0;        ///< From the host's call to the kernel's start on an idle device.
  double launch_call_us = 0;           ///< Host time of the launch call.
  double synchronise_us = 0;           ///< From the end of the work to the return of the call that waits for it.
  double event_us = 0;                 ///< A recorded event in a stream.
  double event_call_us = 0;            ///< Host time of the call that records it.

  // Synchronising a cooperative grid (grid.sync()).
  double grid_sync_us = 0;             ///< Once all blocks are there,
  double grid_sync_blocks_per_us = 0;  ///< and how fast they come: they count themselves one after the other.

  // Launches by kernels (runtime/grid_timeline.h).
  double device_launch_call_us = 0;  ///< Duration of a launch for the warp that makes it; the child can start then.
  double device_launch_lane_us = 0;  ///< Added for each further lane that launches in the same instruction.
  double device_launch_multiprocessor_us = 0;  ///< Between two launches from one multiprocessor,
  double device_launch_interval_us = 0;        ///< and from the whole device.
  double device_stream_us = 0;                 ///< Creating a stream in a kernel, and destroying it.
  double device_gap_us = 0;                    ///< Between work that is complete and the work that waited for it.
  double device_tail_us = 0;                   ///< Before the first and after the last tail launch, further.
  double device_completion_us =
      0;  ///< From the end of the last child to the completion of the parent, without tail launches.

  // Launching graphs (Timeline::graph).
  double graph_call_us = 0;       ///< Host time of the call that launches a graph,
  double graph_call_node_us = 0;  ///< for each of its nodes,
  double graph_call_root_us = 0;  ///< and for each node but one that waits for no other.
  double graph_overlap_us = 0;   ///< By so much a kernel node that waits for another is shorter than a launched kernel.
  double graph_dispatch_us = 0;  ///< Between the starts of two kernel nodes.
  double graph_host_us = 0;      ///< Until a host function of a graph has run that does nothing.
  double graph_condition_us = 0;  ///< Until the device has looked at a condition.

  // Host functions (cudaLaunchHostFunc): the driver's thread wakes up for them, the later the longer it has slept.
  double host_function_us = 0;       ///< In an idle stream.
  double host_function_wait_us = 0;  ///< Behind work that runs,
  double host_function_sleep = 0;    ///< and this share of the time for which it waits, at most kLongestSleepUs.
  double host_function_next_us = 0;  ///< Behind another one.
  static constexpr double kLongestSleepUs = 500;

  // Graphs that kernels launch (runtime/graph_launch.cpp).
  double device_graph_call_us = 0;       ///< Duration of the call for the warp that makes it,
  double device_graph_tail_call_us = 0;  ///< and of one for a tail launch.
  double device_graph_start_us = 0;      ///< From the call to the start of a graph that is no tail launch.
  double device_graph_tail_us = 0;       ///< From the completion of a graph to the start of its tail launch.
  double device_graph_host_us = 0;       ///< Added to the start of such a graph when the host launches it.

  // Copies.
  double pinned_bytes_per_us = 0;
  double pageable_bytes_per_us = 0;
  double device_bytes_per_us = 0;  ///< Device-to-device copies: bytes copied.
  double memset_bytes_per_us = 0;
  double small_memset_bytes = 0;  ///< A shorter one needs no room on the multiprocessors.
  double host_bytes_per_us = 0;   ///< Host-to-host copies.
  double duplex_slowdown = 0;  ///< Added to a pinned copy: this share of the time in which the other direction is busy.
  double engine_switch_us = 0;  ///< From the end of work in a stream to the start of the next on another engine.
  double copy_latency_us = 0;   ///< Pinned and device-to-device copies and memsets.
  double pageable_latency_us = 0;
  double copy_call_us = 0;       ///< Host time of a call that only enqueues.
  double staged_latency_us = 0;  ///< Copies to another device by way of the host.
  double staged_bytes_per_us = 0;

  // Managed memory.
  double gpu_first_fault_us = 0;           ///< Until the driver wakes up for the first page fault of a kernel.
  double gpu_fault_us = 0;                 ///< To serve a group of faults, without what it moves.
  double gpu_map_page_us = 0;              ///< A fault that only maps a page of the host's.
  double gpu_write_fault_us = 0;           ///< A fault because the device writes to a read-mostly page.
  double migration_bytes_per_us = 0;       ///< To the device, on its faults.
  double populate_bytes_per_us = 0;        ///< Pages that nobody had touched, made on the device.
  double remote_bytes_per_us = 0;          ///< Accesses of kernels to pages that stay on the host.
  double cpu_fault_us = 0;                 ///< A page fault of the host, without what it moves.
  double host_populate_bytes_per_us = 0;   ///< Pages that nobody had touched, made on the host.
  double host_migration_bytes_per_us = 0;  ///< To the host, on its faults.
  double prefetch_bytes_per_us = 0;        ///< Prefetched to the device,
  double prefetch_host_bytes_per_us = 0;   ///< to the host,
  double prefetch_new_bytes_per_us = 0;    ///< and pages that nobody had touched.
  double prefetch_latency_us = 0;          ///< A prefetch that moves nothing,
  double prefetch_move_us = 0;             ///< and what is added where it moves something.
  double prefetch_call_us = 0;             ///< Host time of the call.
};

/// What joins a device to another one: NVLink, as seen by programs.
struct Link {
  double performance_rank = 0;  ///< cudaDevP2PAttrPerformanceRank
  double native_atomics = 0;    ///< cudaDevP2PAttrNativeAtomicSupported
  double array_access = 0;      ///< cudaDevP2PAttrCudaArrayAccessSupported
  double copy_latency_us = 0;   ///< Copies between the two devices.
  double copy_bytes_per_us = 0;
  double read_bytes_per_us = 0;       ///< Kernels that read the other device's memory,
  double write_bytes_per_us = 0;      ///< and write it.
  double load_latency = 0;            ///< Cycles of a load from there.
  double prefetch_bytes_per_us = 0;   ///< Managed memory, prefetched from one to the other,
  double migration_bytes_per_us = 0;  ///< and moved by page faults, without what the faults take.
};

/// A described device. Attributes have the names of Nsight Compute's `device__attribute_*` metrics.
struct Device {
  std::string name;          ///< "h200": what WARPBOOK_DEVICE and --device take.
  std::string display_name;  ///< "NVIDIA H200": what cudaDeviceProp::name says.
  std::map<std::string, std::int64_t, std::less<>> attributes;
  ModelConstants model;
  bool validated = false;                          ///< Its times were compared with measurements.
  unsigned instance = 0;                           ///< Of several devices of one machine: its number.
  std::map<std::string, Link, std::less<>> links;  ///< By the name of the other device.
  /// Multiprocessors of each graphics processing cluster: the blocks of a cluster lie in one. Empty: it has no
  /// clusters.
  std::vector<unsigned> processing_clusters;
  /// nullptr: neither can access the other's memory.
  const Link* link_to(const Device& other) const;

  // The attributes that are used most, by type.
  int compute_major = 0, compute_minor = 0;
  unsigned multiprocessors = 0;
  unsigned schedulers = 0;  ///< Per multiprocessor.
  unsigned warp_size = 32;
  std::uint64_t clock_khz = 0;
  unsigned concurrent_kernels = 0;  ///< Kernels that run at the same time at most.
  std::uint64_t total_memory = 0;
  std::uint64_t l2_bytes = 0;
  unsigned max_threads_per_block = 0;
  unsigned max_threads_per_multiprocessor = 0;
  unsigned max_warps_per_multiprocessor = 0;
  unsigned max_blocks_per_multiprocessor = 0;
  std::uint32_t registers_per_multiprocessor = 0;
  std::uint32_t registers_per_block = 0;
  unsigned max_registers_per_thread = 0;
  std::uint32_t register_granularity = 0;  ///< Registers are given to a warp in multiples of this.
  unsigned warp_granularity = 0;           ///< Warps are placed in multiples of this, for registers.
  std::uint32_t shared_per_multiprocessor = 0;
  std::uint32_t shared_per_block = 0;  ///< Without opting in.
  std::uint32_t shared_per_block_optin = 0;
  std::uint32_t shared_reserved = 0;  ///< Per block, for the system.
  std::uint32_t shared_granularity = 0;
  /// Sizes that shared memory takes of what it has in common with the L1, in bytes, the smallest first. Empty: any.
  std::vector<std::uint64_t> shared_carveouts;
  std::uint64_t stack_bytes = 0, printf_bytes = 0, heap_bytes = 0;  ///< Default limits (cudaDeviceGetLimit).

  /// The attribute @p key. @throws std::out_of_range naming the device and the key.
  std::int64_t attribute(std::string_view key) const;
  double clock_mhz() const { return static_cast<double>(clock_khz) / 1000.0; }
};

/// The description called @p name, or in the file @p name if that ends with ".json", read once and kept for the life of
/// the process.
/// @throws std::invalid_argument naming the devices there are, or that there is no such file; std::runtime_error for a
/// broken description.
const Device& load_device(std::string_view name);

/// Reads a description from JSON text (for tests, and for descriptions that are not built in).
/// @throws std::runtime_error naming the key that is missing or wrong.
Device parse_device(std::string_view json);

}  // namespace warpbook::simulator
