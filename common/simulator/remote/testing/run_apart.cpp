// Runs a program with its device in this process, as a grader does, but without a test case. For tests and experiments.
//
//   run_apart [--record FILE] PROGRAM ARGUMENT...
//
// With --record, the calls of the program's first thread are saved in a file for fuzz_messages.
// The program inherits the environment of run_apart, except for the libraries that send its calls here.
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "common/command_line/command_line.h"
#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/remote/device/server.h"
#include "common/simulator/remote/testing/recorder.h"
#include "common/simulator/remote/wire.h"

namespace {

constexpr int kProgramChannel = 5, kCannotStart = 127, kNoDevice = 2;

[[noreturn]] void become_program(std::vector<std::string>& program, int channel) {
  const std::string number = std::to_string(kProgramChannel);
  if (::dup2(channel, kProgramChannel) < 0) ::_exit(kCannotStart);
  ::setenv(warpbook::simulator::remote::kChannelVariable, number.c_str(), 1);
  ::setenv("LD_LIBRARY_PATH", WARPBOOK_FRONT_FOLDER, 1);
  std::vector<char*> words;
  for (std::string& word : program) words.push_back(word.data());
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  std::fprintf(stderr, "run_apart: %s: %s\n", words[0], std::strerror(errno));
  ::_exit(kCannotStart);
}

/// The signal that ended the program, if any.
int ended_by = 0;

/// Runs after the library's own handler, which writes the profile and the checkers' report.
[[gnu::destructor(101)]] void end_by_signal() {
  if (ended_by == 0) return;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(ended_by, SIG_DFL);
  ::raise(ended_by);
}

/// Ends in the same way as the program.
int end_as(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  ended_by = WTERMSIG(status);
  return 128 + ended_by;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace warpbook::simulator;
  std::string record;
  std::vector<std::string> program_words;
  warpbook::CommandLine line("Runs a program apart from its device.");
  line.add("--record", record, "Write what it asks the device to this file");
  line.rest(program_words, "PROGRAM ARGUMENT...");
  if (const std::optional<int> status = line.parse(argc, argv, kNoDevice)) return *status;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    std::fprintf(stderr, "run_apart: no socket: %s\n", std::strerror(errno));
    return kNoDevice;
  }
  const pid_t program = ::fork();
  if (program < 0) {
    std::fprintf(stderr, "run_apart: cannot fork: %s\n", std::strerror(errno));
    return kNoDevice;
  }
  if (program == 0) become_program(program_words, ends[1]);
  ::close(ends[1]);
  try {
    remote::remote_host();
    if (!record.empty()) {
      remote::Recorder recorder(ends[0], record);
      remote::serve(recorder.device(), nullptr);
      if (!recorder.finish()) std::fprintf(stderr, "run_apart: %s cannot be written\n", record.c_str());
    } else {
      remote::serve(ends[0], nullptr);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_apart: %s\n", error.what());
    ::kill(program, SIGKILL);
    return kNoDevice;
  }
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  return end_as(status);
}
