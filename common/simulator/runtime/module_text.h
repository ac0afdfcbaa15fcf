// A module of which functions are parsed only as kernels need them: programs have many kernels, and mostly use few.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::runtime {

class ModuleText {
 public:
  explicit ModuleText(std::string text) : text_(std::move(text)) {}
  std::string release() && { return std::move(text_); }

  /// All but the bodies of functions. Call first. @throws ParseError
  ptx::Module heads();
  /// Whether each kernel of the module can do without functions that it does not name. (An alias is another name of
  /// one.)
  bool can_be_parted(const ptx::Module& heads) const;

  /// With the bodies of @p kernel, of the functions that it names, of those that these do, and so on. @throws
  /// DecodeError
  ptx::Module functions_for(const std::string& kernel) const;
  /// With all bodies. @throws DecodeError
  ptx::Module all_functions() const;

 private:
  struct Body {
    std::size_t begin = 0, size = 0;
  };
  std::string text_;
  std::map<std::string, Body, std::less<>> bodies_;
};

}  // namespace warpbook::simulator::runtime
