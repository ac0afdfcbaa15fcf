// Pinned host arrays of a lab's worker, for answers that copy to the device themselves: inputs that must stay as they
// are, outputs that start poisoned, guard zones.
#pragma once

#include <optional>

#include "grader/runner/worker.cuh"

namespace warpbook::grader {

/// A pinned host array. On the virtual GPU the device process has its contents: what copies and kernels read from it is
/// the case's, and only what they write to it counts. On a real GPU it has guard zones before and after it, and is sent
/// back as a whole so that the grader can check all of it.
template <class T>
class HostBuffer {
 public:
  /// An array that holds the case's array of the same name. @param role input_buffer: the grader fails an answer that
  /// changes it; output_buffer: the answer works in it
  HostBuffer(const Case& given, const std::string& name, Value::Role role)
      : HostBuffer(given, name, given.value(name).count(), role,
                   role == Value::Role::input_buffer ? simulator::remote::ArrayKind::bind_input
                                                     : simulator::remote::ArrayKind::bind_in_out) {
    if (device_has_arrays()) return;
    const std::vector<T> values = given.array<T>(name);
    if (!values.empty()) std::memcpy(data(), values.data(), values.size() * sizeof(T));
  }

  /// An output of @p count elements filled with poison, so that elements that an answer omits are detected.
  HostBuffer(const Case& given, const std::string& name, std::size_t count)
      : HostBuffer(given, name, count, Value::Role::output_buffer, simulator::remote::ArrayKind::bind_output) {}

  ~HostBuffer() { cudaFreeHost(memory_); }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  T* data() const { return reinterpret_cast<T*>(memory_ + guard_bytes_); }

  /// Copies the buffer, guard zones included, into the reply under its name.
  void send(Reply& reply) const {
    if (device_has_arrays()) return;
    Value value;
    value.element = element_of<T>();
    value.role = role_;
    value.guard_bytes = guard_bytes_;
    value.bytes.resize(bytes_);
    if (bytes_ != 0) std::memcpy(value.bytes.data(), memory_, bytes_);
    reply.put(name_, std::move(value));
  }

 private:
  HostBuffer(const Case& given, const std::string& name, std::size_t count, Value::Role role,
             simulator::remote::ArrayKind kind)
      : name_(name),
        role_(role),
        guard_bytes_(static_cast<std::uint32_t>(given.integer(kGuardBytes))),
        bytes_(count * sizeof(T) + 2 * std::size_t{guard_bytes_}) {
    // At least one byte, so that data() is a pinned pointer even for a count of 0.
    WB_CHECK(cudaMallocHost(reinterpret_cast<void**>(&memory_), bytes_ + (bytes_ == 0)));
    named_.emplace(name_, memory_ + guard_bytes_, count * sizeof(T));
    if (device_has_arrays()) {
      device_array(kind, name_, element_of<T>(), count * sizeof(T), memory_);
      return;
    }
    fill_poison(std::span(memory_, bytes_), static_cast<std::uint64_t>(given.integer(kPoisonSeed)), name_);
  }

  std::string name_;
  Value::Role role_;
  std::uint32_t guard_bytes_;
  std::size_t bytes_;
  std::uint8_t* memory_ = nullptr;
  std::optional<NamedArray> named_;
};

}  // namespace warpbook::grader
