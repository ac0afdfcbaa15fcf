// The debugger in a terminal, or with a file of commands.
#pragma once

#include <deque>
#include <string>

#include "common/simulator/debugger/commands.h"
#include "common/simulator/debugger/line_input.h"

namespace warpbook::simulator::debugger {

struct ConsoleOptions {
  bool batch = false;                 ///< End when the given commands have been executed, instead of reading more.
  std::vector<std::string> commands;  ///< "ex COMMAND" or "x FILE", in this order.
  std::string state;                  ///< Commands of the previous session, if the program was restarted.
};

class Console : public Front {
 public:
  explicit Console(ConsoleOptions options);
  void ready(Session& session) override;
  void stopped(Session& session, const Stop& stop) override;
  void say(const std::string& text) override;
  void ended(Session& session, int status) override;

 private:
  struct Line {
    std::string text;
    std::string from;  ///< "file:3", for a line read from a file.
  };
  /// Reads and executes lines until one of them lets the program continue.
  void talk(Session& session);
  /// @returns false at the end of the input
  bool read(Line& line);
  [[noreturn]] void end(int code);
  [[noreturn]] void start_again(Session& session);
  Commands& commands(Session& session);
  static void go_on(Session& session);

  ConsoleOptions options_;
  std::deque<Line> lines_;
  LineInput input_;
  std::unique_ptr<Commands> commands_;
  std::string last_;  ///< An empty line repeats it.
  Resume resume_ = Resume::go;
  bool failed_ = false, over_ = false;
};

}  // namespace warpbook::simulator::debugger
