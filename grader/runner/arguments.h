// The arguments that a case gives to a function, and what the function returned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/call.h"
#include "grader/runner/functions.h"

namespace warpbook::grader {

class CaseArguments final : public Arguments {
 public:
  struct Given {
    Argument::Kind kind;
    std::string name;
    void* data = nullptr;                ///< Device memory.
    bool is_real = false;                ///< number and each: floating point
    std::vector<double> reals;           ///< floating point: one value, or one for each call
    std::vector<std::int64_t> integers;  ///< whole numbers, likewise
  };

  CaseArguments(std::string function, std::vector<Given> given)
      : function_(std::move(function)), given_(std::move(given)) {}

  /// How often the function is called. @throws ValueError if arrays of `each` have different lengths
  std::size_t calls() const;
  bool has_each() const;

 private:
  void* pointer(std::size_t index) const override;
  double real(std::size_t index, std::size_t turn) const override;
  std::int64_t integer(std::size_t index, std::size_t turn) const override;
  [[noreturn]] void refuse(std::size_t index, const std::string& wanted) const;

  std::string function_;
  std::vector<Given> given_;
};

class ReturnedValues final : public Returned {
 public:
  void keep(std::int64_t value) override { integers_.push_back(value); }
  void keep(double value) override { reals_.push_back(value); }
  /// Puts them into the reply, as kReturned. @param result of the function
  void put(Result result, Reply& reply) const;

 private:
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
};

}  // namespace warpbook::grader
