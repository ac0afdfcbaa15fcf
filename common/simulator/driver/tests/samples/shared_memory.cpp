// Memory that a program maps itself is passed to another process as a file. Both map the same bytes, and one process
// keeps them after the other has released them. An H200 gave every answer that is checked here (2026-11-24).
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "common/simulator/runtime/tests/devices/wire.h"
#include "sample.h"

namespace {

constexpr auto kFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr std::size_t kBytes = 2 << 20;

CUmemGenericAllocationHandle create(CUmemAllocationHandleType type) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = type;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  CUmemGenericAllocationHandle handle = 0;
  CU(cuMemCreate(&handle, kBytes, &properties, 0));
  return handle;
}

CUdeviceptr map(CUmemGenericAllocationHandle handle) {
  CUdeviceptr address = 0;
  CU(cuMemAddressReserve(&address, kBytes, 0, 0, 0));
  CU(cuMemMap(address, kBytes, 0, handle, 0));
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CU(cuMemSetAccess(address, kBytes, &access, 1));
  return address;
}

void unmap(CUdeviceptr address) {
  CU(cuMemUnmap(address, kBytes));
  CU(cuMemAddressFree(address, kBytes));
}

bool all_are(CUdeviceptr address, std::uint32_t value) {
  std::vector<std::uint32_t> words(kBytes / sizeof value);
  CU(cuMemcpyDtoH(words.data(), address, kBytes));
  for (const std::uint32_t word : words)
    if (word != value) return false;
  return true;
}

void fill(CUdeviceptr address, std::uint32_t value) {
  CU(cuMemsetD32(address, value, kBytes / sizeof value));
  CU(cuCtxSynchronize());
}

void* as_handle(int file) { return reinterpret_cast<void*>(static_cast<std::intptr_t>(file)); }

void own(int other) {
  make_context();
  const CUmemGenericAllocationHandle handle = create(kFile), plain = create(CU_MEM_HANDLE_TYPE_NONE);
  int file = -1, none = -1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&none, plain, kFile, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&none, handle, CU_MEM_HANDLE_TYPE_NONE, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&none, handle, kFile, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(nullptr, handle, kFile, 0));
  CU(cuMemExportToShareableHandle(&file, handle, kFile, 0));
  const CUdeviceptr address = map(handle);
  fill(address, 17);
  REQUIRE(wire::send_file(other, file));
  close(file);
  REQUIRE(wire::await(other));
  REQUIRE(all_are(address, 18));
  CU(cuMemRelease(handle));
  CU(cuMemRelease(plain));
  unmap(address);
  REQUIRE(wire::step(other));
}

void use(int owner) {
  make_context();
  const int file = wire::receive_file(owner);
  CUmemGenericAllocationHandle handle = 0;
  CU_FAILS(CUDA_ERROR_UNKNOWN, cuMemImportFromShareableHandle(&handle, as_handle(owner), kFile));
  CU_FAILS(CUDA_ERROR_UNKNOWN, cuMemImportFromShareableHandle(&handle, as_handle(999), kFile));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemImportFromShareableHandle(&handle, as_handle(file), CU_MEM_HANDLE_TYPE_NONE));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemImportFromShareableHandle(nullptr, as_handle(file), kFile));
  CU(cuMemImportFromShareableHandle(&handle, as_handle(file), kFile));
  close(file);
  CUmemAllocationProp properties{};
  CU(cuMemGetAllocationPropertiesFromHandle(&properties, handle));
  REQUIRE(properties.type == CU_MEM_ALLOCATION_TYPE_PINNED && properties.location.id == 0);
  REQUIRE(properties.requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE);
  int again = -1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&again, handle, kFile, 0));
  const CUdeviceptr address = map(handle);
  REQUIRE(all_are(address, 17));
  fill(address, 18);
  REQUIRE(wire::step(owner));
  REQUIRE(wire::await(owner));
  REQUIRE(all_are(address, 18));  // The owner has released it.
  CU(cuMemRelease(handle));
  unmap(address);
}

}  // namespace

int main() {
  int wires[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, wires) == 0);
  const pid_t other = fork();
  if (other == 0) {
    use(wires[1]);
    std::exit(0);
  }
  close(wires[1]);
  own(wires[0]);
  int status = 1;
  REQUIRE(waitpid(other, &status, 0) == other && status == 0);
  return passed("shared_memory");
}
