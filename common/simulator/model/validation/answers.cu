// Queries a GPU for what the device description must contain: occupancies, overheads, copy times. Prints CSV sections.
//
// Build and run: nvcc -std=c++20 -arch=sm_90 -I. common/simulator/model/validation/answers.cu -o answers && ./answers
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK_CUDA(call)                                                                             \
  do {                                                                                               \
    const cudaError_t error = (call);                                                                \
    if (error != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                                  \
    }                                                                                                \
  } while (0)

__global__ void empty() {}
__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

/// Keeps kLive values alive, so that ptxas needs at least as many registers.
template <int kLive, int kStaticShared>
__global__ void hold(float* data, int n) {
  __shared__ char room[kStaticShared > 0 ? kStaticShared : 1];
  float v[kLive];
#pragma unroll
  for (int k = 0; k < kLive; ++k) v[k] = data[k * n + threadIdx.x];
  if (kStaticShared > 0) room[threadIdx.x % (kStaticShared > 0 ? kStaticShared : 1)] = static_cast<char>(n);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kLive; ++k) data[k * n + threadIdx.x] = v[k] * v[(k * 7 + 3) % kLive];
  if (kStaticShared > 0) data[threadIdx.x] += room[(threadIdx.x + 1) % (kStaticShared > 0 ? kStaticShared : 1)];
}

