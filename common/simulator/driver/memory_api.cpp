// Memory: allocation, queries, copies and fills.
#include "common/simulator/runtime/memory_api.h"

#include <cstring>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/copy.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::Allocation;
using warpbook::simulator::MemoryKind;
using namespace warpbook::simulator::runtime;

constexpr bool kBlocking = true, kAsynchronous = false;
constexpr std::uint64_t kPage = 4096;

void* pointer_to(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

CUresult allocate_device(const char* name, CUdeviceptr* address, std::size_t bytes, MemoryKind kind) {
  return driver_call(CallKind::ordinary, name, [&](Runtime& device) {
    if (address == nullptr || bytes == 0) return cudaErrorInvalidValue;
    void* pointer = nullptr;
    const cudaError_t error = allocate(device, &pointer, bytes, kind, name);
    if (error != cudaSuccess) return error;
    *address = reinterpret_cast<CUdeviceptr>(pointer);
    current_context()->device_memory.insert(*address);
    return cudaSuccess;
  });
}

CUresult allocate_host(const char* name, void** pointer, std::size_t bytes, unsigned flags) {
  return driver_call(CallKind::ordinary, name, [&](Runtime& device) {
    constexpr unsigned kKnown = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    if (pointer == nullptr || bytes == 0 || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    const cudaError_t error = allocate(device, pointer, bytes, MemoryKind::pinned, name, kPage);
    if (error == cudaSuccess) current_context()->host_memory.insert(reinterpret_cast<std::uint64_t>(*pointer));
    return error;
  });
}

CUresult free_memory(const char* name, void* pointer, bool host) {
  return driver_call(CallKind::ordinary, name, [&](Runtime& device) {
    if (pointer == nullptr) return cudaSuccess;
    // OpenACC's library frees buffers in its callbacks. In another run these come later, but nothing waits for them
    // here. On a GPU they come when the kernel has ended, long after the host has moved on, so copies of launch
    // arguments cost no time here.
    constexpr std::uint64_t kMostArguments = 4096;
    const Allocation* freed = device.memory.find(reinterpret_cast<std::uint64_t>(pointer));
    const bool arguments = freed != nullptr && freed->bytes <= kMostArguments;
    const cudaError_t error =
        device.is_used_by_openacc ? device.wait_silently_for_all(!arguments) : device.wait_for_all();
    if (error != cudaSuccess) return error;
    Context& context = *current_context();
    (host ? context.host_memory : context.device_memory).erase(reinterpret_cast<std::uint64_t>(pointer));
    return release(device, pointer, host);
  });
}

CUresult copy_row(const char* name, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, CUstream handle,
                  bool blocking) {
  return driver_call(blocking ? CallKind::ordinary : CallKind::enqueue, name, [&](Runtime& device) {
    Stream* stream = device.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    return copy(device, *stream, to, from, bytes, kind, blocking);
  });
}

/// Fills with words of 1, 2 or 4 bytes.
template <class Word>
CUresult fill_row(const char* name, CUdeviceptr address, Word value, std::size_t count, CUstream handle) {
  return driver_call(CallKind::enqueue, name, [&](Runtime& device) {
    Stream* stream = device.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (address % sizeof(Word) != 0) return cudaErrorInvalidValue;
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(count, sizeof(Word), &bytes)) return cudaErrorInvalidValue;
    return fill(device, *stream, {pointer_to(address), bytes, 1}, {bytes, 1, 1}, value, sizeof(Word));
  });
}

/// The same for rows that lie @p pitch bytes apart.
template <class Word>
CUresult fill_rows(const char* name, CUdeviceptr address, std::size_t pitch, Word value, std::size_t width,
                   std::size_t height, CUstream handle) {
  return driver_call(CallKind::enqueue, name, [&](Runtime& device) {
    Stream* stream = device.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(width, sizeof(Word), &bytes)) return cudaErrorInvalidValue;
    if (address % sizeof(Word) != 0 || pitch % sizeof(Word) != 0 || (height > 1 && pitch < bytes))
      return cudaErrorInvalidValue;
    return fill(device, *stream, {pointer_to(address), pitch, 1}, {bytes, height, 1}, value, sizeof(Word));
  });
}

}  // namespace

CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  return allocate_device("cuMemAlloc", address, bytes, MemoryKind::device);
}

CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return allocate_device("cuMemAllocManaged", address, bytes, MemoryKind::managed);
}

CUresult cuMemFree_v2(CUdeviceptr address) { return free_memory("cuMemFree", pointer_to(address), false); }

CUresult cuMemAllocHost_v2(void** pointer, size_t bytes) { return allocate_host("cuMemAllocHost", pointer, bytes, 0); }

CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return allocate_host("cuMemHostAlloc", pointer, bytes, flags);
}

CUresult cuMemFreeHost(void* pointer) { return free_memory("cuMemFreeHost", pointer, true); }

CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags) {
  return forward([&] { return cudaHostRegister(pointer, bytes, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return forward([&] { return cudaHostUnregister(pointer); });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* pointer, unsigned flags) {
  return forward([&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(address), pointer, flags); });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return forward([&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  return forward([&] { return cudaMemGetInfo(free, total); });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return driver_call(CallKind::ordinary, "cuMemGetAddressRange", [&](Runtime& device) {
    const Allocation* allocation = device.memory.find(address);
    if (allocation == nullptr) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = allocation->address;
    if (bytes != nullptr) *bytes = allocation->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_row("cuMemcpy", pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault, nullptr, kBlocking);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_row("cuMemcpyAsync", pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault, stream, kAsynchronous);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return copy_row("cuMemcpyHtoD", pointer_to(to), from, bytes, cudaMemcpyHostToDevice, nullptr, kBlocking);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy_row("cuMemcpyHtoDAsync", pointer_to(to), from, bytes, cudaMemcpyHostToDevice, stream, kAsynchronous);
}

CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return copy_row("cuMemcpyDtoH", to, pointer_to(from), bytes, cudaMemcpyDeviceToHost, nullptr, kBlocking);
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_row("cuMemcpyDtoHAsync", to, pointer_to(from), bytes, cudaMemcpyDeviceToHost, stream, kAsynchronous);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_row("cuMemcpyDtoD", pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice, nullptr,
                  kBlocking);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_row("cuMemcpyDtoDAsync", pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice, stream,
                  kAsynchronous);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill_row("cuMemsetD8", to, value, count, nullptr);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill_row("cuMemsetD8Async", to, value, count, stream);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill_row("cuMemsetD16", to, value, count, nullptr);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill_row("cuMemsetD16Async", to, value, count, stream);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill_row("cuMemsetD32", to, value, count, nullptr);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill_row("cuMemsetD32Async", to, value, count, stream);
}

CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return fill_rows("cuMemsetD2D8", to, pitch, value, width, height, nullptr);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return fill_rows("cuMemsetD2D8Async", to, pitch, value, width, height, stream);
}

CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill_rows("cuMemsetD2D16", to, pitch, value, width, height, nullptr);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows("cuMemsetD2D16Async", to, pitch, value, width, height, stream);
}

CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return fill_rows("cuMemsetD2D32", to, pitch, value, width, height, nullptr);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows("cuMemsetD2D32Async", to, pitch, value, width, height, stream);
}
