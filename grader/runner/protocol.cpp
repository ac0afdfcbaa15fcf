// Encoding and decoding frames. Decoding trusts nothing: every length is checked before it is used.
#include "grader/runner/protocol.h"

#include <cstring>
#include <utility>

namespace warpbook::grader {

namespace {

constexpr std::uint32_t kBegin = 0x314b4257;  // "WBK1"
constexpr std::uint32_t kEnd = 0x57424b31;    // "1KBW"
constexpr std::uint32_t kMostValues = 1000;   // Each takes more memory than its bytes.

class Writer {
 public:
  template <class T>
  void number(T value) {
    append(&value, sizeof value);
  }
  void block(const void* data, std::size_t size) {
    number<std::uint64_t>(size);
    append(data, size);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }
  void reserve(std::size_t size) { bytes_.reserve(size); }

 private:
  void append(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T number(const char* what) {
    T value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> block(const char* what) {
    const auto size = number<std::uint64_t>(what);
    return take(size, what);
  }
  bool at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::byte> take(std::uint64_t size, const char* what) {
    if (size > bytes_.size()) {
      throw FrameError("the frame ends inside " + std::string(what) + ": " + std::to_string(size) +
                       " bytes announced, " + std::to_string(bytes_.size()) + " left");
    }
    const auto result = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return result;
  }
  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> encode(const Values& values, std::uint64_t nonce) {
  std::size_t size = 64;
  for (const auto& [name, value] : values.all()) size += name.size() + value.bytes.size() + 64;
  Writer writer;
  writer.reserve(size);
  writer.number(kBegin);
  writer.number(nonce);
  writer.number(static_cast<std::uint32_t>(values.all().size()));
  for (const auto& [name, value] : values.all()) {
    writer.block(name.data(), name.size());
    writer.number(static_cast<std::uint8_t>(value.element));
    writer.number(static_cast<std::uint8_t>(value.role));
    writer.number(static_cast<std::uint8_t>(value.scalar));
    writer.number(value.guard_bytes);
    writer.block(value.bytes.data(), value.bytes.size());
  }
  writer.number(nonce);
  writer.number(kEnd);
  return writer.take();
}

Frame decode(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Frame frame;
  if (reader.number<std::uint32_t>("the magic number") != kBegin) throw FrameError("the bytes are not a frame");
  frame.nonce = reader.number<std::uint64_t>("the nonce");
  const auto count = reader.number<std::uint32_t>("the number of values");
  if (count > kMostValues) {
    throw FrameError("it has " + std::to_string(count) + " values; " + std::to_string(kMostValues) + " are allowed");
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto name_bytes = reader.block("a name");
    const std::string name(reinterpret_cast<const char*>(name_bytes.data()), name_bytes.size());
    Value value;
    const auto element = reader.number<std::uint8_t>("an element type");
    if (element > static_cast<std::uint8_t>(Element::text)) {
      throw FrameError("'" + name + "' has the unknown element type " + std::to_string(element));
    }
    value.element = static_cast<Element>(element);
    const auto role = reader.number<std::uint8_t>("a role");
    if (role > static_cast<std::uint8_t>(Value::Role::withheld)) {
      throw FrameError("'" + name + "' has the unknown role " + std::to_string(role));
    }
    value.role = static_cast<Value::Role>(role);
    value.scalar = reader.number<std::uint8_t>("a scalar flag") != 0;
    value.guard_bytes = reader.number<std::uint32_t>("a guard size");
    const auto contents = reader.block("a value");
    value.bytes.assign(contents.begin(), contents.end());
    if (frame.values.has(name)) throw FrameError("the value '" + name + "' occurs twice");
    frame.values.put(name, std::move(value));
  }
  if (reader.number<std::uint64_t>("the closing nonce") != frame.nonce) throw FrameError("the closing nonce differs");
  if (reader.number<std::uint32_t>("the closing magic number") != kEnd) throw FrameError("the frame has no end");
  if (!reader.at_end()) throw FrameError(std::to_string(reader.left()) + " bytes follow the frame");
  return frame;
}

}  // namespace warpbook::grader
