// Programs of the driver API and OpenACC programs that GCC built, run unchanged on the virtual GPU.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

namespace {

const std::string kPrograms = WARPBOOK_TEST_PROGRAMS;

/// The text of the profile that a program writes.
std::string profile_of(const std::string& name, Outcome& outcome, std::map<std::string, std::string> environment = {}) {
  char folder[] = "/tmp/warpbook_profile_XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/profile.json";
  environment["WARPBOOK_PROFILE"] = path;
  outcome = run_program(name, {}, environment);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::filesystem::remove_all(folder);
  return text.str();
}

}  // namespace

TEST_CASE("a program of the driver API runs") {
  const Outcome outcome = run_program("driver", {kPrograms + "/driver.ptx", kPrograms + "/driver.fatbin"});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find(" 0 failed") != std::string::npos);
  // An unsupported call is reported once; a fault is explained with its source line.
  for (const std::string message :
       {"cuArrayGetPlane is not supported by the virtual GPU\n",
        "a texture or surface reference is not supported by the virtual GPU: CUDA 12 removed them from CUDA C++. Make "
        "an "
        "object with cuTexObjectCreate or cuSurfObjectCreate, and pass its handle to the kernel\n"}) {
    const std::size_t first = outcome.errors.find(message);
    CHECK(first != std::string::npos);
    CHECK(outcome.errors.find(message, first + 1) == std::string::npos);
  }
  CHECK(outcome.errors.find("in kernel out_of_bounds, block (0,0,0), thread (0,0,0)") != std::string::npos);
  CHECK(outcome.errors.find("driver.cu:12") != std::string::npos);
}

#if WARPBOOK_OPENACC
TEST_CASE("an OpenACC program is offloaded, counted and timed") {
  Outcome outcome;
  const std::string text = profile_of("openacc", outcome, {{"ACC_DEVICE_TYPE", "nvidia"}});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find(" 0 failed") != std::string::npos);
  CHECK(outcome.output.find("printed by a gang\n") != std::string::npos);
  const json profile = json::parse(text);
  REQUIRE(profile["kernels"].size() == 25);
  const json& first = profile["kernels"][0];
  CHECK(first["name"] == "(anonymous namespace)::check_parallel_loop() [region 0]");
  CHECK(first["registers_source"] == "estimated");
  CHECK(first["block"] == json::array({32, 1, 1}));  // the vector lanes
  CHECK(first["time_us"].get<double>() > 0);
  CHECK(first["metrics"]["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"].get<double>() < 4.1);
  bool at_the_loop = false;
  for (const json& line : first["lines"]) {
    at_the_loop = at_the_loop || line["file"].get<std::string>().find("openacc.cpp") != std::string::npos;
  }
  CHECK(at_the_loop);
  CHECK(profile["kernels"][1]["block"] == json::array({32, 4, 1}));   // vector, worker
  CHECK(profile["kernels"][2]["block"] == json::array({128, 1, 1}));  // vector_length(128)
  // The queues are streams, and their copies are in the profile.
  std::size_t queued = 0;
  for (const json& copy : profile["copies"]) queued += copy["stream"] != 0 && copy["bytes"] == 1700 * 4;
  CHECK(queued == 12);
}

TEST_CASE("the profile of an OpenACC program is the same every time") {
  Outcome outcome;
  const std::string once = profile_of("openacc", outcome);
  REQUIRE(once.size() > 1000);
  CHECK(once == profile_of("openacc", outcome, {{"WARPBOOK_THREADS", "1"}}));
  CHECK(once == profile_of("openacc", outcome, {{"WARPBOOK_THREADS", "3"}}));
}

TEST_CASE("a race that the host hides shows on the virtual GPU") {
  const Outcome host = run_program("openacc_race", {}, {{"ACC_DEVICE_TYPE", "host"}});
  CHECK(host.output == "0 wrong\n");
  const Outcome device = run_program("openacc_race", {}, {{"ACC_DEVICE_TYPE", "nvidia"}});
  CHECK(device.exit_code == 1);
  CHECK(device.output == "1600 wrong\n");
}

TEST_CASE("queues of OpenACC that do not wait for each other race, and what nobody put on the device is undefined") {
  const auto errors = [](const std::string& what) {
    const Outcome outcome = run_program("openacc_queues", {what},
                                        {{"ACC_DEVICE_TYPE", "nvidia"}, {"WARPBOOK_CHECK", "memory,init,race,sync"}});
    CHECK(outcome.exit_code == 0);
    return outcome.errors;
  };
  const std::string apart = errors("apart");
  INFO(apart);
  CHECK(apart.find("race, read after write (1000 times)") != std::string::npos);
  CHECK(apart.find("// in the first queue") != std::string::npos);
  CHECK(apart.find("// in the second queue") != std::string::npos);
  CHECK(apart.find("1 finding (1 race)") != std::string::npos);
  CHECK(errors("waits") == "warpbook: no findings\n");
  const std::string empty = errors("empty");
  INFO(empty);
  CHECK(empty.find("// reads what is not there") != std::string::npos);
  CHECK(empty.find("1 finding (1 init)") != std::string::npos);
}
#else
TEST_CASE("OpenACC programs are not tested: no compiler offloads to nvptx") {
  WARN("Install gcc-12-offload-nvptx and libgomp-plugin-nvptx1 (common/setup.sh) and configure again.");
}
#endif
