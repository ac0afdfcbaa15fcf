// Values in memory that streams write and wait for.
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/copy.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::MemoryKind;
using warpbook::simulator::WaitAnswer;
using warpbook::simulator::runtime::OpenManagedPages;
using warpbook::simulator::runtime::Place;
using warpbook::simulator::runtime::Stream;
using warpbook::simulator::runtime::SuspendedWork;

constexpr unsigned kConditionMask = 3;

template <class Word>
bool holds(Word there, Word wanted, unsigned condition) {
  switch (condition) {
    case CU_STREAM_WAIT_VALUE_EQ:
      return there == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (there & wanted) != 0;
    case CU_STREAM_WAIT_VALUE_NOR:
      return static_cast<Word>(~(there | wanted)) != 0;
    default:
      return static_cast<std::make_signed_t<Word>>(there - wanted) >= 0;
  }
}

template <class Word>
CUresult write_value(const char* name, CUstream handle, CUdeviceptr address, Word value, unsigned flags) {
  return driver_call(CallKind::enqueue, name, [&](Runtime& device) {
    const Stream* const stream = device.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (address % sizeof(Word) != 0 || (flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}) != 0)
      return cudaErrorInvalidValue;
    if (device.capturing != 0)
      return static_cast<cudaError_t>(
          warpbook::simulator::driver::not_supported(name, " in a stream that is captured"));
    auto* const place = reinterpret_cast<void*>(address);
    // As two 32-bit words, the upper one first, so that whoever waits for a counter never sees a value that is too
    // large.
    for (std::size_t at = sizeof(Word); at > 0; at -= sizeof(std::uint32_t)) {
      const auto word = static_cast<std::uint32_t>(std::uint64_t{value} >> (8 * (at - sizeof(std::uint32_t))));
      auto* const to = static_cast<std::byte*>(place) + (at - sizeof word);
      if (const cudaError_t error = fill(device, *stream, {to, sizeof word, 1}, {sizeof word, 1, 1}, word, sizeof word))
        return error;
    }
    return cudaSuccess;
  });
}

bool is_host_memory(const Place& place) {
  const MemoryKind kind = place.allocation->kind;
  return kind != MemoryKind::device && kind != MemoryKind::module;
}

/// A stream that waits for a value.
class ValueWait : public SuspendedWork {
 public:
  ValueWait(Runtime& device, const char* name, bool host_memory, std::function<bool()> is_there)
      : device_(device), name_(name), host_memory_(host_memory), is_there_(std::move(is_there)) {}

  Step go_on(WaitAnswer answer) override {
    if (answer == WaitAnswer::endless) {
      warpbook::simulator::runtime::complain(std::string(name_) +
                                             ": the stream waits forever for a value that nothing will write");
      device_.set_fault(cudaErrorLaunchFailure);
    }
    if (answer != WaitAnswer::look) return Step::ended;
    const OpenManagedPages open(device_.managed);
    return is_there_() ? Step::ended : Step::waits;
  }
  bool looks_at_host_memory() const override { return host_memory_; }

 private:
  Runtime& device_;
  const char* name_;
  bool host_memory_;
  std::function<bool()> is_there_;
};

template <class Word>
CUresult wait_value(const char* name, CUstream handle, CUdeviceptr address, Word value, unsigned flags) {
  return driver_call(CallKind::enqueue, name, [&](Runtime& device) {
    const Stream* const stream = device.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (address % sizeof(Word) != 0 || (flags & ~(kConditionMask | unsigned{CU_STREAM_WAIT_VALUE_FLUSH})) != 0)
      return cudaErrorInvalidValue;
    if (device.capturing != 0)
      return static_cast<cudaError_t>(
          warpbook::simulator::driver::not_supported(name, " in a stream that is captured"));
    const auto place = locate(device, reinterpret_cast<void*>(address), sizeof(Word));
    if (!place || place->allocation == nullptr) return cudaErrorInvalidValue;
    device.backlog.put(*stream, [&device, name, bytes = place->bytes, host = is_host_memory(*place), value, flags] {
      const auto is_there = [bytes, value, flags] {
        Word there;
        __atomic_load(reinterpret_cast<const Word*>(bytes), &there, __ATOMIC_ACQUIRE);
        return holds(there, value, flags & kConditionMask);
      };
      if (!device.has_failed() && !is_there())
        device.backlog.suspend(std::make_unique<ValueWait>(device, name, host, is_there));
    });
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return write_value<std::uint32_t>("cuStreamWriteValue32", stream, address, value, flags);
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return write_value<std::uint64_t>("cuStreamWriteValue64", stream, address, value, flags);
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return wait_value<std::uint32_t>("cuStreamWaitValue32", stream, address, value, flags);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return wait_value<std::uint64_t>("cuStreamWaitValue64", stream, address, value, flags);
}
