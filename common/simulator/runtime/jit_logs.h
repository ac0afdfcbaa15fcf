// Options of the JIT compiler for its log buffers, for both APIs: their numbers are the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace warpbook::simulator::runtime {

/// The buffers that a program passed. Numbers are passed in the pointers themselves.
class JitLogs {
 public:
  JitLogs() = default;
  /// @param values is written to: the number of bytes written to a log replaces the size of its buffer
  template <class Option>
  JitLogs(unsigned count, const Option* options, void** values) {
    for (unsigned i = 0; i < count; ++i) {
      switch (static_cast<int>(options[i])) {
        case kThreads: {
          // Rounded up to whole warps, as by an H200's driver (2026-11-23).
          const std::uint64_t threads = (number_in(&values[i]) + 31) / 32 * 32;
          values[i] = reinterpret_cast<void*>(static_cast<std::uintptr_t>(threads));
          break;
        }
        case kWallTime: {
          // The value itself is the time, a float in milliseconds: 0, as nothing is compiled.
          constexpr float kMilliseconds = 0;
          std::memcpy(&values[i], &kMilliseconds, sizeof kMilliseconds);
          break;
        }
        case kInfoBuffer:
          info_.place = static_cast<char*>(values[i]);
          break;
        case kInfoBytes:
          info_.size = &values[i];
          break;
        case kErrorBuffer:
          error_.place = static_cast<char*>(values[i]);
          break;
        case kErrorBytes:
          error_.size = &values[i];
          break;
        default:
          break;  // Options for machine code: there is none.
      }
    }
    info_.bytes = number_in(info_.size);
    error_.bytes = number_in(error_.size);
    write("", "");
  }

  /// The compiler's messages; texts that are too long are cut.
  void write(const std::string& info, const std::string& error) const {
    info_.write(info);
    error_.write(error);
  }

 private:
  // CU_JIT_WALL_TIME is cudaJitWallTime, and so on.
  static constexpr int kThreads = 1, kWallTime = 2, kInfoBuffer = 3, kInfoBytes = 4, kErrorBuffer = 5, kErrorBytes = 6;

  static std::size_t number_in(void* const* value) {
    return value == nullptr ? 0 : static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(*value) & 0xffffffffU);
  }

  struct Log {
    char* place = nullptr;
    void** size = nullptr;
    std::size_t bytes = 0;

    void write(const std::string& text) const {
      if (place == nullptr || bytes == 0) return;
      const std::size_t length = std::min(bytes - 1, text.size());
      std::memcpy(place, text.data(), length);
      place[length] = '\0';
      *size = reinterpret_cast<void*>(length);
    }
  };
  Log info_, error_;
};

}  // namespace warpbook::simulator::runtime
