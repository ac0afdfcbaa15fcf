// Words in memory that streams write and wait for.
#include <cstring>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/copy.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::runtime::Place;
using warpbook::simulator::runtime::Stream;

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
    // As two words of 32 bits, the upper one first, so that who waits for a counter never sees it too large.
    for (std::size_t at = sizeof(Word); at > 0; at -= sizeof(std::uint32_t)) {
      const auto word = static_cast<std::uint32_t>(std::uint64_t{value} >> (8 * (at - sizeof(std::uint32_t))));
      auto* const to = static_cast<std::byte*>(place) + (at - sizeof word);
      if (const cudaError_t error = fill(device, *stream, {to, sizeof word, 1}, {sizeof word, 1, 1}, word, sizeof word))
        return error;
    }
    return cudaSuccess;
  });
}

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
    const auto is_there = [&] {
      Word there;
      std::memcpy(&there, place->bytes, sizeof there);
      return holds(there, value, flags & kConditionMask);
    };
    // Work is done in the order in which it is issued: what would write the value must have been issued before.
    if (!is_there()) device.wait_for_all();
    if (is_there()) return cudaSuccess;
    return static_cast<cudaError_t>(warpbook::simulator::driver::not_supported(
        name, " where the value is written by work that is issued later: issue the work that writes it first"));
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
