// Two devices of one machine: their numbers, streams, events and memory, peer access and its errors. As with two H200s
// of one host (driver 580.159, CUDA 13.0, 2026-11-21); what was not tried there is marked.
#include <cuda.h>

#include <cstring>
#include <thread>
#include <vector>

#include "common/simulator/runtime/tests/check.h"

__device__ int variable = 5;
__constant__ int constant = 9;
__managed__ int shared_by_all = 3;

__global__ void put(int* p, int v) { *p = v; }
__global__ void add_one(int* p) { atomicAdd(p, 1); }
__global__ void add_one_everywhere(int* p) { atomicAdd_system(p, 1); }
__global__ void read_variables(int* out) {
  out[0] = variable;
  out[1] = constant;
  out[2] = shared_by_all;
  variable += 100;
  atomicAdd(&shared_by_all, 1);
}
__global__ void sum(int* out, const int* in, int n) {
  int s = 0;
  for (int i = threadIdx.x; i < n; i += 32) s += in[i];
  atomicAdd(out, s);
}

static int value_at(const int* p) {
  int v = -1;
  SUCCEEDS(cudaMemcpy(&v, p, sizeof v, cudaMemcpyDefault));
  return v;
}

static void numbers() {
  int count = 0, device = -1;
  SUCCEEDS(cudaGetDeviceCount(&count));
  CHECK(count == 2);
  SUCCEEDS(cudaGetDevice(&device));
  CHECK(device == 0);
  ANSWERS(cudaErrorInvalidDevice, cudaSetDevice(7));
  ANSWERS(cudaErrorInvalidDevice, cudaSetDevice(-1));
  SUCCEEDS(cudaGetDevice(&device));
  CHECK(device == 0);
  cudaDeviceProp p[2];
  char id[2][32];
  for (int i = 0; i < 2; ++i) {
    SUCCEEDS(cudaGetDeviceProperties(&p[i], i));
    SUCCEEDS(cudaDeviceGetPCIBusId(id[i], sizeof id[i], i));
    SUCCEEDS(cudaDeviceGetByPCIBusId(&device, id[i]));
    CHECK(device == i);
  }
  CHECK(std::memcmp(&p[0].uuid, &p[1].uuid, sizeof p[0].uuid) != 0);
  CHECK(std::strcmp(id[0], id[1]) != 0);
  ANSWERS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p[0], 2));
  // A thread starts with device 0, whatever other threads have selected.
  SUCCEEDS(cudaSetDevice(1));
  std::thread([] {
    int mine = -1;
    SUCCEEDS(cudaGetDevice(&mine));
    CHECK(mine == 0);
    SUCCEEDS(cudaSetDevice(1));
  }).join();
  SUCCEEDS(cudaSetDevice(0));
}

static void access_questions() {
  int can = -1;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      SUCCEEDS(cudaDeviceCanAccessPeer(&can, i, j));
      CHECK(can == (i != j));
    }
  ANSWERS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 2));
  const int wanted[] = {0, 1, 1, 1};
  for (int k = 1; k <= 4; ++k) {
    int v = -1;
    SUCCEEDS(cudaDeviceGetP2PAttribute(&v, static_cast<cudaDeviceP2PAttr>(k), 0, 1));
    CHECK(v == wanted[k - 1]);
  }
  ANSWERS(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
  ANSWERS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(5, 0));
  ANSWERS(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1));
  ANSWERS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  cudaGetLastError();
}

