// Memory of every kind: device, pitched, pinned, registered, managed, from pools; copies and fills between them.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.h"

__global__ void increment(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

void pitched() {
  constexpr size_t kWidth = 100, kHeight = 7;
  char* device = nullptr;
  size_t pitch = 0;
  SUCCEEDS(cudaMallocPitch(&device, &pitch, kWidth, kHeight));
  CHECK(pitch == 512);
  char source[kHeight][120], target[kHeight][kWidth] = {};
  for (size_t y = 0; y < kHeight; ++y) {
    for (size_t x = 0; x < 120; ++x) source[y][x] = static_cast<char>(y * 16 + x);
  }
  SUCCEEDS(cudaMemset2D(device, pitch, 0, kWidth, kHeight));
  SUCCEEDS(cudaMemcpy2D(device, pitch, source, 120, kWidth, kHeight, cudaMemcpyHostToDevice));
  SUCCEEDS(cudaMemset2D(device + 3 * pitch + 10, pitch, 9, 5, 2));
  SUCCEEDS(cudaMemcpy2D(target, kWidth, device, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost));
  CHECK(target[2][99] == source[2][99] && target[6][0] == source[6][0]);
  CHECK(target[3][9] == source[3][9] && target[3][10] == 9 && target[4][14] == 9 && target[4][15] == source[4][15]);
  SUCCEEDS(cudaFree(device));
}

void three_dimensional() {
  const cudaExtent extent = make_cudaExtent(20, 5, 3);
  cudaPitchedPtr device = {};
  SUCCEEDS(cudaMalloc3D(&device, extent));
  SUCCEEDS(cudaMemset3D(device, 1, extent));
  std::vector<char> host(20 * 5 * 3, 0);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = device;
  copy.dstPtr = make_cudaPitchedPtr(host.data(), 20, 20, 5);
  copy.srcPos = make_cudaPos(0, 1, 1);
  copy.dstPos = make_cudaPos(2, 0, 2);
  copy.extent = make_cudaExtent(10, 3, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  SUCCEEDS(cudaMemcpy3D(&copy));
  int ones = 0;
  for (char c : host) ones += c;
  CHECK(ones == 30);
  CHECK(host[(2 * 5 + 0) * 20 + 2] == 1 && host[(2 * 5 + 2) * 20 + 11] == 1 && host[(2 * 5 + 3) * 20 + 2] == 0);
  SUCCEEDS(cudaFree(device.ptr));
}

void visible_to_both() {
  int *pinned = nullptr, *managed = nullptr, *mapped = nullptr;
  SUCCEEDS(cudaHostAlloc(&pinned, 64 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  SUCCEEDS(cudaHostGetDevicePointer(&mapped, pinned, 0));
  increment<<<1, 64>>>(mapped, 64);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(pinned[0] == 1 && pinned[63] == 64);
  SUCCEEDS(cudaFreeHost(pinned));

  auto* plain = static_cast<int*>(std::aligned_alloc(4096, 4096));
  std::memset(plain, 0, 4096);
  SUCCEEDS(cudaHostRegister(plain, 4096, cudaHostRegisterDefault));
  increment<<<4, 256>>>(plain, 1024);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(plain[0] == 1 && plain[1023] == 1);
  SUCCEEDS(cudaHostUnregister(plain));
  std::free(plain);

  SUCCEEDS(cudaMallocManaged(&managed, 1000 * sizeof(int)));
  for (int i = 0; i < 1000; ++i) managed[i] = 2 * i;
  SUCCEEDS(
      cudaMemPrefetchAsync(managed, 1000 * sizeof(int), cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, nullptr));
  increment<<<4, 256>>>(managed, 1000);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(managed[999] == 1999);
  SUCCEEDS(cudaFree(managed));
}

void from_pools() {
  cudaStream_t stream = nullptr;
  SUCCEEDS(cudaStreamCreate(&stream));
  int* device = nullptr;
  SUCCEEDS(cudaMallocAsync(&device, 256 * sizeof(int), stream));
  SUCCEEDS(cudaMemsetAsync(device, 0, 256 * sizeof(int), stream));
  increment<<<1, 256, 0, stream>>>(device, 256);
  int last = 0;
  SUCCEEDS(cudaMemcpyAsync(&last, device + 255, sizeof last, cudaMemcpyDeviceToHost, stream));
  SUCCEEDS(cudaFreeAsync(device, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(last == 1);
  cudaMemPool_t pool = nullptr;
  SUCCEEDS(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = 1 << 20, kept = 0;
  SUCCEEDS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  SUCCEEDS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  CHECK(kept == threshold);
  SUCCEEDS(cudaStreamDestroy(stream));
}

void capacity() {
  size_t before = 0, after = 0, total = 0;
  SUCCEEDS(cudaMemGetInfo(&before, &total));
  CHECK(total == 150109880320ull);
  void* device = nullptr;
  SUCCEEDS(cudaMalloc(&device, 64 << 20));
  SUCCEEDS(cudaMemGetInfo(&after, &total));
  CHECK(before - after == 64 << 20);
  SUCCEEDS(cudaFree(device));
  // All free memory of the device can be allocated, without being accessed.
  SUCCEEDS(cudaMalloc(&device, 100ull << 30));
  void* second = nullptr;
  ANSWERS(cudaErrorMemoryAllocation, cudaMalloc(&second, 60ull << 30));
  SUCCEEDS(cudaFree(device));
  cudaGetLastError();
}

__global__ void busy(unsigned rounds, float* out) {
  float value = 1;
  for (unsigned i = 0; i < rounds; ++i) value = value * 0.5f + 1;
  if (value == 0) *out = value;
}

/// What a second stream gets of that which a first one has freed behind a long kernel, in chunks that the pool takes.
/// @param waits the second stream waits for an event that was recorded behind the free
std::uint64_t chunks_of_two_streams(cudaMemPoolAttr off, bool waits, bool synchronises) {
  constexpr std::size_t kBytes = std::size_t{30} << 20, kChunk = std::size_t{32} << 20;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  SUCCEEDS(cudaMemPoolCreate(&pool, &properties));
  int no = 0;
  if (off != 0) SUCCEEDS(cudaMemPoolSetAttribute(pool, off, &no));
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t event = nullptr;
  SUCCEEDS(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  SUCCEEDS(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  SUCCEEDS(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  void *a = nullptr, *b = nullptr;
  SUCCEEDS(cudaMallocFromPoolAsync(&a, kBytes, pool, first));
  busy<<<1, 32, 0, first>>>(20000, static_cast<float*>(a));
  SUCCEEDS(cudaFreeAsync(a, first));
  SUCCEEDS(cudaEventRecord(event, first));
  if (waits) SUCCEEDS(cudaStreamWaitEvent(second, event, 0));
  if (synchronises) SUCCEEDS(cudaEventSynchronize(event));
  SUCCEEDS(cudaMallocFromPoolAsync(&b, kBytes, pool, second));
  std::uint64_t reserved = 0;
  SUCCEEDS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &reserved));
  SUCCEEDS(cudaFreeAsync(b, second));
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaEventDestroy(event));
  SUCCEEDS(cudaStreamDestroy(first));
  SUCCEEDS(cudaStreamDestroy(second));
  SUCCEEDS(cudaMemPoolDestroy(pool));
  return reserved / kChunk;
}

/// As CUDA's documentation has the attributes of reuse.
void from_pools_in_two_streams() {
  constexpr cudaMemPoolAttr kNone{};
  CHECK(chunks_of_two_streams(kNone, false, false) == 2);
  CHECK(chunks_of_two_streams(kNone, true, false) == 1);
  CHECK(chunks_of_two_streams(cudaMemPoolReuseFollowEventDependencies, true, false) == 2);
  CHECK(chunks_of_two_streams(kNone, false, true) == 1);
}

int main() {
  pitched();
  three_dimensional();
  visible_to_both();
  from_pools();
  from_pools_in_two_streams();
  capacity();
  int *a = nullptr, *b = nullptr;
  int host[4] = {1, 2, 3, 4}, back[4] = {};
  SUCCEEDS(cudaMalloc(&a, sizeof host));
  SUCCEEDS(cudaMalloc(&b, sizeof host));
  CHECK(reinterpret_cast<size_t>(a) % 256 == 0);
  SUCCEEDS(cudaMemcpy(a, host, sizeof host, cudaMemcpyDefault));
  SUCCEEDS(cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice));
  SUCCEEDS(cudaMemcpyPeer(a, 0, b, 0, sizeof host));
  SUCCEEDS(cudaMemcpy(back, a, sizeof host, cudaMemcpyDefault));
  CHECK(std::memcmp(host, back, sizeof host) == 0);
  return report();
}
