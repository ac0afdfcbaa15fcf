// Makes handles for other processes, and opens theirs.
#include "common/simulator/runtime/ipc.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/runtime/foreign_values.h"
#include "common/simulator/runtime/pool_file.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr char kMemoryMark[4] = {'W', 'B', 'I', 'M'}, kEventMark[4] = {'W', 'B', 'I', 'E'},
               kPooledMark[4] = {'W', 'B', 'P', 'M'};

/// A file of a process, and an identity that shows whether it is still the same file.
struct SharedFile {
  std::int32_t number = -1;
  std::uint32_t identity = 0;
};

}  // namespace

struct Ipc::MemoryHandle {
  char mark[4];
  std::int32_t process;
  std::uint64_t bytes;
  std::uint16_t offset;
  std::uint8_t device;  ///< As the machine counts devices.
  std::uint8_t runs;
  std::uint32_t identity;  ///< Of the first file.
  struct {
    std::int32_t file;
    std::uint32_t first, count;
  } run[SharedMemory::kMostRuns];
  std::uint32_t pool;  ///< The pool that owns it; 0: none.
};

namespace {

struct EventHandle {
  char mark[4];
  std::int32_t process, file;
  std::uint32_t identity;
  std::uint8_t device;
};
static_assert(sizeof(EventHandle) <= sizeof(cudaIpcEventHandle_t));

std::uint32_t identity_of(int file) {
  struct stat about {};
  return ::fstat(file, &about) == 0 ? static_cast<std::uint32_t>(about.st_ino) : 0;
}

/// The file @p number of @p process, or -1. A handle is untrusted: a file that was not made for sharing with the name
/// @p made_as is refused.
int open_file(std::int32_t process, std::int32_t number, const std::string& made_as) {
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
  std::array<char, 64> found{};
  const ssize_t length = ::readlink(path.c_str(), found.data(), found.size());
  if (length < 0 || std::string(found.data(), static_cast<std::size_t>(length)) != "/memfd:" + made_as + " (deleted)")
    return -1;
  return ::open(path.c_str(), O_RDWR | O_CLOEXEC);
}

/// Files that are closed after they have been mapped.
class Files {
 public:
  ~Files() {
    for (const int file : files_) ::close(file);
  }
  int add(int file) {
    if (file >= 0) files_.push_back(file);
    return file;
  }

 private:
  std::vector<int> files_;
};

/// The number of a device of the machine in this process.
std::optional<unsigned> device_of(const Runtime& runtime, unsigned ordinal) {
  for (unsigned number = 0; number < runtime.device_count(); ++number)
    if (runtime.device_at(number).ordinal == ordinal) return number;
  complain("an IPC handle belongs to device " + std::to_string(ordinal) +
           " of the machine, which this process does not see: make it visible (CUDA_VISIBLE_DEVICES, "
           "WARPBOOK_DEVICES)");
  return std::nullopt;
}

}  // namespace

