// A pool's memory counters, step by step: of the device's default pool, of a pool without a limit and of limited ones.
// h200_pool_numbers.txt holds what an H200 (driver 580.159, CUDA 13.0) printed on 2026-11-24.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

static cudaMemPool_t pool;

static void say(const char* what) {
  const auto get = [](cudaMemPoolAttr attribute) {
    std::uint64_t value = 0;
    cudaMemPoolGetAttribute(pool, attribute, &value);
    return static_cast<unsigned long long>(value);
  };
  std::printf("%s: reserved %llu high %llu used %llu high %llu threshold %llu\n", what,
              get(cudaMemPoolAttrReservedMemCurrent), get(cudaMemPoolAttrReservedMemHigh),
              get(cudaMemPoolAttrUsedMemCurrent), get(cudaMemPoolAttrUsedMemHigh),
              get(cudaMemPoolAttrReleaseThreshold));
}

#define DO(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call)), cudaGetLastError(), say("  ")

static void take_steps(cudaStream_t s) {
  say("begin");
  void *a, *b, *c, *d;
  DO(cudaMallocFromPoolAsync(&a, 1, pool, s));
  DO(cudaMallocFromPoolAsync(&b, 1000, pool, s));
  DO(cudaMallocFromPoolAsync(&c, 5 << 20, pool, s));
  DO(cudaMallocFromPoolAsync(&d, 40 << 20, pool, s));
  DO(cudaFreeAsync(a, s));
  DO(cudaFreeAsync(d, s));
  DO(cudaStreamSynchronize(s));
  DO(cudaMemPoolTrimTo(pool, 0));
  DO(cudaMallocFromPoolAsync(&d, 33 << 20, pool, s));
  DO(cudaFreeAsync(b, s));
  DO(cudaFreeAsync(c, s));
  DO(cudaFreeAsync(d, s));
  DO(cudaMemPoolTrimTo(pool, 1));
  DO(cudaDeviceSynchronize());
  DO(cudaMemPoolTrimTo(pool, 40 << 20));
  std::uint64_t t = 64 << 20, zero = 0, one = 1;
  DO(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &t));
  DO(cudaMallocFromPoolAsync(&a, 100 << 20, pool, s));
  DO(cudaFreeAsync(a, s));
  DO(cudaStreamSynchronize(s));
  DO(cudaMallocFromPoolAsync(&a, 20 << 20, pool, s));
  DO(cudaFreeAsync(a, s));
  DO(cudaStreamSynchronize(s));
  DO(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
  DO(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one));
  DO(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
  DO(cudaMemPoolTrimTo(pool, 0));
}

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaDeviceGetDefaultMemPool(&pool, 0);
  take_steps(s);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{64} << 20, std::size_t{70} << 20}) {
    properties.maxSize = most;
    std::printf("own pool, at most %zu: %s\n", most, cudaGetErrorName(cudaMemPoolCreate(&pool, &properties)));
    if (most == 0) {
      take_steps(s);
      continue;
    }
    void *a, *b;
    DO(cudaMallocFromPoolAsync(&a, 1 << 20, pool, s));
    DO(cudaMallocFromPoolAsync(&b, 60 << 20, pool, s));
    DO(cudaMallocFromPoolAsync(&b, 4 << 20, pool, s));
    DO(cudaMallocFromPoolAsync(&b, 64 << 20, pool, s));
  }
}
