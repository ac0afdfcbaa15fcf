#include "grader/judge/checked_cases.h"

#include <algorithm>

#include "grader/judge/call.h"

namespace warpbook::grader {

double cost_of(const Case& given) {
  double cost = given.has(kWork) ? static_cast<double>(given.integer(kWork)) : 0;
  for (const auto& [name, value] : given.all()) cost += static_cast<double>(value.count());
  return cost;
}

bool CheckedCases::includes(const Case& given) {
  const std::vector<std::string> functions = functions_of(given);
  const bool is_known = std::ranges::all_of(functions, [&](const auto& name) { return functions_.contains(name); });
  if (cost_of(given) > kMostCost && is_known) return false;
  functions_.insert(functions.begin(), functions.end());
  return true;
}

}  // namespace warpbook::grader
