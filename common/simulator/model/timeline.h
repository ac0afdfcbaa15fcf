// The virtual clock: when work submitted to streams starts and ends on the device's engines.
//
// Each device has SMs, which kernels of different streams share (residency.h), and two copy engines, one for each
// direction. Work in one stream runs in order. Streams reach the device through a few hardware queues
// (CUDA_DEVICE_MAX_CONNECTIONS): a kernel that waits for an earlier one of its stream delays kernels that were put into
// the same queue later. Work in the legacy default stream (kDefaultStream) waits for all blocking streams of its
// device, and they wait for it. Linked devices copy directly to each other. The host has a clock of its own: calls cost
// host time, and waiting advances it. Nothing depends on real time, so the same calls give the same times.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/model/device.h"
#include "common/simulator/model/managed_memory.h"
#include "common/simulator/model/residency.h"
#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

enum class Engine : std::uint8_t { compute, copy_in, copy_out };
const char* name_of(Engine engine);  ///< "compute", "copy_in", "copy_out": as in the profile.

enum class CopyKind : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host };

struct Activity {
  Engine engine = Engine::compute;
  std::uint32_t stream = 0;
  std::string name;  ///< Kernel name, or "memcpy h2d", "memset", ...
  double start_us = 0;
  double end_us = 0;
  std::uint32_t call = 0;  ///< Number of the host call that submitted it (set_call); 0: unknown.
};

class Timeline {
 public:
  static constexpr std::uint32_t kDefaultStream = 0;
  // The upper bits of a stream's number are its device.
  static constexpr unsigned kDeviceShift = 24;
  static constexpr std::uint32_t default_stream(unsigned device) { return device << kDeviceShift; }
  static constexpr unsigned device_of(std::uint32_t stream) { return stream >> kDeviceShift; }
  static constexpr std::uint32_t number_of(std::uint32_t stream) {
    return stream & ((std::uint32_t{1} << kDeviceShift) - 1);
  }
  static constexpr bool is_default(std::uint32_t stream) { return number_of(stream) == kDefaultStream; }

  /// CUDA_DEVICE_MAX_CONNECTIONS: 1 to 32, by default 8.
  static constexpr unsigned kConnections = 8, kMostConnections = 32;

  /// @param connections hardware queues per device
  explicit Timeline(const Device& device, unsigned connections = kConnections);
  void add_device(const Device& device);

  /// @param non_blocking does not wait for the default stream (cudaStreamNonBlocking)
  /// @param priority as in CUDA: kernels of a lower number start earlier
  void create_stream(std::uint32_t stream, bool non_blocking, int priority = 0);
  void destroy_stream(std::uint32_t stream);

  /// Enqueues the kernel; the host continues after the cost of the call.
  Activity kernel(std::uint32_t stream, const std::string& name, const KernelTime& time, const GridDemand& demand);
  /// The same for a kernel of which only its share of the device is known.
  Activity kernel(std::uint32_t stream, const std::string& name, const KernelTime& time) {
    return kernel(stream, name, time, GridDemand::of_share(device_at(stream), time.device_share));
  }
  /// When the first block of such a kernel would start.
  double kernel_start(std::uint32_t stream, const GridDemand& demand) const;
  /// Work that a kernel launched, without the host. Starts at @p ready_us, or when there is room for it.
  Activity device_work(std::uint32_t stream, const std::string& name, double ready_us, double duration_us,
                       const GridDemand& demand);
  /// @param pageable the host memory is ordinary memory: the copy is staged and the host waits, whatever the call: for
  /// the staging of a small copy to the device, for the end of any other copy
  Activity copy(std::uint32_t stream, CopyKind kind, std::uint64_t bytes, bool pageable);
  /// From one device's memory to another's. @param direct over their link; otherwise through the host
  Activity peer_copy(std::uint32_t stream, unsigned from, unsigned to, std::uint64_t bytes, bool direct);
  Activity memset(std::uint32_t stream, std::uint64_t bytes);
  /// cudaMemPrefetchAsync: pages that move, and pages that are created at their destination.
  Activity prefetch(std::uint32_t stream, bool to_device, const PageTraffic& traffic);
  /// What page faults of the kernel @p by moved to the device while it ran; part of its time (add_page_faults).
  Activity migration(const Activity& by, const PageTraffic& traffic);
  /// Page faults of the next copy or fill in @p stream, which waits for them.
  Activity copy_fault(std::uint32_t stream, const PageTraffic& traffic);
  /// The host touched managed pages: it waits until they have arrived.
  Activity host_fault(const PageTraffic& traffic);
  /// The host launches a graph (cudaGraphLaunch).
  /// @param roots nodes without dependencies
  /// @returns when the first of them can start
  double graph(std::uint32_t stream, std::size_t nodes, std::size_t roots);
  /// From now on, until the next call, work is that of a graph's nodes: the host is not involved, and a stream stands
  /// for a branch, which waits for others only through wait().
  /// @param depends a kernel is launched while what it depends on is still running
  void set_in_graph(bool value, bool depends = false) {
    in_graph_ = value;
    depends_in_graph_ = value && depends;
  }
  /// From now on, work belongs to a call of the host. @param number the caller's number for it; 0: none
  void set_call(std::uint32_t number) { call_ = number; }
  std::uint32_t call() const { return call_; }
  bool is_in_graph() const { return in_graph_; }
  bool depends_in_graph() const { return depends_in_graph_; }
  /// The device evaluates the condition of a conditional node in @p stream.
  void condition(std::uint32_t stream);
  /// When everything submitted to @p stream so far has finished.
  double end_of(std::uint32_t stream) const;
  /// A host function (cudaLaunchHostFunc) that takes no time of its own.
  void host_function(std::uint32_t stream);
  /// A callback in which libgomp frees memory. Here it runs immediately, and the call that frees memory waits for the
  /// device; on a GPU that happens much later. So nothing is added to what the stream has to wait for.
  void give_back_function(std::uint32_t stream);

