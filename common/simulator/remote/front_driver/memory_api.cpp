// Driver copies, and driver memory shared with the host.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/copy.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator::remote;

CUresult copy_row(CopyKind kind, std::uint64_t to, std::uint64_t from, std::size_t bytes, CUstream stream = nullptr) {
  const CopyMessage message{kind,
                            {reinterpret_cast<void*>(to), bytes, 1},
                            {reinterpret_cast<void*>(from), bytes, 1},
                            bytes,
                            1,
                            1,
                            cudaMemcpyDefault,
                            stream};
  return static_cast<CUresult>(copy(message));
}

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_row(CopyKind::driver, to, from, bytes);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_row(CopyKind::driver_async, to, from, bytes, stream);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return copy_row(CopyKind::driver_to_device, to, address_of(from), bytes);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy_row(CopyKind::driver_to_device_async, to, address_of(from), bytes, stream);
}

CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return copy_row(CopyKind::driver_to_host, address_of(to), from, bytes);
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_row(CopyKind::driver_to_host_async, address_of(to), from, bytes, stream);
}

CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags) {
  return static_cast<CUresult>(cudaHostRegister(pointer, bytes, flags));
}

CUresult cuMemHostUnregister(void* pointer) { return static_cast<CUresult>(cudaHostUnregister(pointer)); }
