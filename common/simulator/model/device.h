// A device description: what the runtime reports about the device, and the constants of the time model.
//
// The descriptions are data files, devices/<name>.json, embedded in the library at build time. Each constant of the
// time model is defined there once, with its unit and its source; this header only gives it a name and a type.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator {

/// Rates, latencies and overheads of the time model. Cycles are cycles of the SM clock; "us" means microseconds. The
/// data file gives the source of each value.
struct ModelConstants {
  // Instruction issue, per SM and cycle.
  double issue_per_cycle = 0;                       ///< Warp instructions that all schedulers together issue.
  std::array<double, 12> pipe_threads_per_cycle{};  ///< Indexed by ptx::Pipe: lanes that the pipe processes per cycle.
  double fp64_issue_slots = 0;                      ///< That an instruction of the fp64 pipe takes.

  // L1 and shared memory, per SM.
  double lsu_wavefronts_per_cycle = 0;  ///< Passes through the data stage: shared wavefronts, global lines, shuffles.
  double l1_fill_bytes_per_cycle = 0;   ///< Sectors filled from L2.

  // Multiprocessors that get their blocks before the others are due (`block_loads.h`).
  double early_multiprocessors = 0;
  double early_first_blocks = 0;  ///< They get their second ones after so many blocks of the others,
  double early_turn_blocks = 0;   ///< each further ones after so many.

  // L2 and DRAM, for the whole device.
  double l2_read_bytes_per_us = 0;
  double l2_write_sectors_per_us = 0;        ///< Sectors that one request writes completely.
  double l2_partial_write_lines_per_us = 0;  ///< Lines with sectors that a request writes partially.
  double l2_local_sectors_per_us = 0;        ///< Of local memory: sectors written completely,
  double l2_local_partial_lines_per_us = 0;  ///< and such lines.
  double l2_lines_per_us = 0;                ///< Lines of requests that miss the L1 and are looked up in L2.
  double l2_sector_copies = 0;               ///< Sectors counted by the slices per sector between L1 and L2.
  double l2_dirty_bytes = 0;                 ///< Written data that stays in L2 when the kernel ends.
  double l2_scattered_sectors = 0;  ///< The same for sectors that lanes with scattered addresses write partially.
  double l2_far_reuse = 0;          ///< Share of repeated reads that miss once the data exceeds the capacity.
  double dram_bytes_per_us = 0;     ///< Reads and writes together.
  double dram_granule_bytes = 0;    ///< Bytes fetched for a missing sector.
  double dram_random_share = 0;     ///< Share of dram_bytes_per_us that is reached if adjacent lanes have scattered
                                    ///< addresses, a quarter of each KiB,
  double dram_sparse_share = 0;     ///< and if one pair of sectors of each KiB is read.

  // Latencies in cycles, unloaded.
  double wide_product_work = 0;
  double alu_latency = 0;
  double fp64_latency = 0;
  double tensor_latency = 0;               ///< Latency of a tensor core machine instruction,
  double tensor_depth_latency = 0;         ///< plus this for each 1024 f16 multiply-adds.
  double tensor_f64_latency = 0;           ///< The same for f64,
  double tensor_f64_step_latency = 0;      ///< plus this for each 4 of k.
  double tensor_group_column_work = 0;     ///< wgmma: work of one warp for one column of D, in f16 multiply-adds;
  double tensor_group_least_work = 0;      ///< at least this much in total.
  double tensor_group_column_latency = 0;  ///< Cycles until a column can be accumulated to again,
  double tensor_group_latency = 0;         ///< and latency of the instruction;
  double tensor_group_least_latency = 0;   ///< at least this much in total.
  double tensor_f64_weight = 0;            ///< An f64 multiply-add takes as long as this many in f16.
  double tensor_instruction_work = 0;      ///< Overhead of each machine instruction, in f16 multiply-adds.
  double xu_latency = 0;
  double match_value_work = 0;     ///< match.any: instructions of the XU for each different value,
  double match_value_latency = 0;  ///< and its latency.
  double shared_latency = 0;
  double l1_latency = 0;
  double l2_latency = 0;
  double dram_latency = 0;
  double line_latency = 0;  ///< For each additional line of one request that misses the L1.
  double barrier_latency = 0;
  double barrier_warp_latency = 0;  ///< For each warp that the barrier waits for.
  double issue_latency = 0;         ///< Between two independent instructions of one warp.

