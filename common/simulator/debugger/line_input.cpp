// Reads through libedit, if it is installed, or straight from the file.
#include "common/simulator/debugger/line_input.h"

#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warpbook::simulator::debugger {
namespace {

/// Never destroyed: lines are still read after the program has ended.
std::vector<std::string>& completed_words() {
  static auto& words = *new std::vector<std::string>;
  return words;
}

/// The part of libedit that is compatible with readline; loaded when a person types, never required.
struct Editor {
  char* (*readline)(const char*) = nullptr;
  int (*add_history)(const char*) = nullptr;
  char** (*completion_matches)(const char*, char* (*)(const char*, int)) = nullptr;
};

/// The words that begin with @p text, one per call. The caller frees them.
char* next_word(const char* text, int state) {
  static std::size_t at = 0;
  if (state == 0) at = 0;
  while (at < completed_words().size()) {
    const std::string& word = completed_words()[at++];
    if (word.compare(0, std::strlen(text), text) == 0) return ::strdup(word.c_str());
  }
  return nullptr;
}

char** complete(const char* text, int start, int);

const Editor* editor() {
  static const Editor found = [] {
    Editor editor;
    const char* const terminal = std::getenv("TERM");
    if (terminal == nullptr || std::strcmp(terminal, "dumb") == 0) return editor;
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) return editor;
    void* const library = ::dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return editor;
    const auto take = [&](auto& place, const char* name) {
      place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(::dlsym(library, name));
    };
    take(editor.add_history, "add_history");
    take(editor.completion_matches, "rl_completion_matches");
    using Completer = char** (*)(const char*, int, int);
    Completer* attempted = nullptr;
    int *catches = nullptr, *over = nullptr;
    take(attempted, "rl_attempted_completion_function");
    take(catches, "rl_catch_signals");
    take(over, "rl_attempted_completion_over");
    const char** name = nullptr;
    take(name, "rl_readline_name");
    if (editor.add_history == nullptr || editor.completion_matches == nullptr || attempted == nullptr ||
        catches == nullptr)
      return editor;
    *attempted = &complete;
    *catches = 0;  // The debugger handles interrupts.
    if (name != nullptr) *name = "warpbook";
    take(editor.readline, "readline");
    return editor;
  }();
  return found.readline == nullptr ? nullptr : &found;
}

char** complete(const char* text, int start, int) {
  return start == 0 ? editor()->completion_matches(text, &next_word) : nullptr;
}

/// While this lives, a signal ends the wait for input: libedit's read would otherwise be restarted.
class EndsAtSignal {
 public:
  EndsAtSignal() {
    ::sigaction(SIGINT, nullptr, &before_);
    struct sigaction now = before_;
    now.sa_flags &= ~SA_RESTART;
    ::sigaction(SIGINT, &now, nullptr);
  }
  ~EndsAtSignal() { ::sigaction(SIGINT, &before_, nullptr); }
  EndsAtSignal(const EndsAtSignal&) = delete;
  EndsAtSignal& operator=(const EndsAtSignal&) = delete;

 private:
  struct sigaction before_ = {};
};

}  // namespace

void LineInput::complete_with(std::vector<std::string> words) { completed_words() = std::move(words); }

LineInput::Outcome LineInput::read(const char* prompt, std::string& line) {
  line.clear();
  if (const Editor* const known = editor()) {
    const EndsAtSignal ends;
    errno = 0;
    char* const typed = known->readline(prompt);
    if (typed == nullptr) return errno == EINTR ? Outcome::interrupted : Outcome::end;
    line = typed;
    std::free(typed);
    if (line.find_first_not_of(" \t") != std::string::npos) known->add_history(line.c_str());
    return Outcome::line;
  }
  std::fputs(prompt, stdout);
  std::fflush(stdout);
  for (char c;;) {
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, -1) < 0) return Outcome::interrupted;
    const ssize_t count = ::read(STDIN_FILENO, &c, 1);
    if (count < 0 && errno == EINTR) return Outcome::interrupted;
    if (count <= 0) return line.empty() ? Outcome::end : Outcome::line;
    if (c == '\n') return Outcome::line;
    line += c;
  }
}

}  // namespace warpbook::simulator::debugger
