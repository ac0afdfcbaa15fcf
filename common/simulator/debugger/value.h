// Values of the source language: a type, and bytes or the place where they are stored.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/debugger/debug_info.h"

namespace warpbook::simulator::debugger {

/// An expression that cannot be evaluated: one line that says why, in cuda-gdb's words where it has some.
class EvaluationError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// A line whose first word is no command.
class UndefinedCommand : public EvaluationError {
  using EvaluationError::EvaluationError;
};

struct Place {
  enum class Kind : std::uint8_t { none, memory, in_register };
  Kind kind = Kind::none;
  ptx::Space space = ptx::Space::generic;  ///< Or param: the parameters of a kernel, which have no generic address.
  std::uint64_t address = 0;
  std::string name;  ///< For a register.
};

struct Value {
  const Type* type = nullptr;
  Place place;
  std::vector<std::uint8_t> bytes;        ///< Empty: they are at the place and have not been read yet.
  std::uint32_t bits = 0, first_bit = 0;  ///< For a bit field.
};

/// What a thread sees: names and memory.
class Context {
 public:
  virtual ~Context() = default;
  /// A source variable or built-in. @throws EvaluationError
  virtual Value named(const std::string& name) = 0;
  /// "$r1" is a register, "$1" a value printed earlier; @p name is without the dollar sign. @throws EvaluationError
  virtual Value special(const std::string& name) = 0;
  /// @throws EvaluationError
  virtual std::vector<std::uint8_t> read(ptx::Space space, std::uint64_t address, std::uint64_t bytes) = 0;
  /// A register's bytes. @throws EvaluationError
  virtual std::vector<std::uint8_t> read_register(const std::string& name) = 0;
  /// The struct, enumeration or typedef of that name, or nullptr.
  virtual const Type* type_named(const std::string& name) = 0;
};

/// Size limit of a value that is read.
constexpr std::uint64_t kMostBytes = 1 << 20;

/// The type without typedef, const and volatile; void if it is unknown.
const Type& plain(const Type* type);
std::uint64_t size_of(const Type* type);
bool is_scalar(const Type& type);

// Types that need no program: int, unsigned, long, unsigned long, float, double, char, bool; and lookup by name.
const Type* integer_type(unsigned bytes, bool is_signed);
const Type* floating_type(unsigned bytes);
const Type* boolean_type();
/// @p name may have several words, "unsigned int"; nullptr for others.
const Type* basic_type(const std::string& name);
const Type* pointer_to(const Type* target);
const Type* array_of(const Type* element, std::uint64_t count);
/// The type of threadIdx and its like: three unsigned members.
const Type* dim3_type();

/// The bytes, read if need be; for a bit field only its bits. @throws EvaluationError
std::vector<std::uint8_t> bytes_of(Context& context, const Value& value);

/// The value of an IEEE half-precision number.
double half_value(std::uint16_t bits);

/// A scalar as a number.
struct Number {
  bool is_floating = false;
  double floating = 0;
  std::uint64_t bits = 0;  ///< For an integer, sign-extended.
  const Type* type = nullptr;
  std::int64_t whole() const {
    return is_floating ? static_cast<std::int64_t>(floating) : static_cast<std::int64_t>(bits);
  }
  bool truth() const { return is_floating ? floating != 0 : bits != 0; }
};
Number number_of(Context& context, const Value& value);
Value value_of(const Number& number);
Value integer_value(std::uint64_t bits, const Type* type);

/// The members of a struct ("x") or elements of an array ("[0]"), a thousand at most.
std::vector<std::pair<std::string, Value>> parts_of(Context& context, const Value& whole);

/// "const float *", "Point", "int [4]"
std::string type_text(const Type* type);

struct Format {
  char letter = 0;  ///< One of x d u o t c f a z, or 0: as the type suggests.
  std::uint64_t most_elements = 200;
};
/// The value as gdb prints it: "{x = 1.5, v = {2, 3}}". @throws EvaluationError
std::string value_text(Context& context, const Value& value, const Format& format = {});

}  // namespace warpbook::simulator::debugger
