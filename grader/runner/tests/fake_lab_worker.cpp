// The worker of the fake lab, built once for each of its answers: right, wrong, slow, not started, and what no lab's
// answer can be on a machine without a GPU.
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/cuda/lab.h"
#include "grader/judge/call.h"
#include "grader/runner/process.h"
#include "grader/runner/protocol.h"
#include "grader/runner/worker.h"

using namespace warpbook::grader;

namespace {

/// As on a real GPU.
bool on_hardware() { return std::getenv("WARPBOOK_DEVICE_CHANNEL") == nullptr; }

/// Writes the profile that the fake device will return.
void write_profile(const std::string& text) {
  if (on_hardware()) return;
  if (write(kDeviceChannel, text.data(), text.size()) < 0) throw std::runtime_error("the fake device does not listen");
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string answer = WARPBOOK_FAKE_ANSWER;
  const std::string time = answer == "slow" ? "15" : "10", sectors = answer == "slow" ? "32" : "4";
  // The profile is what the virtual GPU would write.
  std::ostringstream profile;
  profile
      << R"({"format": "warpbook.profile", "version": 1, "device": "h200", "errors": [], "kernels": [{"name": "twice", "start_us": 0,
             "time_us": )"
      << time << R"(, "limiter": "dram", "lines": [{"file": "twice.cu", "line": 5, "accesses": [
             {"op": "st", "space": "global", "requests": 1, "sectors": )"
      << sectors << R"(, "sectors_ideal": 4}]}]}]})";
  if (answer != "without a device") write_profile(profile.str());
  if (answer == "not started") warpbook::not_started("labs/basics/twice/twice.cu", 9);
  std::vector<float> out = given.array<float>("in");
  const std::string order = given.has(kScheduleSeed) && given.integer(kScheduleSeed) != 0 ? "other" : "documented";
  // How much is left of the work says nothing about results. If the test were repeated, all of its cases would run in
  // the documented order.
  const bool leaves_work = answer == "left work", is_repeated = order == "documented" && out.size() != 33;
  if (leaves_work) reply.set(kLeft, order == "documented" ? 2.0 : 1.0);
  const bool in_order = !answer.ends_with(" order") || answer.starts_with(order);
  const bool is_wrong = answer == "wrong" || (answer == "wrong on hardware" && on_hardware());
  const bool is_right = !is_wrong && in_order && !(leaves_work && is_repeated);
  for (float& value : out) value *= is_right ? 2 : 3;
  if (answer != "sends nothing") reply.set("out", out);
  static bool late = false;
  late = !late;
  reply.set(kMeasuredUs, answer != "unsteady" ? 1.0 : late ? 4.0 : 0.5);
}
