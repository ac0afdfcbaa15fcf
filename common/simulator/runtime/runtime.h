// The process's virtual devices and everything on them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/model/device.h"
#include "common/simulator/model/timeline.h"
#include "common/simulator/observe/findings.h"
#include "common/simulator/runtime/active_device.h"
#include "common/simulator/runtime/backlog.h"
#include "common/simulator/runtime/device_progress.h"
#include "common/simulator/runtime/handles.h"
#include "common/simulator/runtime/host_places.h"
#include "common/simulator/runtime/host_watch.h"
#include "common/simulator/runtime/live_objects.h"
#include "common/simulator/runtime/machine_devices.h"
#include "common/simulator/runtime/managed_pages.h"
#include "common/simulator/runtime/module_registry.h"
#include "common/simulator/runtime/profile.h"
#include "common/simulator/runtime/profile_filter.h"
#include "common/simulator/runtime/runtime_lock.h"
#include "common/simulator/runtime/suppression.h"
#include "common/simulator/runtime/trace.h"
#include "common/simulator/runtime/unchecked_launches.h"
#include "common/simulator/runtime/virtual_device.h"
#include "common/simulator/runtime/work_order.h"

namespace warpbook::simulator::runtime {

class GraphState;
class Ipc;
struct ImageState;

/// Name of the allocation from which malloc in kernels allocates.
constexpr const char* kDeviceHeapName = "the device heap";

/// Options from the environment.
struct Options {
  /// WARPBOOK_DEVICES, or one of WARPBOOK_DEVICE; with the number of multiprocessors in WARPBOOK_MULTIPROCESSORS, and
  /// the clock rate in WARPBOOK_CLOCK_RATE, in kHz
  std::vector<Device> machine;
  unsigned connections = Timeline::kConnections;  ///< Hardware queues of a device: CUDA_DEVICE_MAX_CONNECTIONS.
  VisibleDevices visible;                         ///< The devices that CUDA_VISIBLE_DEVICES selects.
  std::string profile;                            ///< WARPBOOK_PROFILE
  std::string trace;                              ///< WARPBOOK_TRACE
  FilterOptions filter;             ///< WARPBOOK_PROFILE_KERNEL and others: which launches the profile has.
  unsigned threads = 0;             ///< WARPBOOK_THREADS
  std::uint64_t schedule_seed = 0;  ///< WARPBOOK_SCHEDULE_SEED
  std::uint64_t step_limit = 0;     ///< WARPBOOK_STEP_LIMIT
  bool cold = false;                ///< WARPBOOK_CACHE_CONTROL=all: the L2 is empty when a kernel starts.
  int stream_priorities = 5;        ///< WARPBOOK_STREAM_PRIORITIES: the greatest priority is minus this number.
  unsigned patience = 10;           ///< WARPBOOK_PATIENCE: how many seconds to wait for the host's other threads.
  CheckSet checks;                  ///< WARPBOOK_CHECK
  std::string check_report;         ///< WARPBOOK_CHECK_REPORT
  int check_exit_code = 0;          ///< WARPBOOK_CHECK_EXITCODE: for a program with findings; 0: the program's own.
  std::vector<Suppression> suppressions;  ///< WARPBOOK_CHECK_SUPPRESS
  static Options from_environment();
};

/// A grid that is about to run.
struct GridStart {
  std::uint32_t depth = 0;  ///< Launches by kernels between the host's launch and this one.
  bool in_tail = false;     ///< It is a tail launch.
};

/// What the program has registered; exists before the device does, because static constructors register.
ModuleRegistry& registry();

class Runtime {
 public:
  /// Created by the first call that needs the device; never destroyed, because exit handlers still call the API.
  /// @throws std::exception if the environment asks for a device that does not exist
  static Runtime& instance();
  /// The runtime if it exists, else nullptr.
  static Runtime* existing();

  const int process;  ///< A child of fork() leaves the profile to its parent.
  const Options options;

  /// The number of devices visible to the program, maybe 0.
  unsigned device_count() const { return device_count_; }
  /// If there are none: the result of every call.
  cudaError_t no_device() const { return options.visible.none; }
  /// The device with that number. There is a device 0 even if none is visible to the program.
  VirtualDevice& device_at(unsigned number) { return *devices_[number]; }
  const VirtualDevice& device_at(unsigned number) const { return *devices_[number]; }
  /// The device that this thread works on, and its description.
  VirtualDevice& here() { return device_at(active_device()); }
  const VirtualDevice& here() const { return device_at(active_device()); }
  const Device& device() const { return here().description; }
  /// The link over which one device can access the other's memory, or nullptr.
  const Link* link(unsigned from, unsigned to) const;

