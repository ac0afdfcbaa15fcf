// Pinned and registered host memory.
#include <cstdint>
#include <map>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/memory_api.h"
#include "common/simulator/runtime/misuse.h"

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Allocation;
using warpbook::simulator::MemoryKind;

constexpr unsigned kHostAllocFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kHostRegisterFlags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;  // No memory of other devices here.

/// Pinned memory is page-aligned, like the driver's.
constexpr std::uint64_t kPage = 4096;

/// The pinned or registered range that holds @p pointer, or nullptr.
const Allocation* host_range(const Runtime& runtime, const void* pointer) {
  const Allocation* allocation = runtime.memory.find(reinterpret_cast<std::uint64_t>(pointer));
  if (allocation == nullptr) return nullptr;
  return allocation->kind == MemoryKind::pinned || allocation->kind == MemoryKind::registered ? allocation : nullptr;
}

/// The flags with which each range was allocated or registered, by address. Entries of freed ranges are never read: the
/// next range there sets its own. Guarded by the lock of call().
std::map<std::uint64_t, unsigned>& flags_by_address() {
  static std::map<std::uint64_t, unsigned> flags;
  return flags;
}

cudaError_t allocate_host(const char* name, void** pointer, std::size_t bytes, unsigned flags) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    if ((flags & ~kHostAllocFlags) != 0) return cudaErrorInvalidValue;
    const cudaError_t error = allocate(runtime, pointer, bytes, MemoryKind::pinned, name, kPage);
    if (error == cudaSuccess) flags_by_address()[reinterpret_cast<std::uint64_t>(*pointer)] = flags;
    return error;
  });
}

}  // namespace

cudaError_t cudaMallocHost(void** pointer, size_t bytes) { return allocate_host("cudaMallocHost", pointer, bytes, 0); }

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return allocate_host("cudaHostAlloc", pointer, bytes, flags);
}

cudaError_t cudaFreeHost(void* pointer) {
  return call(CallKind::ordinary, "cudaFreeHost", [&](Runtime& runtime) {
    if (pointer != nullptr) {
      if (const cudaError_t error = runtime.wait_for_all()) return error;
    }
    return release(runtime, pointer, true);
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return call(CallKind::ordinary, "cudaHostRegister", [&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0 || (flags & ~kHostRegisterFlags) != 0) return cudaErrorInvalidValue;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (runtime.memory.find(address) != nullptr || runtime.memory.find(address + bytes - 1) != nullptr) {
      return cudaErrorHostMemoryAlreadyRegistered;
    }
    std::byte* const here = host().is_apart() ? host().registered(address, bytes) : static_cast<std::byte*>(pointer);
    if (here == nullptr) return cudaErrorMemoryAllocation;
    if (runtime.memory.register_host(pointer, bytes, here) == nullptr) {
      host().unpin(address, bytes);
      return cudaErrorMemoryAllocation;
    }
    // The values of the other flags of cudaHostRegister mean something else to cudaHostAlloc.
    flags_by_address()[address] = flags & (cudaHostRegisterPortable | cudaHostRegisterMapped);
    runtime.profile.allocated(address, bytes, "registered", "cudaHostRegister", runtime.places.here());
    if (runtime.watch) runtime.watch->registered(address, bytes);
    if (host().is_array(address)) runtime.profile.is_array(address);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call(CallKind::ordinary, "cudaHostUnregister", [&](Runtime& runtime) {
    if (runtime.options.checks.has(warpbook::simulator::Check::memory))
      check_free(runtime, pointer, FreeCall::unregister);
    const Allocation* range = host_range(runtime, pointer);
    if (range == nullptr) return pointer == nullptr ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
    if (range->kind != MemoryKind::registered || range->address != reinterpret_cast<std::uint64_t>(pointer)) {
      return cudaErrorInvalidValue;
    }
    const std::uint64_t address = range->address, bytes = range->bytes;
    runtime.profile.freed(address, runtime.places.here());
    if (runtime.watch) runtime.watch->unregistered(address);
    runtime.memory.free(address);
    host().unpin(address, bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call(CallKind::ordinary, "cudaHostGetDevicePointer", [&](Runtime& runtime) {
    if (device == nullptr || flags != 0 || host_range(runtime, host) == nullptr) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call(CallKind::ordinary, "cudaHostGetFlags", [&](Runtime& runtime) {
    const Allocation* const range = host_range(runtime, host);
    if (flags == nullptr || range == nullptr) return cudaErrorInvalidValue;
    // With unified addressing all of it is mapped, whatever the flags.
    *flags = flags_by_address()[range->address] | cudaHostAllocMapped;
    return cudaSuccess;
  });
}
