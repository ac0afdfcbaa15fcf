// ColdTimer: how long a call takes on a real GPU with nothing of its data in the L2 cache.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "grader/runner/worker.h"

namespace warpbook::grader {

/// Reads all words, so that the L2 cache holds them and no line that has still to be written back. Static, not in a
/// namespace without a name: nvcc takes only one such namespace in a file.
static __global__ void warpbook_read_all(const uint4* words, std::size_t count, unsigned* sink) {
  unsigned sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 word = words[i];
    sum += word.x ^ word.y ^ word.z ^ word.w;
  }
  if (sum == 0x5bd1e995u) *sink = sum;  // Never true of zeros, but the compiler cannot know.
}

/// Before each call the L2 cache is filled with other lines: first written ones, then only read ones, each several
/// times its size. No part of it is set aside for what an earlier call may have asked to keep.
///
/// Timing::queued puts the events and the call behind that work without waiting, so that the GPU goes from one to the
/// next and the time of the host's calls is hidden. Timing::waiting waits in between: an answer that works on streams
/// which do not wait for the default one could begin early otherwise. The grader takes both and compares them.
///
/// Work that the call left running on other streams counts: the device is waited for after the end event, and what that
/// takes is added. The runtime's functions are looked up in the runtime's library: an answer that defines functions of
/// the same names does not replace them.
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

  /// @returns microseconds. @throws CudaError with what the call left behind
  template <class Call>
  double time(Call&& call) {
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
  static constexpr double kIdleWait = 30;  // Microseconds: waiting for an idle device takes less.

  void flush() {
    cudaCtxResetPersistingL2Cache();
    WB_CHECK(cudaMemsetAsync(written_.data(), 1, written_.size() * sizeof(uint4)));
    warpbook_read_all<<<1024, 256>>>(read_.data(), read_.size(), sink_.data());
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

/// The one of this process: its buffers are large, so they are made once.
inline ColdTimer& cold_timer() {
  static ColdTimer timer;
  return timer;
}

}  // namespace warpbook::grader
