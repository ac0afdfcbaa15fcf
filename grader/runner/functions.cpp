// The registered functions of this program, and how they get their arguments.
#include "grader/runner/functions.h"

#include <errno.h>

#include <map>
#include <utility>

namespace warpbook::grader {

namespace {

using Key = std::pair<std::string, std::string>;  // Answer, name.

std::map<Key, Function*>& functions() {
  static std::map<Key, Function*> known;
  return known;
}

std::map<Key, Runner>& runners() {
  static std::map<Key, Runner> known;
  return known;
}

template <class Known>
auto find_in(const Known& known, const std::string& name) {
  for (const std::string& answer : {std::string(program_invocation_short_name), std::string()}) {
    const auto found = known.find({answer, name});
    if (found != known.end()) return found->second;
  }
  return typename Known::mapped_type{};
}

}  // namespace

void register_function(const char* answer, const char* name, Function* function) {
  functions()[{answer, name}] = function;
}

void register_runner(const char* answer, const char* name, Runner runner) { runners()[{answer, name}] = runner; }

Function* find_function(const std::string& name) { return find_in(functions(), name); }

Runner find_runner(const std::string& name) { return find_in(runners(), name); }

std::size_t Arguments::calls() const {
  std::size_t count = 1;
  bool found = false;
  for (const Given& given : given_) {
    if (given.kind != Argument::Kind::each) continue;
    const std::size_t length = given.is_real ? given.reals.size() : given.integers.size();
    if (found && length != count)
      throw ValueError(function_ + ": '" + given.name + "' has " + std::to_string(length) +
                       " elements, the array before it " + std::to_string(count));
    count = length;
    found = true;
  }
  return count;
}

bool Arguments::has_each() const {
  for (const Given& given : given_)
    if (given.kind == Argument::Kind::each) return true;
  return false;
}

void* Arguments::pointer(std::size_t index) const {
  const Argument::Kind kind = given_[index].kind;
  if (kind == Argument::Kind::number || kind == Argument::Kind::each) refuse(index, "a pointer");
  return given_[index].data;
}

double Arguments::real(std::size_t index, std::size_t turn) const {
  const Given& given = given_[index];
  const std::size_t at = given.kind == Argument::Kind::each ? turn : 0;
  if (given.is_real) return given.reals.at(at);
  if (given.integers.empty()) refuse(index, "a number");
  return static_cast<double>(given.integers.at(at));
}

std::int64_t Arguments::integer(std::size_t index, std::size_t turn) const {
  const Given& given = given_[index];
  if (given.is_real || given.data != nullptr || given.integers.empty()) refuse(index, "a whole number");
  return given.integers.at(given.kind == Argument::Kind::each ? turn : 0);
}

void Arguments::refuse(std::size_t index, const std::string& wanted) const {
  throw ValueError(function_ + ": parameter " + std::to_string(index + 1) + " is " + wanted + ", but the case gives '" +
                   given_[index].name + "', which is not");
}

}  // namespace warpbook::grader
