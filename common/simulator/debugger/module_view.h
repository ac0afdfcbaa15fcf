// A module as the debugger knows it: its program, its lines, and the variables of its source.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/simulator/debugger/debug_info.h"
#include "common/simulator/debugger/register_lines.h"
#include "common/simulator/debugger/source_map.h"
#include "common/simulator/debugger/value.h"
#include "common/simulator/machine/step_observer.h"

namespace warpbook::simulator::debugger {

/// What the runtime provides. All of it lives as long as the module.
struct ModuleSource {
  std::shared_ptr<const SteppedProgram> program;
  std::vector<std::string> texts;  ///< The PTX that the module was made from.
  SymbolAddress address_of;
};

class ModuleView {
 public:
  explicit ModuleView(ModuleSource source);

  const SteppedProgram& stepped() const { return *source_.program; }
  const Program& program() const { return *source_.program->program; }
  const SourceMap& lines() const { return lines_; }
  /// True for code in a header of the CUDA toolkit: a file below a folder that has cuda_runtime_api.h.
  bool is_of_toolkit(const CodePlace& place) const { return toolkit_files_.count(place.file) != 0; }
  std::optional<std::uint64_t> address_of(const std::string& symbol) const { return source_.address_of(symbol); }
  /// The PTX of an operation, "@%p2 bra $L__BB2_4;"
  std::string instruction(std::uint32_t operation) const;
  /// Whether a register of a function, "%r1", can hold a value before @p operation of it is executed.
  bool may_be_set(const std::string& name, std::uint32_t operation) const;
  /// The debug information of a function, or nullptr.
  const Subprogram* subprogram(const std::string& linkage_name) const;
  const Variable* global(const std::string& name) const;
  std::vector<const Variable*> globals() const;
  const Type* type_named(const std::string& name) const;
  /// The type that PTX declares a variable of the module with: all that is known of it without -G. Arrays that the
  /// source initialises, and structures, are bytes.
  const Type* declared_type(const std::string& symbol) const;
  /// The value of the enumerator of that name, of any enumeration.
  std::optional<Value> enumerator(const std::string& name) const;
  /// The module was compiled with -G, and its debug information could be read.
  bool has_variables() const;
  /// What is wrong with the debug information; empty if it is fine.
  const std::string& problem() const { return problem_; }

 private:
  /// The text that an operation is from, as an index; the number of texts if it is not known.
  std::size_t text_of(const OperationDetail& detail) const;

  ModuleSource source_;
  SourceMap lines_;
  std::vector<std::vector<std::size_t>> line_starts_;              ///< Of each text.
  mutable std::map<std::uint32_t, RegisterLines> register_lines_;  ///< By function; read when they are needed.
  std::vector<std::unique_ptr<DebugInfo>> units_;
  std::string problem_;
  std::set<const std::string*> toolkit_files_;  ///< As in CodePlace::file.
};

}  // namespace warpbook::simulator::debugger
