// A module whose functions are parsed only when kernels need them: programs have many kernels and mostly use few.
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

  /// Parses everything but the bodies of functions. Call it first. @throws ParseError
  ptx::Module heads();
  /// Whether each kernel of the module only needs functions that are named in it. (An alias is another name of a
  /// function.)
  bool can_be_parted(const ptx::Module& heads) const;

  /// The module with the bodies of @p kernel and of all functions that it names directly or indirectly. @throws
  /// DecodeError
  ptx::Module functions_for(const std::string& kernel) const;
  /// The module with all bodies. @throws DecodeError
  ptx::Module all_functions() const;

 private:
  struct Body {
    std::size_t begin = 0, size = 0;
  };
  std::string text_;
  std::map<std::string, Body, std::less<>> bodies_;
};

}  // namespace warpbook::simulator::runtime