  // Atomics on global memory. An L2 slice visits one sector after the other; one pass over a sector changes each
  // address once.
  double atomic_operations_per_us = 0;        ///< Additional passes per visit, for one slice.
  double atomic_sectors_per_us = 0;           ///< Visits of one slice; half as many for f64 and compare-and-swap.
  double atomic_float_operations_per_us = 0;  ///< Floating-point passes over one sector.
  double atomic_slices = 0;                   ///< Number of slices of the device.
  double atomic_slice_bytes = 0;              ///< Contiguous memory that belongs to one slice.
  double atomic_latency = 0;                  ///< Cycles from one atomic to the next one that needs its result.
  double atomic_return_bytes_per_cycle = 0;   ///< Old values that a multiprocessor gets back.
  double swap_retries = 0;  ///< Compare-and-swap loops: tries, among those of all lanes that want a word, each time
                            ///< that the word changes.

  // Blocks that wait for each other.
  double hand_over_latency = 0;  ///< Cycles from a block's write to the reaction of another block that waits for it.
  double fence_latency = 0;      ///< Of __threadfence().

  // Constant memory, per multiprocessor.
  double constant_passes_per_cycle = 0;  ///< Different addresses of a request.
  double constant_cache_bytes = 0;       ///< Capacity of the first-level cache.
  double constant_latency = 0;           ///< Cycles of a load that hits the first-level cache,
  double constant_far_latency = 0;       ///< and of one that hits the second-level cache.
  double constant_miss_cycles = 0;       ///< Until a warp has a line that missed the first-level cache,
  double constant_warp_miss_share = 0;   ///< how much more often this happens for each additional warp that wants the
                                         ///< line,
  double constant_further_line_cycles = 0;  ///< and the addition for each further line of a request.
  double constant_fetch_cycles = 0;         ///< A line of the second-level cache that is read for the first time.
  double constant_in_order_latency = 0;     ///< Eight bytes of a table that is read in order.

  // Further units.
  double bulk_latency = 0;                       ///< Cycles that a bulk copy takes beyond a load.
  double texture_quads_per_cycle = 0;            ///< Groups of four lanes, per SM.
  double cluster_wavefronts_per_cycle = 0;       ///< Shared memory of other blocks of a cluster, per SM,
  double cluster_pair_wavefronts_per_cycle = 0;  ///< and in clusters of two blocks, which are neighbours.
  double cluster_barrier_latency = 0;            ///< Cycles.
  double shared_loop_latency = 0;           ///< Cycles of a shared atomic that is a compare-and-swap loop, uncontended,
  double shared_swap_cycles = 0;            ///< and from one change of a word to the next one.
  double heap_call_us = 0;                  ///< malloc() or free() by a warp,
  double heap_lane_us = 0;                  ///< the addition for each further lane: they are serialised,
  double heap_warp_calls_per_us = 0;        ///< and the rates of the whole device, by warps
  double heap_calls_per_us = 0;             ///< and by lanes, with one warp per SM;
  double heap_warps_exponent = 0;           ///< with how many warps per SM it grows.
  double heap_small_bytes = 0;              ///< Larger pieces have rates of their own,
  double heap_large_warp_calls_per_us = 0;  ///< by warps
  double heap_large_calls_per_us = 0;       ///< and by lanes.

  // Launching.
  double kernel_overhead_us = 0;       ///< Duration of an empty kernel.
  double code_fetch_us = 0;            ///< Maximum time until the instructions of a kernel have been fetched,
  double code_fetch_instructions = 0;  ///< and number of instructions at which it approaches that.
  double blocks_per_us = 0;            ///< Blocks started, whole device.
  double warp_start_cycles = 0;        ///< Between two warps that start on one SM.
  double block_turn_cycles = 0;    ///< From the end of a block to the first instruction of the next one in its slot,
  double warp_turn_cycles = 0;     ///< and for each of its warps.
  double overlap_exponent = 0;     ///< Combination of latency and throughput: (a^p + b^p)^(1/p).
  double throughput_exponent = 0;  ///< The same among throughputs.
  double launch_gap_us = 0;        ///< Between the end of a kernel and the start of the next in the same stream.
  double launch_latency_us = 0;    ///< From the host's call to the kernel's start on an idle device.
  double launch_call_us = 0;       ///< Host time of the launch call.
  double synchronise_us = 0;       ///< From the end of the work to the return of the call that waits for it.
  double event_us = 0;             ///< A recorded event in a stream.
  double event_call_us = 0;        ///< Host time of the recording call.