  /// Records an event: when everything submitted to @p stream so far has finished. @returns its time stamp in
  /// microseconds
  double record(std::uint32_t stream);
  /// Work submitted to @p stream from now on starts no earlier than @p event_us (cudaStreamWaitEvent).
  void wait(std::uint32_t stream, double event_us);

  /// The host waits (cudaStreamSynchronize, cudaDeviceSynchronize, cudaEventSynchronize).
  void synchronise(std::uint32_t stream);
  void synchronise_all(unsigned device = 0);
  void synchronise_until(double event_us);

  bool finished(std::uint32_t stream) const;  ///< cudaStreamQuery at the host's current time.
  bool reached(double event_us) const;        ///< cudaEventQuery.
  double now_us() const { return host_us_; }  ///< The host's clock.
  void advance_host(double us);               ///< Host time spent elsewhere (polling, an API call).

  const std::vector<Activity>& activities() const { return activities_; }

 private:
  struct Stream {
    double ready = 0;
    bool non_blocking = false;
    int priority = 0;
    unsigned queue = 0;             ///< Number of the hardware queue through which its work reaches the device.
    double last_end = -1;           ///< Of the last copy or kernel in it.
    Engine last = Engine::compute;  ///< The engine of that.
    double last_function = -1;      ///< End of the last host function in it.
  };
  /// One device and what is on it.
  struct Engines {
    explicit Engines(const Device& of, unsigned connections) : device(&of), residency(of), queues(connections, 0.0) {}
    const Device* device;
    Residency residency;          ///< Kernels that may still be on the device.
    BusySpans busy[2];            ///< Copies in (0) and out (1).
    BusySpans pinned[2];          ///< The copies among them that share the bus with the other direction.
    std::vector<double> queues;   ///< When the last work of each hardware queue had nothing to wait for any more.
    unsigned next_queue = 0;      ///< The queue for the next stream.
    double retired = 0;           ///< When the work of destroyed streams ends.
    double retired_blocking = 0;  ///< The same for streams that the default stream waits for.
  };
  Engines& engines(std::uint32_t stream) { return devices_[device_of(stream)]; }
  const Engines& engines(std::uint32_t stream) const { return devices_[device_of(stream)]; }
  const Device& device_at(std::uint32_t stream) const { return *engines(stream).device; }
  const ModelConstants& model(std::uint32_t stream) const { return engines(stream).device->model; }
  BusySpans& busy(std::uint32_t stream, Engine engine) {
    return engines(stream).busy[engine == Engine::copy_in ? 0 : 1];
  }

  double between_devices(std::uint32_t stream) const;
  double ready(std::uint32_t stream) const;
  /// When all work in the streams that the default stream of @p device waits for has ended.
  double blocking_ready(unsigned device) const;
  /// The same for work on @p engine, which starts later if the stream's previous work was on another engine.
  double ready(std::uint32_t stream, Engine engine) const;
  int priority_of(std::uint32_t stream) const;
  unsigned queue_of(std::uint32_t stream) const;
  /// When work of @p stream that is ready at @p when gets through its hardware queue. Graphs use no queues.
  double queued(std::uint32_t stream, double when) const;
  /// Such work delays later work in its queue until @p when.
  void hold_queue(std::uint32_t stream, double when);
  double kernel_ready(std::uint32_t stream) const;
  /// How much longer a copy takes that shares the bus with copies in the other direction.
  static double duplex_delay(const Engines& engines, Engine engine, double start, double duration);
  void finish(std::uint32_t stream, double end);
  /// A copy within the device, or a memset.
  Activity on_device(std::uint32_t stream, const char* name, double duration);
  Activity place(Engine engine, std::uint32_t stream, std::string name, double earliest, double duration);

  /// Host time of an enqueuing call: none in a graph.
  void spend(double us) { host_us_ += in_graph_ ? 0 : us; }

  std::vector<Engines> devices_;
  unsigned connections_;
  double host_us_ = 0;
  bool in_graph_ = false;
  bool depends_in_graph_ = false;
  std::uint32_t call_ = 0;
  double host_functions_free_ = 0;  ///< When the last host function was called.
  double graph_dispatched_ = 0;     ///< When the device could start the next kernel of a graph.
  std::map<std::uint32_t, Stream> streams_;
  std::map<std::pair<unsigned, unsigned>, double> link_free_;  ///< When a link is free, from one device to another.
  std::vector<Activity> activities_;
};

}  // namespace warpbook::simulator
