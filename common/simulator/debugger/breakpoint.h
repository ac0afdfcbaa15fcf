// Where and when to stop: breakpoints at places of the code, watchpoints at places of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/debugger/expression.h"
#include "common/simulator/debugger/grid_view.h"

namespace warpbook::simulator::debugger {

/// Bytes that are watched. Blocks and frames lie elsewhere when a grid is run again, so theirs are found anew each
/// time.
struct WatchedPlace {
  std::uint64_t address = 0, bytes = 0;  ///< Generic, as the thread sees it that set the watchpoint.
  const Type* type = nullptr;
  const std::byte* host = nullptr;     ///< Of global memory: where it is for this process.
  std::optional<std::uint64_t> block;  ///< Shared and local memory, and registers, are those of one block,
  std::optional<ThreadId> thread;      ///< or of one thread.
  std::string name;                    ///< Of a register,
  const Function* function = nullptr;  ///< in a call of this function,
  unsigned depth = 0;                  ///< so many calls deep.
  std::optional<std::uint64_t> grid;   ///< What is not global lives as long as this kernel, by its number.
  bool is_register() const { return !name.empty(); }
  /// Where the bytes are now, for the block that @p warp belongs to.
  const std::uint8_t* bytes_now(const WarpState& warp) const;
};

struct Breakpoint {
  enum class Kind : std::uint8_t { code, write, read, access };
  int number = 0;
  Kind kind = Kind::code;
  bool enabled = true, temporary = false;
  std::string location;  ///< As it was given: "file.cu:12", "kernel", "12"; of a watchpoint its expression.
  std::optional<Expression> condition;
  std::uint64_t ignored = 0, hits = 0;
  WatchedPlace watched;
  std::optional<CodePlaces> places;  ///< Once a module has them.
  bool is_watchpoint() const { return kind != Kind::code; }
};

/// "a.cu:12", "12" or "name" in @p module. @param file of a line alone
std::optional<CodePlaces> find_places(const ModuleView& module, const std::string& location, const std::string& file);

}  // namespace warpbook::simulator::debugger
