// What a case gives to the parameters of a function.
#include "grader/runner/arguments.h"

#include <utility>

#include "grader/judge/case.h"

namespace warpbook::grader {

std::size_t CaseArguments::calls() const {
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

bool CaseArguments::has_each() const {
  for (const Given& given : given_)
    if (given.kind == Argument::Kind::each) return true;
  return false;
}

void* CaseArguments::pointer(std::size_t index) const {
  const Argument::Kind kind = given_[index].kind;
  if (kind == Argument::Kind::number || kind == Argument::Kind::each) refuse(index, "a pointer");
  return given_[index].data;
}

double CaseArguments::real(std::size_t index, std::size_t turn) const {
  const Given& given = given_[index];
  const std::size_t at = given.kind == Argument::Kind::each ? turn : 0;
  if (given.is_real) return given.reals.at(at);
  if (given.integers.empty()) refuse(index, "a number");
  return static_cast<double>(given.integers.at(at));
}

std::int64_t CaseArguments::integer(std::size_t index, std::size_t turn) const {
  const Given& given = given_[index];
  if (given.is_real || given.data != nullptr || given.integers.empty()) refuse(index, "a whole number");
  return given.integers.at(given.kind == Argument::Kind::each ? turn : 0);
}

void CaseArguments::refuse(std::size_t index, const std::string& wanted) const {
  throw ValueError(function_ + ": parameter " + std::to_string(index + 1) + " is " + wanted + ", but the case gives '" +
                   given_[index].name + "', which is not");
}

void ReturnedValues::put(Result result, Reply& reply) const {
  if (result == Result::i32) reply.set(kReturned, std::vector<std::int32_t>(integers_.begin(), integers_.end()));
  if (result == Result::i64) reply.set(kReturned, integers_);
  if (result == Result::f64) reply.set(kReturned, reals_);
}

}  // namespace warpbook::grader
