// Two processes share memory and an event of a device, as two processes on a pair of H200s did (2026-11-21). fork()
// comes before any CUDA call. With one device the program also passed on an H200 (2026-11-23).
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "common/simulator/runtime/tests/check.h"

__global__ void put(int* p, int v) { *p = v; }
__global__ void fill(int* p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = i;
}

struct Message {
  cudaIpcMemHandle_t memory, small, neighbour;
  cudaIpcEventHandle_t event;
};

constexpr int kCount = 5000;

static int child(int from, int to) {
  Message message;
  if (read(from, &message, sizeof message) != sizeof message) return 1;
  int *p = nullptr, *again = nullptr, *small = nullptr, *neighbour = nullptr, x = -1;
  SUCCEEDS(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&p), message.memory, cudaIpcMemLazyEnablePeerAccess));
  SUCCEEDS(cudaMemcpy(&x, p + 4321, sizeof x, cudaMemcpyDefault));
  CHECK(x == 4321);
  put<<<1, 1>>>(p, 99);
  SUCCEEDS(cudaDeviceSynchronize());
  ANSWERS(cudaErrorInvalidValue, cudaFree(p));
  cudaGetLastError();
  cudaEvent_t event;
  SUCCEEDS(cudaIpcOpenEventHandle(&event, message.event));
  SUCCEEDS(cudaEventQuery(event));
  SUCCEEDS(cudaStreamWaitEvent(nullptr, event, 0));
  SUCCEEDS(cudaEventDestroy(event));
  // Neighbouring allocations that share a page.
  SUCCEEDS(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&small), message.small, cudaIpcMemLazyEnablePeerAccess));
  SUCCEEDS(
      cudaIpcOpenMemHandle(reinterpret_cast<void**>(&neighbour), message.neighbour, cudaIpcMemLazyEnablePeerAccess));
  SUCCEEDS(cudaMemcpy(&x, small, sizeof x, cudaMemcpyDefault));
  CHECK(x == 0x01010101);
  SUCCEEDS(cudaMemcpy(&x, neighbour + 1999, sizeof x, cudaMemcpyDefault));
  CHECK(x == 0x02020202);
  SUCCEEDS(cudaMemset(neighbour, 3, 4));
  SUCCEEDS(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&again), message.memory, cudaIpcMemLazyEnablePeerAccess));
  CHECK(again == p);
  int devices = 0;
  SUCCEEDS(cudaGetDeviceCount(&devices));
  if (devices > 1) {
    SUCCEEDS(cudaSetDevice(1));
    int* other = nullptr;
    SUCCEEDS(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&other), message.memory, cudaIpcMemLazyEnablePeerAccess));
    put<<<1, 1>>>(other + 1, 98);
    SUCCEEDS(cudaDeviceSynchronize());
    cudaPointerAttributes a;
    SUCCEEDS(cudaPointerGetAttributes(&a, other));
    CHECK(a.device == 0);
    SUCCEEDS(cudaIpcCloseMemHandle(other));
    SUCCEEDS(cudaSetDevice(0));
  }
  SUCCEEDS(cudaIpcCloseMemHandle(p));
  SUCCEEDS(cudaIpcCloseMemHandle(p));
  ANSWERS(cudaErrorInvalidValue, cudaIpcCloseMemHandle(p));
  if (failures != 0) return 1;
  return write(to, "x", 1) == 1 ? 0 : 1;
}

int main() {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) return 1;
  const pid_t other = fork();
  if (other == 0) {
    const int code = child(there[0], back[1]);
    report();
    std::fflush(stdout);
    _exit(code);
  }
  close(back[1]);
  Message message;
  int *small = nullptr, *p = nullptr, *neighbour = nullptr, *managed = nullptr, *pinned = nullptr, *ordered = nullptr,
      *self;
  SUCCEEDS(cudaMalloc(&small, 64));
  SUCCEEDS(cudaMalloc(&neighbour, 8000));
  SUCCEEDS(cudaMalloc(&p, kCount * sizeof(int)));
  SUCCEEDS(cudaMemset(small, 1, 64));
  SUCCEEDS(cudaMemset(neighbour, 2, 8000));
  fill<<<1, 128>>>(p, kCount);
  SUCCEEDS(cudaDeviceSynchronize());
  cudaIpcMemHandle_t inner;
  SUCCEEDS(cudaIpcGetMemHandle(&message.memory, p));
  SUCCEEDS(cudaIpcGetMemHandle(&inner, p + 100));
  CHECK(std::memcmp(&inner, &message.memory, sizeof inner) == 0);
  SUCCEEDS(cudaIpcGetMemHandle(&message.small, small));
  SUCCEEDS(cudaIpcGetMemHandle(&message.neighbour, neighbour));
  ANSWERS(cudaErrorDeviceUninitialized,
          cudaIpcOpenMemHandle(reinterpret_cast<void**>(&self), message.memory, cudaIpcMemLazyEnablePeerAccess));
  SUCCEEDS(cudaMallocManaged(&managed, 4096));
  SUCCEEDS(cudaMallocHost(&pinned, 4096));
  SUCCEEDS(cudaMallocAsync(&ordered, 4096, nullptr));
  for (int* none : {managed, pinned, ordered}) ANSWERS(cudaErrorInvalidValue, cudaIpcGetMemHandle(&inner, none));
  cudaGetLastError();
  cudaEvent_t event;
  SUCCEEDS(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  SUCCEEDS(cudaIpcGetEventHandle(&message.event, event));
  SUCCEEDS(cudaEventRecord(event));
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(write(there[1], &message, sizeof message) == sizeof message);
  char done = 0;
  CHECK(read(back[0], &done, 1) == 1);
  int x = 0;
  SUCCEEDS(cudaMemcpy(&x, p, sizeof x, cudaMemcpyDefault));
  CHECK(x == 99);
  SUCCEEDS(cudaMemcpy(&x, neighbour, sizeof x, cudaMemcpyDefault));
  CHECK(x == 0x03030303);
  SUCCEEDS(cudaMemcpy(&x, small, sizeof x, cudaMemcpyDefault));
  CHECK(x == 0x01010101);
  int status = 0;
  CHECK(waitpid(other, &status, 0) == other);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return report();
}
