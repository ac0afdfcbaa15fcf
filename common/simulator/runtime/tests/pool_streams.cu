// A pool's memory counters with holes in it and with several streams, step by step. h100_pool_streams.txt holds what an
// H100 printed.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

cudaMemPool_t pool;
cudaStream_t one, other;

void say(const char* what) {
  std::uint64_t reserved = 0, used = 0;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  std::printf("%s: %s, reserved %llu MiB, used %llu MiB\n", what, cudaGetErrorName(cudaGetLastError()),
              static_cast<unsigned long long>(reserved / kMebibyte), static_cast<unsigned long long>(used / kMebibyte));
}

#define DO(call) ((void)(call), say(#call))

void* allocate(std::size_t mebibytes, cudaStream_t stream) {
  void* memory = nullptr;
  cudaMallocFromPoolAsync(&memory, mebibytes * kMebibyte, pool, stream);
  return memory;
}

/// What is reused: what events order, what has ended anyway, what may be waited for.
void allow(int events, int ended, int waiting) {
  cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &events);
  cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &ended);
  cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &waiting);
}

void make_pool(const char* title, std::size_t most_mebibytes = 0) {
  std::printf("-- %s\n", title);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.maxSize = most_mebibytes * kMebibyte;
  cudaMemPoolCreate(&pool, &properties);
  std::uint64_t all = ~std::uint64_t{0};
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

void destroy_pool() {
  cudaDeviceSynchronize();
  cudaMemPoolDestroy(pool);
}

void holes() {
  make_pool("holes, one stream");
  void* pieces[5];
  for (void*& piece : pieces) DO(piece = allocate(20, one));
  DO(cudaFreeAsync(pieces[1], one));
  DO(cudaFreeAsync(pieces[2], one));
  DO(pieces[1] = allocate(30, one));
  DO(pieces[2] = allocate(10, one));
  DO(cudaFreeAsync(pieces[0], one));
  DO(cudaFreeAsync(pieces[3], one));
  DO(pieces[0] = allocate(40, one));
  DO(cudaStreamSynchronize(one));
  DO(pieces[3] = allocate(15, one));
  DO(cudaMemPoolTrimTo(pool, 0));
  DO(cudaFreeAsync(pieces[0], one));
  DO(cudaMemPoolTrimTo(pool, 0));
  DO(cudaStreamSynchronize(one));
  DO(cudaMemPoolTrimTo(pool, 64 * kMebibyte));
  DO(cudaMemPoolTrimTo(pool, 0));
  for (void* piece : {pieces[1], pieces[2], pieces[3], pieces[4]}) DO(cudaFreeAsync(piece, one));
  DO(cudaStreamSynchronize(one));
  DO(cudaMemPoolTrimTo(pool, 0));
  destroy_pool();
}

/// One stream frees, the other allocates.
void two_streams(const char* title, int events, int ended, int waiting, bool by_event, bool after_wait) {
  make_pool(title);
  allow(events, ended, waiting);
  void* piece = allocate(32, one);
  cudaMemsetAsync(piece, 0, 32 * kMebibyte, one);
  say("allocated");
  DO(cudaFreeAsync(piece, one));
  if (by_event) {
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(other, event, 0);
    cudaEventDestroy(event);
  }
  if (after_wait) DO(cudaStreamSynchronize(one));
  void *same = nullptr, *first = nullptr;
  DO(first = allocate(32, other));
  DO(same = allocate(32, one));
  DO(cudaFreeAsync(first, other));
  DO(cudaFreeAsync(same, one));
  destroy_pool();
}

void little_room(int waiting) {
  make_pool(waiting != 0 ? "little room, waiting allowed" : "little room, waiting not allowed", 64);
  allow(0, 0, waiting);
  void* pieces[3] = {};
  DO(pieces[0] = allocate(32, one));
  DO(pieces[1] = allocate(32, one));
  DO(cudaFreeAsync(pieces[0], one));
  DO(pieces[2] = allocate(32, other));
  DO(cudaStreamSynchronize(one));
  if (pieces[2] == nullptr) DO(pieces[2] = allocate(32, other));
  DO(cudaFreeAsync(pieces[1], one));
  if (pieces[2] != nullptr) DO(cudaFreeAsync(pieces[2], other));
  destroy_pool();
}

}  // namespace

int main() {
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  holes();
  two_streams("nothing is allowed", 0, 0, 0, false, false);
  two_streams("nothing is allowed, an event", 0, 0, 0, true, false);
  two_streams("nothing is allowed, after a synchronisation", 0, 0, 0, false, true);
  two_streams("events are followed, no event", 1, 0, 0, false, false);
  two_streams("events are followed, an event", 1, 0, 0, true, false);
  two_streams("waiting is allowed", 0, 0, 1, false, false);
  two_streams("what has ended is taken, after a synchronisation", 0, 1, 0, false, true);
  little_room(0);
  little_room(1);
  return 0;
}
