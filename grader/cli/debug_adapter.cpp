// warpbook debug --dap: connects an editor's pipes, the debugger inside the program, and the program's output.
//
// This process answers the first requests, which come before the program has started. After that it passes messages
// through, with new sequence numbers, and turns the program's output into messages, too.
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "common/simulator/debugger/dap_frames.h"
#include "grader/cli/commands.h"

namespace warpbook::grader {
namespace {

using Json = nlohmann::json;
using simulator::debugger::dap_frame;
using simulator::debugger::DapFrames;

void write_all(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(file, text.data() + at, text.size() - at);
    if (count <= 0) return;
    at += static_cast<std::size_t>(count);
  }
}

class Adapter {
 public:
  explicit Adapter(const RunOptions& options) : options_(options) {}

  int run() {
    while (editor_ >= 0 || program_ >= 0) {
      pollfd files[] = {{editor_, POLLIN, 0}, {program_, POLLIN, 0}, {output_, POLLIN, 0}, {error_, POLLIN, 0}};
      if (::poll(files, 4, -1) < 0) continue;
      // The program's output goes first, then the message that it has stopped.
      if (files[2].revents != 0) pass_output(output_, "stdout");
      if (files[3].revents != 0) pass_output(error_, "stderr");
      if (files[1].revents != 0) pass_answers();
      if (files[0].revents != 0) take_requests();
      if (process_ > 0 && program_ < 0 && output_ < 0 && error_ < 0) return finish();
    }
    return 0;
  }

 private:
  void send(Json message) {
    message["seq"] = ++sequence_;
    write_all(STDOUT_FILENO, dap_frame(message.dump()));
  }
  void event(const char* name, Json body) { send({{"type", "event"}, {"event", name}, {"body", std::move(body)}}); }
  void respond(const Json& request, bool success, const std::string& message, Json body = Json::object()) {
    Json response = {{"type", "response"},
                     {"request_seq", request.contains("seq") ? request["seq"] : Json(0)},
                     {"command", request["command"]},
                     {"success", success},
                     {"body", std::move(body)}};
    if (!success) response["message"] = message;
    send(std::move(response));
  }

  /// @returns what came; at the end, closes @p file
  static std::string read(int& file) {
    char bytes[65536];
    const ssize_t count = ::read(file, bytes, sizeof bytes);
    if (count > 0) return {bytes, static_cast<std::size_t>(count)};
    ::close(file);
    file = -1;
    return "";
  }

  void pass_output(int& file, const char* category) {
    const std::string text = read(file);
    if (!text.empty()) event("output", {{"category", category}, {"output", text}});
  }

  void pass_answers() {
    answers_.add(read(program_));
    while (const auto text = answers_.take()) {
      Json message = Json::parse(*text, nullptr, false);
      if (!message.is_discarded()) send(std::move(message));
    }
  }

  void take_requests() {
    requests_.add(read(editor_));
    if (editor_ < 0 && process_ > 0) ::shutdown(program_, SHUT_WR);  // The editor is gone: so is the program.
    while (const auto text = requests_.take()) {
      const Json request = Json::parse(*text, nullptr, false);
      if (!request.is_object() || !request.contains("command") || !request["command"].is_string()) continue;
      try {
        take(request, *text);
      } catch (const Json::exception& error) {
        respond(request, false, std::string("an argument of the request has the wrong type: ") + error.what());
      }
    }
  }

  void take(const Json& request, const std::string& text) {
    const std::string command = request["command"];
    if (command == "initialize") {
      respond(request, true, "",
              {{"supportsConfigurationDoneRequest", true},
               {"supportsConditionalBreakpoints", true},
               {"supportsHitConditionalBreakpoints", true},
               {"supportsFunctionBreakpoints", true},
               {"supportsStepBack", true},
               {"supportsSteppingGranularity", true},
               {"supportsTerminateRequest", true},
               {"supportsDataBreakpoints", true},
               {"supportsExceptionInfoRequest", true},
               {"supportsDisassembleRequest", true},
               {"supportsReadMemoryRequest", true},
               {"supportsEvaluateForHovers", true}});
    } else if (command == "launch" && process_ < 0) {
      launch(request);
    } else if (process_ > 0) {
      write_all(program_, dap_frame(text));
    } else if (command == "disconnect") {
      respond(request, true, "");
      std::exit(0);
    } else {
      respond(request, false, "no program has been launched");
    }
  }

  void launch(const Json& request) {
    const Json arguments = request.value("arguments", Json::object());
    RunOptions options = options_;
    if (options.command.empty()) {
      options.command.push_back(arguments.value("program", ""));
      for (const Json& argument : arguments.value("args", Json::array())) options.command.push_back(argument);
    }
    if (options.command.front().empty()) return respond(request, false, "the launch request names no program");
    int sockets[2], out[2], error[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || ::pipe(out) != 0 || ::pipe(error) != 0)
      return respond(request, false, "the program cannot be started: no sockets are left");
    process_ = ::fork();
    if (process_ == 0) {
      for (const int file : {sockets[0], out[0], error[0]}) ::close(file);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(error[1], STDERR_FILENO);
      const std::string folder = arguments.value("cwd", "");
      if (!folder.empty() && ::chdir(folder.c_str()) != 0) {
        write_all(STDERR_FILENO, "warpbook: there is no folder '" + folder + "'\n");
        ::_exit(2);
      }
      options.debugger_socket = sockets[1];
      try {
        run_program(options);
      } catch (const std::exception& problem) {
        write_all(STDERR_FILENO, std::string("warpbook: ") + problem.what() + "\n");
      }
      ::_exit(2);
    }
    for (const int file : {sockets[1], out[1], error[1]}) ::close(file);
    program_ = sockets[0];
    output_ = out[0];
    error_ = error[0];
    respond(request, true, "");
  }

  int finish() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    event("exited", {{"exitCode", code}});
    event("terminated", Json::object());
    return 0;
  }

  const RunOptions& options_;
  int editor_ = STDIN_FILENO, program_ = -1, output_ = -1, error_ = -1;
  pid_t process_ = -1;
  int sequence_ = 0;
  DapFrames requests_, answers_;
};

}  // namespace

int run_debug_adapter(const RunOptions& options) { return Adapter(options).run(); }

}  // namespace warpbook::grader
