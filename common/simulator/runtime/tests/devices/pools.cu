// Two processes share a memory pool: the pool's file goes from one to the other, then the export data of each
// allocation. fork() comes before any CUDA call. An H200 gave every answer that is checked here (2026-11-23).
#include <sys/wait.h>

#include <cstdint>
#include <cstring>

#include "common/simulator/runtime/tests/check.h"
#include "common/simulator/runtime/tests/devices/wire.h"

__global__ void put(int* p, int v) { *p = v; }

constexpr auto kFile = cudaMemHandleTypePosixFileDescriptor;

static void step(int to) { CHECK(wire::step(to)); }
static void await(int from) { CHECK(wire::await(from)); }

static void* number(int file) { return reinterpret_cast<void*>(static_cast<std::intptr_t>(file)); }

static cudaMemPool_t make(cudaMemAllocationHandleType type) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = type;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  SUCCEEDS(cudaMemPoolCreate(&pool, &properties));
  return pool;
}

/// @param other_process a socket; -1: there is none
static void own(int other_process) {
  const cudaMemPool_t pool = make(kFile), plain = make(cudaMemHandleTypeNone);
  cudaMemPool_t usual;
  SUCCEEDS(cudaDeviceGetDefaultMemPool(&usual, 0));
  int file = -1, again = -1;
  for (const cudaMemPool_t other : {plain, usual, cudaMemPool_t{}})
    ANSWERS(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&file, other, kFile, 0));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypeNone, 0));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&file, pool, kFile, 1));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(nullptr, pool, kFile, 0));
  SUCCEEDS(cudaMemPoolExportToShareableHandle(&file, pool, kFile, 0));
  SUCCEEDS(cudaMemPoolExportToShareableHandle(&again, pool, kFile, 0));
  CHECK(file >= 0 && again != file);

  int *small = nullptr, *large = nullptr, *other = nullptr, *plainly = nullptr;
  SUCCEEDS(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&small), 4096, pool, nullptr));
  SUCCEEDS(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&large), 1 << 20, pool, nullptr));
  SUCCEEDS(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&other), 4096, plain, nullptr));
  SUCCEEDS(cudaMalloc(&plainly, 4096));
  put<<<1, 1>>>(small, 41);
  put<<<1, 1>>>(large, 42);
  put<<<1, 1>>>(large + 100, 43);
  SUCCEEDS(cudaDeviceSynchronize());
  cudaMemPoolPtrExportData data[2], none;
  SUCCEEDS(cudaMemPoolExportPointer(&data[0], small));
  SUCCEEDS(cudaMemPoolExportPointer(&data[1], large));
  for (int* wrong : {large + 100, other, plainly, &file, static_cast<int*>(nullptr)})
    ANSWERS(cudaErrorInvalidValue, cudaMemPoolExportPointer(&none, wrong));
  cudaIpcMemHandle_t handle;
  ANSWERS(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, small));
  cudaGetLastError();

  // A process may import its own pool: the same memory at another address.
  cudaMemPool_t mine = nullptr;
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(&mine, number(again), cudaMemHandleTypeNone, 0));
  ANSWERS(cudaErrorUnknown, cudaMemPoolImportFromShareableHandle(&mine, number(999), kFile, 0));
  cudaGetLastError();
  SUCCEEDS(cudaMemPoolImportFromShareableHandle(&mine, number(again), kFile, 0));
  int *twin = nullptr, value = 0;
  SUCCEEDS(cudaMemPoolImportPointer(reinterpret_cast<void**>(&twin), mine, &data[0]));
  CHECK(mine != pool && twin != small);
  SUCCEEDS(cudaMemcpy(&value, twin, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 41);
  close(again);

  if (other_process < 0) {  // Alone.
    SUCCEEDS(cudaFreeAsync(twin, nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaFreeAsync(twin, nullptr));
    SUCCEEDS(cudaMemPoolImportPointer(reinterpret_cast<void**>(&twin), mine, &data[0]));
    ANSWERS(cudaErrorInvalidValue, cudaMemPoolDestroy(mine));
    SUCCEEDS(cudaFree(twin));
    SUCCEEDS(cudaMemPoolDestroy(mine));
    SUCCEEDS(cudaMemcpy(&value, small, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(value == 41);
    return;
  }
  CHECK(wire::send_file(other_process, file));
  CHECK(write(other_process, data, sizeof data) == sizeof data);
  await(other_process);
  SUCCEEDS(cudaMemcpy(&value, small, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 77);
  SUCCEEDS(cudaMemcpy(&value, twin, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 77);
  SUCCEEDS(cudaFreeAsync(twin, nullptr));
  SUCCEEDS(cudaFreeAsync(small, nullptr));
  SUCCEEDS(cudaMemPoolDestroy(pool));
  step(other_process);
  await(other_process);
  SUCCEEDS(cudaFreeAsync(large, nullptr));
  SUCCEEDS(cudaDeviceSynchronize());
}

static void use(int other_process) {
  const int file = wire::receive_file(other_process);
  cudaMemPoolPtrExportData data[2], garbage;
  CHECK(read(other_process, data, sizeof data) == sizeof data);
  cudaMemPool_t pool = nullptr, again = nullptr;
  ANSWERS(cudaErrorUnknown, cudaMemPoolImportFromShareableHandle(&pool, number(other_process), kFile, 0));
  ANSWERS(cudaErrorUnknown, cudaMemPoolImportFromShareableHandle(&pool, number(999), kFile, 0));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(&pool, number(file), kFile, 1));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(&pool, number(file), cudaMemHandleTypeNone, 0));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(nullptr, number(file), kFile, 0));
  SUCCEEDS(cudaMemPoolImportFromShareableHandle(&pool, number(file), kFile, 0));
  SUCCEEDS(cudaMemPoolImportFromShareableHandle(&again, number(file), kFile, 0));
  CHECK(pool == again);
  close(file);

  // Operations that an imported pool does not support.
  int *p = nullptr, more = 0;
  std::uint64_t word = 0;
  ANSWERS(cudaErrorInvalidValue, cudaMallocFromPoolAsync(reinterpret_cast<void**>(&p), 4096, pool, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolTrimTo(pool, 0));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &word));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &word));
  ANSWERS(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, pool));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&more, pool, kFile, 0));
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags access{};
  SUCCEEDS(cudaMemPoolGetAccess(&access, pool, &here));
  CHECK(access == cudaMemAccessFlagsProtReadWrite);

  int *small = nullptr, *twice = nullptr, *large = nullptr, value = 0;
  std::memset(&garbage, 0x5a, sizeof garbage);
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolImportPointer(reinterpret_cast<void**>(&p), pool, &garbage));
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolImportPointer(reinterpret_cast<void**>(&p), pool, nullptr));
  SUCCEEDS(cudaMemPoolImportPointer(reinterpret_cast<void**>(&small), pool, &data[0]));
  SUCCEEDS(cudaMemPoolImportPointer(reinterpret_cast<void**>(&twice), pool, &data[0]));
  SUCCEEDS(cudaMemPoolImportPointer(reinterpret_cast<void**>(&large), pool, &data[1]));
  CHECK(small == twice);
  for (const auto& [at, wanted] : {std::pair{small, 41}, {large, 42}, {large + 100, 43}}) {
    SUCCEEDS(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(value == wanted);
  }
  cudaPointerAttributes about;
  SUCCEEDS(cudaPointerGetAttributes(&about, large));
  CHECK(about.type == cudaMemoryTypeDevice && about.device == 0);
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolExportPointer(&garbage, large));
  put<<<1, 1>>>(small, 77);
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaFreeAsync(small, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaFreeAsync(small, nullptr));
  step(other_process);
  await(other_process);
  // The owner has destroyed the pool: imported memory stays.
  SUCCEEDS(cudaMemcpy(&value, large, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 42);
  ANSWERS(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
  SUCCEEDS(cudaFreeAsync(large, nullptr));
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaMemPoolDestroy(pool));
  step(other_process);
}

int main(int count, char**) {
  if (count > 1) {
    own(-1);
    return report();
  }
  int wires[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, wires) != 0) return 1;
  const pid_t other = fork();
  if (other == 0) {
    close(wires[0]);
    use(wires[1]);
    const int code = report();
    std::fflush(stdout);
    _exit(code);
  }
  close(wires[1]);
  own(wires[0]);
  int status = 1;
  CHECK(waitpid(other, &status, 0) == other);
  CHECK(status == 0);
  return report();
}