 private:
  std::vector<std::unique_ptr<VirtualDevice>> devices_;
  unsigned device_count_ = 0;

 public:
  GlobalMemory memory;
  Timeline timeline;
  Profile profile;
  Trace trace;
  ProfileFilter filter;
  ManagedPages managed;
  std::uint64_t grids = 0;  ///< Launches so far, for %gridid.

  /// Called before each grid runs, if set: device memory is as the grid will see it, and may be changed.
  std::function<void(const GridStart&)> before_grid;

  /// The checkers' findings and the state that they need. See check_report.h.
  CheckFindings findings;
  HostPlaces places;
  LiveObjects objects;
  UncheckedLaunches unchecked;
  bool is_used_by_openacc = false;  ///< GCC's library has used callbacks (host_function.h).
  unsigned grids_with_heap = 0;     ///< Running grids that use the device heap, under checks: HeapCheck.
  std::string faulty_kernel;        ///< Of the latest fault.
  const char* call_name = "";       ///< The API call that runs now.
  WorkOrder order;
  std::unique_ptr<Checker> checker;  ///< Watches kernels; nullptr if no check does.

  std::unique_ptr<HostWatch> watch;  ///< Of what the host's own code does; nullptr if races are not looked for.

  std::unique_ptr<GraphState> graphs;
  unsigned capturing = 0;  ///< Captures in progress.

  std::unique_ptr<ImageState> images;  ///< Arrays, textures and surfaces.
  std::unique_ptr<Ipc> ipc;            ///< What other processes share.

  HandleTable<Stream> streams;
  HandleTable<Event> events;

  /// The stream that @p handle names: default streams by their special values. nullptr if there is none. Afterwards the
  /// call works on the stream's device.
  Stream* find_stream(cudaStream_t handle);
  Stream& create_stream(const char* call, unsigned flags, int priority);
  void destroy_stream(Stream& stream);
  /// Creates a stream number for a branch of graphs.
  std::uint32_t create_branch();

  DeviceProgress progress;
  Backlog backlog;
  /// Makes the host wait, the last one for all work on the active device. @returns the error of a kernel that failed
  /// meanwhile
  cudaError_t wait_for(const Stream& stream);
  cudaError_t wait_for(const EventRecord& record);
  cudaError_t wait_for_all();
  /// The same, but for the checks the host has not waited.
  cudaError_t wait_silently_for_all(bool takes_time);

  /// Architecture of PTX and cubins that the device can run: 90.
  unsigned architecture() const { return static_cast<unsigned>(device().compute_major * 10 + device().compute_minor); }

  /// Loads the module; prints the reason once if that fails. @returns cudaSuccess or the error
  cudaError_t load(DeviceModule& module);

  /// Buffers device output until a call that synchronises.
  void print(std::string_view text, bool is_error) {
    (is_error ? error_output_ : output_) += text;
    profile.printed(text.size());
  }
  void flush_output();
  /// Passes the statistics of the heaps to the profile.
  void report_heap();

  /// The error that made the device unusable, or cudaSuccess. @see Fault
  cudaError_t sticky_error() const { return sticky_; }
  /// True between a kernel's fault and the first call that returns it: work is accepted but dropped meanwhile.
  bool fault_pending() const { return fault_pending_ != cudaSuccess; }
  cudaError_t pending_fault() const { return fault_pending_; }
  /// If so, work in streams is dropped.
  bool has_failed() const { return fault_pending_ != cudaSuccess || sticky_ != cudaSuccess; }
  void set_fault(cudaError_t error) { fault_pending_ = error; }
  void notice_fault();

  /// cudaDeviceReset: frees everything on the active device; the clock and the profile continue.
  void reset();

 private:
  Runtime();
  ~Runtime();
  cudaError_t waited();
  /// Of a stream of the active device.
  std::uint32_t new_stream_number();
  Stream per_thread_default_;
  std::uint32_t next_stream_ = 1;
  std::string output_, error_output_;
  cudaError_t sticky_ = cudaSuccess, fault_pending_ = cudaSuccess;
};

/// While an object lives, this thread has its own default stream (the entry points *_ptsz and *_ptds).
class PerThreadDefaultStream {
 public:
  PerThreadDefaultStream();
  ~PerThreadDefaultStream();
  static bool active();

 private:
  bool before_;
};

/// Writes a line "warpbook: ..." to stderr (complaints.h), and keeps it for the profile.
void complain(const std::string& message);
/// The same, unless that line was written before.
void complain_once(const std::string& message);

}  // namespace warpbook::simulator::runtime
