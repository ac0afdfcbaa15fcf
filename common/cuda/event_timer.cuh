// EventTimer: the time between two points of a stream, by the device's own clock.
#pragma once

#include "common/cuda/check.cuh"

namespace warpbook {

/// Brackets work on a stream with two events. On the virtual GPU the result is the predicted time.
class EventTimer {
 public:
  explicit EventTimer(cudaStream_t stream = nullptr) : stream_(stream) {
    WB_CHECK(cudaEventCreate(&begin_));
    WB_CHECK(cudaEventCreate(&end_));
  }

  ~EventTimer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  /// Marks the beginning.
  void start() { WB_CHECK(cudaEventRecord(begin_, stream_)); }

  /// Marks the end, waits for it, and returns the microseconds in between.
  float stop() {
    WB_CHECK(cudaEventRecord(end_, stream_));
    WB_CHECK(cudaEventSynchronize(end_));
    float milliseconds = 0;
    WB_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds * 1000.0f;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_{};
  cudaEvent_t end_{};
};

}  // namespace warpbook
