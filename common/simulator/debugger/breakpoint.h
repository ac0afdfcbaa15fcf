// Where and when to stop: breakpoints in code, watchpoints on memory and registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/debugger/expression.h"
#include "common/simulator/debugger/grid_view.h"

namespace warpbook::simulator::debugger {

/// Bytes that are watched. When a grid is run again, its blocks and frames have other addresses, so their bytes are
/// located anew each time.
struct WatchedPlace {
  std::uint64_t address = 0, bytes = 0;  ///< Generic, as seen by the thread that set the watchpoint.
  const Type* type = nullptr;
  const std::byte* host = nullptr;     ///< For global memory: its address in this process.
  std::optional<std::uint64_t> block;  ///< Set for shared and local memory and registers, which belong to one block,
  std::optional<ThreadId> thread;      ///< and for local memory and registers, which belong to one thread.
  std::string name;                    ///< For a register: its name,
  const Function* function = nullptr;  ///< the function in whose frame it is,
  unsigned depth = 0;                  ///< and the depth of that frame in the call stack.
  std::optional<std::uint64_t> grid;   ///< For everything but global memory: the number of the kernel whose end deletes
                                       ///< it.
  bool is_register() const { return !name.empty(); }
  /// Where the bytes are now, for the block of @p warp.
  const std::uint8_t* bytes_now(const WarpState& warp) const;
};

struct Breakpoint {
  enum class Kind : std::uint8_t { code, write, read, access };
  int number = 0;
  Kind kind = Kind::code;
  bool enabled = true, temporary = false;
  std::string location;  ///< As entered: "file.cu:12", "kernel", "12"; the expression of a watchpoint.
  std::optional<Expression> condition;
  std::uint64_t ignored = 0, hits = 0;
  WatchedPlace watched;
  std::optional<CodePlaces> places;  ///< Set once a module has code there.
  bool is_watchpoint() const { return kind != Kind::code; }
};

/// The places of "a.cu:12", "12" or "name" in @p module. @param file the file of a bare line number
std::optional<CodePlaces> find_places(const ModuleView& module, const std::string& location, const std::string& file);

}  // namespace warpbook::simulator::debugger
