// Device buffers of a lab's worker: inputs that must not change, outputs that start poisoned, guard zones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "common/cuda/event_timer.cuh"
#include "grader/judge/poison.h"
#include "grader/runner/cold_timer.h"
#include "grader/runner/device_arrays.h"
#include "grader/runner/protocol.h"
#include "grader/runner/worker.h"

namespace warpbook::grader {

/// A device array of the case.
///
/// On the virtual GPU the device process makes it, fills it and keeps its final contents: they never pass
/// through this process. There are no guard zones there: every access outside an allocation is reported at its line. On
/// a real GPU it has guard zones before and after it, and is sent back as a whole so that the grader can check it all.
class CaseArray {
 public:
  /// @param kind how the device process makes it @param fill device_filled: the value of all its bytes
  CaseArray(const Case& given, std::string name, Element element, std::size_t count, simulator::remote::ArrayKind kind,
            Value::Role role, std::uint8_t fill = 0)
      : name_(std::move(name)), element_(element), bytes_(count * size_of(element)), role_(role) {
    if (device_has_arrays()) {
      void* const byte = reinterpret_cast<void*>(std::uintptr_t{fill});
      on_device_.reset(device_array(kind, name_, element_, bytes_, byte));
      data_ = on_device_.get();
      return;
    }
    const auto poison = static_cast<std::uint64_t>(given.integer(kPoisonSeed));
    guard_bytes_ = static_cast<std::uint32_t>(given.integer(kGuardBytes));
    spacer_ =
        DeviceBuffer<std::uint8_t>(guard_bytes_ > 0 ? kSpacerStep * (poison_seed_of(poison, name_) % kSpacerSteps) : 0);
    // At least one byte, so that data() is a device pointer even for a count of 0.
    memory_ = DeviceBuffer<std::uint8_t>(bytes_ + 2 * std::size_t{guard_bytes_} + (bytes_ + guard_bytes_ == 0 ? 1 : 0));
    data_ = memory_.data() + guard_bytes_;
    std::vector<std::uint8_t> image(memory_.size());
    fill_poison(std::span(image), poison, name_);
    if (kind == simulator::remote::ArrayKind::device_filled) {
      std::fill_n(image.begin() + guard_bytes_, bytes_, fill);
    } else if (kind != simulator::remote::ArrayKind::device_output) {
      const std::span<const std::byte> contents = given.contents_of(name_, element_);
      if (!contents.empty()) std::memcpy(image.data() + guard_bytes_, contents.data(), contents.size());
      const std::uint64_t mixed = poison_seed_of(poison, name_);
      for (std::size_t i = 0; i < guard_bytes_; ++i) {
        image[i] = poison_byte(mixed, i);
        image[guard_bytes_ + contents.size() + i] = poison_byte(mixed, guard_bytes_ + contents.size() + i);
      }
    }
    memory_.upload(image);
  }
  CaseArray(CaseArray&& other) noexcept = default;
  ~CaseArray() {
    if (on_device_ != nullptr) cudaFree(on_device_.release());
  }

  void* address() const { return data_; }

  /// Copies the array, guard zones included, into the reply under its name.
  void send(Reply& reply) const {
    if (quiet() || device_has_arrays()) return;
    Value value;
    value.element = element_;
    value.role = role_;
    value.guard_bytes = guard_bytes_;
    const std::vector<std::uint8_t> bytes = memory_.download();
    value.bytes.resize(bytes_ + 2 * std::size_t{guard_bytes_});
    if (!value.bytes.empty()) std::memcpy(value.bytes.data(), bytes.data(), value.bytes.size());
    reply.put(name_, std::move(value));
  }

 private:
  static constexpr std::size_t kSpacerStep = 2u << 20;  // What cudaMalloc maps at a time.
  static constexpr std::uint64_t kSpacerSteps = 32;

  struct Nothing {
    void operator()(void*) const {}
  };
  std::string name_;
  Element element_;
  std::size_t bytes_;
  Value::Role role_;
  void* data_ = nullptr;
  std::unique_ptr<void, Nothing> on_device_;  ///< Memory of the device process; moves with the array.
  std::uint32_t guard_bytes_ = 0;
  // On a real GPU, allocated before the array, to give it other physical memory in every run: the address makes a
  // difference of several percent in time, and that must not stick to one process.
  DeviceBuffer<std::uint8_t> spacer_;
  DeviceBuffer<std::uint8_t> memory_;
};

/// The same with its type.
template <class T>
class CaseBuffer : public CaseArray {
 public:
  T* data() const { return static_cast<T*>(address()); }
  std::size_t size() const { return count_; }

 protected:
  CaseBuffer(const Case& given, std::string name, std::size_t count, simulator::remote::ArrayKind kind,
             Value::Role role, std::uint8_t fill = 0)
      : CaseArray(given, std::move(name), element_of<T>(), count, kind, role, fill), count_(count) {}

 private:
  std::size_t count_;
};

/// A device array that holds the case's array of the same name. The grader fails an answer that changes it.
template <class T>
class InputBuffer : public CaseBuffer<T> {
 public:
  InputBuffer(const Case& given, const std::string& name)
      : CaseBuffer<T>(given, name, given.value(name).count(), simulator::remote::ArrayKind::device_input,
                      Value::Role::input_buffer) {}

  const T* data() const { return CaseBuffer<T>::data(); }
};

/// A device array of `count` elements filled with poison, so that elements that an answer omits are detected.
template <class T>
class OutputBuffer : public CaseBuffer<T> {
 public:
  OutputBuffer(const Case& given, const std::string& name, std::size_t count)
      : CaseBuffer<T>(given, name, count, simulator::remote::ArrayKind::device_output, Value::Role::output_buffer) {}
};

/// A device array of `count` elements all bytes of which are `fill`; an output.
template <class T>
class FilledBuffer : public CaseBuffer<T> {
 public:
  FilledBuffer(const Case& given, const std::string& name, std::size_t count, std::uint8_t fill)
      : CaseBuffer<T>(given, name, count, simulator::remote::ArrayKind::device_filled, Value::Role::output_buffer,
                      fill) {}
};

/// A device array that holds the case's array of the same name and is an output: the answer works in it.
template <class T>
class InOutBuffer : public CaseBuffer<T> {
 public:
  InOutBuffer(const Case& given, const std::string& name)
      : CaseBuffer<T>(given, name, given.value(name).count(), simulator::remote::ArrayKind::device_in_out,
                      Value::Role::output_buffer) {}
};

/// Runs the call under test between two events and puts the time into the reply. On the virtual GPU the grader takes
/// the time from the profile instead; on a real one, this is what it compares (cold_timer.h).
template <class Call>
void measure(Reply& reply, Call&& call) {
  if (timing() != Timing::plain) {
    reply.set(kMeasuredUs, time_cold([&] { call(); }));
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
  if (device_has_arrays()) take_device_arrays();
  (buffers.send(reply), ...);
}

}  // namespace warpbook::grader
