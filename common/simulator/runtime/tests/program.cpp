// Starts test programs and redirects their output to files.
#include "common/simulator/runtime/tests/program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpbook::simulator::runtime {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void redirect(int descriptor, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

}  // namespace

Outcome run_program(const std::string& name, const std::vector<std::string>& arguments,
                    const std::map<std::string, std::string>& environment) {
  const std::string path = std::string(WARPBOOK_TEST_PROGRAMS) + "/" + name;
  if (!std::filesystem::exists(path)) throw std::runtime_error(path + " does not exist: build the target " + name);
  char folder[] = "/tmp/warpbook_program_XXXXXX";
  if (::mkdtemp(folder) == nullptr) throw std::runtime_error("cannot make a folder in /tmp");
  const char* const runner = std::getenv("WARPBOOK_RUN_APART");
  const std::string apart = runner == nullptr ? "" : runner;
  const std::string output = std::string(folder) + "/output", errors = std::string(folder) + "/errors";

  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    redirect(STDOUT_FILENO, output);
    redirect(STDERR_FILENO, errors);
    std::vector<std::string> words;
    if (!apart.empty()) words.push_back(apart);
    words.push_back(path);
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<std::string> settings{"LD_LIBRARY_PATH=" WARPBOOK_LIBRARY_FOLDER,
                                      "ASAN_OPTIONS=detect_leaks=0:handle_segv=0"};
#ifdef WARPBOOK_PRELOAD
    settings.push_back("LD_PRELOAD=" WARPBOOK_PRELOAD);
#endif
    for (const auto& [key, value] : environment) settings.push_back(key + "=" + value);
    std::vector<char*> envp;
    for (std::string& setting : settings) envp.push_back(setting.data());
    envp.push_back(nullptr);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome outcome;
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.output = read_file(output);
  outcome.errors = read_file(errors);
  std::filesystem::remove_all(folder);
  return outcome;
}

}  // namespace warpbook::simulator::runtime
