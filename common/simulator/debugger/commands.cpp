// Commands that stop and run the program, forwards and backwards; the table of all commands.
#include "common/simulator/debugger/commands.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "common/simulator/debugger/command_words.h"
#include "common/simulator/debugger/stop_text.h"

namespace warpbook::simulator::debugger {

const std::vector<Commands::Known>& Commands::known() {
  // Never destroyed: commands are still entered after the program has ended.
  static const auto& all = *new std::vector<Known>{
#define WB_COMMAND(name, aliases, function, arguments, what) {name, aliases, &Commands::function, arguments, what},
#include "common/simulator/debugger/commands.def"
#undef WB_COMMAND
  };
  return all;
}

std::vector<std::string> Commands::names() {
  std::vector<std::string> all;
  for (const Known& command : known()) all.emplace_back(command.name);
  return all;
}

const Commands::Known& Commands::find(const std::string& word) {
  const Known* found = nullptr;
  std::string several;
  for (const Known& command : known()) {
    const std::string aliases = std::string(" ") + command.aliases + " ";
    if (command.name == word || aliases.find(" " + word + " ") != std::string::npos) return command;
    if (std::string_view(command.name).substr(0, word.size()) != word) continue;
    found = &command;
    several += (several.empty() ? "" : ", ") + std::string(command.name);
  }
  if (found == nullptr) throw UndefinedCommand("Undefined command: \"" + word + "\".  Try \"help\".");
  if (several != found->name) throw EvaluationError("Ambiguous command \"" + word + "\": " + several + ".");
  return *found;
}

After Commands::execute(const std::string& line, std::string& output) {
  std::string rest = trimmed(line);
  if (rest.empty() || rest[0] == '#') return After::stay;
  std::size_t end = 0;
  while (end < rest.size() &&
         (std::isalnum(static_cast<unsigned char>(rest[end])) != 0 || rest[end] == '-' || rest[end] == '_'))
    ++end;
  const std::string word = rest.substr(0, end);
  const Known& command = find(word);
  out_.clear();
  struct Moved {
    std::string& from;
    std::string& to;
    ~Moved() { to += from; }
  } moved{out_, output};
  return (this->*command.function)(trimmed(rest.substr(end)));
}

After Commands::resume(Resume kind, const std::string& rest) {
  if (!is_running) throw EvaluationError("The program is not being run.");
  repeats_ = 0;
  if (!rest.empty()) {
    const std::int64_t times = whole_number(rest);
    if (times > 1 && kind != Resume::go) repeats_ = static_cast<unsigned>(times - 1);
    if (kind == Resume::go && session_.stop() != nullptr && times > 1) {
      for (const int number : session_.stop()->breakpoints) {
        Breakpoint* const breakpoint = session_.find_breakpoint(number);
        if (breakpoint == nullptr || breakpoint->is_watchpoint()) continue;
        breakpoint->ignored = static_cast<std::uint64_t>(times - 1);
        out_ += "Will ignore next " + std::to_string(times - 1) + " crossings of breakpoint " + std::to_string(number) +
                ".  Continuing.\n";
      }
    }
  }
  if (kind != Resume::go) session_.stopped_grid();
  list_line_ = 0;
  session_.resume = kind;
  return After::resume;
}

After Commands::reverse(Resume kind) {
  session_.stopped_grid();
  if (!session_.can_repeat()) throw EvaluationError("Cannot go back: " + session_.cannot_repeat() + ".");
  if (kind == Resume::reverse_finish && session_.stopped_grid().frames(session_.focus).size() < 2)
    throw EvaluationError("\"reverse-finish\" not meaningful in the outermost frame.");
  list_line_ = 0;
  session_.resume = kind;
  return After::resume;
}

After Commands::continue_(const std::string& rest) { return resume(Resume::go, rest); }
After Commands::step(const std::string& rest) { return resume(Resume::step, rest); }
After Commands::next(const std::string& rest) { return resume(Resume::next, rest); }
After Commands::stepi(const std::string& rest) { return resume(Resume::stepi, rest); }
After Commands::nexti(const std::string& rest) { return resume(Resume::nexti, rest); }
After Commands::reverse_continue(const std::string&) { return reverse(Resume::reverse_go); }
After Commands::reverse_step(const std::string&) { return reverse(Resume::reverse_step); }
After Commands::reverse_next(const std::string&) { return reverse(Resume::reverse_next); }
After Commands::reverse_stepi(const std::string&) { return reverse(Resume::reverse_stepi); }
After Commands::reverse_finish(const std::string&) { return reverse(Resume::reverse_finish); }

After Commands::finish(const std::string&) {
  const std::vector<FrameView> frames = session_.stopped_grid().frames(session_.focus);
  if (frames.size() < 2) throw EvaluationError("\"finish\" not meaningful in the outermost frame.");
  out_ += "Run till exit from #0  " + frame_text(session_, frames, 0) + "\n";
  return resume(Resume::finish, "");
}

After Commands::run(const std::string& rest) {
  if (!rest.empty())
    throw EvaluationError("The program's arguments are those that `warpbook debug -- PROGRAM ARGUMENTS` has.");
  return After::begin;
}

After Commands::kill(const std::string&) { return After::quit; }

After Commands::quit(const std::string& rest) {
  if (!rest.empty()) exit_code = static_cast<int>(std::strtol(rest.c_str(), nullptr, 0));
  return After::quit;
}

After Commands::add_break(const std::string& rest, bool temporary) {
  // "a.cu:12 if i > 3"
  std::string location = rest, condition;
  const std::size_t word = (" " + rest + " ").find(" if ");
  if (word != std::string::npos) {
    location = trimmed(rest.substr(0, word == 0 ? 0 : word - 1));
    condition = trimmed(rest.substr(std::min(rest.size(), word + 2)));
    if (condition.empty()) throw EvaluationError("A condition is missing after `if'.");
  }
  if (location.empty()) {
    const CodePlace place = session_.stopped_grid().module().lines().place_of(session_.focused_frame().at->index);
    if (place.file == nullptr) throw EvaluationError("No source line is known here: give a location.");
    location = *place.file + ":" + std::to_string(place.line);
  }
  const Breakpoint& made = session_.add_breakpoint(location, condition, temporary);
  out_ += std::string(temporary ? "Temporary breakpoint " : "Breakpoint ") + std::to_string(made.number);
  if (made.places) {
    out_ += ": file " + base_name(made.places->file) + ", line " + std::to_string(made.places->line) + ".";
    if (made.places->operations.size() > 1)
      out_ += " (" + std::to_string(made.places->operations.size()) + " locations)";
    out_ += "\n";
  } else {
    out_ += " (" + made.location + ") pending.\n";
  }
  return After::stay;
}

After Commands::break_(const std::string& rest) { return add_break(rest, false); }
After Commands::tbreak(const std::string& rest) { return add_break(rest, true); }

After Commands::advance(const std::string& rest) {
  if (rest.empty()) throw EvaluationError("Argument required (a location).");
  if (!is_running) throw EvaluationError("The program is not being run.");
  session_.add_breakpoint(rest, "", true);
  return resume(Resume::go, "");
}
After Commands::until(const std::string& rest) { return rest.empty() ? next(rest) : advance(rest); }

After Commands::add_watch(const std::string& rest, Breakpoint::Kind kind) {
  if (rest.empty()) throw EvaluationError("Argument required (expression to compute).");
  if (session_.grid() == nullptr)
    throw EvaluationError("No CUDA kernel is stopped. Stop in one first (break, run): its variables can be watched.");
  const Breakpoint& made = session_.add_watchpoint(rest, kind);
  out_ += std::string(kind == Breakpoint::Kind::write  ? "Hardware watchpoint "
                      : kind == Breakpoint::Kind::read ? "Hardware read watchpoint "
                                                       : "Hardware access (read/write) watchpoint ") +
          std::to_string(made.number) + ": " + made.location + "\n";
  return After::stay;
}

After Commands::watch(const std::string& rest) { return add_watch(rest, Breakpoint::Kind::write); }
After Commands::rwatch(const std::string& rest) { return add_watch(rest, Breakpoint::Kind::read); }
After Commands::awatch(const std::string& rest) { return add_watch(rest, Breakpoint::Kind::access); }

After Commands::condition(const std::string& rest) {
  const auto [number, expression] = first_word(rest);
  Breakpoint& breakpoint = session_.breakpoint(whole_number(number));
  if (expression.empty()) {
    breakpoint.condition.reset();
    out_ += "Breakpoint " + number + " now unconditional.\n";
  } else {
    breakpoint.condition.emplace(expression);
  }
  return After::stay;
}

After Commands::ignore(const std::string& rest) {
  const auto [number, count] = first_word(rest);
  Breakpoint& breakpoint = session_.breakpoint(whole_number(number));
  breakpoint.ignored = static_cast<std::uint64_t>(whole_number(count));
  out_ += "Will ignore next " + count + " crossings of breakpoint " + number + ".\n";
  return After::stay;
}

After Commands::delete_(const std::string& rest) {
  if (rest.empty()) {
    session_.breakpoints.clear();
    session_.changed_breakpoints();
  }
  std::istringstream words(rest);
  for (std::string word; words >> word;)
    if (word != "breakpoints") session_.remove(whole_number(word));
  return After::stay;
}

After Commands::switch_breakpoints(const std::string& rest, bool on) {
  std::istringstream words(rest);
  bool any = false;
  for (std::string word; words >> word;) {
    if (word == "breakpoints") continue;
    session_.breakpoint(whole_number(word)).enabled = on;
    any = true;
  }
  for (Breakpoint& breakpoint : session_.breakpoints)
    if (!any) breakpoint.enabled = on;
  session_.changed_breakpoints();
  return After::stay;
}

After Commands::disable(const std::string& rest) { return switch_breakpoints(rest, false); }
After Commands::enable(const std::string& rest) { return switch_breakpoints(rest, true); }

After Commands::set(const std::string& rest) {
  std::istringstream words(rest);
  std::string first, second, third;
  words >> first >> second >> third;
  if (first == "cuda" && second == "break_on_launch") {
    if (third != "application" && third != "all" && third != "none" && third != "system")
      throw EvaluationError("Undefined item: \"" + third + "\": application, all or none is expected.");
    session_.break_on_launch = third == "application" || third == "all";
  } else if (first == "listsize") {
    list_size_ = static_cast<std::uint32_t>(std::max(1, whole_number(second)));
  } else if (first == "pagination" || first == "confirm" || first == "width" || first == "height") {
    // gdb scripts have these; there is no paging and no confirmation here.
  } else {
    throw EvaluationError("Cannot set " + rest +
                          ": values of the program cannot be changed; settings are "
                          "cuda break_on_launch and listsize.");
  }
  return After::stay;
}

After Commands::show(const std::string& rest) {
  if (rest == "cuda break_on_launch")
    out_ += std::string("Break on every kernel launch is set to '") +
            (session_.break_on_launch ? "application" : "none") + "'.\n";
  else if (rest == "listsize")
    out_ += "Number of source lines gdb will list by default is " + std::to_string(list_size_) + ".\n";
  else
    throw EvaluationError("Cannot show \"" + rest + "\": use show cuda break_on_launch or show listsize.");
  return After::stay;
}

After Commands::source(const std::string& rest) {
  std::ifstream in(rest);
  if (!in) throw EvaluationError(rest + ": No such file or directory.");
  for (std::string line; std::getline(in, line);) sourced.push_back(line);
  return After::stay;
}

After Commands::echo(const std::string& rest) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool escaped = rest[i] == '\\' && i + 1 < rest.size();
    if (escaped) ++i;
    out_ += escaped && rest[i] == 'n' ? '\n' : escaped && rest[i] == 't' ? '\t' : rest[i];
  }
  return After::stay;
}

After Commands::help(const std::string& rest) {
  if (!rest.empty()) {
    const Known& command = find(rest);
    out_ += std::string(command.name) + (*command.arguments != 0 ? " " : "") + command.arguments + "\n" + command.what +
            "\n";
    if (*command.aliases != 0) out_ += std::string("Also: ") + command.aliases + "\n";
    return After::stay;
  }
  for (const Known& command : known()) {
    std::string left = std::string(command.name) + (*command.arguments != 0 ? " " : "") + command.arguments;
    out_ += left + "\n    " + command.what + "\n";
  }
  return After::stay;
}

std::string Commands::state() const {
  std::string text;
  for (const Breakpoint& breakpoint : session_.breakpoints) {
    if (breakpoint.is_watchpoint()) continue;
    text += (breakpoint.temporary ? "tbreak " : "break ") + breakpoint.location +
            (breakpoint.condition ? " if " + breakpoint.condition->text() : "") + "\n";
  }
  if (session_.break_on_launch) text += "set cuda break_on_launch application\n";
  return text;
}

}  // namespace warpbook::simulator::debugger
