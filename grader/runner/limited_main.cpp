// Runs one program under limits for the batch commands: a request as JSON on stdin, the result as JSON on stdout.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/judge/results.h"
#include "grader/runner/process.h"

namespace {

using namespace warpbook::grader;
using Json = nlohmann::json;

constexpr int kUsage = 2;
constexpr const char* kHelp =
    "Usage: limited_run < request.json > result.json\n\n"
    "The request: program, arguments, environment, folder, confined (bubblewrap with sandbox_init), return_to (file "
    "that\n"
    "takes what is written to descriptor 4), limits (grader/runner/limits.h).\n"
    "The result: end (exited, signalled, timed_out, machine_busy, too_much_work, too_much_output, reply_too_large,\n"
    "too_many_processes, too_much_memory, cannot_start), code, output, error, truncated, wall_us, left_behind.\n";

const std::map<End, std::string> kEnds = {{End::exited, "exited"},
                                          {End::signalled, "signalled"},
                                          {End::timed_out, "timed_out"},
                                          {End::machine_busy, "machine_busy"},
                                          {End::too_much_work, "too_much_work"},
                                          {End::too_much_output, "too_much_output"},
                                          {End::reply_too_large, "reply_too_large"},
                                          {End::too_many_processes, "too_many_processes"},
                                          {End::too_much_memory, "too_much_memory"},
                                          {End::cannot_start, "cannot_start"}};

Json run(const Json& json) {
  ProcessRequest request;
  request.program = json.at("program").get<std::string>();
  request.arguments = json.at("arguments").get<std::vector<std::string>>();
  request.environment = json.at("environment").get<std::map<std::string, std::string>>();
  request.folder = json.at("folder").get<std::string>();
  request.confined = json.value("confined", false);
  const std::string return_to = json.value("return_to", "");
  request.returns = !return_to.empty();
  request.limits = limits_from(json.value("limits", Json::object()));
  const ProcessResult result = run_process(request);
  if (request.returns && result.end == End::exited && result.code == 0)
    write_file(return_to, std::string(reinterpret_cast<const char*>(result.returned.data()), result.returned.size()));
  return {{"end", kEnds.at(result.end)},  {"code", result.code},       {"output", result.output},
          {"error", result.error},        {"wall_us", result.wall_us}, {"left_behind", result.left_behind},
          {"truncated", result.truncated}};
}

}  // namespace

int main(int argc, char**) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // If the parent has died, nobody reads the result.
  if (argc > 1) {
    std::printf("%s", kHelp);
    return 0;
  }
  try {
    const Json request = Json::parse(std::string(std::istreambuf_iterator<char>(std::cin), {}));
    std::cout << run(request).dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limited_run: %s\n", error.what());
    return kUsage;
  }
}
