// The functions of answers, registered with their types: a case calls them by name (grader/judge/call.h).
//
// A lab lists them in its file functions.cu, a line each:
//
//   WB_FUNCTION(transpose)
//
// The case gives the arguments, so nothing else needs to be written for a function that takes
// device pointers and numbers. WB_RUNNER(name, runner) is for everything that a call cannot express.
//
// nvcc reads this header with every program of answers, where headers like <string> take longer than the answers. So it
// includes none of them: what a case gives is in arguments.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace warpbook::grader {

class Values;
using Case = Values;
using Reply = Values;

/// The arguments, in the order of the parameters: device pointers, numbers, and arrays of which each call gets one
/// element.
class Arguments {
 public:
  virtual ~Arguments() = default;

  /// The argument at @p index of call @p turn as a parameter of type T. @throws ValueError if it is of another kind
  template <class T>
  T at(std::size_t index, std::size_t turn) const {
    if constexpr (std::is_pointer_v<T>) {
      return static_cast<T>(pointer(index));
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(real(index, turn));
    } else {
      static_assert(std::is_integral_v<T> || std::is_enum_v<T>,
                    "WB_FUNCTION is for pointers and numbers; register others with WB_RUNNER");
      return static_cast<T>(integer(index, turn));
    }
  }

 private:
  virtual void* pointer(std::size_t index) const = 0;
  virtual double real(std::size_t index, std::size_t turn) const = 0;
  virtual std::int64_t integer(std::size_t index, std::size_t turn) const = 0;
};

/// What a function returns, as the reply holds it.
enum class Result { nothing, i32, i64, f64 };

/// Keeps what the calls of a function returned.
class Returned {
 public:
  virtual ~Returned() = default;
  virtual void keep(std::int64_t value) = 0;
  virtual void keep(double value) = 0;
};

/// A function of an answer, as the worker calls it.
class Function {
 public:
  virtual ~Function() = default;
  /// The number of parameters.
  virtual std::size_t parameters() const = 0;
  virtual Result result() const = 0;
  /// True if the answer defines it.
  virtual bool is_defined() const = 0;
  /// Calls it once.
  virtual void call(const Arguments& arguments, std::size_t turn, Returned& returned) const = 0;
};

template <class Value, class... Parameters>
class TypedFunction : public Function {
 public:
  explicit TypedFunction(Value (*function)(Parameters...)) : function_(function) {}
  std::size_t parameters() const override { return sizeof...(Parameters); }
  Result result() const override {
    if constexpr (std::is_void_v<Value>) {
      return Result::nothing;
    } else if constexpr (std::is_floating_point_v<Value>) {
      return Result::f64;
    } else {
      return sizeof(Value) > sizeof(std::int32_t) ? Result::i64 : Result::i32;
    }
  }
  bool is_defined() const override { return function_ != nullptr; }
  void call(const Arguments& arguments, std::size_t turn, Returned& returned) const override {
    call(arguments, turn, returned, std::index_sequence_for<Parameters...>());
  }

 private:
  template <std::size_t... indices>
  void call(const Arguments& arguments, std::size_t turn, Returned& returned, std::index_sequence<indices...>) const {
    if constexpr (std::is_void_v<Value>) {
      function_(arguments.at<std::remove_cv_t<Parameters>>(indices, turn)...);
    } else {
      using Kept = std::conditional_t<std::is_floating_point_v<Value>, double, std::int64_t>;
      returned.keep(static_cast<Kept>(function_(arguments.at<std::remove_cv_t<Parameters>>(indices, turn)...)));
    }
  }

  Value (*function_)(Parameters...);
};

/// Runs a case that no call describes.
using Runner = void (*)(const Case& given, Reply& reply);

/// Registers functions and runners with the worker. `answer`: the program's name, which selects one of several answers
/// in one program; "" in a program with one answer.
void register_function(const char* answer, const char* name, const Function* function);
void register_runner(const char* answer, const char* name, Runner runner);

struct Registered {
  template <class Value, class... Parameters>
  Registered(const char* answer, const char* name, Value (*function)(Parameters...)) {
    register_function(answer, name, new TypedFunction<Value, Parameters...>(function));
  }
  Registered(const char* answer, const char* name, Runner runner, int) { register_runner(answer, name, runner); }
};

/// The function or runner of the answer that this process runs; nullptr if there is none.
const Function* find_function(const char* name);
Runner find_runner(const char* name);

}  // namespace warpbook::grader

#ifndef WARPBOOK_ANSWER
#define WARPBOOK_ANSWER ""
#endif

#define WB_FUNCTION_JOIN_(a, b) a##b
#define WB_FUNCTION_NAME_(prefix, number) WB_FUNCTION_JOIN_(prefix, number)

/// Registers a function that the lab's contract declares.
#ifdef WARPBOOK_MANY_ANSWERS
#define WB_FUNCTION(name) \
  static const ::warpbook::grader::Registered WB_FUNCTION_JOIN_(wb_function_, name)(WARPBOOK_ANSWER, #name, &name);
#else
// Weak: if an answer lacks a function, the test that calls it says so, not the linker.
#define WB_FUNCTION(name)                           \
  extern __attribute__((weak)) decltype(name) name; \
  static const ::warpbook::grader::Registered WB_FUNCTION_JOIN_(wb_function_, name)(WARPBOOK_ANSWER, #name, &name);
#endif

/// Registers a runner for cases whose "function" is @p name, a string literal.
#define WB_RUNNER(name, runner) \
  static const ::warpbook::grader::Registered WB_FUNCTION_NAME_(wb_runner_, __LINE__)(WARPBOOK_ANSWER, name, runner, 0);
