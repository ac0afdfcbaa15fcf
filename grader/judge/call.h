// Call: a function and its arguments, written into a case by a test and called by the worker.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "grader/judge/case.h"

namespace warpbook::grader {

/// One argument of a call.
struct Argument {
  enum class Kind : std::uint8_t {
    input,   ///< A device array that holds the case's array of this name; an answer that changes it fails.
    output,  ///< A device array of `count` elements filled with poison.
    in_out,  ///< A device array that holds the case's array of this name; the answer works in it.
    filled,  ///< A device array of `count` elements, all bytes of which are `fill`; an output.
    number,  ///< The case's number of this name.
    each,    ///< An element of the case's array of this name: the function is called once for each.
  };
  Kind kind = Kind::number;
  std::string name;
  Element element = Element::u8;  ///< output, filled
  std::size_t count = 0;          ///< output, filled: elements
  std::uint8_t fill = 0;          ///< filled
  Value value;                    ///< What the case is given under this name; nothing for output and filled.
  bool operator==(const Argument&) const = default;
};

/// The type in which a case stores a number, or the elements of `each`.
template <class T>
using Kept = std::conditional_t<std::is_same_v<T, std::int32_t>, std::int32_t,
                                std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>>;

/// @{ Arguments. A name always means the same array within a case; its contents are given once.
template <class T>
Argument input(const std::string& name, const std::vector<T>& values) {
  return {Argument::Kind::input, name, element_of<T>(), values.size(), 0, array_value(values)};
}
template <class T>
Argument in_out(const std::string& name, const std::vector<T>& values) {
  return {Argument::Kind::in_out, name, element_of<T>(), values.size(), 0, array_value(values)};
}
template <class T>
Argument output(const std::string& name, std::size_t count) {
  return {Argument::Kind::output, name, element_of<T>(), count, 0, {}};
}
template <class T>
Argument filled(const std::string& name, std::size_t count, std::uint8_t fill) {
  return {Argument::Kind::filled, name, element_of<T>(), count, fill, {}};
}
template <class T>
Argument number(const std::string& name, T value) {
  return {Argument::Kind::number, name, Element::u8, 0, 0, Case().set(name, static_cast<Kept<T>>(value)).value(name)};
}
template <class T>
Argument each(const std::string& name, const std::vector<T>& values) {
  const std::vector<Kept<T>> kept(values.begin(), values.end());
  return {Argument::Kind::each, name, element_of<Kept<T>>(), kept.size(), 0, array_value(kept)};
}
/// @}

/// A function's name and its arguments, in the order of its parameters.
struct Call {
  std::string function;
  std::vector<Argument> arguments;
  bool operator==(const Call&) const = default;
};

/// The array of a function's return values: one element for each call of it. Integers come as i32 or i64, others as
/// f64.
inline const std::string kReturned = "returned";

/// Microseconds of work that the virtual GPU had left when the last call returned (Answer::observed_us).
inline const std::string kLeft = "warpbook.left_us";

/// The case that calls a function. Its time is that of the call; outputs come back under their names.
/// @throws ValueError if two arguments of one name differ
Case call(const std::string& function, std::vector<Argument> arguments);

/// Adds a call after those that the case has; only the last one is timed. What an answer kept from the first is wrong
/// for the second. @throws ValueError if an argument contradicts one of the same name
Case then(Case given, const std::string& function, std::vector<Argument> arguments);

/// The calls of a case, in order; none for a case with a runner of the lab's own (WB_RUNNER). Values of
/// arguments are not in them, but in the case. @throws ValueError if they cannot be read
std::vector<Call> calls_of(const Case& given);

/// The functions that a case calls, or the runner of the lab's own.
std::vector<std::string> functions_of(const Case& given);

/// "source_lane(3, 17, 5, 8)": the last call of a case, with its arguments for element @p i; an array that is not
/// each() by its name. For messages.
std::string text_of_call(const Case& given, std::size_t i);

}  // namespace warpbook::grader
