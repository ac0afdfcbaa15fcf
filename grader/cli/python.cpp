// The subcommands of `warpbook` that are implemented by Python packages.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "grader/cli/commands.h"

namespace warpbook::grader {

const std::vector<PythonCommand>& python_commands() {
  static const std::vector<PythonCommand> commands = {
      {"list", "grader.learner", "List all labs in order, and how far you are"},
      {"next", "grader.learner", "Say what to do next, and why"},
      {"check", "grader.learner", "Build your answer to a lab, grade it and explain"},
      {"watch", "grader.learner", "Grade a lab whenever you save its file"},
      {"hint", "grader.learner", "Show the next hint of a lab"},
      {"submit", "grader.learner", "Pack your answer to a lab into a zip for handing in"},
      {"course", "grader.course", "Check a course's rules and roster, and show their effect"},
      {"grade", "grader.course", "Grade a folder of submissions into a gradebook"},
      {"export", "grader.course", "Write a gradebook in the format of a course platform, without grading again"},
      {"show", "grader.course", "Show what a student's grade is based on: attempts, tests, points, changes"},
      {"publish", "grader.edition",
       "Make the folder that a course hands out to students: labs and the grader, already built"},
      {"similarity", "grader.course", "List submissions that are alike, for a person to look at"},
      {"report", "grader.report", "Write reports of a graded class: pages, texts or PDFs"},
  };
  return commands;
}

std::string project_root_of(const std::string& build_folder) {
  const bool installed = std::filesystem::exists(build_folder + "/grader/learner/__main__.py");
  return installed ? build_folder : WARPBOOK_ROOT;
}

std::string python() {
  // On another machine than the one that built this, the interpreter may have another path.
  return access(WARPBOOK_PYTHON, X_OK) == 0 ? WARPBOOK_PYTHON : "python3";
}

void run_python_command(const std::string& build_folder, const std::string& name,
                        const std::vector<std::string>& arguments) {
  for (const PythonCommand& command : python_commands()) {
    if (name != command.name) continue;
    const std::string interpreter = python();
    std::vector<std::string> words = {interpreter, "-m", command.module, name, "--build-folder", build_folder};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    setenv("PYTHONPATH", project_root_of(build_folder).c_str(), 1);
    setenv("PYTHONSAFEPATH", "1", 1);  // A file json.py among the submissions must not hide Python's module.
    execvp(interpreter.c_str(), argv.data());
    throw std::runtime_error(interpreter + " cannot be started: " + std::strerror(errno) +
                             "; run common/setup.sh and configure again");
  }
}

}  // namespace warpbook::grader
