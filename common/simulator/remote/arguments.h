// How the arguments of a call are sent, depending on their types.
//
// numbers, enumerations, structures    by value
// handles, void*, pointers to functions    as numbers: the device looks them up and never dereferences them
// const T*         the T, or a note that there is none
// T*               the T there and back, or a note that there is none
// const char*      the text, or a note that there is none
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

template <class T, class = void>
struct IsComplete : std::false_type {};
template <class T>
struct IsComplete<T, std::void_t<decltype(sizeof(T))>> : std::true_type {};

/// A pointer that both processes treat as a number.
template <class P>
constexpr bool is_opaque() {
  using T = std::remove_pointer_t<P>;
  if constexpr (std::is_void_v<T> || std::is_function_v<T>) {
    return true;
  } else {
    return !IsComplete<T>::value;
  }
}

constexpr std::size_t kLongestName = 1 << 16;

/// An argument of a call, in the program's process.
template <class T>
struct Outgoing {
  static void put(Writer& to, const T& value) {
    if constexpr (!std::is_pointer_v<T>) {
      to.put(value);
    } else if constexpr (is_opaque<T>()) {
      to.put(reinterpret_cast<std::uint64_t>(value));
    } else {
      using Target = std::remove_pointer_t<T>;
      to.put<std::uint8_t>(value != nullptr);
      if (value == nullptr) return;
      if constexpr (std::is_same_v<Target, const char>) {
        to.block(value, std::strlen(value));
      } else {
        static_assert(!std::is_same_v<Target, char>, "a text to be filled needs a length: write this call by hand");
        to.raw(value, sizeof(Target));
      }
    }
  }
  /// Reads back the value that the call has stored.
  static void take(Reader& from, const T& value) {
    if constexpr (std::is_pointer_v<T>) {
      if constexpr (!is_opaque<T>()) {
        using Target = std::remove_pointer_t<T>;
        if constexpr (!std::is_const_v<Target>) {
          if (value != nullptr) std::memcpy(static_cast<void*>(value), from.raw(sizeof(Target)).data(), sizeof(Target));
        }
      }
    }
  }
};

/// The same in the device's process: holds what a pointer argument points to.
template <class T>
class Incoming {
 public:
  explicit Incoming(Reader& from) {
    if constexpr (!std::is_pointer_v<T>) {
      value_ = from.get<Stored>();
    } else if constexpr (is_opaque<T>()) {
      static_assert(!std::is_function_v<std::remove_pointer_t<T>>,
                    "the program's functions cannot be called from here");
      value_ = from.get<std::uint64_t>();
    } else {
      there_ = from.get<std::uint8_t>() != 0;
      if (!there_) return;
      if constexpr (std::is_same_v<std::remove_pointer_t<T>, const char>) {
        value_ = from.text();
        if (value_.size() > kLongestName) throw WireError("a name has " + std::to_string(value_.size()) + " letters");
      } else {
        value_ = from.get<Stored>();
      }
    }
  }
  T argument() {
    if constexpr (!std::is_pointer_v<T>) {
      return value_;
    } else if constexpr (is_opaque<T>()) {
      return reinterpret_cast<T>(value_);
    } else if constexpr (std::is_same_v<std::remove_pointer_t<T>, const char>) {
      return there_ ? value_.c_str() : nullptr;
    } else {
      return there_ ? &value_ : nullptr;
    }
  }
  void put_back(Writer& to) const {
    if constexpr (std::is_pointer_v<T>) {
      if constexpr (!is_opaque<T>()) {
        if constexpr (!std::is_const_v<std::remove_pointer_t<T>>) {
          if (there_) to.raw(&value_, sizeof value_);
        }
      }
    }
  }

 private:
  template <class P>
  static auto stored() {
    if constexpr (!std::is_pointer_v<P>) {
      return std::type_identity<P>();
    } else if constexpr (is_opaque<P>()) {
      return std::type_identity<std::uint64_t>();
    } else if constexpr (std::is_same_v<std::remove_pointer_t<P>, const char>) {
      return std::type_identity<std::string>();
    } else {
      return std::type_identity<std::remove_const_t<std::remove_pointer_t<P>>>();
    }
  }
  using Stored = typename decltype(stored<T>())::type;
  Stored value_{};
  bool there_ = true;
};

/// Calls a function with arguments that were read, and writes the result and the values stored through pointers.
template <class Result, class... Parameters>
struct Invocation {
  Invocation(Result (*function)(Parameters...), Reader& from, Writer& to, Incoming<Parameters>... each) {
    from.end();
    to.put(function(each.argument()...));
    (each.put_back(to), ...);
  }
};

/// Reads the arguments of @p function and answers. (With a std::tuple of them, the 300 calls take seconds to compile.)
template <class Result, class... Parameters>
void answer(Result (*function)(Parameters...), Reader& from, Writer& to) {
  Invocation<Result, Parameters...>{function, from, to, Incoming<Parameters>(from)...};  // Braces: read in their order.
}

}  // namespace warpbook::simulator::remote
