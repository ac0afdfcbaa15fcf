// Where inlined code of the CUDA toolkit was used: its instructions get the position of the program's own line.
//
// A `.loc` names the innermost position and the place where it was inlined; that place has an earlier `.loc` of its
// own. `grid.sync()` is six headers deep: a counter or a fault there is only useful at the line that calls it. Code
// from the program's own files keeps its innermost position. File names come after the code (`.file`), so positions are
// recorded while the bodies are parsed and resolved at the end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::ptx {

class Inlining {
 public:
  /// A new body begins: earlier positions do not apply to it.
  void start();
  /// Records a `.loc` of @p position; @p caller is where it was inlined (line 0: nowhere).
  /// @returns the position to store until resolve()
  SourcePosition note(const SourcePosition& position, const SourcePosition& caller);
  /// Replaces every recorded position in @p module by its final one.
  void resolve(Module& module) const;

  /// True if @p path is a header of the CUDA toolkit.
  static bool is_of_toolkit(std::string_view path);

 private:
  using Place = std::vector<std::uint32_t>;  ///< file, line, column
  SourcePosition final_position(const SourcePosition& noted, const Module& module) const;

  std::map<Place, SourcePosition> callers_;
  std::vector<std::vector<SourcePosition>> chains_;  ///< Innermost first.
  std::map<Place, std::uint32_t> known_;             ///< Chains by all their numbers.
};

}  // namespace warpbook::simulator::ptx