static void streams_and_events(int* on0, int* on1) {
  cudaStream_t s0, s1;
  cudaEvent_t e0, e1, t0, t1;
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaStreamCreate(&s0));
  SUCCEEDS(cudaEventCreateWithFlags(&e0, cudaEventDisableTiming));
  SUCCEEDS(cudaEventCreate(&t0));
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaStreamCreate(&s1));
  SUCCEEDS(cudaEventCreateWithFlags(&e1, cudaEventDisableTiming));
  SUCCEEDS(cudaEventCreate(&t1));
  SUCCEEDS(cudaSetDevice(0));
  int device = -1;
  SUCCEEDS(cudaStreamGetDevice(s1, &device));
  CHECK(device == 1);
  // Work in a stream runs on the stream's device, whichever is current.
  put<<<1, 1, 0, s1>>>(on1, 41);
  SUCCEEDS(cudaGetLastError());
  SUCCEEDS(cudaStreamSynchronize(s1));
  CHECK(value_at(on1) == 41);
  SUCCEEDS(cudaMemsetAsync(on1, 0, 4, s1));
  ANSWERS(cudaErrorInvalidValue, cudaMemsetAsync(on0, 0, 4, s1));
  ANSWERS(cudaErrorInvalidResourceHandle, cudaEventRecord(e0, s1));
  ANSWERS(cudaErrorInvalidResourceHandle, cudaEventRecord(e1, nullptr));
  cudaGetLastError();
  SUCCEEDS(cudaEventRecord(e1, s1));
  SUCCEEDS(cudaStreamWaitEvent(s0, e1, 0));
  SUCCEEDS(cudaEventSynchronize(e1));
  SUCCEEDS(cudaEventRecord(t0, s0));
  SUCCEEDS(cudaEventRecord(t1, s1));
  SUCCEEDS(cudaStreamSynchronize(s0));
  SUCCEEDS(cudaStreamSynchronize(s1));
  SUCCEEDS(cudaStreamQuery(s1));
  float ms = 0;
  ANSWERS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, t0, t1));
  cudaGetLastError();
  // The other device sees the effects of a stream after an event.
  SUCCEEDS(cudaSetDevice(1));
  put<<<1, 1, 0, s1>>>(on1, 7);
  SUCCEEDS(cudaEventRecord(e1, s1));
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaStreamWaitEvent(s0, e1, 0));
  SUCCEEDS(cudaMemcpyPeerAsync(on0, 0, on1, 1, 4, s0));
  SUCCEEDS(cudaStreamSynchronize(s0));
  CHECK(value_at(on0) == 7);
  SUCCEEDS(cudaStreamDestroy(s1));
  SUCCEEDS(cudaStreamDestroy(s0));
  for (const cudaEvent_t e : {e0, e1, t0, t1}) SUCCEEDS(cudaEventDestroy(e));
}

static void copies(int* on0, int* on1) {
  std::vector<int> in(1000), out(1000);
  for (int i = 0; i < 1000; ++i) in[i] = i * i;
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaMemcpy(on1, in.data(), 4000, cudaMemcpyHostToDevice));  // Without peer access, and device 0 current.
  SUCCEEDS(cudaMemcpyPeer(on0, 0, on1, 1, 4000));
  SUCCEEDS(cudaMemcpy(out.data(), on0, 4000, cudaMemcpyDefault));
  CHECK(in == out);
  SUCCEEDS(cudaMemset(on0, 0, 4000));
  SUCCEEDS(cudaMemcpy(on0, on1, 4000, cudaMemcpyDefault));
  SUCCEEDS(cudaMemcpy(out.data(), on0, 4000, cudaMemcpyDeviceToHost));
  CHECK(in == out);
  ANSWERS(cudaErrorInvalidDevice, cudaMemcpyPeer(on0, 0, on1, 2, 4));
  cudaGetLastError();
  cudaMemcpy3DPeerParms box{};
  box.srcDevice = 1;
  box.srcPtr = {on1, 40, 40, 25};
  box.dstPtr = {on0, 40, 40, 25};
  box.extent = {20, 5, 1};
  SUCCEEDS(cudaMemset(on0, 0, 4000));
  SUCCEEDS(cudaMemcpy3DPeer(&box));
  CHECK(value_at(on0 + 4) == 16);
  CHECK(value_at(on0 + 5) == 0);
  CHECK(value_at(on0 + 44) == 44 * 44);
  CHECK(value_at(on0 + 50) == 0);
  cudaPointerAttributes a;
  SUCCEEDS(cudaPointerGetAttributes(&a, on1));
  CHECK(a.type == cudaMemoryTypeDevice && a.device == 1);
  SUCCEEDS(cudaPointerGetAttributes(&a, on0));
  CHECK(a.device == 0);
}

