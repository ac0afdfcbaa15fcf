// The functions of answers, registered with their types: a case calls them by name (grader/judge/call.h).
//
// A lab lists them in its file functions.cu, a line each:
//
//   WB_FUNCTION(transpose)
//
// The case gives the arguments, so nothing else needs to be written for a function that takes
// device pointers and numbers. WB_RUNNER(name, runner) is for everything that a call cannot express.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "grader/judge/call.h"

namespace warpbook::grader {

/// The arguments, in the order of the parameters: device pointers, numbers, and arrays of which each call gets one
/// element.
class Arguments {
 public:
  struct Given {
    Argument::Kind kind;
    std::string name;
    void* data = nullptr;                ///< Device memory.
    bool is_real = false;                ///< number and each: floating point
    std::vector<double> reals;           ///< floating point: one value, or one for each call
    std::vector<std::int64_t> integers;  ///< whole numbers, likewise
  };

  Arguments(std::string function, std::vector<Given> given)
      : function_(std::move(function)), given_(std::move(given)) {}

  std::size_t size() const { return given_.size(); }
  /// How often the function is called. @throws ValueError if arrays of `each` have different lengths
  std::size_t calls() const;
  bool has_each() const;

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
  void* pointer(std::size_t index) const;
  double real(std::size_t index, std::size_t turn) const;
  std::int64_t integer(std::size_t index, std::size_t turn) const;
  [[noreturn]] void refuse(std::size_t index, const std::string& wanted) const;

  std::string function_;
  std::vector<Given> given_;
};

/// A function of an answer, as the worker calls it.
class Function {
 public:
  virtual ~Function() = default;
  /// The number of parameters.
  virtual std::size_t parameters() const = 0;
  /// True if the answer defines it.
  virtual bool is_defined() const = 0;
  /// Calls it once. A result is kept.
  virtual void call(const Arguments& arguments, std::size_t turn) = 0;
  /// Puts what it returned into the reply, as kReturned.
  virtual void put_returned(Reply& reply) = 0;
};

template <class Result, class... Parameters>
class TypedFunction : public Function {
 public:
  explicit TypedFunction(Result (*function)(Parameters...)) : function_(function) {}
  std::size_t parameters() const override { return sizeof...(Parameters); }
  bool is_defined() const override { return function_ != nullptr; }
  void call(const Arguments& arguments, std::size_t turn) override {
    call(arguments, turn, std::index_sequence_for<Parameters...>());
  }
  void put_returned(Reply& reply) override {
    if constexpr (!std::is_void_v<Result>) reply.set(kReturned, returned_);
    returned_.clear();  // A timed process runs one case after another.
  }

 private:
  template <std::size_t... indices>
  void call(const Arguments& arguments, std::size_t turn, std::index_sequence<indices...>) {
    if constexpr (std::is_void_v<Result>) {
      function_(arguments.at<std::remove_cv_t<Parameters>>(indices, turn)...);
    } else {
      returned_.push_back(static_cast<Kept>(function_(arguments.at<std::remove_cv_t<Parameters>>(indices, turn)...)));
    }
  }

  static constexpr auto kept() {
    if constexpr (std::is_void_v<Result>) {
      return std::int32_t{};
    } else if constexpr (std::is_floating_point_v<Result>) {
      return double{};
    } else if constexpr (sizeof(Result) > sizeof(std::int32_t)) {
      return std::int64_t{};
    } else {
      return std::int32_t{};
    }
  }
  using Kept = decltype(kept());

  Result (*function_)(Parameters...);
  std::vector<Kept> returned_;
};

/// Runs a case that no call describes.
using Runner = void (*)(const Case& given, Reply& reply);

/// Registers functions and runners with the worker. `answer`: the program's name, which selects one of several answers
/// in one program; "" in a program with one answer.
void register_function(const char* answer, const char* name, Function* function);
void register_runner(const char* answer, const char* name, Runner runner);

struct Registered {
  template <class Result, class... Parameters>
  Registered(const char* answer, const char* name, Result (*function)(Parameters...)) {
    register_function(answer, name, new TypedFunction<Result, Parameters...>(function));
  }
  Registered(const char* answer, const char* name, Runner runner, int) { register_runner(answer, name, runner); }
};

/// The function or runner of the answer that this process runs; nullptr if there is none.
Function* find_function(const std::string& name);
Runner find_runner(const std::string& name);

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
