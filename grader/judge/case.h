// Case and Reply: the named values that travel to the process that runs an answer, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warpbook::grader {

/// A number or text of a case, by its name.
using CaseValue = std::pair<std::string, std::variant<std::int64_t, double, std::string>>;

/// What the elements of a value are.
enum class Element : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, text };

/// Bytes of one element.
std::size_t size_of(Element element);

template <class T>
constexpr Element element_of();
template <>
constexpr Element element_of<std::int8_t>() {
  return Element::i8;
}
template <>
constexpr Element element_of<std::uint8_t>() {
  return Element::u8;
}
template <>
constexpr Element element_of<std::int16_t>() {
  return Element::i16;
}
template <>
constexpr Element element_of<std::uint16_t>() {
  return Element::u16;
}
template <>
constexpr Element element_of<std::int32_t>() {
  return Element::i32;
}
template <>
constexpr Element element_of<std::uint32_t>() {
  return Element::u32;
}
template <>
constexpr Element element_of<std::int64_t>() {
  return Element::i64;
}
template <>
constexpr Element element_of<std::uint64_t>() {
  return Element::u64;
}
template <>
constexpr Element element_of<float>() {
  return Element::f32;
}
template <>
constexpr Element element_of<double>() {
  return Element::f64;
}

/// A value that is missing, has another type than expected, or makes no sense. The message names it.
class ValueError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One named value: a number, a text, or an array.
struct Value {
  /// What the value is used for. Device buffers are checked further (see worker.cuh).
  enum class Role : std::uint8_t {
    plain,
    input_buffer,
    output_buffer,
    withheld,  ///< An array that is only in the device process: `bytes` holds its size, a 64-bit number.
  };
  Element element = Element::u8;
  Role role = Role::plain;
  bool scalar = false;
  std::uint32_t guard_bytes = 0;  ///< Device buffers: bytes before and after the contents.
  std::vector<std::byte> bytes;   ///< Guard, contents, guard.

  /// Elements of the contents.
  std::size_t count() const;
  bool operator==(const Value&) const = default;
};

/// An array as a value.
template <class T>
Value array_value(const std::vector<T>& values) {
  Value value;
  value.element = element_of<T>();
  const std::span<const std::byte> contents = std::as_bytes(std::span(values));
  value.bytes.assign(contents.begin(), contents.end());
  return value;
}

/// Named values, with typed access. Case and Reply are both this.
class Values {
 public:
  /// Sets a whole number. Returns *this, so that calls chain.
  Values& set(const std::string& name, std::int64_t value);
  Values& set(const std::string& name, int value) { return set(name, static_cast<std::int64_t>(value)); }
  Values& set(const std::string& name, std::size_t value) { return set(name, static_cast<std::int64_t>(value)); }
  /// Sets a real number.
  Values& set(const std::string& name, double value);
  /// Sets a text.
  Values& set(const std::string& name, const std::string& text);
  Values& set(const std::string& name, const char* text) { return set(name, std::string(text)); }
  /// Sets an array.
  template <class T>
  Values& set(const std::string& name, const std::vector<T>& values) {
    return put(name, array_value(values));
  }
  /// Sets any value.
  Values& put(const std::string& name, Value value);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  /// @throws ValueError if there is none of this name and kind (also for the three below).
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// The contents of an array or of a device buffer, without its guard zones.
  template <class T>
  std::vector<T> array(const std::string& name) const {
    const std::span<const std::byte> contents = contents_of(name, element_of<T>());
    std::vector<T> values(contents.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), contents.data(), contents.size());
    return values;
  }
  /// The value as it is sent to another process. @throws ValueError
  const Value& value(const std::string& name) const;
  const std::map<std::string, Value>& all() const { return values_; }
  /// All of them, to be moved from.
  std::map<std::string, Value> release() && { return std::move(values_); }

  /// "rows 33, columns 65, in float[2145]": for messages.
  std::string describe() const;
  /// Its numbers and texts by name, without the grader's own: for records.
  std::vector<CaseValue> scalars() const;
  bool operator==(const Values&) const = default;

  /// The same without copying them.
  std::span<const std::byte> contents_of(const std::string& name, Element element) const;

 private:
  mutable std::map<std::string, Value> values_;  ///< Mutable: a withheld array is fetched when it is first read.
};

/// The same values with their arrays withheld and without changes (change.h): what a program may see.
Values without_contents(const Values& values);

/// Gets the contents of a withheld array. A worker sets it. @throws ValueError if they are not available
using Fetch = std::vector<std::byte> (*)(const std::string& name, const Value& withheld);
Fetch& fetch_withheld();

/// What a test gives to an answer.
using Case = Values;
/// What the answer's process sends back.
using Reply = Values;

/// A whole number in a case: which order of blocks, warps, lanes, streams and children the virtual GPU takes (0: the
/// documented one). Other orders show races that the documented one hides. A real GPU ignores it.
inline const std::string kScheduleSeed = "warpbook.schedule_seed";

/// A whole number in a case: the greatest priority of a stream is this number below 0 on the virtual GPU.
inline const std::string kStreamPriorities = "warpbook.stream_priorities";

/// A whole number in a case: multiprocessors of the virtual GPU.
inline const std::string kMultiprocessors = "warpbook.multiprocessors";

/// A whole number in a case: the clock rate of the virtual GPU's multiprocessors, in kHz.
inline const std::string kClockRate = "warpbook.clock_rate";

/// A whole number in a case: how much it does, in elements, if that is much more than its arrays have
/// (checked_cases.h): the elements of all steps, for example. A block that does next to nothing takes as long as 5
/// elements.
inline const std::string kWork = "warpbook.work";

}  // namespace warpbook::grader
