// CallError: a failed call, with its text, error name and number. Needs no CUDA header.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace warpbook {

/// what() reads "file:line: call: cudaErrorName (number): description".
class CallError : public std::runtime_error {
 public:
  CallError(const std::string& what, int number, std::string name, std::string call)
      : std::runtime_error(what), number_(number), name_(std::move(name)), call_(std::move(call)) {}

  int number() const { return number_; }
  const std::string& name() const { return name_; }  ///< "cudaErrorInvalidValue"
  const std::string& call() const { return call_; }  ///< "cudaGetLastError()"

 private:
  int number_;
  std::string name_, call_;
};

}  // namespace warpbook
