// Where a function's PTX names its registers: nvcc says where a variable is, but not from when on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpbook::simulator::debugger {

class RegisterLines {
 public:
  /// @param lines of the function's code @param first the number of the first one
  RegisterLines(std::string_view lines, std::uint32_t first);

  /// False only if no instruction that can have been executed before line @p line names register @p name, "%r1": it
  /// holds no value of the source yet.
  bool may_be_set(const std::string& name, std::uint32_t line) const;

 private:
  std::map<std::string, std::uint32_t, std::less<>> first_;     ///< By register: the first line that names it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> loops_;  ///< Lines with a branch back, and where it goes.
};

}  // namespace warpbook::simulator::debugger
