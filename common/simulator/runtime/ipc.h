// Memory and events that processes of one machine share: what their handles say.
//
// A handle names a process and files of it, which another process of the same user opens (/proc/PID/fd/N): nothing is
// left behind when a process ends. Each process has devices and a clock of its own; what they share are bytes, and
// whether an event has come about.
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

/// What an interprocess event is to all processes that have it. Lies in memory that they share.
struct SharedRecord {
  std::atomic<std::uint64_t> recorded, completed;  ///< Count cudaEventRecord, and those whose work is done.
  std::atomic<std::int32_t> recorder;              ///< The process that recorded it last.
};

class SharedEvent {
 public:
  /// One of this process, or that of a handle. nullptr if the system refuses.
  static std::shared_ptr<SharedEvent> make();
  static std::shared_ptr<SharedEvent> open(int file);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  int file() const { return file_; }
  SharedRecord& record() { return *record_; }
  /// Another process recorded it last.
  bool is_elsewhere() const;
  bool is_complete() const { return record_->completed >= record_->recorded; }
  /// Waits for what another process does.
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
  /// Memory of pools (pool_sharing.cpp): what is handed on of one allocation, and its pages in this process.
  cudaError_t data_of(const void* pointer, std::uint32_t pool, cudaMemPoolPtrExportData& data);
  cudaError_t attach(const cudaMemPoolPtrExportData& data, const PoolDescription& pool, unsigned device,
                     std::uint64_t& address);
  void detach(std::uint64_t address);
  /// cudaDeviceReset
  void clear();

 private:
  struct MemoryHandle;  ///< What a handle holds.
  /// Fills all but the mark. @returns false if the system has no more files
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