std::shared_ptr<SharedEvent> SharedEvent::make() {
  const int file = ::memfd_create("warpbook-shared-event", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  if (::ftruncate(file, sizeof(SharedRecord)) == 0) {
    if (auto made = open(file)) return made;
  }
  ::close(file);
  return nullptr;
}

std::shared_ptr<SharedEvent> SharedEvent::open(int file) {
  void* const record = ::mmap(nullptr, sizeof(SharedRecord), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (record == MAP_FAILED) return nullptr;
  return std::shared_ptr<SharedEvent>(new SharedEvent(file, static_cast<SharedRecord*>(record)));
}

SharedEvent::~SharedEvent() {
  ::munmap(record_, sizeof(SharedRecord));
  ::close(file_);
}

bool SharedEvent::is_elsewhere() const { return record_->recorder != 0 && record_->recorder != ::getpid(); }

void SharedEvent::wait() const {
  constexpr useconds_t kPause = 50;
  const std::uint64_t wanted = record_->recorded;
  while (record_->completed < wanted) ::usleep(kPause);
}

void count_as_defined(Runtime& runtime, std::uint64_t address, std::uint64_t bytes) {
  if (runtime.checker) runtime.checker->copied(address, 0, bytes);
}

Ipc::Ipc(Runtime& runtime) : runtime_(runtime), memory_(runtime.memory) {}

cudaError_t Ipc::handle_of(const void* pointer, cudaIpcMemHandle_t& handle) {
  const Allocation* const found = runtime_.memory.find(reinterpret_cast<std::uint64_t>(pointer));
  // As an H200 does: pinned, managed and stream-ordered memory have no handle (2026-11-21).
  const bool has_one = found != nullptr && found->kind == MemoryKind::device && !found->mapped && !found->is_pooled;
  if (!has_one) return cudaErrorInvalidValue;
  static_assert(sizeof(MemoryHandle) <= sizeof handle);
  MemoryHandle made{};
  if (!describe_pages(*found, made)) return cudaErrorMemoryAllocation;
  std::memcpy(made.mark, kMemoryMark, sizeof made.mark);
  std::memset(&handle, 0, sizeof handle);
  std::memcpy(&handle, &made, sizeof made);
  return cudaSuccess;
}

cudaError_t Ipc::open(const cudaIpcMemHandle_t& handle, void** pointer) {
  MemoryHandle wanted;
  std::memcpy(&wanted, &handle, sizeof wanted);
  if (std::memcmp(wanted.mark, kMemoryMark, sizeof wanted.mark) != 0 || wanted.runs == 0 ||
      wanted.runs > SharedMemory::kMostRuns || wanted.offset >= SharedMemory::kPage)
    return cudaErrorInvalidValue;
  if (wanted.process == ::getpid()) return cudaErrorDeviceUninitialized;  // As an H200 does (2026-11-21).
  const auto owner = device_of(runtime_, wanted.device);
  if (!owner) return cudaErrorInvalidDevice;
  const unsigned opener = active_device();
  if (*owner != opener && runtime_.link(opener, *owner) == nullptr) return cudaErrorPeerAccessUnsupported;
  for (auto& [address, opened] : opened_) {
    if (std::memcmp(&opened.handle, &handle, sizeof handle) != 0) continue;
    ++opened.users;
    runtime_.memory.allow(address, opener);
    *pointer = reinterpret_cast<void*>(address);
    return cudaSuccess;
  }
  std::uint64_t address = 0;
  if (const cudaError_t error = attach(wanted, *owner, opener, "cudaIpcOpenMemHandle", address)) return error;
  opened_[address] = {handle, 1};
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

bool Ipc::describe_pages(const Allocation& allocation, MemoryHandle& made) {
  const std::vector<SharedPages> runs = memory_.share(allocation);
  if (runs.empty()) return false;
  made.process = ::getpid();
  made.bytes = allocation.bytes;
  made.offset = static_cast<std::uint16_t>(allocation.address % SharedMemory::kPage);
  made.device = static_cast<std::uint8_t>(runtime_.device_at(allocation.device).ordinal);
  made.runs = static_cast<std::uint8_t>(runs.size());
  made.identity = identity_of(runs[0].file);
  for (std::size_t i = 0; i < runs.size(); ++i)
    made.run[i] = {runs[i].file, static_cast<std::uint32_t>(runs[i].first), static_cast<std::uint32_t>(runs[i].count)};
  return true;
}

cudaError_t Ipc::attach(const MemoryHandle& wanted, unsigned owner, unsigned opener, const char* call,
                        std::uint64_t& address) {
  Files files;
  std::vector<SharedPages> runs;
  std::uint64_t pages = 0;
  for (unsigned i = 0; i < wanted.runs; ++i) {
    const auto& run = wanted.run[i];
    const int file = files.add(open_file(wanted.process, run.file, "warpbook-shared-memory"));
    struct stat about {};
    const std::uint64_t end = (std::uint64_t{run.first} + run.count) * SharedMemory::kPage;
    if (file < 0 || ::fstat(file, &about) != 0 || static_cast<std::uint64_t>(about.st_size) < end)
      return cudaErrorMapBufferObjectFailed;
    runs.push_back({file, run.first, run.count});
    pages += run.count;
  }
  if (identity_of(runs[0].file) != wanted.identity) return cudaErrorMapBufferObjectFailed;
  if (wanted.bytes == 0 || wanted.bytes > pages * SharedMemory::kPage - wanted.offset) return cudaErrorInvalidValue;
  Allocation like;
  like.device = static_cast<std::uint8_t>(owner);
  like.access = runtime_.memory.access(owner) | only_device(opener);
  address = memory_.attach(runs, wanted.offset, wanted.bytes, like);
  if (address == 0) return cudaErrorMapBufferObjectFailed;
  count_as_defined(runtime_, address, wanted.bytes);
  runtime_.profile.allocated(address, wanted.bytes, "device", call, runtime_.places.here(), owner);
  return cudaSuccess;
}

cudaError_t Ipc::data_of(const void* pointer, std::uint32_t pool, cudaMemPoolPtrExportData& data) {
  const Allocation* const found = runtime_.memory.find(reinterpret_cast<std::uint64_t>(pointer));
  if (found == nullptr || found->address != reinterpret_cast<std::uint64_t>(pointer)) return cudaErrorInvalidValue;
  MemoryHandle made{};
  if (!describe_pages(*found, made)) return cudaErrorMemoryAllocation;
  std::memcpy(made.mark, kPooledMark, sizeof made.mark);
  made.pool = pool;
  static_assert(sizeof made <= sizeof data);
  data = {};
  std::memcpy(&data, &made, sizeof made);
  return cudaSuccess;
}

cudaError_t Ipc::attach(const cudaMemPoolPtrExportData& data, const PoolDescription& pool, unsigned device,
                        std::uint64_t& address) {
  MemoryHandle wanted;
  std::memcpy(&wanted, &data, sizeof wanted);
  const bool fits = std::memcmp(wanted.mark, kPooledMark, sizeof wanted.mark) == 0 && wanted.runs != 0 &&
                    wanted.runs <= SharedMemory::kMostRuns && wanted.offset < SharedMemory::kPage &&
                    wanted.process == pool.process && wanted.pool == pool.pool;
  if (!fits) return cudaErrorInvalidValue;
  return attach(wanted, device, active_device(), "cudaMemPoolImportPointer", address);
}

void Ipc::detach(std::uint64_t address) {
  runtime_.profile.freed(address, runtime_.places.here());
  memory_.detach(address);
}

cudaError_t Ipc::close(void* pointer) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto found = opened_.find(address);
  if (found == opened_.end()) return cudaErrorInvalidValue;
  if (const cudaError_t error = runtime_.wait_for_all()) return error;
  if (--found->second.users != 0) return cudaSuccess;
  runtime_.profile.freed(address, runtime_.places.here());
  memory_.detach(address);
  opened_.erase(found);
  return cudaSuccess;
}

cudaError_t Ipc::handle_of(const Event& event, cudaIpcEventHandle_t& handle) {
  if (event.shared == nullptr) return cudaErrorInvalidResourceHandle;
  EventHandle made{};
  std::memcpy(made.mark, kEventMark, sizeof made.mark);
  made.process = ::getpid();
  made.file = event.shared->file();
  made.identity = identity_of(made.file);
  made.device = static_cast<std::uint8_t>(runtime_.device_at(event.device).ordinal);
  std::memset(&handle, 0, sizeof handle);
  std::memcpy(&handle, &made, sizeof made);
  return cudaSuccess;
}

cudaError_t Ipc::open(const cudaIpcEventHandle_t& handle, cudaEvent_t* event) {
  EventHandle wanted;
  std::memcpy(&wanted, &handle, sizeof wanted);
  if (std::memcmp(wanted.mark, kEventMark, sizeof wanted.mark) != 0) return cudaErrorInvalidValue;
  if (wanted.process == ::getpid()) return cudaErrorDeviceUninitialized;  // As for memory; not confirmed on an H200.
  const auto owner = device_of(runtime_, wanted.device);
  if (!owner) return cudaErrorInvalidDevice;
  const int file = open_file(wanted.process, wanted.file, "warpbook-shared-event");
  if (file < 0) return cudaErrorMapBufferObjectFailed;
  auto shared = identity_of(file) == wanted.identity ? SharedEvent::open(file) : nullptr;
  if (shared == nullptr) {
    ::close(file);
    return cudaErrorMapBufferObjectFailed;
  }
  Event* const made = runtime_.events.add();
  made->flags = cudaEventInterprocess | cudaEventDisableTiming;
  made->device = *owner;
  made->shared = std::move(shared);
  *event = reinterpret_cast<cudaEvent_t>(made);
  return cudaSuccess;
}

void Ipc::clear() {
  for (const auto& [address, opened] : opened_) {
    runtime_.profile.freed(address);
    memory_.detach(address);
  }
  opened_.clear();
}

}  // namespace warpbook::simulator::runtime
