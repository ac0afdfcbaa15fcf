// The process's virtual devices and everything that is on them.
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

/// Name of the allocation that malloc in kernels divides up.
constexpr const char* kDeviceHeapName = "the device heap";

/// Choices from the environment.
struct Options {
  std::vector<Device> machine;                    ///< WARPBOOK_DEVICES, or one of WARPBOOK_DEVICE
  unsigned connections = Timeline::kConnections;  ///< Hardware queues of a device: CUDA_DEVICE_MAX_CONNECTIONS.
  VisibleDevices visible;                         ///< Those of them that CUDA_VISIBLE_DEVICES leaves.
  std::string profile;                            ///< WARPBOOK_PROFILE
  std::string trace;                              ///< WARPBOOK_TRACE
  FilterOptions filter;                           ///< WARPBOOK_PROFILE_KERNEL and others: which launches it has.
  unsigned threads = 0;                           ///< WARPBOOK_THREADS
  std::uint64_t schedule_seed = 0;                ///< WARPBOOK_SCHEDULE_SEED
  std::uint64_t step_limit = 0;                   ///< WARPBOOK_STEP_LIMIT
  int stream_priorities = 5;              ///< WARPBOOK_STREAM_PRIORITIES: the greatest priority is this below 0.
  unsigned patience = 10;                 ///< WARPBOOK_PATIENCE: seconds that the host's other threads are waited for.
  unsigned multiprocessors = 0;           ///< WARPBOOK_MULTIPROCESSORS: as many as that, not all of the device; 0: all.
  CheckSet checks;                        ///< WARPBOOK_CHECK
  std::string check_report;               ///< WARPBOOK_CHECK_REPORT
  int check_exit_code = 0;                ///< WARPBOOK_CHECK_EXITCODE: of a program with findings; 0: its own.
  std::vector<Suppression> suppressions;  ///< WARPBOOK_CHECK_SUPPRESS
  static Options from_environment();
};

/// A grid that is about to run.
struct GridStart {
  std::uint32_t depth = 0;  ///< Launches by kernels between the host's and this one.
  bool in_tail = false;     ///< It is a tail launch.
};

/// What the program registered; exists before the device does, because static constructors register.
ModuleRegistry& registry();

class Runtime {
 public:
  /// Made at the first call that needs the device; never destroyed, because exit handlers still call the API.
  /// @throws std::exception if the environment asks for a device that does not exist
  static Runtime& instance();
  /// The runtime if it was made already.
  static Runtime* existing();

  const int process;  ///< A child of fork() leaves the profile to its parent.
  const Options options;

  /// The devices that the program sees: none, perhaps. Their numbers are its own.
  unsigned device_count() const { return device_count_; }
  /// Without any: what every call answers.
  cudaError_t no_device() const { return options.visible.none; }
  /// The device of that number. There is a device 0 even if the program sees none.
  VirtualDevice& device_at(unsigned number) { return *devices_[number]; }
  const VirtualDevice& device_at(unsigned number) const { return *devices_[number]; }
  /// What this thread works on, and what it is.
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

  /// Called before each grid runs, if set: device memory is as the grid will find it, and may be changed.
  std::function<void(const GridStart&)> before_grid;

  /// Of the checkers: what they found, and what they must know for that. See check_report.h.
  CheckFindings findings;
  HostPlaces places;
  LiveObjects objects;
  UncheckedLaunches unchecked;
  bool is_used_by_openacc = false;  ///< GCC's library has asked for callbacks (host_function.h).
  unsigned grids_with_heap = 0;     ///< That run now, under checks: HeapCheck.
  std::string faulty_kernel;        ///< Of the latest fault.
  const char* call_name = "";       ///< The call of the API that runs now.
  WorkOrder order;
  std::unique_ptr<Checker> checker;  ///< Watches kernels; nullptr if no check does.

  std::unique_ptr<HostWatch> watch;  ///< Of what the host's own code does; nullptr if races are not looked for.

  std::unique_ptr<GraphState> graphs;
  unsigned capturing = 0;  ///< Captures under way.

  std::unique_ptr<ImageState> images;  ///< Arrays, textures and surfaces.
  std::unique_ptr<Ipc> ipc;            ///< What other processes share.

  HandleTable<Stream> streams;
  HandleTable<Event> events;

  /// The stream that @p handle names: default streams by their special values. nullptr if there is none. What this
  /// call does from now on is work on the stream's device.
  Stream* find_stream(cudaStream_t handle);
  Stream& create_stream(const char* call, unsigned flags, int priority);
  void destroy_stream(Stream& stream);
  /// The number of a stream that stands for a branch of graphs.
  std::uint32_t create_branch();

  DeviceProgress progress;
  Backlog backlog;
  /// The host waits, for all work on the active device. @returns the error of a kernel that failed meanwhile
  cudaError_t wait_for(const Stream& stream);
  cudaError_t wait_for(const EventRecord& record);
  cudaError_t wait_for_all();
  /// The same, and as far as the checks know the host has waited for nothing.
  cudaError_t wait_silently_for_all(bool takes_time);

  /// Architecture whose PTX and cubins fit: 90.
  unsigned architecture() const { return static_cast<unsigned>(device().compute_major * 10 + device().compute_minor); }

  /// Loads the module; prints the reason once if that fails. @returns cudaSuccess or the reason's code
  cudaError_t load(DeviceModule& module);

  /// Device output waits here for a call that synchronises.
  void print(std::string_view text, bool is_error) {
    (is_error ? error_output_ : output_) += text;
    profile.printed(text.size());
  }
  void flush_output();
  /// Tells the profile what kernels asked of the heaps.
  void report_heap();

  /// The error that made the device unusable, or cudaSuccess. @see Fault
  cudaError_t sticky_error() const { return sticky_; }
  /// True between a kernel's fault and the first call that notices it: work is accepted and dropped meanwhile.
  bool fault_pending() const { return fault_pending_ != cudaSuccess; }
  cudaError_t pending_fault() const { return fault_pending_; }
  /// Work that was put into streams is dropped.
  bool has_failed() const { return fault_pending_ != cudaSuccess || sticky_ != cudaSuccess; }
  void set_fault(cudaError_t error) { fault_pending_ = error; }
  void notice_fault();

  /// cudaDeviceReset: frees everything that is the active device's; the clock and the profile go on.
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

/// While one lives, the default stream of this thread is its own (the entry points *_ptsz and *_ptds).
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
