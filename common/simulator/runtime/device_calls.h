// The CUDA device runtime for the kernels of one grid: what nvcc 13 generates for <<<>>> and for CUDA calls in kernels.
//
// nvcc calls these functions __cudaCDP2<Name>. A launch consists of two: GetParameterBufferV2 checks the configuration
// and returns memory for the parameters, or NULL and an error for cudaGetLastError; LaunchDeviceV2 submits the launch
// to a stream. Streams and events belong to the grid whose threads created them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "common/simulator/machine/device_runtime.h"
#include "common/simulator/runtime/grid_tree.h"

namespace warpbook::simulator::runtime {

class DeviceCalls : public DeviceRuntime {
 public:
  DeviceCalls(GridTree& tree, GridNode& node) : tree_(tree), node_(node), runtime_(tree.runtime()) {}

  bool call(DeviceCall& call) override;
  /// Called when the grid has run: converts the steps at which work was issued to fractions of the grid's duration.
  void finish(const LaunchResult& result);

 private:
  using Method = cudaError_t (DeviceCalls::*)(DeviceCall&);
  static const std::map<std::string, Method>& methods();

  std::uint64_t parameter_buffer(DeviceCall& call);
  cudaError_t launch(DeviceCall& call);
  cudaError_t create_stream(DeviceCall& call);
  cudaError_t destroy_stream(DeviceCall& call);
  cudaError_t wait_event(DeviceCall& call);
  cudaError_t create_event(DeviceCall& call);
  cudaError_t record_event(DeviceCall& call);
  cudaError_t destroy_event(DeviceCall& call);
  cudaError_t launch_graph(DeviceCall& call);
  cudaError_t copy(DeviceCall& call);
  cudaError_t copy_rows(DeviceCall& call);
  cudaError_t copy_box(DeviceCall& call);
  cudaError_t fill(DeviceCall& call);
  cudaError_t fill_rows(DeviceCall& call);
  cudaError_t fill_box(DeviceCall& call);
  cudaError_t allocate(DeviceCall& call);
  cudaError_t free(DeviceCall& call);
  cudaError_t attribute(DeviceCall& call);
  cudaError_t limit(DeviceCall& call);
  cudaError_t cache_config(DeviceCall& call);
  cudaError_t device(DeviceCall& call);
  cudaError_t device_count(DeviceCall& call);
  cudaError_t runtime_version(DeviceCall& call);
  cudaError_t function_attributes(DeviceCall& call);
  cudaError_t occupancy(DeviceCall& call);
  std::uint64_t text(DeviceCall& call, const char* words);

  /// A stream: the latest work in it.
  struct Queue {
    std::size_t last = kNone;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};
  /// Sets the queue of @p work and its dependencies. @returns an error for an unknown stream
  cudaError_t enqueue(DeviceCall& call, std::uint64_t stream, DeviceWork work);
  /// A copy or fill whose arguments are valid, apart from the memory.
  cudaError_t enqueue_copy(DeviceCall& call, std::uint64_t stream, int kind, const Box& to, const Box& from,
                           const BoxSize& size);
  cudaError_t enqueue_fill(DeviceCall& call, std::uint64_t stream, int value, const Box& to, const BoxSize& size);
  Kernel* kernel_at(std::uint64_t address);
  cudaError_t keep(DeviceCall& call, cudaError_t error);
  static std::uint64_t thread_key(const DeviceCall& call) { return call.block() * 1024 + call.thread(); }
  void report_refused() const;
  double spend(const DeviceCall& call, double first_us, double lane_us);
  /// Finds the source line of the launch. @param forwards @p call is the first of its two calls
  void locate(const DeviceCall& call, DeviceWork& work, bool forwards) const;

  GridTree& tree_;
  GridNode& node_;
  Runtime& runtime_;
  std::map<std::uint64_t, cudaError_t> last_error_;  ///< By thread; only for threads with an error.
  std::map<std::uint64_t, DeviceWork> refused_;  ///< By thread: failed launches whose error has not been queried yet.
  std::map<std::uint64_t, GridRun> buffers_;     ///< Launch configurations by the address of their parameters.
  std::map<std::uint64_t, Queue> block_queues_;  ///< The NULL stream of each block.
  std::map<std::uint64_t, Queue> streams_;       ///< By handle.
  std::map<std::uint64_t, std::size_t> events_;  ///< By handle: the work that recorded it, or kNone.
  std::uint64_t handles_ = 0;
  /// Where each piece of work was issued: the block, and the number of steps that it had made.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> issued_, graph_issued_;
  /// Time that a warp has spent in calls, and where the last one was: lanes that call together share the time.
  struct WarpCalls {
    double us = 0;
    std::uint32_t operation = 0;
    std::uint64_t clock = ~std::uint64_t{0};
  };
  std::map<std::uint64_t, WarpCalls> warp_calls_;
};

}  // namespace warpbook::simulator::runtime
