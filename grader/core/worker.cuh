// Device buffers of a lab's worker: inputs that must stay as they are, outputs that start poisoned, guard zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "common/cuda/event_timer.cuh"
#include "grader/core/cold_timer.cuh"
#include "grader/core/poison.h"
#include "grader/core/protocol.h"
#include "grader/core/worker.h"

namespace warpbook::grader {

/// A device array with guard zones before and after it, sent back whole so that the grader can look at all of it.
/// On the virtual GPU the guard zones are empty: there every access outside an allocation is reported at its line.
template <class T>
class CaseBuffer {
 public:
  T* data() const { return reinterpret_cast<T*>(memory_.data() + guard_bytes_); }
  std::size_t size() const { return count_; }

  /// Copies the buffer, guard zones included, into the reply under its name.
  void send(Reply& reply) const {
    if (quiet()) return;
    Value value;
    value.element = element_of<T>();
    value.role = role_;
    value.guard_bytes = guard_bytes_;
    const std::vector<std::uint8_t> bytes = memory_.download();
    value.bytes.resize(count_ * sizeof(T) + 2 * std::size_t{guard_bytes_});
    if (!value.bytes.empty()) std::memcpy(value.bytes.data(), bytes.data(), value.bytes.size());
    reply.put(name_, std::move(value));
  }

 protected:
  CaseBuffer(const Case& given, std::string name, std::size_t count, Value::Role role)
      : name_(std::move(name)),
        count_(count),
        role_(role),
        guard_bytes_(static_cast<std::uint32_t>(given.integer(kGuardBytes))),
        spacer_(guard_bytes_ > 0 ? kSpacerStep * poison_steps(given) : 0),
        // At least one byte, so that data() is a device pointer even for a count of 0.
        memory_(count * sizeof(T) + 2 * std::size_t{guard_bytes_} + (count == 0 && guard_bytes_ == 0 ? 1 : 0)) {
    image_.resize(memory_.size());
  }

  static constexpr std::size_t kSpacerStep = 2u << 20;  // What cudaMalloc maps at a time.
  static constexpr std::uint64_t kSpacerSteps = 32;

  std::size_t poison_steps(const Case& given) const {
    return poison_seed_of(static_cast<std::uint64_t>(given.integer(kPoisonSeed)), name_) % kSpacerSteps;
  }

  void upload() {
    memory_.upload(image_);
    image_ = {};
  }

  std::string name_;
  std::size_t count_;
  Value::Role role_;
  std::uint32_t guard_bytes_;
  // On a real GPU, lies before the array, to give it other physical memory in every run: where memory lies makes a
  // difference of several percent in time, and that must not stick to one process.
  DeviceBuffer<std::uint8_t> spacer_;
  DeviceBuffer<std::uint8_t> memory_;
  std::vector<std::uint8_t> image_;
};

/// A device array that holds the case's array of the same name. The grader fails an answer that changes it.
template <class T>
class InputBuffer : public CaseBuffer<T> {
 public:
  InputBuffer(const Case& given, const std::string& name)
      : CaseBuffer<T>(given, name, given.value(name).count(), Value::Role::input_buffer) {
    const std::span<const std::byte> contents = given.contents_of(name, element_of<T>());
    if (!contents.empty()) std::memcpy(this->image_.data() + this->guard_bytes_, contents.data(), contents.size());
    const std::uint64_t mixed = poison_seed_of(static_cast<std::uint64_t>(given.integer(kPoisonSeed)), name);
    const std::size_t after = this->guard_bytes_ + contents.size();
    for (std::size_t i = 0; i < this->guard_bytes_; ++i) {
      this->image_[i] = poison_byte(mixed, i);
      this->image_[after + i] = poison_byte(mixed, after + i);
    }
    this->upload();
  }

  const T* data() const { return CaseBuffer<T>::data(); }
};

/// A device array of `count` elements filled with poison, so that what an answer leaves out is seen.
template <class T>
class OutputBuffer : public CaseBuffer<T> {
 public:
  OutputBuffer(const Case& given, const std::string& name, std::size_t count)
      : CaseBuffer<T>(given, name, count, Value::Role::output_buffer) {
    fill_poison(std::span(this->image_), static_cast<std::uint64_t>(given.integer(kPoisonSeed)), name);
    this->upload();
  }
};

/// Runs the call under test between two events and puts the time into the reply. On the virtual GPU the grader takes
/// the time from the profile instead; on a real one, this is what it compares (ColdTimer).
template <class Call>
void measure(Reply& reply, Call&& call) {
  if (timing() != Timing::plain) {
    reply.set(kMeasuredUs, cold_timer().time(call));
    return;
  }
  EventTimer timer;
  timer.start();
  call();
  WB_CHECK(cudaGetLastError());
  reply.set(kMeasuredUs, static_cast<double>(timer.stop()));
}

/// Waits for all work of the answer, on every stream, then sends the buffers. Call it last.
/// @throws CudaError with the first error that a launch or the work itself left behind.
template <class... Buffers>
void send(Reply& reply, const Buffers&... buffers) {
  WB_CHECK(cudaGetLastError());
  WB_CHECK(cudaDeviceSynchronize());
  (buffers.send(reply), ...);
}

}  // namespace warpbook::grader