static void variables(int* on0, int* on1) {
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    const int mine = 1000 + device;
    SUCCEEDS(cudaMemcpyToSymbol(constant, &mine, sizeof mine));
    int* const out = device == 0 ? on0 : on1;
    read_variables<<<1, 1>>>(out);
    SUCCEEDS(cudaDeviceSynchronize());
    CHECK(value_at(out) == 5);
    CHECK(value_at(out + 1) == mine);
    CHECK(value_at(out + 2) == 3 + device);  // One for all devices.
  }
  void* address[2];
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    SUCCEEDS(cudaGetSymbolAddress(&address[device], variable));
    int v = 0;
    SUCCEEDS(cudaMemcpyFromSymbol(&v, variable, sizeof v));
    CHECK(v == 105);
  }
  CHECK(address[0] != address[1]);
  CHECK(shared_by_all == 5);
  SUCCEEDS(cudaSetDevice(0));
}

static void with_access(int* on0, int* on1) {
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaDeviceEnablePeerAccess(1, 0));
  ANSWERS(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  cudaGetLastError();
  put<<<1, 1>>>(on1, 77);  // From device 0.
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_at(on1) == 77);
  SUCCEEDS(cudaMemset(on1, 0, 4));
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaDeviceEnablePeerAccess(0, 0));
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaMemset(on0, 0, 4));
  SUCCEEDS(cudaDeviceSynchronize());  // Streams of the other device do not wait for it.
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    add_one<<<8, 64>>>(on0);
    add_one_everywhere<<<8, 64>>>(on0);
  }
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    SUCCEEDS(cudaDeviceSynchronize());
  }
  CHECK(value_at(on0) == 2048);
  // Both share the work: each host thread has a device.
  std::vector<int> in(1000, 3);
  SUCCEEDS(cudaMemcpy(on1, in.data(), 4000, cudaMemcpyDefault));
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaMemset(on0, 0, 4));
  SUCCEEDS(cudaDeviceSynchronize());
  std::vector<std::thread> threads;
  for (int device = 0; device < 2; ++device) {
    threads.emplace_back([=] {
      SUCCEEDS(cudaSetDevice(device));
      sum<<<1, 32>>>(on0, on1 + 500 * device, 500);
      SUCCEEDS(cudaDeviceSynchronize());
    });
    threads.back().join();  // join() orders the checks, which are counted without a lock.
  }
  CHECK(value_at(on0) == 3000);
}

static void driver_contexts(int* on1) {
  CHECK(cuInit(0) == CUDA_SUCCESS);
  CUdevice device = -1;
  CUcontext primary[2], made, now;
  CHECK(cuDeviceGet(&device, 1) == CUDA_SUCCESS && device == 1);
  CHECK(cuDeviceGet(&device, 2) == CUDA_ERROR_INVALID_DEVICE);
  for (int i = 0; i < 2; ++i) CHECK(cuDevicePrimaryCtxRetain(&primary[i], i) == CUDA_SUCCESS);
  CHECK(primary[0] != primary[1]);
  SUCCEEDS(cudaSetDevice(1));
  CHECK(cuCtxGetCurrent(&now) == CUDA_SUCCESS && now == primary[1]);
  CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS && device == 1);
  CHECK(cuCtxSetCurrent(primary[0]) == CUDA_SUCCESS);
  int current = -1;
  SUCCEEDS(cudaGetDevice(&current));
  CHECK(current == 0);
  CHECK(cuCtxCreate(&made, nullptr, 0, 1) == CUDA_SUCCESS);
  SUCCEEDS(cudaGetDevice(&current));
  CHECK(current == 1);
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
  cudaPointerAttributes a;
  SUCCEEDS(cudaPointerGetAttributes(&a, reinterpret_cast<void*>(memory)));
  CHECK(a.device == 1);
  CHECK(cuMemcpyPeer(reinterpret_cast<CUdeviceptr>(on1), made, memory, made, 4) == CUDA_SUCCESS);
  CHECK(cuCtxEnablePeerAccess(made, 0) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  CHECK(cuCtxEnablePeerAccess(primary[0], 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  CHECK(cuCtxDestroy(made) == CUDA_SUCCESS);
  SUCCEEDS(cudaGetDevice(&current));
  CHECK(current == 0);
  SUCCEEDS(cudaSetDevice(1));
  CHECK(cuCtxGetCurrent(&now) == CUDA_SUCCESS && now == primary[1]);
  SUCCEEDS(cudaSetDevice(0));
}

static void managed_memory() {
  int* p = nullptr;
  SUCCEEDS(cudaMallocManaged(&p, 1 << 20));
  for (int i = 0; i < 1000; ++i) p[i] = 2;
  const cudaMemLocation on0{cudaMemLocationTypeDevice, 0}, on1{cudaMemLocationTypeDevice, 1},
      on2{cudaMemLocationTypeDevice, 2};
  SUCCEEDS(cudaMemPrefetchAsync(p, 1 << 20, on1, 0, nullptr));
  SUCCEEDS(cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetPreferredLocation, on1));
  SUCCEEDS(cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetAccessedBy, on0));
  ANSWERS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(p, 1 << 20, on2, 0, nullptr));
  cudaGetLastError();
  int v[2] = {-7, -7};
  SUCCEEDS(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributePreferredLocation, p, 1 << 20));
  CHECK(v[0] == 1);
  SUCCEEDS(cudaMemRangeGetAttribute(v, 4, cudaMemRangeAttributeLastPrefetchLocation, p, 1 << 20));
  CHECK(v[0] == 1);
  SUCCEEDS(cudaMemRangeGetAttribute(v, 8, cudaMemRangeAttributeAccessedBy, p, 1 << 20));
  CHECK(v[0] == 0 && v[1] == cudaInvalidDeviceId);
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    add_one<<<1, 32>>>(p);
    SUCCEEDS(cudaDeviceSynchronize());
  }
  CHECK(p[0] == 66);
  SUCCEEDS(cudaFree(p));
  SUCCEEDS(cudaSetDevice(0));
}