  // Grid barriers (grid.sync()).
  double grid_sync_us = 0;             ///< Once all blocks have arrived,
  double grid_sync_blocks_per_us = 0;  ///< and the rate at which they arrive: they increment one counter in turn.

  // Device-side launches (runtime/grid_timeline.h).
  double device_launch_call_us = 0;  ///< Duration of a launch for the launching warp; the child can start then.
  double device_launch_lane_us = 0;  ///< Added for each further lane that launches in the same instruction.
  double device_launch_multiprocessor_us = 0;  ///< Between two launches from one SM,
  double device_launch_interval_us = 0;        ///< and from the whole device.
  double device_stream_us = 0;                 ///< Creating a stream in a kernel, and destroying it.
  double device_gap_us = 0;                    ///< Between completed work and the work that waited for it.
  double device_tail_us = 0;                   ///< Additional time before the first and after the last tail launch.
  double device_completion_us =
      0;  ///< From the end of the last child to the completion of the parent, without tail launches.

  // Launching graphs (Timeline::graph).
  double graph_call_us = 0;       ///< Host time of the call that launches a graph,
  double graph_call_node_us = 0;  ///< per node,
  double graph_call_root_us = 0;  ///< and per root node (a node without dependencies) after the first.
  double graph_overlap_us = 0;    ///< A kernel node that waits for another node is shorter than a launched kernel by
                                  ///< this.
  double graph_dispatch_us = 0;   ///< Between the starts of two kernel nodes.
  double graph_host_us = 0;       ///< Duration of an empty host function in a graph.
  double graph_condition_us = 0;  ///< Until the device has evaluated a condition.

  // Host functions (cudaLaunchHostFunc): the driver's thread wakes up for them, the later the longer it has slept.
  double host_function_us = 0;       ///< In an idle stream.
  double host_function_wait_us = 0;  ///< After work that is running,
  double host_function_sleep = 0;    ///< plus this share of the waiting time, at most kLongestSleepUs.
  double host_function_next_us = 0;  ///< After another host function.
  static constexpr double kLongestSleepUs = 500;

  // Device-side graph launches (runtime/graph_launch.cpp).
  double device_graph_call_us = 0;       ///< Duration of the call for the launching warp,
  double device_graph_tail_call_us = 0;  ///< and of one for a tail launch.
  double device_graph_start_us = 0;      ///< From the call to the start of a graph, other than a tail launch.
  double device_graph_tail_us = 0;       ///< From the completion of a graph to the start of its tail launch.
  double device_graph_host_us = 0;       ///< Added to the start of such a graph if the host launches it.

  // Copies.
  double pinned_bytes_per_us = 0;
  double pageable_bytes_per_us = 0;
  double device_bytes_per_us = 0;  ///< Device-to-device copies: bytes copied.
  double memset_bytes_per_us = 0;
  double small_memset_bytes = 0;  ///< A shorter memset needs no room on the SMs.
  double host_bytes_per_us = 0;   ///< Host-to-host copies.
  double duplex_slowdown = 0;  ///< Added to a pinned copy: this share of the time in which the other direction is busy,
                               ///< too.
  double engine_switch_us = 0;  ///< From the end of work in a stream to the start of the stream's next work on another
                                ///< engine.
  double copy_latency_us = 0;   ///< Pinned and device-to-device copies and memsets.
  double pageable_latency_us = 0;
  double copy_call_us = 0;       ///< Host time of a call that only enqueues.
  double staged_latency_us = 0;  ///< Copies to another device through the host.
  double staged_bytes_per_us = 0;

  // Managed memory.
  double gpu_first_fault_us = 0;           ///< Until the driver wakes up for the first page fault of a kernel.
  double gpu_fault_us = 0;                 ///< To serve a group of faults, without the migration.
  double gpu_map_page_us = 0;              ///< A fault that only maps a page on the host.
  double gpu_write_fault_us = 0;           ///< A fault because the device writes to a read-mostly page.
  double migration_bytes_per_us = 0;       ///< To the device, on its faults.
  double populate_bytes_per_us = 0;        ///< Untouched pages, created on the device.
  double remote_bytes_per_us = 0;          ///< Accesses of kernels to pages that stay on the host.
  double cpu_fault_us = 0;                 ///< A page fault of the host, without the migration.
  double host_populate_bytes_per_us = 0;   ///< Untouched pages, created on the host.
  double host_migration_bytes_per_us = 0;  ///< To the host, on its faults.
  double prefetch_bytes_per_us = 0;        ///< Prefetch to the device,
  double prefetch_host_bytes_per_us = 0;   ///< to the host,
  double prefetch_new_bytes_per_us = 0;    ///< and of untouched pages.
  double prefetch_latency_us = 0;          ///< A prefetch that moves nothing,
  double prefetch_move_us = 0;             ///< and the addition if it moves something.
  double prefetch_call_us = 0;             ///< Host time of the call.
};

