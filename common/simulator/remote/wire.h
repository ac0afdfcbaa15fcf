// Messages between a program and the device in another process.
//
// A call is a header and its arguments; the answer is a header, what the program's process must do (effects), and
// results. Numbers are in the machine's format: both processes run on the same machine. The device trusts no byte of a
// call: every length is checked against the rest of the message, and the message against kLargestMessage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace warpbook::simulator::remote {

/// Environment variable of the program: the number of the descriptor of the connection to the device.
inline constexpr const char* kChannelVariable = "WARPBOOK_DEVICE_CHANNEL";

inline constexpr std::uint32_t kMagic = 0x4b425744;  ///< "DWBK"
inline constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kLargestAnswer = kLargestMessage + (std::uint64_t{1} << 28);  ///< Including its effects.
inline constexpr std::uint64_t kLargeMessage = std::uint64_t{1} << 20;  ///< From this size on, messages are received
                                                                        ///< one at a time.
inline constexpr unsigned kMostConnections = 64;  ///< One for each thread of the program that makes calls.

/// The header of every message.
struct Head {
  std::uint32_t magic = kMagic;
  std::uint16_t call = 0;
  std::uint16_t flags = 0;
  std::uint64_t bytes = 0;  ///< Number of bytes that follow.
};

/// Head::flags of a call: the thread uses the per-thread default stream.
inline constexpr std::uint16_t kPerThreadStream = 1;

/// An invalid message.
class WireError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes values to a message.
class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&value, sizeof value);
  }
  /// A function of its own: GCC 12 warns falsely about the inlined growth of the vector.
  [[gnu::noinline]] void raw(const void* bytes, std::size_t count) {
    if (count == 0) return;
    const std::size_t at = bytes_.size();
    bytes_.resize(at + count);
    std::memcpy(bytes_.data() + at, bytes, count);
  }
  /// The number of bytes, then the bytes.
  void block(const void* bytes, std::size_t count) {
    put<std::uint64_t>(count);
    raw(bytes, count);
  }
  void text(const std::string& value) { block(value.data(), value.size()); }
  /// Space for @p count bytes, which the caller fills before anything else is written.
  std::byte* room(std::size_t count) {
    put<std::uint64_t>(count);
    bytes_.resize(bytes_.size() + count);
    return bytes_.data() + bytes_.size() - count;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads values from a message. @throws WireError if there are not enough bytes
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, raw(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> raw(std::uint64_t count) {
    if (count > left_.size())
      throw WireError("a message ends " + std::to_string(count - left_.size()) + " bytes too early");
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  std::span<const std::byte> block() { return raw(get<std::uint64_t>()); }
  std::string text() {
    const auto bytes = block();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::size_t left() const { return left_.size(); }
  void end() const {
    if (!left_.empty()) throw WireError("a message has " + std::to_string(left_.size()) + " bytes too many");
  }

 private:
  std::span<const std::byte> left_;
};

/// What an answer asks the program's process to do before the call returns: the number of effects and, if there are
/// any, the number of this answer among those with effects, counted from 0. The program's threads apply them in this
/// order.
enum class Effect : std::uint8_t {
  wait,     ///< for those sent to other threads: what this call observed may depend on them
  print,    ///< u8 to standard error, text
  protect,  ///< u64 address, u64 bytes, i32 rights of managed or pinned memory
  publish,  ///< u64 address of a pointer, u64 its value
};

}  // namespace warpbook::simulator::remote
