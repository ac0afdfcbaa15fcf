// The worker of the fake lab, built once for each of its answers: right, wrong, slow or not started.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "common/cuda/lab.h"
#include "common/simulator/runtime/seal.h"
#include "grader/core/worker.h"

using namespace warpbook::grader;

namespace {

/// Into a file, or, with a seal, to a descriptor.
void write_profile(std::string text) {
  std::string target = std::getenv("WARPBOOK_PROFILE");
  if (target.rfind("fd:", 0) == 0) target = "/proc/self/fd/" + target.substr(3);
  namespace seal = warpbook::simulator::runtime;
  seal::SealKey key{};
  if (seal::parse_key(std::getenv(seal::kSealVariable), key)) text += seal::seal_of(key, text);
  std::ofstream(target.c_str()) << text;
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string answer = WARPBOOK_FAKE_ANSWER;
  const std::string time = answer == "slow" ? "15" : "10", sectors = answer == "slow" ? "32" : "4";
  // The profile is what the virtual GPU would write, to a descriptor too.
  std::ostringstream profile;
  profile
      << R"({"format": "warpbook.profile", "version": 1, "device": "h200", "errors": [], "kernels": [{"name": "twice", "start_us": 0,
             "time_us": )"
      << time << R"(, "limiter": "dram", "lines": [{"file": "twice.cu", "line": 5, "accesses": [
             {"op": "st", "space": "global", "requests": 1, "sectors": )"
      << sectors << R"(, "sectors_ideal": 4}]}]}]})";
  write_profile(profile.str());
  if (answer == "not started") warpbook::not_started("labs/twice/twice.cu", 9);
  std::vector<float> out = given.array<float>("in");
  for (float& value : out) value *= answer == "wrong" ? 3 : 2;
  reply.set("out", out);
}