/// What connects a device to another one: NVLink, as programs see it.
struct Link {
  double performance_rank = 0;  ///< cudaDevP2PAttrPerformanceRank
  double native_atomics = 0;    ///< cudaDevP2PAttrNativeAtomicSupported
  double array_access = 0;      ///< cudaDevP2PAttrCudaArrayAccessSupported
  double copy_latency_us = 0;   ///< Copies between the two devices.
  double copy_bytes_per_us = 0;
  double read_bytes_per_us = 0;       ///< Kernels that read from the other device's memory,
  double write_bytes_per_us = 0;      ///< and that write to it.
  double load_latency = 0;            ///< Cycles of a load from it.
  double prefetch_bytes_per_us = 0;   ///< Managed memory, prefetched from one to the other,
  double migration_bytes_per_us = 0;  ///< and migrated by page faults, without the faults themselves.
};

/// A described device. Attributes have the names of Nsight Compute's `device__attribute_*` metrics.
struct Device {
  std::string name;          ///< "h200": the value of WARPBOOK_DEVICE and --device.
  std::string display_name;  ///< "NVIDIA H200": cudaDeviceProp::name.
  std::map<std::string, std::int64_t, std::less<>> attributes;
  ModelConstants model;
  bool validated = false;                          ///< Its times have been compared with measurements.
  unsigned instance = 0;                           ///< Its number, if the machine has several devices.
  std::map<std::string, Link, std::less<>> links;  ///< By the name of the other device.
  /// SMs of each GPC: the blocks of a thread block cluster share one. Empty: no clusters.
  std::vector<unsigned> processing_clusters;
  /// nullptr: neither device can access the other's memory.
  const Link* link_to(const Device& other) const;

  // The attributes that are used most, with types.
  int compute_major = 0, compute_minor = 0;
  unsigned multiprocessors = 0;
  unsigned schedulers = 0;  ///< Per multiprocessor.
  unsigned warp_size = 32;
  std::uint64_t clock_khz = 0;
  unsigned concurrent_kernels = 0;  ///< Maximum number of kernels that run at the same time.
  std::uint64_t total_memory = 0;
  std::uint64_t l2_bytes = 0;
  unsigned max_threads_per_block = 0;
  unsigned max_threads_per_multiprocessor = 0;
  unsigned max_warps_per_multiprocessor = 0;
  unsigned max_blocks_per_multiprocessor = 0;
  std::uint32_t registers_per_multiprocessor = 0;
  std::uint32_t registers_per_block = 0;
  unsigned max_registers_per_thread = 0;
  std::uint32_t register_granularity = 0;  ///< Registers are allocated to a warp in multiples of this.
  unsigned warp_granularity = 0;           ///< Warps are allocated in multiples of this, for registers.
  std::uint32_t shared_per_multiprocessor = 0;
  std::uint32_t shared_per_block = 0;  ///< Without opting in.
  std::uint32_t shared_per_block_optin = 0;
  std::uint32_t shared_reserved = 0;  ///< Per block, for the system.
  std::uint32_t shared_granularity = 0;
  /// Possible sizes of shared memory in the storage that it shares with the L1, in bytes, smallest first. Empty: any
  /// size.
  std::vector<std::uint64_t> shared_carveouts;
  std::uint64_t stack_bytes = 0, printf_bytes = 0, heap_bytes = 0;  ///< Default limits (cudaDeviceGetLimit).

  /// The attribute @p key. @throws std::out_of_range with the names of the device and the key
  std::int64_t attribute(std::string_view key) const;
  double clock_mhz() const { return static_cast<double>(clock_khz) / 1000.0; }
};

/// The description called @p name, or the file @p name if that ends with ".json". It is read once and kept for the life
/// of the process.
/// @throws std::invalid_argument with the available devices, or if there is no such file; std::runtime_error for an
/// invalid description
const Device& load_device(std::string_view name);

/// Reads a description from JSON text (for tests, and for descriptions that are not built in).
/// @throws std::runtime_error with the key that is missing or wrong
Device parse_device(std::string_view json);

}  // namespace warpbook::simulator
