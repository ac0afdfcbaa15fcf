// Memory and events shared by processes of one machine: what their handles contain.
//
// A handle names a process and files of it, which another process of the same user opens (/proc/PID/fd/N): nothing is
// left over when a process ends. Each process has its own devices and clock; processes only share bytes, and whether an
// event is complete.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

#include "common/simulator/machine/shared_memory.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

class Runtime;
struct Event;
struct PoolDescription;

/// The state of an interprocess event that all its processes share, in shared memory.
struct SharedRecord {
  std::atomic<std::uint64_t> recorded, completed;  ///< Count cudaEventRecord, and those whose work is done.
  std::atomic<std::int32_t> recorder;              ///< The process that recorded it last.
};

class SharedEvent {
 public:
  /// Makes a new one, or opens that of a handle. nullptr if the system refuses.
  static std::shared_ptr<SharedEvent> make();
  static std::shared_ptr<SharedEvent> open(int file);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  int file() const { return file_; }
  SharedRecord& record() { return *record_; }
  /// Whether another process recorded it last.
  bool is_elsewhere() const;
  bool is_complete() const { return record_->completed >= record_->recorded; }
  /// Waits for the other process's work.
  void wait() const;

 private:
  SharedEvent(int file, SharedRecord* record) : file_(file), record_(record) {}
  int file_;
  SharedRecord* record_;
};

class Ipc {
 public:
  explicit Ipc(Runtime& runtime);

  cudaError_t handle_of(const void* pointer, cudaIpcMemHandle_t& handle);
  cudaError_t open(const cudaIpcMemHandle_t& handle, void** pointer);
  cudaError_t close(void* pointer);
  cudaError_t handle_of(const Event& event, cudaIpcEventHandle_t& handle);
  cudaError_t open(const cudaIpcEventHandle_t& handle, cudaEvent_t* event);
  /// Memory of pools (pool_sharing.cpp): the export data of one allocation, and its pages in this process.
  cudaError_t data_of(const void* pointer, std::uint32_t pool, cudaMemPoolPtrExportData& data);
  cudaError_t attach(const cudaMemPoolPtrExportData& data, const PoolDescription& pool, unsigned device,
                     std::uint64_t& address);
  void detach(std::uint64_t address);
  /// cudaDeviceReset
  void clear();

 private:
  struct MemoryHandle;  ///< The contents of a handle.
  /// Fills all fields except the mark. @returns false if the system has no more files
  bool describe_pages(const Allocation& allocation, MemoryHandle& made);
  cudaError_t attach(const MemoryHandle& wanted, unsigned owner, unsigned opener, const char* call,
                     std::uint64_t& address);
  struct Opened {
    cudaIpcMemHandle_t handle{};
    unsigned users = 0;
  };
  Runtime& runtime_;
  SharedMemory memory_;
  std::map<std::uint64_t, Opened> opened_;  ///< By address.
};

}  // namespace warpbook::simulator::runtime
