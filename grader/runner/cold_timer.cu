// How long a call takes on a real GPU with nothing of its data in the L2 cache.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "grader/runner/cold_timer.h"
#include "grader/runner/worker.h"

namespace warpbook::grader {

namespace {

/// Reads all words, so that the L2 cache holds them and no dirty lines.
__global__ void read_all(const uint4* words, std::size_t count, unsigned* sink) {
  unsigned sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 word = words[i];
    sum += word.x ^ word.y ^ word.z ^ word.w;
  }
  if (sum == 0x5bd1e995u) *sink = sum;  // Never true for zeros, but the compiler cannot know.
}

/// What time_cold() measures with. Its buffers are large, so they are made once.
class ColdTimer {
 public:
  ColdTimer() {
    int device = 0, l2_bytes = 0;
    WB_CHECK(cudaGetDevice(&device));
    WB_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
    const std::size_t bytes = kTimesL2 * static_cast<std::size_t>(std::max(l2_bytes, 1 << 20));
    written_ = DeviceBuffer<uint4>(bytes / sizeof(uint4));
    read_ = DeviceBuffer<uint4>(bytes / sizeof(uint4));
    sink_ = DeviceBuffer<unsigned>(1);
    WB_CHECK(cudaMemset(read_.data(), 0, bytes));
    find(record_, "cudaEventRecord");
    find(wait_, "cudaEventSynchronize");
    find(elapsed_, "cudaEventElapsedTime");
    find(synchronize_, "cudaDeviceSynchronize");
    WB_CHECK(cudaEventCreate(&begin_));
    WB_CHECK(cudaEventCreate(&end_));
  }

  ColdTimer(const ColdTimer&) = delete;
  ColdTimer& operator=(const ColdTimer&) = delete;

  double time(const std::function<void()>& call) {
    WB_CHECK(synchronize_());
    flush();
    if (timing() == Timing::waiting) WB_CHECK(synchronize_());
    WB_CHECK(record_(begin_, nullptr));
    call();
    WB_CHECK(cudaGetLastError());
    WB_CHECK(record_(end_, nullptr));
    WB_CHECK(wait_(end_));
    const auto ended = std::chrono::steady_clock::now();
    WB_CHECK(synchronize_());
    const double left = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - ended).count();
    float milliseconds = 0;
    WB_CHECK(elapsed_(&milliseconds, begin_, end_));
    return 1000.0 * milliseconds + (left > kIdleWait ? left : 0);
  }

 private:
  static constexpr std::size_t kTimesL2 = 4;
  static constexpr double kIdleWait = 30;  // Microseconds: synchronising with an idle device takes less.

  void flush() {
    cudaCtxResetPersistingL2Cache();
    WB_CHECK(cudaMemsetAsync(written_.data(), 1, written_.size() * sizeof(uint4)));
    read_all<<<1024, 256>>>(read_.data(), read_.size(), sink_.data());
    WB_CHECK(cudaGetLastError());
  }

  template <class Function>
  static void find(Function& function, const char* name) {
    void* library = dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD);
    function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(std::string("the CUDA runtime has no ") + name);
  }

  DeviceBuffer<uint4> written_, read_;
  DeviceBuffer<unsigned> sink_;
  cudaEvent_t begin_{}, end_{};
  cudaError_t (*record_)(cudaEvent_t, cudaStream_t) = nullptr;
  cudaError_t (*wait_)(cudaEvent_t) = nullptr;
  cudaError_t (*elapsed_)(float*, cudaEvent_t, cudaEvent_t) = nullptr;
  cudaError_t (*synchronize_)() = nullptr;
};

}  // namespace

double time_cold(const std::function<void()>& call) {
  static ColdTimer timer;
  return timer.time(call);
}

}  // namespace warpbook::grader