template <int kLive, int kStaticShared>
void print_occupancy() {
  auto* kernel = hold<kLive, kStaticShared>;
  cudaFuncAttributes attributes{};
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  232448 - static_cast<int>(attributes.sharedSizeBytes)));
  for (int threads : {1, 32, 33, 64, 96, 100, 128, 160, 192, 224, 256, 288, 320, 384, 448, 512, 640, 768, 896, 1024}) {
    if (threads > attributes.maxThreadsPerBlock) continue;
    for (int kib2 : {0, 1, 2, 7, 8, 16, 31, 32, 64, 66, 96, 128, 150, 200, 224, 225, 226, 300, 400, 452, 454}) {
      const int dynamic = kib2 * 512;
      if (dynamic + static_cast<int>(attributes.sharedSizeBytes) > 232448) continue;
      int blocks = -1;
      CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic));
      std::printf("%d,%d,%zu,%d,%d\n", attributes.numRegs, threads, attributes.sharedSizeBytes, dynamic, blocks);
    }
  }
}

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Host time of a call, host time until its work has finished, and the time between events around it.
void time_call(const char* what, double size, const std::function<void(cudaStream_t)>& call, int repetitions = 21) {
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  std::vector<double> host, whole, device, gap;
  for (int i = -2; i < repetitions; ++i) {
    CHECK_CUDA(cudaDeviceSynchronize());
    const double t0 = now_us();
    call(stream);
    const double t1 = now_us();
    CHECK_CUDA(cudaStreamSynchronize(stream));
    const double t2 = now_us();
    CHECK_CUDA(cudaEventRecord(start, stream));
    call(stream);
    CHECK_CUDA(cudaEventRecord(stop, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    float alone = 0, behind = 0;
    CHECK_CUDA(cudaEventElapsedTime(&alone, start, stop));
    spin<<<1, 1, 0, stream>>>(100000);  // so that the host is ahead of the device
    CHECK_CUDA(cudaEventRecord(start, stream));
    call(stream);
    CHECK_CUDA(cudaEventRecord(stop, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_CUDA(cudaEventElapsedTime(&behind, start, stop));
    if (i < 0) continue;
    host.push_back(t1 - t0);
    whole.push_back(t2 - t0);
    device.push_back(alone * 1000.0);
    gap.push_back(behind * 1000.0);
  }
  std::printf("%s,%.0f,%.3f,%.3f,%.3f,%.3f\n", what, size, median(host), median(whole), median(device), median(gap));
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(stop));
}

int main() {
  std::printf("# occupancy\nregisters,threads,static_shared,dynamic_shared,blocks\n");
  print_occupancy<1, 0>();
  print_occupancy<16, 0>();
  print_occupancy<24, 1000>();
  print_occupancy<32, 0>();
  print_occupancy<40, 4096>();
  print_occupancy<56, 0>();
  print_occupancy<64, 0>();
  print_occupancy<90, 0>();
  print_occupancy<110, 40000>();
  print_occupancy<150, 0>();
  print_occupancy<200, 0>();

  std::printf("# times\nwhat,size,host_call_us,until_done_us,events_us,events_behind_work_us\n");
  time_call("nothing", 0, [](cudaStream_t) {});
  time_call("event", 0, [](cudaStream_t s) {
    static cudaEvent_t event = nullptr;
    if (!event) CHECK_CUDA(cudaEventCreate(&event));
    CHECK_CUDA(cudaEventRecord(event, s));
  });
  time_call("empty_kernel", 1, [](cudaStream_t s) { empty<<<1, 32, 0, s>>>(); });
  for (int count : {2, 5, 10, 100})
    time_call("empty_kernels", count, [=](cudaStream_t s) {
      for (int i = 0; i < count; ++i) empty<<<1, 32, 0, s>>>();
    });
  for (int us : {2, 5, 10, 100}) time_call("spin_us", us, [=](cudaStream_t s) { spin<<<1, 32, 0, s>>>(us * 1980LL); });
  time_call("ten_spins_of_10us", 10, [=](cudaStream_t s) {
    for (int i = 0; i < 10; ++i) spin<<<1, 32, 0, s>>>(19800);
  });

  const std::size_t most = std::size_t{256} << 20;
  char *device_a, *device_b, *pinned, *pageable = static_cast<char*>(std::malloc(most)),
                                      *other = static_cast<char*>(std::malloc(most));
  CHECK_CUDA(cudaMalloc(&device_a, most));
  CHECK_CUDA(cudaMalloc(&device_b, most));
  CHECK_CUDA(cudaMallocHost(&pinned, most));
  std::fill_n(pinned, most, 1);
  std::fill_n(pageable, most, 1);
  std::fill_n(other, most, 1);
  for (std::size_t bytes :
       {std::size_t{4}, std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 16, std::size_t{1} << 18,
        std::size_t{1} << 20, std::size_t{1} << 22, std::size_t{1} << 24, std::size_t{1} << 26, most}) {
    const double size = static_cast<double>(bytes);
    const int repetitions = bytes > (1u << 24) ? 5 : 21;
    const auto copy = [&](const char* name, void* to, const void* from, cudaMemcpyKind kind) {
      time_call(
          name, size, [=](cudaStream_t s) { CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, kind, s)); }, repetitions);
    };
    copy("h2d_pinned", device_a, pinned, cudaMemcpyHostToDevice);
    copy("d2h_pinned", pinned, device_a, cudaMemcpyDeviceToHost);
    copy("h2d_pageable", device_a, pageable, cudaMemcpyHostToDevice);
    copy("d2h_pageable", pageable, device_a, cudaMemcpyDeviceToHost);
    copy("d2d", device_b, device_a, cudaMemcpyDeviceToDevice);
    copy("h2h_pageable", other, pageable, cudaMemcpyHostToHost);
    time_call(
        "memset", size, [=](cudaStream_t s) { CHECK_CUDA(cudaMemsetAsync(device_a, 1, bytes, s)); }, repetitions);
    time_call(
        "memcpy_h2d_pageable_sync", size,
        [=](cudaStream_t) { CHECK_CUDA(cudaMemcpy(device_a, pageable, bytes, cudaMemcpyHostToDevice)); }, repetitions);
    time_call(
        "memcpy_d2h_pageable_sync", size,
        [=](cudaStream_t) { CHECK_CUDA(cudaMemcpy(pageable, device_a, bytes, cudaMemcpyDeviceToHost)); }, repetitions);
  }

  // Do kernels of two streams overlap, and how many small ones at once?
  std::printf("# overlap\nkernels,blocks_each,threads,us\n");
  for (int blocks : {1, 66, 132, 264})
    for (int threads : {256, 1024})
      for (int kernels : {1, 2, 4, 16, 64, 128, 160}) {
        std::vector<cudaStream_t> streams(kernels);
        for (auto& stream : streams) CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        std::vector<double> times;
        for (int i = 0; i < 5; ++i) {
          CHECK_CUDA(cudaDeviceSynchronize());
          const double t0 = now_us();
          for (auto& stream : streams) spin<<<blocks, threads, 0, stream>>>(1980LL * 500);
          CHECK_CUDA(cudaDeviceSynchronize());
          times.push_back(now_us() - t0);
        }
        std::printf("%d,%d,%d,%.1f\n", kernels, blocks, threads, median(times));
        for (auto& stream : streams) CHECK_CUDA(cudaStreamDestroy(stream));
      }
  // Copies in both directions at once, and a copy beside a kernel.
  {
    cudaStream_t s1, s2;
    CHECK_CUDA(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
    CHECK_CUDA(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    const std::size_t bytes = std::size_t{64} << 20;
    const auto run = [&](const char* name, const std::function<void()>& work) {
      std::vector<double> times;
      for (int i = 0; i < 7; ++i) {
        CHECK_CUDA(cudaDeviceSynchronize());
        const double t0 = now_us();
        work();
        CHECK_CUDA(cudaDeviceSynchronize());
        times.push_back(now_us() - t0);
      }
      std::printf("%s,%.1f\n", name, median(times));
    };
    std::printf("# engines\nwhat,us\n");
    run("h2d_64MiB", [&] { CHECK_CUDA(cudaMemcpyAsync(device_a, pinned, bytes, cudaMemcpyHostToDevice, s1)); });
    run("d2h_64MiB", [&] { CHECK_CUDA(cudaMemcpyAsync(pinned + bytes, device_b, bytes, cudaMemcpyDeviceToHost, s2)); });
    run("h2d_and_d2h", [&] {
      CHECK_CUDA(cudaMemcpyAsync(device_a, pinned, bytes, cudaMemcpyHostToDevice, s1));
      CHECK_CUDA(cudaMemcpyAsync(pinned + bytes, device_b, bytes, cudaMemcpyDeviceToHost, s2));
    });
    run("h2d_twice_two_streams", [&] {
      CHECK_CUDA(cudaMemcpyAsync(device_a, pinned, bytes, cudaMemcpyHostToDevice, s1));
      CHECK_CUDA(cudaMemcpyAsync(device_b, pinned + bytes, bytes, cudaMemcpyHostToDevice, s2));
    });
    run("h2d_and_kernel_1ms", [&] {
      CHECK_CUDA(cudaMemcpyAsync(device_a, pinned, bytes, cudaMemcpyHostToDevice, s1));
      spin<<<1, 32, 0, s2>>>(1980LL * 1000);
    });
  }
  return 0;
}
