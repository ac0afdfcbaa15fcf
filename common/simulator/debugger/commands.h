// The debugger's commands, with cuda-gdb's names.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/debugger/session.h"

namespace warpbook::simulator::debugger {

/// What happens after a command.
enum class After : std::uint8_t {
  stay,    ///< Wait for another command.
  resume,  ///< Run on, as Session::resume says.
  begin,   ///< Start the program, or start it again.
  quit,    ///< End the program with Commands::exit_code.
};

class Commands {
 public:
  explicit Commands(Session& session) : session_(session) {}

  /// Executes one line and puts its output in @p output. Errors are thrown.
  /// @throws EvaluationError with the message for the user
  After execute(const std::string& line, std::string& output);
  /// Where the grid stopped, and the displayed expressions.
  std::string stop_text(const Stop& stop);
  /// Whether the command must be repeated at the next stop: "step 3".
  bool again() { return repeats_ > 0 && repeats_-- > 0; }
  void forget_repeats() { repeats_ = 0; }

  static std::vector<std::string> names();

  bool is_running = false;  ///< The program has started.
  int exit_code = 0;
  /// Lines to execute next, read by `source`.
  std::vector<std::string> sourced;
  /// Commands that restore the current breakpoints and settings.
  std::string state() const;

 private:
  struct Display {
    int number = 0;
    Format format;
    Expression expression;
    bool enabled = true;
  };

#define WB_COMMAND(name, aliases, function, arguments, what) After function(const std::string& rest);
#include "common/simulator/debugger/commands.def"
#undef WB_COMMAND

  struct Known {
    const char* name;
    const char* aliases;
    After (Commands::*function)(const std::string& rest);
    const char* arguments;
    const char* what;
  };
  static const std::vector<Known>& known();
  static const Known& find(const std::string& word);

  After resume(Resume kind, const std::string& rest);
  After reverse(Resume kind);
  After add_watch(const std::string& rest, Breakpoint::Kind kind);
  After add_break(const std::string& rest, bool temporary);
  After select_frame(std::ptrdiff_t number);
  After switch_breakpoints(const std::string& rest, bool on);
  std::string where();
  std::string focus_line() const;
  std::string displays();
  Value evaluated(const std::string& expression);

  // The command info, in info_commands.cpp
  void info_breakpoints(bool only_watchpoints);
  void info_line(const std::string& location);
  /// Where a location has code, and in which module. @throws EvaluationError
  std::pair<const ModuleView*, CodePlaces> loaded_places(const std::string& location) const;
  void info_locals(bool parameters);
  void info_registers(const std::string& rest);
  void info_threads();
  void info_warps();
  void info_lanes();
  void info_blocks();
  void info_kernels();
  void info_barriers();

  Session& session_;
  std::string out_;
  std::vector<Display> displays_;
  int next_display_ = 1;
  unsigned repeats_ = 0;
  std::uint32_t list_size_ = 10;
  std::string list_file_;
  std::uint32_t list_line_ = 0;  ///< The next line to list; 0: around the current line.
};

}  // namespace warpbook::simulator::debugger