static void pools() {
  cudaMemPool_t pool[2];
  for (int i = 0; i < 2; ++i) SUCCEEDS(cudaDeviceGetDefaultMemPool(&pool[i], i));
  CHECK(pool[0] != pool[1]);
  SUCCEEDS(cudaSetDevice(1));
  cudaStream_t s1;
  SUCCEEDS(cudaStreamCreate(&s1));
  SUCCEEDS(cudaSetDevice(0));
  int* p = nullptr;
  SUCCEEDS(cudaMallocAsync(&p, 64, s1));
  cudaPointerAttributes a;
  SUCCEEDS(cudaPointerGetAttributes(&a, p));
  CHECK(a.device == 1);
  cudaMemLocation reader{cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags;
  // Peer access does not apply to pools.
  SUCCEEDS(cudaMemPoolGetAccess(&flags, pool[1], &reader));
  CHECK(flags == cudaMemAccessFlagsProtNone);
  cudaMemAccessDesc allow{};
  allow.location = reader;
  allow.flags = cudaMemAccessFlagsProtReadWrite;
  SUCCEEDS(cudaMemPoolSetAccess(pool[1], &allow, 1));
  SUCCEEDS(cudaMemPoolGetAccess(&flags, pool[1], &reader));
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  SUCCEEDS(cudaStreamSynchronize(s1));
  put<<<1, 1>>>(p, 12);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_at(p) == 12);
  SUCCEEDS(cudaFreeAsync(p, s1));
  SUCCEEDS(cudaStreamDestroy(s1));
}

static void reset(int* on0) {
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaDeviceReset());
  SUCCEEDS(cudaSetDevice(0));
  CHECK(value_at(on0) == 3000);  // On the device that was not reset.
  int v = 0;
  SUCCEEDS(cudaMemcpyFromSymbol(&v, variable, sizeof v));
  CHECK(v == 105);
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaMemcpyFromSymbol(&v, variable, sizeof v));
  CHECK(v == 5);
  SUCCEEDS(cudaSetDevice(0));
}

int main() {
  numbers();
  access_questions();
  int *on0 = nullptr, *on1 = nullptr;
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaMalloc(&on0, 4096));
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaMalloc(&on1, 4096));
  streams_and_events(on0, on1);
  copies(on0, on1);
  variables(on0, on1);
  with_access(on0, on1);
  driver_contexts(on1);
  managed_memory();
  pools();
  SUCCEEDS(cudaMemset(on0, 0, 4));
  add_one<<<3000, 1>>>(on0);
  SUCCEEDS(cudaDeviceSynchronize());
  reset(on0);
  return report();
}
