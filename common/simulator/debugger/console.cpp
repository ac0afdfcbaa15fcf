// Reads commands and prints the answers.
#include "common/simulator/debugger/console.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "common/simulator/debugger/command_words.h"
#include "common/simulator/debugger/stop_text.h"

namespace warpbook::simulator::debugger {
namespace {

constexpr const char* kPrompt = "(warpbook) ";
constexpr const char* kStateVariable = "WARPBOOK_DEBUG_STATE";

Session* interruptible = nullptr;

/// How often Ctrl-C was pressed since the program continued.
volatile std::sig_atomic_t interrupts = 0;

/// Host code cannot be stopped here; the next kernel can.
void note_interrupt(int) {
  constexpr char kHost[] = "\nThe program stops in its next kernel; press Ctrl-C again to end it.\n";
  if (interruptible == nullptr) return;
  interrupts = interrupts + 1;
  if (interrupts == 2 && ::write(STDOUT_FILENO, kHost, sizeof kHost - 1) < 0) ::_exit(128 + SIGINT);
  if (interrupts > 2) ::_exit(128 + SIGINT);
  interruptible->insists = true;
  interruptible->interrupted = true;
}

/// Whether an empty line repeats this command.
bool is_repeated(const std::string& line) {
  for (const char* word :
       {"s", "n",  "si", "ni",  "step",         "next",         "stepi",         "nexti", "c",    "continue", "list",
        "l", "rs", "rn", "rsi", "reverse-step", "reverse-next", "reverse-stepi", "up",    "down", "x"})
    if (first_word(line).first == word) return true;
  return false;
}

}  // namespace

Console::Console(ConsoleOptions options) : options_(std::move(options)) {
  for (const std::string& given : options_.commands) {
    const auto [kind, text] = first_word(given);
    if (kind == "ex") {
      lines_.push_back({text, ""});
      continue;
    }
    std::ifstream in(text);
    if (!in) {
      say(text + ": No such file or directory.\n");
      failed_ = true;
      continue;
    }
    int number = 0;
    for (std::string line; std::getline(in, line);) lines_.push_back({line, text + ":" + std::to_string(++number)});
  }
}

void Console::say(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

Commands& Console::commands(Session& session) {
  if (!commands_) commands_ = std::make_unique<Commands>(session);
  return *commands_;
}

bool Console::read(Line& line) {
  if (!lines_.empty()) {
    line = lines_.front();
    lines_.pop_front();
    return true;
  }
  if (options_.batch) return false;
  line = {};
  for (;;) {
    const LineInput::Outcome outcome = input_.read(kPrompt, line.text);
    interrupts = 0;
    if (outcome == LineInput::Outcome::end) return false;
    if (outcome == LineInput::Outcome::line) break;
    say("Quit\n");
  }
  // If the commands come from a pipe, echo them, so that the output shows what was asked.
  if (isatty(STDIN_FILENO) == 0) say(line.text + "\n");
  if (trimmed(line.text).empty() && is_repeated(last_)) line.text = last_;
  return true;
}

void Console::end(int code) {
  std::fflush(nullptr);
  ::_exit(code);
}

/// Starts the same program with the same arguments, and restores the settings.
void Console::start_again(Session& session) {
  std::string state = commands(session).state();
  for (const Line& line : lines_) state += "\x1f" + line.text + "\n";
  setenv(kStateVariable, state.c_str(), 1);
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::vector<char*> arguments;
  for (std::size_t at = 0; at < all.size(); at += std::string(all.c_str() + at).size() + 1)
    arguments.push_back(const_cast<char*>(all.c_str() + at));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  ::execv("/proc/self/exe", arguments.data());
  say("The program cannot be started again.\n");
  end(1);
}

void Console::talk(Session& session) {
  Commands& known = commands(session);
  for (Line line; read(line);) {
    std::string output;
    last_ = trimmed(line.text).empty() ? last_ : trimmed(line.text);
    After after = After::stay;
    try {
      after = known.execute(line.text, output);
      say(output);
    } catch (const EvaluationError& error) {
      say(output + (line.from.empty() ? "" : line.from + ": Error in sourced command file:\n") + error.what() + "\n");
      if (!line.from.empty()) {  // As in gdb, the rest of the file is not executed.
        lines_.clear();
        failed_ = true;
      }
    }
    for (auto next = known.sourced.rbegin(); next != known.sourced.rend(); ++next) lines_.push_front({*next, ""});
    known.sourced.clear();
    if (after == After::quit) end(known.exit_code);
    if (after == After::begin && (known.is_running || over_)) start_again(session);
    if (after == After::begin || after == After::resume) return;
  }
  // There are no more commands.
  if (over_) return;
  if (!known.is_running && !failed_ && options_.batch) return;
  end(failed_ ? 1 : 0);
}

void Console::ready(Session& session) {
  Commands& known = commands(session);
  interruptible = &session;
  std::signal(SIGINT, note_interrupt);
  LineInput::complete_with(Commands::names());
  if (const char* const state = std::getenv(kStateVariable)) {
    lines_.clear();
    std::istringstream all(state);
    unsetenv(kStateVariable);
    for (std::string line, output; std::getline(all, line);) {
      if (line[0] == '\x1f')
        lines_.push_back({line.substr(1), ""});
      else
        known.execute(line, output);
    }
  } else {
    talk(session);
  }
  known.is_running = true;
  go_on(session);
}

/// A Ctrl-C at the prompt does not count for the program.
void Console::go_on(Session& session) {
  interrupts = 0;
  session.interrupted = false;
  session.insists = false;
}

void Console::stopped(Session& session, const Stop& stop) {
  Commands& known = commands(session);
  if (stop.kind == Stop::Kind::step && stop.text.empty() && known.again()) {
    say(known.stop_text(stop));  // "step 3" shows every line it stops at.
    session.resume = resume_;
    return;
  }
  known.forget_repeats();
  say(known.stop_text(stop));
  talk(session);
  resume_ = session.resume;
  go_on(session);
}

void Console::ended(Session& session, int status) {
  over_ = true;
  Commands& known = commands(session);
  known.is_running = false;
  say(status == 0 ? "[The program exited normally]\n"
                  : "[The program exited with code " + std::to_string(status) + "]\n");
  say(session.unreached());
  talk(session);
}

}  // namespace warpbook::simulator::debugger
